# What CI systems and launchers put around the lines of a client: times, tags, colors, progress bars that a
# carriage return overwrites.  The two rows of plain.txt are read from each (sizes 1024 and 2048 at 21.47 and
# 42.94 us, by hand from the text), none of it is a column; only mpiexec's tag has a rank (3), and what is in
# front of a line in another way (syslog) is left out as well.
cat >plain.txt <<'EOT'
[0]:transA,transB,m,n,k,hipblaslt-Gflops,us
    T,N,1024,1024,1024,100000,21.47
stats: activ, 1000, 2000, 60
    T,N,2048,1024,1024,100000,42.94
EOT
esc=$(printf '\033')
cr=$(printf '\r')
sed 's/^/2026-11-29T10:00:00.1234567Z /' plain.txt >github.txt
sed "s/^/${esc}[0K${esc}[32;1m/; s/\$/${esc}[0;m/" plain.txt >gitlab.txt
sed "s/^/ 10%|#  | 1\\/10$cr 20%|## | 2\\/10$cr/; s/\$/$cr/" plain.txt >progress.txt
sed 's/^/[3] /' plain.txt >mpiexec.txt
sed 's/^/[prterun-node1-12@1,3]<stdout>: 10%'"$cr"'/' plain.txt >prterun.txt
sed 's/^/(Worker pid=12, ip=10.0.0.2) /' plain.txt >ray.txt
sed 's/^/node1: /' plain.txt >pdsh.txt
sed 's/^/2026-11-29T10:00:00Z worker-0  | /' plain.txt >compose.txt
sed 's/^/Nov 29 10:00:00 /' plain.txt >syslog.txt
for f in plain github gitlab progress mpiexec prterun ray pdsh compose syslog; do
	libperf bench -q $f.txt | sed 1d || exit
done
# A label of a script is not a process: its command is that of the lines after it.
printf 'test1: ./rocblas-bench -f gemm -m 8\ntransA,M,rocblas-Gflops,us\nN,8,1,2\nRunning: ./rocblas-bench -f gemm -m 9\n' >labels.txt
printf 'transA,M,rocblas-Gflops,us\nN,9,1,2\n' >>labels.txt
libperf bench -q labels.txt | sed 1d
