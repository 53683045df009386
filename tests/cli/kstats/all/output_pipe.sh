# A pipe nobody reads: dies of SIGPIPE like any filter, or ends well, but says nothing.
ln -s "$TESTDATA" data
python3 -c '
import os, subprocess, sys
r, w = os.pipe()
os.close(r)
p = subprocess.run(["kstats", "top", sys.argv[1]], stdout=w, stderr=subprocess.PIPE)
print("quiet" if p.returncode in (0, -13) and not p.stderr else (p.returncode, p.stderr))
' data/rocprofv3/7.0/run/app_kernel_trace.csv
