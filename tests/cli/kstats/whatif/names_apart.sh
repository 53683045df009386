# Scenarios of two kernels whose names differ in a template argument, each at 0 and at half of its time: four
# titles that begin and end alike, or end in the same factor.  Each shows both, the size and the factor, at
# every width; before, one of the two took the place of the other, and rows of other savings had one title.
args='(std::bfloat16_t*, std::bfloat16_t*, float*, std::bfloat16_t*, std::bfloat16_t*, double, int, int, int, bool)'
{
	echo kind,name,start_ns,end_ns,agent,stream
	echo "kernel,\"void aiter::add_rmsnorm_quant_kernel<std::bfloat16_t, std::bfloat16_t, 256, 16, true>$args\",0,90000,1,0"
	echo "kernel,\"void aiter::add_rmsnorm_quant_kernel<std::bfloat16_t, std::bfloat16_t, 64, 8, false>$args\",91000,170000,1,0"
} >run.csv
# Saved are 90, 79 and half of them.
for width in 60 80 120; do
	COLUMNS=$width kstats whatif -q -n 5 --columns saved_ns,predicted_ns,low_ns,scenario run.csv
done
COLUMNS=80 kstats whatif -q -n 5 run.csv
