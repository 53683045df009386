# What python reads from json is what it reads from csv.
ln -s "$TESTDATA" data
set -e
f=data/rocprofv3/7.0/hostile/markup_kernel_trace.csv
kstats top -f json $f >t.json
kstats top -f csv $f >t.csv
python3 -c '
import csv, json
rows = json.load(open("t.json", encoding="utf-8"))["rows"]
for a, b in zip(rows, csv.DictReader(open("t.csv", encoding="utf-8", newline=""))):
    for k in a:
        assert ("" if a[k] is None else a[k]) == (b[k] if isinstance(a[k], (str, type(None))) else type(a[k])(b[k])), k
print(len(rows))
'
