# Calls and kernels with the same ids go together, also next to a table of rocprof v1 with the same kernels, whose times are
# better (those of a pftrace may be clipped) but which has no ids: causes and launches are those of the pftrace alone.
mkdir a && cp "$TESTDATA/perfetto-sdk/44/tiny/tiny.pftrace" a
ask() { kstats gaps -q -f csv --columns agent,gaps,idle_ns,host_ns,launch_ns,matched_pct "$@" && kstats launch -q -n 3 -f csv --columns calls,queue_max_ns "$@"; }
ask a | tee want
tracecat -q --kind kernel -f csv a | python3 -B -c '
import csv, sys
out = csv.writer(sys.stdout)
out.writerow("Index KernelName gpu-id queue-id queue-index pid tid grd wgr lds scr arch_vgpr accum_vgpr sgpr wave_size sig obj DispatchNs BeginNs EndNs CompleteNs DurationNs".split())
for i, k in enumerate(csv.DictReader(sys.stdin)):
    t = [int(k["start_ns"]), int(k["end_ns"])]
    out.writerow([i, k["name"], k["agent"], 0, i, k["pid"], k["tid"], 64, 64, 0, 0, 8, 0, 16, 64, 0, 0, t[0] - 9, *t, t[1] + 9, t[1] - t[0]])
' >a/results.csv
kstats top -f csv -n 1 --columns calls,total_ns a
ask a | cmp - want
