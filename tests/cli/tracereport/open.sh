# The page is handed to one visitor of the loopback, and nothing else is; no other page may read it.
command -v python3 >/dev/null || exit 77
# There is one port on a machine, and this is a file that all checkouts on it share.
exec 9</bin/sh
flock 9
unset DISPLAY WAYLAND_DISPLAY
tracereport -q -o want "$TESTDATA/rocprofv3/7.0/sync_each"
tracereport --open -o page "$TESTDATA/rocprofv3/7.0/sync_each" 2>said &
ask() {
	python3 "$ROOT/tests/cli/visit.py" "$@" said
}
ask 'GET /etc/passwd'
ask 'GET /report.html' | sed 's/ [0-9]*$//'
wait
cmp want got
cmp want page
# A port that is taken, here or by somebody else, is not waited for.
sed -n 's/^.*note: \(open [^ ]*\) (.* ssh -L \([0-9]*\):127.0.0.1:\2 .*/\1/p' said | sed 's/:[0-9][0-9]*/:PORT/'
