# What a launcher puts in front of a line hides nothing: a shell's echo is still none of the calls, and a line of
# Tensile still begins with its words.
cat >log.txt <<'EOF'
0: + ./rocblas-bench -f gemm -r s -m 2 -n 2 -k 2
0: ./rocblas-bench -f gemm -r s -m 2 -n 2 -k 2
[1,3]<stderr>:Running kernel: mine
[default0]:Running kernel: mine
EOF
libperf trace -f csv log.txt
