# FIRST is counted from the first operation of the GPUs, a copy here, as all times are: 20 us later the kernel starts.
cd "$TESTDATA/kineto/2.9" || exit
kstats regions -q --columns rank,region,first_ns train || exit
kstats regions -q --list --columns rank,region,start_ns train || exit
kstats top -q -w +20us..+21us -f csv --columns name,calls train
