# A trace of two kernels of unknown class, 100 ns each and 10 ns apart: that 100 % of kernel time has no class is a
# finding, so "no findings" below it was false.  There are no others: 10 ns of 210 are idle, which is 4.8 %.
# Of ten targets the five of the timeline are met; the kernels might be products or communication, so that two are
# undecided, and without calls nothing is known of waiting and launching.
printf 'kind,name,start_ns,end_ns,agent\nkernel,xyzzy,0,100,1\nkernel,xyzzy,110,210,1\n' >run.csv
kstats findings -q -f csv --columns id,severity run.csv
kstats -q run.csv
kstats -q -f md run.csv
