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

skip() # NAME REASON
{
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

# The plan; its status is the test's.
done_testing()
{
	echo "1..$n"
	[ "$failed" -eq 0 ]
}
