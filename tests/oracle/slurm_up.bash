# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# A Slurm of its own on this machine, for tests: nodes n1, n2 ... are slurmds beside each other.

# slurm_there: can one be started?
slurm_there() {
	local tool
	for tool in munged slurmctld slurmd sbatch srun scontrol squeue; do
		PATH=$PATH:/usr/sbin command -v "$tool" >/dev/null || {
			echo "not run: no $tool (Debian: slurmctld slurmd slurm-client munge)"
			return 1
		}
	done
}

# slurm_up FOLDER NODES CPUS: start it; SLURM_CONF says where it is.  Ports are its own, below those the
# system deals.
slurm_up() {
	local dir=$1 i port=$((10000 + $$ % 1100 * 20)) me host
	me=$(id -un)
	host=$(uname -n)
	PATH=$PATH:/usr/sbin
	mkdir -p "$dir/state" || return
	head -c 128 /dev/urandom >"$dir/munge.key" && chmod 400 "$dir/munge.key"
	munged --force --key-file="$dir/munge.key" --socket="$dir/munge.sock" --pid-file="$dir/munged.pid" \
		--log-file="$dir/munged.log" --seed-file="$dir/munge.seed" 2>"$dir/munged.err" || {
		cat "$dir/munged.err"
		return 1
	}
	{
		cat <<-END
			ClusterName=test
			SlurmctldHost=$host(127.0.0.1)
			SlurmctldPort=$port
			SlurmUser=$me
			SlurmdUser=$me
			AuthType=auth/munge
			AuthInfo=socket=$dir/munge.sock
			CredType=cred/munge
			StateSaveLocation=$dir/state
			SlurmdSpoolDir=$dir/spool.%n
			SlurmctldPidFile=$dir/slurmctld.pid
			SlurmdPidFile=$dir/slurmd.%n.pid
			SlurmctldLogFile=$dir/slurmctld.log
			SlurmdLogFile=$dir/slurmd.%n.log
			ProctrackType=proctrack/linuxproc
			TaskPlugin=task/none
			SwitchType=switch/none
			MpiDefault=none
			JobAcctGatherType=jobacct_gather/none
			AccountingStorageType=accounting_storage/none
			SelectType=select/cons_tres
			SelectTypeParameters=CR_Core
			SlurmdParameters=config_overrides
			SchedulerParameters=sched_interval=1,bf_interval=1
			KillWait=1
			ReturnToService=2
		END
		for ((i = 1; i <= $2; i++)); do
			echo "NodeName=n$i NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + i)) CPUs=$3 Sockets=1 \
CoresPerSocket=$3 ThreadsPerCore=1 State=UNKNOWN"
		done
		echo "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP"
	} >"$dir/slurm.conf"
	export SLURM_CONF=$dir/slurm.conf
	slurmctld 2>>"$dir/start.err" || return
	for ((i = 1; i <= $2; i++)); do
		slurmd -N "n$i" 2>>"$dir/start.err" || return
	done
	for ((i = 0; i < 300; i++)); do
		[ "$(scontrol show nodes 2>/dev/null | grep -c 'State=IDLE')" -eq "$2" ] && return
		sleep 0.1
	done
	cat "$dir/start.err" "$dir/slurmctld.log"
	return 1
}

# slurm_down FOLDER: end it and all that it runs.
slurm_down() {
	local pid f
	scancel --user="$(id -un)" 2>/dev/null
	for f in "$1"/slurmd.*.pid "$1/slurmctld.pid" "$1/munged.pid"; do
		[ -f "$f" ] && pid=$(<"$f") && kill -9 "$pid" 2>/dev/null
	done
	return 0
}

# slurm_break FOLDER NODE: the node is gone at once, with all that runs on it.
slurm_break() {
	local pid step
	kill -9 "$(<"$1/slurmd.$2.pid")"
	for pid in /proc/[0-9]*; do
		pid=${pid#/proc/}
		[ "$(grep -cz -e "^SLURMD_NODENAME=$2\$" -e "^SLURM_CONF=$1/slurm.conf\$" "/proc/$pid/environ" 2>/dev/null)" = 2 ] ||
			continue
		step=$(awk '/^PPid:/ { print $2 }' "/proc/$pid/status" 2>/dev/null)
		if [ "$(cat "/proc/$step/comm" 2>/dev/null)" = slurmstepd ]; then
			kill -9 "$step"
		fi
		kill -9 "$pid" 2>/dev/null
	done
	scontrol update "NodeName=$2" State=DOWN Reason=broken
}

# slurm_wait JOB: until it is over; its state and its exit status.
slurm_wait() {
	local i
	for ((i = 0; i < 3000; i++)); do
		[ -z "$(squeue -h -t PD,R,CG,CF -j "$1" 2>/dev/null)" ] && break
		sleep 0.1
	done
	scontrol show job "$1" | sed -n 's/^ *JobState=\([A-Z_]*\).*/\1/p; s/.* ExitCode=\([0-9]*\):.*/\1/p' | paste -s -d ' '
}
