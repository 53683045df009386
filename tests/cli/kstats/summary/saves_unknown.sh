# Statistics have no window, so it is unknown how much of the time a finding could save: it is marked "-", not "!", and
# has no saving, not one of 0.  5 % of the kernel time is a naive convolution, and 1 % is the limit.
printf '%s\n' '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"' \
	'"naive_conv_fwd_nchw",10,5000,500.0,5.0,400,600,10.0' '"Cijk_Ailk_Bljk_SB_MT64x64x32",10,95000,9500.0,95.0,9000,9900,10.0' >1_kernel_stats.csv
kstats -q . | grep naive
kstats -q -f csv . | grep '^finding'
