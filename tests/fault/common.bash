# SPDX-License-Identifier: MIT
# Read in by the scripts beside it, which run in a directory of their own.
#   FAULT      preload.c, compiled
#   DATA       the shipped inputs;  TRACE, STATS: small ones of them
#   faulty SETTING... -- COMMAND...   the command with these faults, for 20 seconds at most, into out and err
#   alike A B  two files hold the same
#   sparse N   a step of a sweep, N or what EFFORT percent of the sweep make it
#   bad TEXT   count and say what is wrong;  finish: status 1 if anything was
# shellcheck shell=bash disable=SC2034
DATA=$TESTDATA/rocprofv3/7.0
TRACE=$DATA/run/app_kernel_trace.csv
STATS=$DATA/stats/app_kernel_stats.csv
FAULT=$PWD/fault.so
faults=0
# Percent of a sweep that is tried; oracle/effort.py is the same for python.
effort=${EFFORT:-100}

if grep -qaE '__(asan|tsan|msan)_init|__ubsan_handle' "$BUILD/kstats"; then
	echo "$BUILD is a build with sanitizers, which are a preload themselves; name a plain one first"
	exit 77
fi
if ! "${CC:-gcc}" -std=c11 -D_GNU_SOURCE -Wall -Wextra -O2 -fPIC -shared -o "$FAULT" \
	"$ROOT/tests/fault/preload.c" 2>cc.err; then
	cat cc.err
	echo "preload.c does not compile here"
	exit 77
fi

sparse() {
	echo $((($1 * 100 + effort - 1) / effort))
}

# env and timeout would do this in two processes more, which cost as much as a small command itself.
faulty() {
	(
		while [ "$1" != -- ]; do
			export "$1"
			shift
		done
		shift
		export FAULT_CLOCK=20 LD_PRELOAD="$FAULT"
		exec "$@"
	) >out 2>err
}

alike() {
	{ [ ! -s "$1" ] && [ ! -s "$2" ]; } || cmp -s "$1" "$2"
}

bad() {
	faults=$((faults + 1))
	if [ "$faults" -le 20 ]; then
		printf '%s\n' "$*"
	fi
}

finish() {
	if [ "$faults" -gt 0 ]; then
		echo "$faults faults"
		exit 1
	fi
	exit 0
}

# A large trace: its rows are 100 bytes long, so what ends where is known.  $1 file, $2 rows.
large_trace() {
	python3 - "$1" "$2" <<'END'
import sys
with open(sys.argv[1], "w") as f:
    head = '"Kind","Agent_Id","Queue_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"\n'
    f.write(head)
    for i in range(int(sys.argv[2])):
        row = '"KERNEL_DISPATCH",4,1,%d,"kernel_%d' % (i % 8, i % 8)
        tail = '",%08d,%012d,%012d\n' % (i, i * 1000, i * 1000 + 1 + i % 500)
        f.write(row + "x" * (100 - len(row) - len(tail)) + tail)
END
}
