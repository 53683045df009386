# A Perfetto trace: the sums are those of the kernels in the truth file beside it (tests/oracle/pftrace
# compares every row); a cut one keeps what came before and says where it ends.
ln -s "$TESTDATA" data
kstats top -f csv -n 3 --columns calls,total_ns,min_ns,max_ns,class data/perfetto-sdk/44/tiny/tiny.pftrace
head -c 100000 data/perfetto-sdk/44/tiny/tiny.pftrace >cut.pftrace
kstats top -f csv -n 1 --columns calls cut.pftrace
echo "status $?"
