# bash completion for slowtop(1).  tests/t-completions compares it with --help.

# The columns that a table of a text log is ordered by.
_slowtop_log_columns()
{
	case $1 in
	log-processes)
		echo running_us core_percent all_percent runs average_us threads all_threads \
			pid process ;;
	log-threads)
		echo running_us core_percent all_percent runs average_us longest_us slept \
			preempted tid pid thread process cores ;;
	log-cores)
		echo cpu usage_percent running_us idle_us lost_us runs busiest frequencies ;;
	log-states)
		echo total_us count min_us average_us max_us share_percent tid pid state \
			thread process ;;
	log-switches)
		echo total_us count min_us average_us max_us threads state ;;
	log-latency)
		echo total_us wakeups average_us max_us max_at_us tid waker process thread ;;
	log-blocked)
		echo total_us count average_us max_us tid io thread caller ;;
	log-priorities)
		echo total_us count min_us average_us max_us threads share_percent priority ;;
	log-counters)
		echo count first last delta rate min max average pid category process counter ;;
	log-frequencies)
		echo cpu value time_us share_percent count what ;;
	log-top)
		echo number time_us count list name ;;
	log-chains)
		echo slices start_us duration_us changes first chain ;;
	log-intervals)
		echo duration_us start_us cpu priority log_time_us tid state next why thread ;;
	log-summary)
		echo number count what name help ;;
	esac
}

_slowtop()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev= option= words= word command=
	local commands='report info flame html dump convert diff dmtracedump traceview'
	local everywhere='--jobs= --unpack-limit= --mapping= --no-config --strict --help --version'
	local browse='--color= --config= --escape-time='
	local printed='--ascii --format='
	local written='--output= --force'
	local chosen='--clock= --filter= --thread= --process= --tag= --level= --from= --to= --until='
	local transform='--transform='
	local formats='callgrind chrome firefox folded perfetto pprof speedscope svg trace trace-v1 trace-v2'
	local of_report='--view= --sort= --limit= --method= --relations --together
		--min-percent= --calls= --budget='
	local of_diff='--value= --min= --sort= --limit= --fail-above='
	local of_flame='--together --chart --title= --count-name= --min-width='
	local columns='rank incl% excl% incl excl other-incl% other-excl% other-incl other-excl
		wait wait-incl calls avg other-avg threads class file method'
	local diff_columns='delta delta% a b calls by-calls by-time avg-a avg-b other-delta method'

	[ "$COMP_CWORD" -gt 0 ] && prev=${COMP_WORDS[COMP_CWORD - 1]}
	# readline cuts "--option=value" at the "=".
	if [ "$cur" = = ]; then
		option=$prev cur=
	elif [ "$prev" = = ] && [ "$COMP_CWORD" -gt 1 ]; then
		option=${COMP_WORDS[COMP_CWORD - 2]}
	else
		option=$prev
	fi
	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		[[ -z $command && " $commands " == *" $word "* ]] && command=$word
	done

	COMPREPLY=()
	case $option in
	--format)
		words='text csv json'
		[ "$command" = info ] && words='text json'
		[ "$command" = flame ] && words='svg folded' ;;
	--view)
		words='methods classes packages names threads tree bottom-up calls
			log-processes log-threads log-cores log-states log-switches log-latency
			log-blocked log-priorities log-counters log-frequencies log-top log-chains
			log-intervals log-summary'
		[ "$command" = report ] || words="$words profile flame timeline log info" ;;
	--to)
		[ "$command" = convert ] || return
		words=$formats ;;
	--transform)
		words='include: exclude: focus: focus-subtree: focus-self: focus-package:
			merge: merge-node: drop: collapse: collapse-package: collapse-matches:
			recursion: direct-recursion: below:' ;;
	--clock) words='cpu wall' ;;
	--level) words='debug info critical commercial' ;;
	--color) words='auto never always' ;;
	--value) words='incl excl' ;;
	--sort)
		[ "$command" = diff ] && columns=$diff_columns
		[[ "${COMP_WORDS[*]}" =~ --view(" = "|=|" ")(log-[a-z]*) ]] &&
			columns=$(_slowtop_log_columns "${BASH_REMATCH[2]}")
		case $cur in
		[+-]*) words=$(printf -- "${cur:0:1}%s " $columns) ;;
		*) words=$columns ;;
		esac ;;
	--limit | --filter | --thread | --process | --tag | --from | --until | --method) return ;;
	--escape-time | --jobs | -j | --unpack-limit | --title | --count-name | --min-width | --min-percent | --min | --fail-above) return ;;
	esac
	if [ -z "$words" ] && [[ $cur == -* ]]; then
		case $command in
		dmtracedump) words='-d -g -h -k -o -s -t' ;;
		traceview) words='-r' ;;
		info) words="$everywhere $printed $written --process= --tag= --level=" ;;
		flame)
			words="$everywhere $printed $written ${chosen/--filter= /} $transform $of_flame" ;;
		html) words="$everywhere --ascii $written $chosen $transform --title=" ;;
		dump) words="$everywhere $printed $written $chosen" ;;
		diff) words="$everywhere $printed $written $chosen $transform $of_diff $browse" ;;
		convert) words="$everywhere $written $chosen $transform --list" ;;
		report) words="$everywhere $printed $written $chosen $transform $of_report" ;;
		*) words="$everywhere $printed $written $chosen $transform $of_report $browse" ;;
		esac
	fi
	if [ -n "$words" ]; then
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
		[[ ${COMPREPLY[0]} == --*= ]] && compopt -o nospace 2>/dev/null
		return
	fi
	mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	compopt -o filenames 2>/dev/null
	if [ "$COMP_CWORD" -eq 1 ]; then
		mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "$commands" -- "$cur")
	fi
}
complete -F _slowtop slowtop
