#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The views of run.db: rocpd's columns, answers worked out by hand, and the queries of README and manual.
set -eu
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2

bad=0
wrong() {
	printf '%s\n' "$*"
	bad=1
}

ask() {
	sqlite3 -batch "$1" "$2"
}

# expect DB SQL ROWS
expect() {
	local got

	got=$(ask "$1" "$2" 2>&1) || true
	[ "$got" = "$3" ] || wrong "$2"$'\n'"gives  $got"$'\n'"not    $3"
}

if ! command -v sqlite3 >/dev/null; then
	echo "not run: no sqlite3"
	exit 77
fi

# Two agents; a: 100, 70 and 10 ns, the first two overlap; b: one call of 10 ns; c: 5 s, a microsecond more
# and less.  A copy to agent 1 of which 20 ns lie beside any kernel.  A range, and a mark.
{
	echo '"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"'
	n=0
	while read -r agent kernel name start end; do
		n=$((n + 1))
		echo "\"KERNEL_DISPATCH\",\"Agent $agent\",1,0,77,$n,$kernel,\"$name\",$n,$start,$end,0,0,8,0,16,64,1,1,64,1,1"
	done <<-END
		1 11 a 1000 1100
		1 11 a 1050 1120
		1 11 a 1200 1210
		2 12 b 1010 1020
	END
} >a_kernel_trace.csv
cat >a_memory_copy_trace.csv <<'END'
"Kind","Direction","Stream_Id","Source_Agent_Id","Destination_Agent_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MEMORY_COPY","MEMORY_COPY_HOST_TO_DEVICE",0,"Agent 0","Agent 1",5,1100,1140
END
cat >a_marker_api_trace.csv <<'END'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MARKER_CORE_API","range",4242,78,6,1000,1300
"MARKER_CORE_API","mark",4242,78,7,1150,1150
END
sed '2,$d' a_kernel_trace.csv >c_kernel_trace.csv
for ns in 5000000000 5000001000 4999999000; do
	echo "\"KERNEL_DISPATCH\",\"Agent 1\",1,0,77,1,11,\"c\",1,1000,$((1000 + ns)),0,0,8,0,16,64,1,1,64,1,1"
done >>c_kernel_trace.csv
tracemerge -q -o a.db a_kernel_trace.csv a_memory_copy_trace.csv a_marker_api_trace.csv
tracemerge -q -o c.db c_kernel_trace.csv

# Agent 1 is busy from 1000 to 1140 and from 1200 to 1210; all of it lasts from 1000 to 1210.
expect a.db "SELECT agent_id, type, GpuTime, WallTime, round(Busy, 6), rank FROM busy" \
	'1|GPU|150|210|0.714286|0
2|GPU|10|210|0.047619|0'
# a: mean 60, (40^2 + 10^2 + 50^2) / 2 = 2100, its root 45.825757.
expect a.db 'SELECT name, calls, "DURATION (nsec)", "SQR (nsec)", "AVERAGE (nsec)", round("PERCENT (INC)", 4),
	"MIN (nsec)", "MAX (nsec)", VARIANCE, round(STD_DEV, 6) FROM kernel_summary' \
	'a|3|180|15000.0|60.0|94.7368|10|100|2100.0|45.825757
b|1|10|100.0|10.0|5.2632|10|10||'
expect c.db 'SELECT name, calls, VARIANCE, STD_DEV FROM kernel_summary' 'c|3|1000000.0|1000.0'
expect a.db 'SELECT name, calls, "DURATION (nsec)" FROM memory_copy_summary' 'MEMORY_COPY_HOST_TO_DEVICE|1|40'
expect a.db 'SELECT name, timestamp, tid FROM samples' 'mark|1150|78'
expect a.db 'SELECT name, start, "end" FROM sample_regions' 'mark|1150|1150'
expect a.db 'SELECT name FROM regions' 'range'
expect a.db 'SELECT count(*) FROM regions_and_samples' '2'
expect a.db 'SELECT DISTINCT tid FROM threads ORDER BY tid' '77
78'
expect a.db 'SELECT kernel_id, display_name, arch_vgpr_count FROM kernel_symbols' '11|a|8
12|b|8'
expect a.db 'SELECT name, total_calls, total_duration, average FROM top_kernels' 'a|3|0.18|0.06
b|1|0.01|0.01'
expect a.db 'SELECT (SELECT count(*) FROM kernels) = (SELECT count(*) FROM kernel),
	(SELECT sum(total_calls) FROM top_kernels) = (SELECT count(*) FROM kernel)' '1|1'

# Deviations and sums are those of kstats.
tracemerge -q -o demo.db "$TESTDATA/rocprofv3/7.0/demo"
kstats top -q -f tsv --columns calls,total_ns,min_ns,max_ns,stddev_ns "$TESTDATA/rocprofv3/7.0/demo" |
	tail -n +2 | LC_ALL=C sort >want
ask demo.db "SELECT calls, \"DURATION (nsec)\", \"MIN (nsec)\", \"MAX (nsec)\", printf('%.4f', STD_DEV)
	FROM kernel_summary" | awk -F'|' -v OFS='\t' '{ if ($1 == 1) $5 = ""; print $1, $2, $3, $4, $5 }' |
	LC_ALL=C sort >got
cmp want got || wrong "kernel_summary is not kstats top: $(diff want got | head -n 4)"

# ---- rocpd's columns (ROCm 7.1; the summaries of 7.0), in its order, and ours behind them ----

while IFS='|' read -r view columns; do
	have=$(ask a.db "SELECT group_concat(name, ', ') FROM pragma_table_info('$view')")
	case "$have, " in
	"$columns, "*) ;;
	*) wrong "view $view: $have" ;;
	esac
	ask a.db "SELECT count(*) FROM $view" >count || wrong "view $view does not work"
done <<'END'
busy|agent_id, type, GpuTime, WallTime, Busy
counters_collection|id, guid, dispatch_id, kernel_id, event_id, correlation_id, stack_id, parent_stack_id, pid, tid, agent_id, agent_abs_index, agent_log_index, agent_type_index, agent_type, queue_id, grid_size_x, grid_size_y, grid_size_z, grid_size, kernel_name, kernel_region, workgroup_size_x, workgroup_size_y, workgroup_size_z, workgroup_size, lds_block_size, scratch_size, vgpr_count, accum_vgpr_count, sgpr_count, counter_name, counter_symbol, component, description, block, expression, value_type, counter_id, value, start, end, is_constant, is_derived, duration, category, nid, extdata, code_object_id
kernel_summary|name, calls, DURATION (nsec), SQR (nsec), AVERAGE (nsec), PERCENT (INC), MIN (nsec), MAX (nsec), VARIANCE, STD_DEV
kernel_symbols|id, guid, nid, pid, code_object_id, kernel_name, display_name, kernel_object, kernarg_segment_size, kernarg_segment_alignment, group_segment_size, private_segment_size, sgpr_count, arch_vgpr_count, accum_vgpr_count, kernel_symbol_size, kernel_id, kernel_code_entry_byte_offset, formatted_kernel_name, demangled_kernel_name, truncated_kernel_name, kernel_address
kernels|id, guid, tid, category, region, name, nid, pid, agent_abs_index, agent_log_index, agent_type_index, agent_type, code_object_id, kernel_id, dispatch_id, stream_id, queue_id, queue, stream, start, end, duration, grid_x, grid_y, grid_z, workgroup_x, workgroup_y, workgroup_z, lds_size, scratch_size, vgpr_count, accum_vgpr_count, sgpr_count, static_lds_size, static_scratch_size, stack_id, parent_stack_id, corr_id
memory_allocation_summary|name, calls, DURATION (nsec), SQR (nsec), AVERAGE (nsec), PERCENT (INC), MIN (nsec), MAX (nsec), VARIANCE, STD_DEV
memory_allocations|id, guid, category, nid, pid, tid, start, end, duration, type, level, agent_name, agent_abs_index, agent_log_index, agent_type_index, agent_type, address, size, queue_id, queue_name, stream_id, stream_name, stack_id, parent_stack_id, corr_id
memory_copies|id, guid, category, nid, pid, tid, start, end, duration, name, region_name, stream_id, queue_id, stream_name, queue_name, size, dst_device, dst_agent_abs_index, dst_agent_log_index, dst_agent_type_index, dst_agent_type, dst_address, src_device, src_agent_abs_index, src_agent_log_index, src_agent_type_index, src_agent_type, src_address, stack_id, parent_stack_id, corr_id
memory_copy_summary|name, calls, DURATION (nsec), SQR (nsec), AVERAGE (nsec), PERCENT (INC), MIN (nsec), MAX (nsec), VARIANCE, STD_DEV
pmc_events|id, guid, pmc_id, event_id, category, name, nid, pid, dispatch_id, start, end, duration, counter_name, counter_value
pmc_info|id, guid, nid, pid, agent_abs_index, is_constant, is_derived, name, description, block, expression
processes|nid, machine_id, system_name, hostname, system_release, system_version, guid, ppid, pid, init, start, end, fini, command
regions|id, guid, category, name, nid, pid, tid, start, end, duration, event_id, stack_id, parent_stack_id, corr_id, extdata, call_stack, line_info
regions_and_samples|id, guid, category, name, nid, pid, tid, start, end, duration, event_id, stack_id, parent_stack_id, corr_id, extdata, call_stack, line_info
sample_regions|id, guid, category, name, nid, pid, tid, start, end, duration, event_id, stack_id, parent_stack_id, corr_id, extdata, call_stack, line_info
samples|id, guid, category, name, nid, pid, tid, timestamp, event_id, stack_id, parent_stack_id, corr_id, extdata, call_stack, line_info
scratch_memory|id, guid, nid, pid, operation, agent_name, agent_abs_index, agent_log_index, agent_type_index, agent_type, queue_id, tid, alloc_flags, start, end, duration, size, address, correlation_id, stack_id, parent_stack_id, corr_id, category, event_extdata
threads|nid, machine_id, system_name, hostname, system_release, system_version, guid, ppid, pid, tid, start, end, name
top|name, total_calls, total_duration, average, percentage
top_kernels|name, total_calls, total_duration, average, percentage
END
for db in a.db c.db demo.db; do
	expect "$db" 'PRAGMA integrity_check' ok
done

# ---- the queries that people are shown ----

tracemerge -q -o run.db "$TESTDATA/rocprofv3/7.0/ranks"
queries=0
while IFS= read -r line; do
	queries=$((queries + 1))
	if ! bash -c "$line" >out 2>err || [ -s err ] || [ ! -s out ]; then
		wrong "$line: $(cat err)"
	fi
done < <(sed -n 's/^\$ //; /^sqlite3 run.db /p' "$ROOT/README.md" "$ROOT/docs/man/tracemerge.1")
[ "$queries" -ge 5 ] || wrong "only $queries queries in README.md and tracemerge.1"
exit "$bad"
