# Logs only: calls are compared, most different first, and nothing is said of time; a gate cannot pass, for nothing
# was judged.  One library on one side and another on the other are one row.
log() { echo "./rocblas-bench -f gemm -r f32_r --transposeA N --transposeB N -m $1 -n 512 -k 512 --alpha 1 --lda $1 --ldb 512 --beta 0 --ldc $1"; }
lt() { echo "hipblaslt-bench --api_method c -m $1 -n 512 -k 512 --lda $1 --ldb 512 --ldc $1 --ldd $1 --a_type f32_r --b_type f32_r --c_type f32_r --d_type f32_r --compute_type f32_r --transA N --transB N --alpha 1 --beta 0"; }
{ log 512; log 512; log 512; log 256; log 128; } >a.log
{ log 512; lt 256; log 64; } >b.log
tracediff --per problem a.log b.log; echo $?
tracediff -q -f csv --per problem a.log b.log; echo $?
tracediff -q --per problem --fail-over 5 a.log b.log
