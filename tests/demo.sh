#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A demo on bundled data, for somebody who sees tracemill for the first time.
#
#   tests/demo.sh BINDIR
#
# Everything shown is run here and now: the text after "$ " is the command itself.
set -eu -o pipefail

if [ $# -ne 1 ]; then
	echo "usage: demo.sh BINDIR" >&2
	exit 2
fi
bin=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."
PATH=$bin:$PATH

# try EXPLANATION COMMAND
try() {
	printf '\n# %s\n$ %s\n' "$1" "$2"
	# Warnings and notes are part of the screen, so they go where the table goes.
	eval "$2" 2>&1
}

stats=testdata/rocprofv3/resnet
runs=testdata/rocprofv3/7.0
trace=$runs/demo

echo "tracemill: where did the time of a GPU program go?"
try "Where does the time go? Kernel statistics of a ResNet training run. The file is truncated, and a warning says so." \
	"kstats top -n 4 $stats/2117183_kernel_stats.csv"
try "The same training on several GPUs: now communication takes most of the time." \
	"kstats top -q -n 4 $stats/2118357_kernel_stats.csv"
try "A trace contains every call, so medians and 99th percentiles are known too." \
	"kstats top -q -n 6 $trace/1234_kernel_trace.csv"
try "Kernel classes instead of kernels. An input can be a directory." \
	"kstats top -q -n 5 --name class --columns name,calls,total_ns,pct,cum_pct $trace"
try "Why is the GPU idle? A third of its idle time, the host waits for a kernel before it launches the next." \
	"kstats gaps -q --columns agent,gaps,idle_ns,idle_pct,sync_ns,host_ns,launch_ns,device_ns $runs/sync_each"
try "Which rank is late? Rank 2 came last to both collectives." \
	"kstats collectives -q --ranks testdata/rccl/2.18/two_ranks"
try "Did it get faster? The same program, waiting for the GPU once instead of after each kernel." \
	"tracediff -q $runs/sync_each $runs/sync_once"
try "Which GEMM shapes matter? From logs of rocBLAS, hipBLASLt and MIOpen." \
	"libperf top -q -n 4 --columns library,op,calls,total_flops,pct,problem testdata/madengine/2.0/logs"
try "CSV for other programs: kernel classes whose slowest call takes over ten times the median." \
	"kstats top -q --name class -f csv --columns name,calls,p50_ns,max_ns $trace | awk -F, 'NR == 1 || \$4 > 10 * \$3'"
cat <<'END'

Now try your own files: build/bin/kstats FILE|DIRECTORY
Read next: README.md, or man -l docs/man/tracemill.7 (a tutorial)
END
