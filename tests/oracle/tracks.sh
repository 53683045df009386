#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The timelines that tracecat --to pftrace and --to chrome draw, by a reader of its own: tracks.py has the list.
# TRACEMILL_SHARED is the folder with real traces (default: ../shared beside the checkout).
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
data=$root/testdata
inputs=("$data/rocprofv3/7.0/run" "$data/rocprofv3/7.0/sync_each" "$data/rocprofv3/7.0/ranks" "$data/rocprofv3/7.0/names"
	"$data/perfetto-sdk/44/tiny/tiny.pftrace" "$data/kineto/7.0/step" "$data/kineto/2.9/train" "$data/rpd/2/sessions/trace.rpd"
	"$data/rocpd/3.0.5/processes" "$data/rocprofv1/6.2/json")
mixtral=$shared/data/real/ROCm+vllm/Mixtral-8x7B-Instruct-v0.1/gpt-fast/mixtral-moe
if [ ! -d "$shared/data" ]; then
	echo "not there: the shared data; only shipped traces are drawn"
elif [ "${EFFORT:-100}" -ge 100 ]; then
	make_work
	tracemerge -q --align collectives -o "$work/mixtral.db" "$mixtral"/trace_?.rpd || exit 1
	inputs+=("$work/mixtral.db" "$shared"/data/sdk_traces/*.pftrace)
else
	inputs+=("$mixtral/trace_0.rpd")
fi
python3 -B "$here/tracks.py" "$root/schemas/perfetto.proto" "${inputs[@]}"
