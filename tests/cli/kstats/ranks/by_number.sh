# Ranks that are numbers in the paths, without a word for it, are in the order of the inputs: of a directory that of the numbers, not
# of their digits.  The process of rank N has one kernel of 10 N + 10 ns; rank 10 came before rank 2.
for i in 0 1 2 3 4 5 6 7 8 9 10 11; do
	mkdir -p "dirs/$i" files
	printf 'Agent_Id,Kernel_Name,Start_Timestamp,End_Timestamp\n4,k,1000,%d\n' $((10 * i + 1010)) >"dirs/$i/run_kernel_trace.csv"
	cp "dirs/$i/run_kernel_trace.csv" "files/9988_${i}_kernel_trace.csv"
done
for d in dirs files; do kstats ranks -q -f csv --columns rank,busy_ns $d; done
