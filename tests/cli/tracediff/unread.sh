# An option that nothing reads is refused, not ignored.
cd "$TESTDATA/rocprofv3/7.0" || exit 2
k() {
	echo "# $*"
	tracediff "$@" 2>&1 | head -n 1
}
k --account --per class sync_each sync_once
k --history --per class sync_each sync_once
k --history --account sync_each sync_once
k --per problem --rank 0 sync_each sync_once
k --per problem --agent 4 sync_each sync_once
k --per problem -k x sync_each sync_once
# Without steps the window decides, and there is none to skip; to skip none is no mistake.
tracediff --skip 1 sync_each sync_once 2>&1 | grep -e --skip
tracediff --skip 1 --on window sync_each sync_once 2>&1 | grep -e --skip
tracediff --skip 0 --on kernel sync_each sync_once 2>&1 | grep -c -e --skip || :
