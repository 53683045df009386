# What is given with RANK= and again without is one file, of that rank, in any order, by any name, as
# a copy and in a directory; a note says so.  Numbers that differ stay apart.  Rank 0 has 2 calls of k, rank 1 has 1.
# shellcheck source=/dev/null
. "$ROOT/tests/cli/two_ranks"
cp rank0/m_kernel_trace.csv copy.csv
t() {
	echo "# $*"
	kstats top -f csv --per rank -k '^k$' --columns rank,calls,name "$@" 2>&1
}
a=rank0/m_kernel_trace.csv
t 3=$a $a
t $a 3=$a
t 3=$a copy.csv
t copy.csv 3=$a
t 3=rank0 .
t . 3=rank0
t 7=$a 3=copy.csv copy.csv
gzip -k $a
t 3=$a $a.gz
t $a 3=$a.gz
