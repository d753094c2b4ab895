# fish completion for slowtop(1).  tests/t-completions compares it with --help.

set -l named '__fish_seen_subcommand_from report info flame html dump convert diff dmtracedump traceview'
set -l ours 'not __fish_seen_subcommand_from dmtracedump traceview'
set -l report 'not __fish_seen_subcommand_from info flame html dump convert diff dmtracedump traceview'
set -l printed 'not __fish_seen_subcommand_from convert dmtracedump traceview'
set -l chosen 'not __fish_seen_subcommand_from info dmtracedump traceview'
set -l flame '__fish_seen_subcommand_from flame'
set -l diff '__fish_seen_subcommand_from diff'
set -l picture '__fish_seen_subcommand_from flame html'
set -l formats callgrind chrome firefox folded perfetto pprof speedscope svg trace trace-v1 trace-v2
set -l columns rank incl% excl% incl excl other-incl% other-excl% other-incl other-excl wait wait-incl calls avg other-avg threads class file method

set -l log_view 'string match -q -- "*--view=log-*" (commandline)'

complete -c slowtop -n "not $named" -a report -d 'Print the profile'
complete -c slowtop -n "not $named" -a info -d 'Print what the trace is'
complete -c slowtop -n "not $named" -a flame -d 'Draw a flame graph'
complete -c slowtop -n "not $named" -a html -d 'Write the report as a page'
complete -c slowtop -n "not $named" -a dump -d 'Print the records'
complete -c slowtop -n "not $named" -a convert -d 'Write a file that another tool opens'
complete -c slowtop -n "not $named" -a diff -d 'Compare two traces'
complete -c slowtop -n "not $named" -a dmtracedump -d 'Print what dmtracedump prints'
complete -c slowtop -n "not $named" -a traceview -d 'Print what traceview -r prints'

complete -c slowtop -n "$report" -l format -x -a 'text csv json' -d 'How to print'
complete -c slowtop -n '__fish_seen_subcommand_from info' -l format -x -a 'text json' -d 'How to print'
complete -c slowtop -n "$ours" -s o -l output -r -d 'Write to this file'
complete -c slowtop -n "$ours" -l force -d 'Write it even if it is there'
complete -c slowtop -n "$report" -l view -x -a 'methods classes packages names threads tree bottom-up calls log-processes log-threads log-cores log-states log-switches log-latency log-blocked log-priorities log-counters log-frequencies log-top log-chains log-intervals log-summary' -d 'What the rows are'
complete -c slowtop -n "not $named" -l view -x -a 'profile flame timeline log info' -d 'What the browser begins with'
complete -c slowtop -n "$chosen" -l clock -x -a 'cpu wall' -d 'Time to go by'
complete -c slowtop -n "$report; and not $log_view" -l sort -x -a "$columns" -d 'Order of the rows'
# A table of a text log is ordered by its own columns.
for table in 'log-processes running_us core_percent all_percent runs average_us threads all_threads pid process' \
	'log-threads running_us core_percent all_percent runs average_us longest_us slept preempted tid pid thread process cores' \
	'log-cores cpu usage_percent running_us idle_us lost_us runs busiest frequencies' \
	'log-states total_us count min_us average_us max_us share_percent tid pid state thread process' \
	'log-switches total_us count min_us average_us max_us threads state' \
	'log-latency total_us wakeups average_us max_us max_at_us tid waker process thread' \
	'log-blocked total_us count average_us max_us tid io thread caller' \
	'log-priorities total_us count min_us average_us max_us threads share_percent priority' \
	'log-counters count first last delta rate min max average pid category process counter' \
	'log-frequencies cpu value time_us share_percent count what' \
	'log-top number time_us count list name' \
	'log-chains slices start_us duration_us changes first chain' \
	'log-intervals duration_us start_us cpu priority log_time_us tid state next why thread' \
	'log-summary number count what name help'
	set -l words (string split ' ' -- $table)
	complete -c slowtop -n "$report; and string match -q -- '*--view=$words[1]*' (commandline)" -l sort -x -a "$words[2..-1]" -d 'Order of the rows'
end
complete -c slowtop -n "$report" -l limit -x -d 'At most so many rows'
complete -c slowtop -n "$chosen; and not $flame" -l filter -x -d 'Only methods that match'
set -l transforms include: exclude: focus: focus-subtree: focus-self: focus-package: merge: merge-node: drop: collapse: collapse-package: collapse-matches: recursion: direct-recursion: below:
complete -c slowtop -n "$report" -l transform -x -a "$transforms" -d 'Change the call tree first'
complete -c slowtop -n "$picture; or __fish_seen_subcommand_from convert" -l transform -x -a "$transforms" -d 'Change the call tree first'
complete -c slowtop -n "$chosen" -l thread -x -d 'Only this thread, by id or name'
complete -c slowtop -n "$chosen; or __fish_seen_subcommand_from info" -l process -x -d 'Only this process of a log, by id or name'
complete -c slowtop -n "$chosen; or __fish_seen_subcommand_from info" -l tag -x -d 'Only slices with this tag'
complete -c slowtop -n "$chosen; or __fish_seen_subcommand_from info" -l level -x -a 'debug info critical commercial' -d 'Only slices of this level or higher'
complete -c slowtop -n "$chosen" -l from -x -d 'Only from this time of the trace on'
complete -c slowtop -n "$report" -l to -x -d 'Only up to this time of the trace'
complete -c slowtop -n "$chosen" -l until -x -d 'Only up to this time of the trace'
complete -c slowtop -n '__fish_seen_subcommand_from convert' -l to -x -a "$formats" -d 'What to write'
complete -c slowtop -n '__fish_seen_subcommand_from convert' -l list -d 'List the formats'
complete -c slowtop -n '__fish_seen_subcommand_from dump' -l format -x -a 'text csv json' -d 'How to print'
complete -c slowtop -n '__fish_seen_subcommand_from dump' -l to -x -d 'Only up to this time of the trace'
complete -c slowtop -n $diff -l format -x -a 'text csv json' -d 'How to print'
complete -c slowtop -n $diff -l value -x -a 'incl excl' -d 'What to compare'
complete -c slowtop -n $diff -l min -x -d 'Less is no change'
complete -c slowtop -n $diff -l sort -x -a 'delta delta% a b calls by-calls by-time avg-a avg-b other-delta method' -d 'Order of each list'
complete -c slowtop -n $diff -l limit -x -d 'At most so many rows in each list'
complete -c slowtop -n $diff -l fail-above -x -d 'Status 1 when a method is slower by more'
complete -c slowtop -n $diff -l to -x -d 'Only up to this time of the trace'
complete -c slowtop -n $diff -l transform -x -a "$transforms" -d 'Change the call tree first'
complete -c slowtop -n $flame -l format -x -a 'svg folded' -d 'Picture or stacks'
complete -c slowtop -n $picture -l to -x -d 'Only up to this time of the trace'
complete -c slowtop -n "$report; or $flame" -l together -d 'Threads as one'
complete -c slowtop -n $flame -l chart -d 'Calls in the order of time'
complete -c slowtop -n $picture -l title -x -d 'Title of the picture or page'
complete -c slowtop -n $flame -l count-name -x -d 'What microseconds are called'
complete -c slowtop -n $flame -l min-width -x -d 'Leave out narrower frames, in pixels'
complete -c slowtop -n "$report" -l method -x -d 'Parents and children of methods that match'
complete -c slowtop -n "$report" -l min-percent -x -d 'Fold what is less'
complete -c slowtop -n "$report" -l calls -x -d 'Single calls of methods that match'
complete -c slowtop -n "$report" -l budget -x -d 'Mark calls that took longer'
complete -c slowtop -n "$report" -l relations -d 'Parents and children of every method'

complete -c slowtop -n "not $named; or $diff" -l color -x -a 'auto never always' -d Colours
complete -c slowtop -n "not $named; or $diff" -l config -r -d 'Settings from this file'
complete -c slowtop -n "not $named; or $diff" -l escape-time -x -d 'Milliseconds a lone Esc waits'

complete -c slowtop -n "$printed" -l ascii -d 'No characters outside of ASCII'
complete -c slowtop -n "$ours" -l mapping -r -d 'Names of the source, by a mapping of R8'
complete -c slowtop -n "$ours" -l unpack-limit -x -d 'How large compressed traces may become'
complete -c slowtop -n "$ours" -s j -l jobs -x -d 'Threads that read the trace'
complete -c slowtop -n "$ours" -l no-config -d 'No file of settings'
complete -c slowtop -n "$ours" -l strict -d 'Status 3 when the trace is damaged'
complete -c slowtop -n "$ours" -s h -l help -d 'Show the options'
complete -c slowtop -n "$ours" -s V -l version -d 'Show the version'

set -l dump '__fish_seen_subcommand_from dmtracedump'
complete -c slowtop -n $dump -s d -r -d 'Differences from this trace'
complete -c slowtop -n $dump -s g -r -d 'Draw a graph of calls'
complete -c slowtop -n $dump -s h -d 'Write HTML'
complete -c slowtop -n $dump -s k -d 'Keep the description of the graph'
complete -c slowtop -n $dump -s o -d 'List the records'
complete -c slowtop -n $dump -s s -x -d 'Load sortable.js from below this URL'
complete -c slowtop -n $dump -s t -x -d 'Leave out calls below so many percent'
complete -c slowtop -n '__fish_seen_subcommand_from traceview' -s r -d 'Print totals, threads, calls'
