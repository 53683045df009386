# Three processes that work in step, at the same times to the nanosecond.  A router runs in each of 4 steps of 100 ns, two
# experts in turn, 2 kernels each, of other names: nobody concatenated them, and all count, 8 calls.  Nor are they
# concatenated if the directories or the user state their ranks: gemm is called 8 times, 800 ns; or if they ran on other GPUs,
# where those are asked for: 400 ns each.  Without that, kernels of one name are the same ones: an error.  It is one, too, if the concatenation lies in
# the directory of one of the ranks.  Tables without times tell nothing: each counts.
table() { # FILE NAME AGENT START...
	mkdir -p "${1%/*}"
	file=$1 name=$2 agent=$3 id=${1##*/}
	shift 3
	{
		echo 'Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp'
		for at; do echo "KERNEL_DISPATCH,$agent,$name,${id%%_*},$at,$((at ? at + 100 : 0))"; done
	} >"$file"
}
steps() { # ROUTER EXPERT EXPERT NAME...
	router=$1 a=$2 b=$3
	shift 3
	table "$router/1_kernel_trace.csv" "$1" 4 1000 2000 3000 4000
	table "$a/2_kernel_trace.csv" "$2" "${4:-4}" 1000 3000
	table "$b/3_kernel_trace.csv" "$3" "${4:-4}" 2000 4000
}
ask() { kstats top -f csv --columns name,calls,total_ns "$@"; echo "status $?"; }
steps a a a router expert_a expert_b && ask a
steps b b b gemm gemm gemm 5
kstats top -f csv --per agent --columns agent,calls,total_ns b; echo "status $?"
steps c/rank_0 c/rank_1 c/rank_2 gemm gemm gemm && ask c
steps d d d gemm gemm gemm && ask d
ask 0=d/1_kernel_trace.csv 1=d/2_kernel_trace.csv 2=d/3_kernel_trace.csv
steps e/rank_0 e/rank_0 e/rank_1 gemm gemm gemm && ask e
table f/1_kernel_trace.csv gemm 4 0 0 0 0 && table f/2_kernel_trace.csv gemm 4 0 0 && table f/3_kernel_trace.csv gemm 4 0 0
ask f
