# A replay does not know when its clock began: of times since the boot, or since 1970, whose numbers a double tells 256 ns apart, the
# same answers, bounds included.
python3 -B - "$TESTDATA/rocprofv3/7.0/demo" <<'P'
import csv
import os
import sys

os.makedirs("late")
for name in "1234_kernel_trace.csv", "1234_hip_api_trace.csv":
    with open(os.path.join(sys.argv[1], name), newline="") as f:
        head, *rows = csv.reader(f)
    with open(os.path.join("late", name), "w", newline="") as f:
        out = csv.writer(f, quoting=csv.QUOTE_ALL)
        out.writerow(head)
        for row in rows:
            for column in "Start_Timestamp", "End_Timestamp":
                row[head.index(column)] = str(int(row[head.index(column)]) + 1764000000000000000)
            out.writerow(row)
P
kstats whatif -q -f csv "$TESTDATA/rocprofv3/7.0/demo" >soon && kstats whatif -q -f csv late | cmp - soon && wc -l <soon
