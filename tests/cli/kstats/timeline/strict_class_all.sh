# --strict: every sub-command that reads kernels says that two of them, in two ranks, are of unknown class; a third
# outside the window is not its business.  Timeline is printed all the same: without a class what is communication
# counts as computing.
head='"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
for r in 0 1; do
	{
		echo "$head"
		echo '"KERNEL_DISPATCH",4,1,"frobnicate(int)",1,1000,1010'
		[ $r = 0 ] || echo '"KERNEL_DISPATCH",4,1,"tweak(int)",1,1010,1020'
		echo '"KERNEL_DISPATCH",4,1,"Cijk_Ailk_Bljk_HHS_BH_MT128x64x32",1,1020,1040'
		echo '"KERNEL_DISPATCH",4,1,"other(int)",1,2000,2040'
	} >$r.csv
done
kstats timeline --strict -f csv --columns rank,window_ns,busy_ns -w 1000..1500 0=0.csv 1=1.csv
for q in top classes gemm timeline gaps ranks summary; do
	kstats $q --strict -q -j 2 -w 1000..1500 -o out 0=0.csv 1=1.csv
	echo "$q $?"
done
