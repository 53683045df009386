# A name as kstats top prints it is no regular expression that matches itself: ( and * are special in one.
data=$TESTDATA/rocprofv3/7.0/sync_each
kstats kernel 'vecAdd(float const*, float const*, float*, int)' "$data"; echo $?
kstats top -k 'vecAdd(float const*, float const*, float*, int)' "$data"; echo $?
kstats kernel 'vecAdd(' "$data"; echo $?
kstats kernel 'vecAdd\(float const\*' -q -f csv "$data" | grep -c '^total,calls,3,'
