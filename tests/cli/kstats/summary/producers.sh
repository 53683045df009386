# A version with a comma is that of one program: in a list what comes after the comma stands in parentheses.  A trace of
# torch.profiler that does not say more is of the same program.
d=$TESTDATA/kineto
ask() { kstats summary -q -f csv --columns metric,name "$@" | grep producer; }
ask "$d/2.9/train"
ask "0=$d/2.9/train" "1=$d/2.9/steps"
ask "0=$d/2.9/train" "1=$TESTDATA/rocprofv3/7.0/sync_each"
kstats -q "$d/2.9/train" >screen
head -n 1 screen
