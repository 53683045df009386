# Three processes that work in step, at the same times to the nanosecond.  A router runs in each of 4 steps of 100 ns, two
# experts in turn, 2 kernels each, of other names: nobody concatenated them, and all count, 8 calls.  Nor are they
# concatenated if the directories or the user state their ranks, or the names of the files their processes: gemm is called 8
# times, 800 ns; nor if they ran on other GPUs (400 ns each) or have other correlation ids, whether those are asked for or not.
# Where nothing tells them apart, kernels of one name are the same ones: an error.  It is one, too, if the concatenation lies in
# the directory of one of the ranks.  Tables without times tell nothing: each counts.
table() { # FILE NAME AGENT ID START...
	mkdir -p "${1%/*}"
	file=$1 name=$2 agent=$3 id=$4
	shift 4
	{
		echo 'Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp'
		for at; do echo "KERNEL_DISPATCH,$agent,$name,$id,$at,$((at ? at + 100 : 0))"; done
	} >"$file"
}
steps() { # ROUTER EXPERT EXPERT NAME NAME NAME AGENT ID ID
	table "$1_kernel_trace.csv" "$4" 4 1 1000 2000 3000 4000
	table "$2_kernel_trace.csv" "$5" "${7:-4}" "${8:-1}" 1000 3000
	table "$3_kernel_trace.csv" "$6" "${7:-4}" "${9:-1}" 2000 4000
}
ask() { kstats top -f csv --columns name,calls,total_ns "$@"; echo "status $?"; }
steps a/r a/x a/y router expert_a expert_b && ask a
steps b/r b/x b/y gemm gemm gemm 5 && ask b
kstats top -f csv --per agent --columns agent,calls,total_ns b; echo "status $?"
steps c/rank_0/t c/rank_1/t c/rank_2/t gemm gemm gemm && ask c
steps d/1 d/2 d/3 gemm gemm gemm && ask d
steps e/r e/x e/y gemm gemm gemm 4 2 3 && ask e
steps f/r f/x f/y gemm gemm gemm && ask f
ask 0=f/r_kernel_trace.csv 1=f/x_kernel_trace.csv 2=f/y_kernel_trace.csv
steps g/rank_0/r g/rank_0/x g/rank_1/y gemm gemm gemm && ask g
table h/r_kernel_trace.csv gemm 4 1 0 0 0 0 && table h/x_kernel_trace.csv gemm 4 1 0 0 && table h/y_kernel_trace.csv gemm 4 2 0 0
ask h
