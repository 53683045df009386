# Where kernels were launched from: operators and steps of torch.profiler, as kstats ops and kstats regions --kernels have them
# with -k.
f=$TESTDATA/kineto/2.9/train/worker_40.pt.trace.json
kstats kernel -q -f csv Cijk "$f" >page || exit
grep -E '^(op|region|missing),' page
kstats regions --kernels -q -f csv "$f" | grep Cijk
