#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Pages of tracereport in Chromium, which knows no host: no request, no message, with scripts and without; keys sort,
# search and choose a window; what a screen reader needs is there, contrast in light and dark; at three widths nothing
# is wider than the window; names stay text, also in what is copied, and nothing that is put in runs; at fractional
# zooms no pixel of the timeline is between two colors, a finger scrolls past it, and forced colors leave the legend
# its own.
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
chromium=$(command -v chromium-headless-shell || command -v chromium || command -v chromium-browser)
if [ -z "$chromium" ] || ! command -v node >/dev/null; then
	echo "not run: no Chromium, or no Node.js; tests/deps.sh browser installs them"
	exit 77
fi
make_work
export TMPDIR=$work
mkdir "$work/hostile"
cat >"$work/hostile/1_kernel_trace.csv" <<'END'
"Kind","Agent_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH","Agent 1","</script><img src=x onerror=""window.pwned=1"">",1,1000,2000
"KERNEL_DISPATCH","Agent 1","<!--<script>window.pwned=1</script>",2,2100,2900
"KERNEL_DISPATCH","Agent 1","""><svg onload=window.pwned=1>",3,3000,3900
"KERNEL_DISPATCH","Agent 1","' onmouseover='window.pwned=1",4,4000,4100
END
printf '"KERNEL_DISPATCH","Agent 1","std::thread::id www.x.y http://x.y @z #1 \342\200\256",5,5000,5100\n' \
	>>"$work/hostile/1_kernel_trace.csv"
tracereport -q -o "$work/hostile.html" "$work/hostile" || exit 1
tracereport -q -o "$work/ranks.html" "$root/testdata/rocprofv3/7.0/ranks" || exit 1
tracereport -q -o "$work/steps.html" "$root/testdata/kineto/2.9/train" || exit 1
tracereport -q -o "$work/compared.html" --baseline "$root/testdata/kineto/2.9/steps" \
	"$root/testdata/kineto/2.9/train"
# Two ranks whose clocks are not one, each with a gap of 900 ns.
{
	echo 'kind,rank,pid,agent,stream,name,start_ns,end_ns,domain'
	for rank in 0 1; do
		printf "kernel,$rank,7,GPU 0,1,%s,${rank}00000%s,${rank}00000%s,kernel\n" a 1000 1100 b 2000 2100
	done
} >"$work/clocks.csv"
tracereport -q -o "$work/clocks.html" "$work/clocks.csv" || exit 1
# 1,999,995 ns, half of which are 999.9975 us: 1.000 ms in four digits.
printf '%s\n' kind,rank,agent,name,start_ns,end_ns kernel,0,4,k,500000000,500000011 kernel,0,4,k,501999984,501999995 >"$work/halves.csv"
tracereport -q -o "$work/halves.html" "$work/halves.csv" || exit 1
pages=("$work/halves.html" "$work/hostile.html" "$work/ranks.html" "$work/steps.html" "$work/compared.html" "$work/clocks.html")
r8s4=$shared/data/real/walkinglabs+microLLM-rocm/docs/optimization-log/experiments/099-data/profile/r8s4
if [ -d "$r8s4" ]; then
	tracereport -q -o "$work/r8s4.html" "$r8s4" && pages+=("$work/r8s4.html")
fi
node "$here/browser.js" "$chromium" "${pages[@]}"
