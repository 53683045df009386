# What rocprofv3 --summary prints is statistics: a table for each domain, then of several, then of all, which say
# the same again. A name may hold bars; a deviation over a total of more than 2^32 ns is the profiler's overflow.
cd "$TESTDATA/rocprofv3/7.0" || exit
kstats top -f csv --columns name,calls,total_ns,pct,min_ns,max_ns,stddev_ns summary/app_summary.txt
kstats top -f csv --domain all --columns name,calls,total_ns summary/app_summary.txt
# Amid what a program printed, in microseconds, of two processes: 1001 + 2002 + 1500 ns of vecAdd.
kstats top -f csv --columns name,calls,total_ns,min_ns,max_ns summary/stdout.log
# Where there is something better of the same run or beside it, that counts. (The demo's kernels are in its trace.)
mkdir "$TMPDIR/both" && cd "$TMPDIR/both" && cp "$TESTDATA/rocprofv3/7.0/summary/"* . || exit
kstats top -f csv --columns name,calls,total_ns --domain copy .
sed 's/^/    /' app_summary.txt >again.txt
kstats top -f csv --columns name,calls,total_ns --domain copy .
printf '"Name","Calls","TotalDurationNs"\n"MEMORY_COPY_HOST_TO_DEVICE",1,10\n' >42_memory_copy_stats.csv
kstats top -f csv --columns name,calls,total_ns --domain copy .
# Cut inside a row.
head -c 1900 app_summary.txt >cut.txt
kstats top -f csv --domain all --columns name,calls,total_ns cut.txt; echo $?
cd .. && rm -r both
