# What of an input nobody reads is named: columns of tables, with hostile names and by the thousand, tables and columns
# of databases.
cat >k_kernel_trace.csv <<'END'
"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","odd, one; two","x	y"," blank"
"KERNEL_DISPATCH",4,1,"k",1,1000,1100,1,2,3
END
for f in text csv json; do
	tracecat info -f $f --columns path,not_used k_kernel_trace.csv | grep Kind
done
python3 - <<'END'
import sqlite3
names = ["Kind", "Kernel_Name", "Start_Timestamp", "End_Timestamp"] + ["extra_%d" % i for i in range(2700)]
with open("wide_kernel_trace.csv", "w") as f:
    f.write(",".join('"%s"' % n for n in names) + "\n")
    f.write('"KERNEL_DISPATCH","k",1,2' + ",0" * 2700 + "\n")
db = sqlite3.connect("trace.rpd")
db.executescript("""
CREATE TABLE rocpd_string (id INTEGER PRIMARY KEY, string TEXT);
CREATE TABLE rocpd_op (id INTEGER PRIMARY KEY, gpuId INTEGER, queueId INTEGER, sequenceId INTEGER,
    completionSignal TEXT, start INTEGER, end INTEGER, description_id INTEGER, opType_id INTEGER, "my own" TEXT);
CREATE TABLE rocpd_api (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, start INTEGER, end INTEGER,
    apiName_id INTEGER, args_id INTEGER);
CREATE TABLE rocpd_metadata (id INTEGER PRIMARY KEY, tag TEXT, value TEXT);
CREATE TABLE "notes, of mine" (id INTEGER PRIMARY KEY, text TEXT);
INSERT INTO rocpd_string VALUES (1, 'k'), (2, 'KernelExecution');
INSERT INTO rocpd_op VALUES (1, 0, 0, 1, '', 10, 20, 1, 2, 'x');
INSERT INTO rocpd_metadata VALUES (1, 'schema_version', '2');
""")
END
tracecat info -q -f csv --columns not_used wide_kernel_trace.csv | tr ',' '\n' | grep -c extra_
tracecat info -q -f csv --columns rows,not_used trace.rpd
