# Calls that resemble those before are worth fewer: each length twice in a row, 24 calls per run.  Around the mean the
# squares of the distances are 24/4, the products of 23 neighbors (12 + 5 - 6)/4 (in a pair, between equal pairs, between
# others), so the correlation is 11/24, or with its bias corrected (11/24 + 1/24) / (1 - 4/24) = 0.6.  f = 4.1754.
# All of B is 10 us longer.  U = 504 of 576: of independent calls z = 215.5/44.56 = 4.84, p = 1.3e-6.  But even of calls
# that do not overlap z = 287.5/44.56 = 6.45, t = z/sqrt(f) = 3.16 with 48 (1 - 0.36)/2 = 15.4 degrees of freedom, whose
# p is above 0.005.  So means decide: t = 1 / sqrt(f * 2 * 6/23 / 24) = 3.32 with 48 (1 - 0.36)^4 / 4 = 2.01 degrees of
# freedom, p = 0.079: not significant, and as all kernels together are 9.5 % longer, inconclusive.
run() { # FOLDER NS: pairs of calls of NS or 10 us more, in this order
	mkdir -p "$1"
	{
		echo Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
		printf '%s\n' 0 0 1 1 0 1 1 0 0 1 1 0 | awk -v OFS=, -v ns="$2" '{
			for (i = 0; i < 2; i++) {
				print "KERNEL_DISPATCH", "Agent 1", "gemm", ++n, 10 + t, 10 + t + ns + $1 * 10000
				t += ns + 20000
			}
		}'
	} >"$1/app_kernel_trace.csv"
}
run a 100000
run b 110000
tracediff -q --on kernel --fail-over 3 -f csv --columns name,p_value,significant,n_a,n_b,test,note a b; echo "$?"
tracediff -q --on kernel --fail-over 3 a b | tail -n 1
# 50 us longer: t = 5 * 3.32 = 16.6, p = 0.0035.
run c 150000
tracediff -q --on kernel -f csv --columns name,p_value,significant,test a c
