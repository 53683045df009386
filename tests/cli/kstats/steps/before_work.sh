# Six steps of 1 ms, in each of which the GPU computes for 900 us, but the first is 5 ms long: the kernel comes
# 4 ms later than in the others.  That step is slow by 4 ms, of which the GPU, whose time begins with its first
# kernel, lost none.  In the second trace a copy begins 50 us after that step does: then it lost the rest.
steps() {
	awk -v copy="$1" 'BEGIN {
		printf "{\"traceEvents\":["
		t = 1000
		for (i = 1; i <= 6; i++) {
			n = i == 1 ? 5000 : 1000
			printf "%s{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%d\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d}", (i > 1 ? "," : ""), i, t, n
			printf ",{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":900,\"args\":{\"device\":0,\"stream\":7,\"correlation\":%d}}", t + n - 950, i
			t += n
		}
		if (copy)
			printf ",{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":\"Memcpy HtoD\",\"pid\":0,\"tid\":7,\"ts\":1050,\"dur\":1,\"args\":{\"device\":0,\"stream\":7,\"correlation\":99,\"bytes\":8}}"
		printf "]}\n"
	}'
}
steps "" >late.json
steps copy >copy.json
for f in late copy; do
	kstats steps --total -q -f csv --columns steps,median_ns,slow,over_ns,over_gpu_ns $f.json
	kstats findings -q -f csv --columns id,saves_ns $f.json | grep slow-steps
done
