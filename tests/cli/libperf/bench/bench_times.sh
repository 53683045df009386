# Two rows of rccl-tests, and a convolution that MIOpenDriver runs on two nodes: the lines of each are read from
# below the times of Jenkins, GitLab, containerd and Python's logging as from the plain file, by hand from the text,
# and so are those of nodes that kubectl names.
# A container may write a time of its own after that of its log.
# The command that is the first line of a node is that of its rows.
cat >plain.txt <<'EOT'
# Collective test starting: all_reduce_perf
#       size         count      type   redop    root     time   algbw   busbw #wrong
        1024           256     float     sum      -1    48.81    0.02    0.02      0
EOT
for node in node1 node2; do
	echo "$node: MIOpenDriver conv -n 1 -c 8 -H 4 -W 4 -k 8 -y 1 -x 1 -p 0 -q 0 -F 1"
	echo "$node: stats: name, n, c, ho, wo, x, y, k, flopCnt, bytesRead, bytesWritten, GFLOPs, GB/s, timeMs"
	echo "$node: stats: fwd-conv1x1u1, 1, 8, 4, 4, 1, 1, 8, 2048, 1, 1, 1, 1, 2.5"
done >>plain.txt
sed 's/^/[2026-11-29T10:00:00.123Z] /' plain.txt >jenkins.txt
sed 's/^/2026-11-29T10:00:00.123456Z 00O /' plain.txt >gitlab.txt
sed 's/^/2026-11-29T10:00:00.123456789+01:00 stdout F /' plain.txt >cri.txt
sed 's/^/2026-11-29 10:00:00,123 /' plain.txt >python.txt
sed 's/^/2026-11-29T10:00:00.123456789Z stdout F /' python.txt >container.txt
sed 's/^/2026-11-29T10:00:00.123456789Z /' python.txt >pod.txt
sed 's|^node\([12]\): |[pod/worker-\1/torch] |' plain.txt >kubectl.txt
for f in plain jenkins gitlab cri python container pod kubectl; do
	libperf bench -q --columns line,operation,bytes,time_us,name,timeMs,command $f.txt >$f.out || exit
	cmp plain.out $f.out
done
cat plain.out
# A comma in the time is none between columns.
sed 's/^/[2026-11-29 10:00:00,123] INFO /' >comma.txt <<'EOT'
transA,M,rocblas-Gflops,us
N,8,1,2
EOT
libperf bench -q comma.txt
