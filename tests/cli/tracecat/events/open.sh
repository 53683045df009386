# The picture is handed to one visitor of the loopback, and nothing else is.
command -v python3 >/dev/null || exit 77
ask() {
	python3 "$ROOT/tests/cli/visit.py" "$@"
}
# There is one port on a machine, and this is a file that all checkouts on it share.
exec 9</bin/sh
flock 9
unset DISPLAY WAYLAND_DISPLAY
tracecat -q --to pftrace -o want "$TESTDATA/rocprofv3/7.0/ranks"
# Somebody else may have the port for a moment; who keeps it is no fault of ours.
for _ in 1 2 3 4 5; do
	taken=$(python3 -c 'import socket
s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
try:
    s.bind(("127.0.0.1", 9001))
except OSError:
    print("taken")')
	[ "$taken" ] || break
	sleep 1
done
[ -z "$taken" ] || exit 77
for _ in 1 2 3 4 5 6 7 8 9 10; do
	tracecat --to pftrace --open "$TESTDATA/rocprofv3/7.0/ranks" 2>said && break
	grep -q 'in use' said || break
	sleep 1
done &
ask 'GET /etc/passwd'
ask 'OPTIONS /trace.pftrace'
ask 'GET /trace.pftrace'
wait
cmp want got
sed -n 's/^.*note: \(open .*9001\) [^ ]*); .*/\1/p' said
