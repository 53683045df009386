# The page is handed to one visitor of the loopback, and nothing else is; no other page may read it.
command -v python3 >/dev/null || exit 77
ask() {
	python3 "$ROOT/tests/cli/visit.py" "$@"
}
# There is one port.
exec 9<"$ROOT/tests/cli/visit.py"
flock 9
unset DISPLAY WAYLAND_DISPLAY
tracereport -q -o want "$TESTDATA/rocprofv3/7.0/sync_each"
# Somebody else may have the port for a moment.
for _ in 1 2 3 4 5 6 7 8 9 10; do
	tracereport --open -o page "$TESTDATA/rocprofv3/7.0/sync_each" 2>said && break
	grep -q 'in use' said || break
	sleep 1
done &
ask 'GET /etc/passwd'
ask 'GET /report.html' | sed 's/ [0-9]*$//'
wait
cmp want got
cmp want page
sed -n 's/^.*note: \(open [^ ]*\) .*/\1/p' said
