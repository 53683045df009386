# Scenarios of kernels whose names differ in the middle, each at 0 and at half of its time.  Names are told by the places where they differ,
# and the factor stays at the end of each, at every width: every title of a kernel ends in " x 0" or " x 0.5".
args='(std::bfloat16_t*, std::bfloat16_t*, float*, std::bfloat16_t*, std::bfloat16_t*, double, int, int, int, bool)'
{
	echo kind,name,start_ns,end_ns,agent,stream
	echo "kernel,\"void aiter::add_rmsnorm_quant_kernel<std::bfloat16_t, std::bfloat16_t, 256, 16, true, float>$args\",0,90000,1,0"
	echo "kernel,\"void aiter::add_rmsnorm_quant_kernel<std::bfloat16_t, std::bfloat16_t, 64, 8, false, half>$args\",91000,170000,1,0"
	echo "kernel,\"void aiter::add_rmsnorm_quant_kernel<std::bfloat16_t, std::bfloat16_t, 64, 16, false, half>$args\",171000,230000,1,0"
} >run.csv
# A line with the number of other titles for each width.  Saved are 90, 79, 59 and half of them.
for width in 60 80 100 120 160; do
	COLUMNS=$width kstats whatif -q -n 0 --columns saved_ns,predicted_ns,low_ns,high_ns,scenario run.csv | grep kernel >out
	grep -cv ' x 0$\| x 0\.5$' out
	if [ $width = 80 ]; then cat out; fi
done
