# SPDX-License-Identifier: Apache-2.0
# Common to the tests in shell: sourced by them.  Folders, a temporary one that goes with the
# test, and results in the form of TAP.

: "${SRCDIR:=$(cd "$(dirname "$0")/.." && pwd)}"
: "${BUILDDIR:=.}"
: "${SLOWTOP:=$BUILDDIR/slowtop}"
: "${AWK:=awk}"
gen=$BUILDDIR/tests/gen/tracegen
tmp=$(mktemp -d "$BUILDDIR/${0##*/}.XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 99' HUP INT TERM
n=0 failed=0

result() # NAME STATUS [FILE shown when it failed]
{
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		[ -z "$3" ] || sed 's/^/# /' "$3"
		failed=$((failed + 1))
	fi
}

# The words before what says and refuses are given.
command=

return=$(printf '\r') escape=$(printf '\033')

# says NAME STATUS FROM ARGUMENT...: standard input is what slowtop prints in $tmp, on both
# outputs, from the first line on that matches FROM; without carriage returns, escape
# characters as ~
says()
{
	name=$1 want=$2 from=$3
	shift 3
	(cd "$tmp" && "$SLOWTOP" $command "$@") >"$tmp/all" 2>&1 </dev/null
	status=$?
	sed -n "s/$return//g; s/$escape/~/g; /$from/,\$p" <"$tmp/all" >"$tmp/got"
	diff - "$tmp/got" >"$tmp/diff" && test $status -eq "$want"
	result "$name" $? "$tmp/diff"
}

# refuses NAME WORDS ARGUMENT...: status 2 and a line that has the words
refuses()
{
	name=$1 words=$2
	shift 2
	(cd "$tmp" && "$SLOWTOP" $command "$@") >"$tmp/got" 2>&1
	test $? -eq 2 && grep -q -e "$words" "$tmp/got"
	result "$name" $? "$tmp/got"
}

skip() # NAME REASON
{
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

# The plan; its status is the test's.
done_testing()
{
	[ "$n" -gt 0 ] || result "something was checked" 1
	echo "1..$n"
	[ "$failed" -eq 0 ]
}
