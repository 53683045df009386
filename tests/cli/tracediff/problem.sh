# Two folders with a table of calls and measurements each, beside files that are neither.  By hand, us of A and B:
#   TN 8192x64x8192    3 calls, then 5: 101 and 111 (medians of three; p as in libperf/compare_known: slower)
#                      303 -> 555: 2 * 101 = 202 by calls, 5 * 10 = 50 by their length
#   TN 4096x4096x4096  10 calls each: 3000 -> 2000, faster
#   NT 128x128x128     7 of A, none of B: 35 -> 0, all by calls
#   TT 256x256x256     not called in A, where nobody measured it either, 2 in B: 0 -> 25
#   conv_fwd           4 calls and 6, never measured: no times
# The same calls, those of B: 5 * 101 + 10 * 300 = 3505, then 555 + 2000 = 2555: -27.1 %.  Twice the calls of what is
# slower is no regression.
bench=$TESTDATA/hipblaslt/7.0/bench
mkdir a b
cp "$bench/default.txt" a/bench.log
cp "$bench/tuned.txt" b/bench.log
echo "no log" | tee a/README >b/README
gemm() { echo "0,,m,hipblaslt,hipblaslt-bench --api_method c $1 --a_type bf16_r --b_type bf16_r --c_type bf16_r --d_type bf16_r --compute_type f32_r,$2"; }
table() {
	echo "jobid,created_date,model,library,config,calls"
	gemm "-m 8192 -n 64 -k 8192 --transA T --transB N" "$1"
	gemm "-m 4096 -n 4096 -k 4096 --transA T --transB N" 10
	echo "0,,m,miopen,./bin/MIOpenDriver conv -n 128 -c 64 -H 56 -W 56 -k 64 -y 3 -x 3 -p 1 -q 1 -u 1 -v 1 -l 1 -j 1 -m conv -g 1 -F 1 -t 1,$2"
}
{
	table 3 4
	gemm "-m 128 -n 128 -k 128 --transA N --transB T" 7
} >a/library_trace.csv
{
	table 5 6
	gemm "-m 256 -n 256 -k 256 --transA T --transB T" 2
} >b/library_trace.csv
tracediff -f csv --per problem a b
tracediff -q --per problem --fail-over 5 a b; echo $?
# The other way round, with the calls of a: 3 * 111 + 10 * 200 = 2333, then 3 * 101 + 10 * 300 = 3303: +41.58 %.
tracediff -q --columns name,delta --per problem --fail-over 5 b a
