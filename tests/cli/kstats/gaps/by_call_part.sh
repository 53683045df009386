# A call has that part of a gap which passed in it: 19 gaps of 80 us, of which hipFree has 70, hipLaunchKernel 5; the 3 us between its
# end and the kernel and the 2 us before it are in no call.  They add up to the idle time, 1520 us.
sh "$ROOT/tests/cli/waits" hipFree 1
kstats gaps -q --by call .
kstats -q . | sed -n 3,4p
