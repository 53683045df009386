# "rocpd convert" writes into a directory below its database: the same kernels at the same times are one run.
mkdir -p out/rocpd-output-data && cp "$TESTDATA/rocpd/3.0.0/small/70_results.db" out
tracecat -q --kind kernel --columns agent,queue,tid,corr,name,start_ns,end_ns -f csv out/70_results.db >events && python3 - <<'P' || exit
import csv
with open("events", newline="") as f, open("out/rocpd-output-data/out_kernel_trace.csv", "w") as out:
    out.write('"Kind","Agent_Id","Queue_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp",'
              '"End_Timestamp"\n')
    for i, r in enumerate(csv.DictReader(f)):
        out.write('KERNEL_DISPATCH,Agent %s,%s,%s,%d,1,"%s",%s,%s,%s\n' % (r["agent"], r["queue"], r["tid"], i + 1, r["name"],
                                                                        r["corr"], r["start_ns"], r["end_ns"]))
P
kstats top -q -f csv --name base --columns name,calls,total_ns out/70_results.db >one && cat one &&
	kstats top -f csv --name base --columns name,calls,total_ns out | cmp - one || exit
# The other way round, too.
mkdir up && mv out/rocpd-output-data/out_kernel_trace.csv up && mv out up/down && kstats top -q -f csv --name base up | wc -l &&
	kstats top -q -f csv --name base --columns name,calls,total_ns up | cmp - one || exit
# Other times are another run.
sed 's/,\([0-9]*\)\([0-9]\),\([0-9]*\)\([0-9]\)$/,\1\29,\3\49/' up/out_kernel_trace.csv >x && mv x up/out_kernel_trace.csv
kstats top -q -f csv --name base --columns name,calls up
