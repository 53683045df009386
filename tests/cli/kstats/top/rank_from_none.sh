# An expression that finds no number in any path leaves the ranks to the other rules, and that is said: \d is no digit in
# a POSIX expression. Not if one path matches, also in an archive or a database, or if every rank is given.
mkdir -p job_7 job_9
cp "$TESTDATA"/rocprofv3/7.0/ranks/rank0/app_kernel_trace.csv job_7
cp "$TESTDATA"/rocprofv3/7.0/ranks/rank1/app_kernel_trace.csv job_9
ranks() {
	kstats ranks -f csv --columns rank,busy_ns "$@" 2>&1 | grep -v 'sync_ns is absent'
}
ranks --rank-from 'job_(\d+)' job_7 job_9
ranks --rank-from '(job)_[0-9]+' job_7 job_9
ranks --rank-from 'job_(7)' job_7 job_9
ranks --rank-from 'job_(\d+)' 3=job_7 4=job_9
tar cf both.tar job_7 job_9 && tracemerge -q -o run.db both.tar && gzip -k run.db
for input in both.tar run.db run.db.gz; do
	ranks --rank-from 'job_([0-9]+)' $input
	ranks --rank-from 'job_(\d+)' $input
done
