#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The main job on shipped input, for somebody who sees tracemill for the first time.
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
	# Notes belong to the picture, so they come out where the table does.
	eval "$2" 2>&1
}

stats=testdata/rocprofv3/resnet
trace=testdata/rocprofv3/7.0/demo

echo "tracemill: where did the time of a GPU program go?"
try "Kernel statistics of a ResNet training run, one process. Only the first rows were kept; the note says so." \
	"kstats top -n 4 $stats/2117183_kernel_stats.csv"
try "The same run in parallel: now communication takes most of the time." \
	"kstats top -q -n 4 $stats/2118357_kernel_stats.csv"
try "A trace holds every call, so medians and slowest hundredths are known too." \
	"kstats top -q -n 6 $trace/1234_kernel_trace.csv"
try "Sorts of work instead of kernels; a directory is an input like a file." \
	"kstats top -n 5 --name class --columns name,calls,total_ns,pct,cum_pct $trace"
try "What did the host do meanwhile?" \
	"kstats top -q -n 3 --domain hip --columns calls,total_ns,pct,avg_ns,p99_ns,name $trace"
try "CSV for other programs: sorts of work whose slowest call takes over ten times the median." \
	"kstats top --name class -f csv --columns name,calls,p50_ns,max_ns $trace | awk -F, 'NR == 1 || \$4 > 10 * \$3'"
cat <<'END'

Now try it on your own files: build/bin/kstats top FILE|DIRECTORY
Read next: README.md, or man -l docs/man/kstats.1
END
