# What is packed next to what it was packed from counts once, wherever the copies are: three calls of k (1400 ns) and two
# collectives (590 ns) of two ranks, as in the directories alone.
sh "$ROOT/tests/cli/two_ranks"
ask() { kstats top "$@" -f csv --name base --columns name,calls,total_ns; echo "$?"; }
# an archive next to its directory
tar czf rank0.tgz rank0 && tar cf rank1.tar rank1 && ask . && ask rank1.tar rank1 rank0.tgz rank0 && rm ./*.t*
# the same compressed, in another directory and under another name
mkdir a b c && mv rank0 rank1 a && gzip -c a/rank0/m_kernel_trace.csv >b/x.csv.gz && ask a b
cp b/x.csv.gz c/y.csv.gz && ask -q b c && rm -r b c
# an archive, and the same archive compressed
cd a && tar cf ../run.tar rank0 rank1 && cd .. && gzip -k run.tar && ask -q run.tar run.tar.gz && ask -q a run.tar && rm run.tar.gz
# a member that is there twice
tar rf run.tar -C a rank0 && ask run.tar && rm run.tar
# where no rank is in the path, the copy is no second rank
mkdir d && cp a/rank0/m_kernel_trace.csv d/1_kernel_trace.csv && tar cf d/run.tar -C d 1_kernel_trace.csv &&
	kstats timeline -q -f csv --columns rank,agent,kernels d
# two ranks that the user gave are two, and one that he gave counts before one that he did not
gzip -k d/1_kernel_trace.csv && rm d/run.tar
ask -q 0=d/1_kernel_trace.csv 1=d/1_kernel_trace.csv.gz
kstats timeline -q -f csv --columns rank,agent,kernels d/1_kernel_trace.csv 3=d/1_kernel_trace.csv.gz
