# SPDX-License-Identifier: Apache-2.0
# What contrib/quickstart, contrib/check and .ci/run share; to be sourced after
# `me` (for messages) and `top` (the source tree) are set.  Messages go to
# standard error: standard output belongs to slowtop and to the results.

# Tools and libraries, one a line: how to see that it is there, then the Debian
# packages that bring it.
build_needs='
compiler gcc libc6-dev
cmd:make make
cmd:autoreconf autoconf
cmd:aclocal automake
cmd:pkg-config pkg-config
lib:ncursesw libncurses-dev
lib:termkey libtermkey-dev
lib:libpcre2-8 libpcre2-dev
lib:zlib zlib1g-dev'

# "slowtop serve", and archives, are left out without.
build_extras='
lib:libmicrohttpd libmicrohttpd-dev
lib:libarchive libarchive-dev'

# Tests that want one of these skip without.
test_extras="$build_extras"'
lib:vterm libvterm-dev
cmd:dmtracedump dmtracedump
cmd:callgrind_annotate valgrind
cmd:curl curl
cmd:jq jq
cmd:sqlite3 sqlite3
cmd:protoc protobuf-compiler
cmd:python3 python3
cmd:xmllint libxml2-utils
cmd:rsvg-convert librsvg2-bin
cmd:chromium chromium
cmd:chromedriver chromium-driver
file:/usr/share/perl5/Devel/NYTProf/flamegraph.pl libdevel-nytprof-perl
cmd:tmux tmux
cmd:codespell codespell
cmd:mandoc mandoc
cmd:bash bash
cmd:zsh zsh
cmd:fish fish'

# All that debian/control asks for, beside build_needs.
package_needs='
package:build-essential build-essential
cmd:dpkg-buildpackage dpkg-dev
cmd:dh debhelper
lib:libmicrohttpd libmicrohttpd-dev
lib:libarchive libarchive-dev
lib:vterm libvterm-dev
cmd:python3 python3'

ci_extras="$package_needs"'
cmd:git git
cmd:lintian lintian
cmd:rpmbuild rpm
clang-fuzzer clang libclang-rt-dev'

# How scripts end ------------------------------------------------------------

# A script that counts defines summary(), which prints what `passed`, `failed` and
# `skipped` are, says in `phase` what it is doing, and sets `complete` at its end.
passed=0 failed=0 skipped=0 phase= complete=
deadline=${SLOWTOP_DEADLINE:-} # seconds since 1970; empty: none
running=                       # the process of run()
uncounted=                     # what counts its results so far, when it is cut short

say()
{
	printf '%s: %s\n' "$me" "$*" >&2
}

die()
{
	say "$*"
	exit 2
}

# From now on the script ends with its summary, whatever ends it.
ends_with_summary()
{
	trap at_end EXIT
	trap 'exit 1' HUP INT TERM
}

at_end()
{
	at_end_status=$?
	trap '' HUP INT TERM
	trap - EXIT
	if [ -n "$running" ]; then
		kill "$running" 2>/dev/null
		wait "$running" 2>/dev/null
	fi
	[ -z "$uncounted" ] || $uncounted
	if [ -z "$complete" ]; then
		say "ended early: $phase"
		failed=$((failed + 1))
	fi
	summary
	exit "$at_end_status"
}

exec 3>&2 # where messages go though what runs writes into a log

# run COMMAND...: until the deadline at most (status 124), and so that a signal to the
# script is heard meanwhile.  Where there is no deadline a user waits, and interrupts.
run()
{
	if [ -z "$deadline" ]; then
		"$@"
		return
	fi
	run_left=$((deadline - $(date +%s)))
	[ "$run_left" -gt 0 ] || run_left=1
	timeout -k 20 "$run_left" "$@" &
	running=$!
	wait "$running"
	run_status=$?
	running=
	case $run_status in
	124|137) say "no time left: $phase" 2>&3 ;;
	esac
	return "$run_status"
}

builds() # COMPILER FLAG...: does it make a program of this?
{
	command -v "$1" >/dev/null 2>&1 || return 1
	builds_dir=$(mktemp -d) || return 1
	printf '#include <stdio.h>\nint LLVMFuzzerTestOneInput(const unsigned char *p, %s' \
		'size_t n) { return p == NULL && n; }
		#ifndef FUZZER
		int main(void) { return puts("") < 0; }
		#endif
		' >"$builds_dir/a.c"
	"$@" -o "$builds_dir/a" "$builds_dir/a.c" >/dev/null 2>&1
	builds_status=$?
	rm -rf "$builds_dir"
	return $builds_status
}

have() # ITEM of the lists above
{
	case $1 in
	compiler)
		for cc in ${CC:-gcc cc clang}; do
			builds "$cc" && return 0
		done
		return 1 ;;
	clang-fuzzer)
		builds clang -DFUZZER -fsanitize=fuzzer,address,undefined ;;
	cmd:*)
		command -v "${1#cmd:}" >/dev/null 2>&1 ;;
	package:*)
		dpkg-query -W -f '${Status}' "${1#package:}" 2>/dev/null | grep -q ' installed$' ;;
	file:*)
		[ -e "${1#file:}" ] ;;
	lib:*)
		pkg-config --exists "${1#lib:}" 2>/dev/null ;;
	esac
}

missing() # LIST: prints the lines of what is not there
{
	printf '%s\n' "$1" | while read -r item packages; do
		[ -n "$item" ] && ! have "$item" && echo "$item $packages"
	done
}

packages_of() # LINES
{
	printf '%s\n' "$1" | while read -r item packages; do
		printf '%s ' "$packages"
	done
}

as_root()
{
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif [ -t 0 ]; then
		sudo "$@"
	else
		sudo -n "$@"
	fi
}

can_install()
{
	command -v apt-get >/dev/null 2>&1 || return 1
	[ "$(id -u)" -eq 0 ] && return 0
	command -v sudo >/dev/null 2>&1 && { [ -t 0 ] || sudo -n true 2>/dev/null; }
}

apt() # VERB...: tried twice, servers have bad moments
{
	apt_once "$@" || { sleep 3 && apt_once "$@"; }
}

apt_once() # VERB...
{
	as_root timeout -k 20 300 env DEBIAN_FRONTEND=noninteractive apt-get -y -q \
		-o DPkg::Lock::Timeout=120 -o Acquire::Retries=2 -o Acquire::http::Timeout=30 \
		-o Acquire::https::Timeout=30 "$@" </dev/null >>"$apt_log" 2>&1
}

# provide NEEDS EXTRAS: installs what is missing; ends the script if a need stays
# unmet, and only says so of an extra.
provide()
{
	need=$(missing "$1")
	extra=$(missing "$2")
	[ -z "$need$extra" ] && return

	if can_install; then
		apt_log=$(mktemp) || die "no room for temporary files"
		# Words on purpose: one package each.
		say "installing" $(packages_of "$need
$extra")
		apt update
		if ! apt install --no-install-recommends $(packages_of "$need
$extra"); then
			[ -n "$need" ] && apt install --no-install-recommends $(packages_of "$need")
			for package in $(packages_of "$extra"); do
				apt install --no-install-recommends "$package"
			done
		fi
		need=$(missing "$1")
		extra=$(missing "$2")
		[ -z "$need" ] || tail -n 5 "$apt_log" >&2
		rm -f "$apt_log"
	fi
	if [ -n "$need" ]; then
		say "missing, and not to be installed from here:"
		printf '%s\n' "$need" | while read -r item packages; do
			say "  ${item#*:} (Debian: $packages)"
		done
		exit 2
	fi
	[ -z "$extra" ] || say "without" $(printf '%s\n' "$extra" | sed 's/ .*//; s/.*://') \
		"(what wants them is left out)"
}

jobs()
{
	getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2
}

# configure_in DIR OPTION...: makes DIR ready for make; its log is DIR/setup.log.
configure_in()
{
	dir=$1
	shift
	mkdir -p "$dir" && dir=$(CDPATH= cd -- "$dir" && pwd) ||
		die "cannot make the folder $dir"
	if [ -e "$top/config.status" ]; then
		die "$top is configured in place; 'make distclean' there first"
	fi
	(
		cd "$top" &&
		if [ ! -x configure ] || [ configure.ac -nt configure ] ||
		    [ Makefile.am -nt Makefile.in ]; then
			autoreconf -fi
		fi &&
		cd "$dir" &&
		# These may have come since the last time.
		key="$*$(for library in vterm libmicrohttpd libarchive; do
			echo " $library=$(pkg-config --modversion $library 2>/dev/null || echo none)"
		done)" &&
		if [ ! -f Makefile ] || [ "$(cat setup.key 2>/dev/null)" != "$key" ]; then
			"$top/configure" "$@" && echo "$key" >setup.key &&
			# Else make runs a recipe for it each time, and the tests that are
			# programs begin after all that are scripts.
			touch config.h
		fi
	) >"$dir/setup.log" 2>&1 </dev/null || {
		tail -n 20 "$dir/setup.log" >&2
		say "setting up the build failed ($dir/setup.log)"
		return 1
	}
}

# make_in DIR TARGET...: quiet unless it fails; the log is DIR/make.log.
make_in()
{
	dir=$1
	shift
	run make -C "$dir" -j"$(jobs)" "$@" >"$dir/make.log" 2>&1 </dev/null || {
		grep -E 'error|\*\*\*' "$dir/make.log" | head -n 20 >&2
		say "make $* failed ($dir/make.log)"
		return 1
	}
}

# add_results LOG STATUS: counts what automake printed in LOG.  A program that ends
# badly counts only if none of its checks failed before, and so does a STATUS that
# no failure explains.
add_results()
{
	set -- "$2" $(awk '
		/^(PASS|XFAIL): / { p++ }
		/^SKIP: / { s++ }
		/^(FAIL|XPASS): / { f++; bad[$2] = 1 }
		/^ERROR: / { error[$2] = 1 }
		END {
			for (test in error)
				if (!(test in bad))
					f++
			print p + 0, f + 0, s + 0
		}' "$1")
	passed=$((passed + $2)) skipped=$((skipped + $4))
	if [ "$1" -ne 0 ] && [ "$3" -eq 0 ]; then
		failed=$((failed + 1))
	else
		failed=$((failed + $3))
	fi
}

# unfinished DIR: the tests that began and did not end.
unfinished()
{
	find "$1" -path '*/tests/*.log' 2>/dev/null | while read -r log; do
		[ -e "${log%.log}.trs" ] || basename "$log" .log
	done
}

# For when check_in is cut short.
add_check_log()
{
	add_results "$check_log" 1
}

# check_in DIR TARGET [VARIABLE...]: runs the tests, shows those that failed, adds the results.
check_in()
{
	dir=$1 target=$2
	shift 2
	check_log=$dir/$target.log
	uncounted=add_check_log
	# Without -O lines of tests that run at once get mixed up.  More than there are cores:
	# tests in a terminal mostly wait.
	run make -C "$dir" -j"$(($(jobs) + 3))" -O "$target" "$@" >"$check_log" 2>&1 </dev/null
	check_status=$?
	uncounted=
	add_results "$check_log" $check_status
	case $check_status in
	124|137) say "not done in time:" $(unfinished "$dir") ;;
	esac
	if [ $check_status -ne 0 ]; then
		grep -aE '^(FAIL|XPASS|ERROR):|^[^ ]+:[0-9]+:([0-9]+:)? (fatal )?error:|\*\*\*' \
			"$check_log" | head -n 60 >&2
		[ "$target" != check ] || [ ! -f "$dir/test-suite.log" ] ||
			awk '/^(not ok|Bail out)/ { shown = 1 }
				!/^(not ok|Bail out|#|FAIL:|ERROR:)/ { shown = 0 }
				shown' "$dir/test-suite.log" | head -n 200 >&2
		say "make $target failed ($check_log)"
	fi
	return $check_status
}
