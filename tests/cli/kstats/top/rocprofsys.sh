# Tables of rocprof-sys: solve is 4 calls of 8.0000005 s on one thread and 3 of 9 s on another; the inner
# fib is in the outer one's second; operator|| has bars of its own. Deviation of solve: with means 2.000000125 and
# 3 s, ((3 * .4^2 + 2 * .25^2) s^2 + 4 * (2.000000125 - 2.428571500)^2 + 3 * (3 - 2.428571500)^2) / 6 =
# .386547547... s^2, of which .621729481... s is the root. Text has microseconds only.
cd "$TESTDATA/rocprofsys/1.2/run" || exit
kstats top -f csv --domain marker wall_clock-4001.json; echo "status $?"
kstats top -q -f csv --domain marker wall_clock-4001.txt; echo "status $?"
