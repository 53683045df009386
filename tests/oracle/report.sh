#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The page of tracereport, by a parser of other people: report.py has the list.
# TRACEMILL_SHARED is the folder with real traces (default: ../shared beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
data=$root/testdata
inputs=("$data/rocprofv3/7.0/sync_each" "$data/rocprofv3/7.0/run" "$data/rocprofv3/7.0/stats"
	"$data/rocprofv3/7.0/hostile"/{markup,newline,garbage,latin1}_kernel_trace.csv
	"$data/kineto/2.9/train" "$data/rpd/2/sessions/trace.rpd" "$data/rocprofv3/7.0/ranks")
real=$shared/data/real
if [ -d "$real" ]; then
	inputs+=("$real/walkinglabs+microLLM-rocm/docs/optimization-log/experiments/099-data/profile/r8s4")
	inputs+=("$shared/data/sdk_traces/perfetto-trace-sys_queue.proto.zst")
	[ "${EFFORT:-100}" -ge 100 ] && inputs+=("$real"/ROCm+vllm/Mixtral-8x7B-Instruct-v0.1/gpt-fast/mixtral-moe
		"$real/AMD-AGI+TraceLens/tests/rocprof/908_results.json.gz")
else
	echo "not there: the shared data; only shipped traces are reported"
fi
python3 -B "$here/report.py" "${inputs[@]}"
