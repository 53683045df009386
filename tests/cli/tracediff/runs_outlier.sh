# 6 runs a side of 5 kernels that all take 10 % longer in B, of which one run takes half as long again (another job on the
# node).  Every value of B is above all of A: U = 0, p = 2 / C(12, 6) = 0.00216, of 5 rows alike the false discovery rate
# too: found, however far out the outlier is.  By the means it was p = 0.09: B is 110, 110.2 ... and 165 against 100 ...:
# difference 19.2, deviation of the mean 9.2, t = 2.09 of 5 degrees.  Repeats of problems of libraries are the same.
awk 'BEGIN {
	for (side = 0; side < 2; side++)
		for (run = 0; run < 6; run++) {
			file = (side ? "b" : "a") run "_kernel_stats.csv"
			print "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\",\"MinNs\",\"MaxNs\",\"StdDev\"" >file
			for (k = 0; k < 5; k++) {
				ns = (100000 + run * 200 + k * 7) * (side ? 1.1 : 1) * (side && run == 3 ? 1.5 : 1)
				printf "\"k%d\",20,%d,%d,20,%d,%d,500\n", k, 20 * ns, ns, ns - 1000, ns + 1000 >file
			}
			close(file)
		}
}'
tracediff -q --fail-over 5 -f csv --columns name,p_value,q_value,significant,test a?_*.csv -- b?_*.csv
echo $?
for side in 0 1; do
	for run in 0 1 2 3 4 5; do
		echo 'transA,transB,M,N,K,alpha,lda,beta,ldb,ldc,rocblas-Gflops,us'
		for k in 1 2 3 4 5; do
			echo "$side $run $k" | awk '{ us = (100 + $2 / 5) * ($1 ? 1.1 : 1) * ($1 && $2 == 3 ? 1.5 : 1)
				printf "N,N,%d,512,512,1,512,0,512,512,%.6g,%.2f\n", 64 * $3, 2 * 64 * $3 * 512 * 512 / us / 1e3, us }'
		done
	done >"$side.log"
done
tracediff -q --per problem --fail-over 5 -f csv --columns name,p_value,q_value,significant,test 0.log 1.log
