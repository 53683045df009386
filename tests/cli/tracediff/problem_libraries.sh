# Whose time it is.  By hand, us:
#   NN 64   measured by rocBLAS 30 and hipBLASLt 20 in A, by hipBLASLt 25 and rocBLAS 40 in B: hipBLASLt, the faster in
#           A of those on both sides: 20 -> 25
#   NN 128  by rocBLAS in A only, by hipBLASLt in B only: the one of each side: 50 -> 40
#   NT 64   by two libraries in A and by neither of them in B: the faster in A, 8 of 9 -> 12 by another one
#   TN 64   a time in A, a rate of bytes in B: no time in B, and nothing to compare
#   TT 64   5 calls in A and 7 in B, as the tables of measurements say: 2 * 10 more by calls, 7 * 2 by their length
# No side counts the calls of the first four, so each is one call.
h=library,function,transA,transB,M,N,K,a_type,b_type,c_type,d_type,compute_type
p=f32_r,f32_r,f32_r,f32_r,f32_r
row() { printf '%s,gemm,%s,%s,%s,%s,%s,%s,%s\n' "$1" "$2" "$3" "$4" "$4" "$4" $p "$5"; }
{
	echo "$h,us"
	row rocblas N N 64 30
	row hipblaslt N N 64 20
	row rocblas N N 128 50
	row rocblas N T 64 9
	row hipblaslt N T 64 8
	row rocblas T N 64 10
} >a.csv
{
	echo "$h,us"
	row rocblas N N 64 40
	row hipblaslt N N 64 25
	row hipblaslt N N 128 40
	row other N T 64 12
} >b.csv
{
	echo "$h,rocblas-GB/s"
	row rocblas T N 64 5
} >rate.csv
tracediff -f csv --per problem a.csv -- b.csv rate.csv
# Tables of measurements that say how often.
{
	echo "$h,us,calls"
	row rocblas T T 64 10,5
} >c.csv
{
	echo "$h,us,calls"
	row rocblas T T 64 12,7
} >d.csv
tracediff -q -f csv --per problem c.csv d.csv
# Measurements on one side, calls on the other: those count for both.
echo "./rocblas-bench -f gemm -r f32_r --transposeA T --transposeB T -m 64 -n 64 -k 64 --alpha 1 --lda 64 --ldb 64 --beta 0 --ldc 64" >calls.log
mkdir e
cp calls.log e/1.log
sed 's/,12,7$/,10,/' d.csv >e/bench.csv
sed 's/,10,5$/,12,/' c.csv >f.csv
tracediff -q -f csv --per problem e f.csv
