# The value of an option in front of the inputs may be called as a sub-command is; a sub-command there is still one.
d=$TESTDATA/rocprofv3/7.0/sync_each
kstats -q -o top "$d" && kstats -q "$d" >expected && cmp expected top
kstats --class gemm "$d"
kstats -q -f csv -s metric "$d" | head -n 1
kstats -n 1 top "$d"
kstats -q -otop top "$d"
