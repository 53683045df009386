# A tool that is one of the processes of a job: a run whose rank nothing tells is of that process, and of its host.
# A path that tells it, a rank that is given, another run beside it, a number that cannot be, and a job of one
# process leave all as it is.  The database keeps it, also where another process reads it.
cp -r "$TESTDATA/rocprofv3/7.0/demo" run
mkdir rank_3
cp -r run rank_3
other=$TESTDATA/rocprofv3/resnet/2117183_kernel_stats.csv
rank() { # process, its job's number of them, inputs
	export SLURM_PROCID="$1" SLURM_STEP_NUM_TASKS="$2" SLURMD_NODENAME=n2
	shift 2
	echo "$*" | sed "s|$TESTDATA/||"
	tracemerge -o run.db "$@" 2>err
	grep ', from ' err
	sqlite3 run.db "SELECT DISTINCT rule, r.rank, coalesce(host, 'no host') FROM input i JOIN rank r ON r.input = i.id"
}
rank 5 8 run
cp run.db five.db
rank 1 8 five.db
rank 5 8 rank_3
rank 5 8 1=run
rank 5 8 run "$other"
rank 8 8 run
rank 0 1 run
export OMPI_COMM_WORLD_RANK=11 OMPI_COMM_WORLD_SIZE=16
rank 5 8 run
