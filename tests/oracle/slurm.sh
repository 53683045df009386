#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# docs/slurm under a real Slurm of several nodes on this machine: ranks side by side, a node that breaks in the
# middle, the ranks that it leaves missing, a second run that does only those, and in the end the bytes of one
# process that read all traces.
# shellcheck disable=SC1091,SC2154
. "$(dirname "${BASH_SOURCE[0]}")/begin.bash"
. "$here/slurm_up.bash"
slurm_there || exit 77
work=$(mktemp -d) || exit 2
trap 'slurm_down "$work/slurm"; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2
bad=0
say() {
	echo "$*"
	bad=1
}

# Few ranks where the tools are slow.
ranks=64
[ "${EFFORT:-100}" -lt 5 ] && ranks=12
last=$((ranks - 1))
for ((r = 0; r < ranks; r++)); do
	mkdir -p "traces/rank_$r"
	gen_csv --rank "$r" --seed "$r" 40000 >"traces/rank_$r/${r}00_kernel_trace.csv"
	gen_csv --rank "$r" --seed "$r" --kind hip 40000 >"traces/rank_$r/${r}00_hip_api_trace.csv"
done

# On n2 each task stays, while `hold` is there, at its first rank from here on, until it is killed.
from=$((ranks - 36))
mkdir bin
cat >bin/tracemerge <<END
#!/bin/sh
for last; do :; done
case \$last in
[0-9]*=*)
	if [ "\$SLURMD_NODENAME" = n2 ] && [ -e "$work/hold" ] && [ "\${last%%=*}" -ge $from ]; then
		touch "$work/held"
		sleep 600
	fi
	;;
esac
exec "$(command -v tracemerge)" "\$@"
END
chmod +x bin/tracemerge
export PATH=$work/bin:$PATH

if ! slurm_up "$work/slurm" 3 4; then
	echo "not run: Slurm does not start here"
	exit 77
fi
submit() { # log, options of sbatch, script, arguments
	local log=$1
	shift
	sbatch --parsable --open-mode=truncate -o "$work/$log" "$@"
}
collect() { # log, array
	submit "$1" --array="$2" --nodes=1 --ntasks=4 --no-requeue "$root/docs/slurm/collect.sbatch" "0-$last" "traces/rank_%r" out
}
merge() { # log, job
	submit "$1" --dependency="afterany:$2" --ntasks=4 "$root/docs/slurm/merge.sbatch" out stats.db
}

# What the databases say must be what the traces say; findings of 64 ranks and fewer need events.
questions=("top --per rank" top classes gemm timeline gaps sync launch copies memory collectives efficiency ranks summary)
same() { # what, database, traces
	local q compared=0
	for q in "${questions[@]}"; do
		# shellcheck disable=SC2086 # a command and its options
		kstats $q -q -f csv "$2" 2>got.err | grep -v '^finding\.' >got
		# shellcheck disable=SC2086
		kstats $q -q -f csv "${@:3}" 2>want.err | grep -v '^finding\.' >want
		cmp -s got want || say "$1: kstats $q is not the same: $(head -n 3 got.err)"
		compared=$((compared + $(wc -l <want)))
	done
	echo "$1: $compared rows compared"
}

touch hold
first=$(collect 'first-%a' 0-2)
then=$(merge merged "$first")
for ((i = 0; i < 600; i++)); do
	[ -e held ] && break
	sleep 0.1
done
[ -e held ] || say "no rank came to node n2: $(cat first-*)"
slurm_break "$work/slurm" n2
ended=$(slurm_wait "$then")
missing=() there=()
for ((r = 0; r < ranks; r++)); do
	if [ -e "out/rank-$r.db" ]; then
		there+=("traces/rank_$r")
	else
		missing+=("$r")
	fi
done
echo "a node broke: ${#there[@]} ranks there, ${#missing[@]} missing, merge $ended"
[ ${#missing[@]} -gt 0 ] || say "the node broke and no rank is missing"
[ "$ended" = "FAILED 1" ] || say "a merge with ranks missing ended as $ended: $(cat merged)"
named=$(sed -n 's/^missing: ranks //p' merged)
[ "$(for part in ${named//,/ }; do seq "${part%-*}" "${part#*-}"; done | paste -s -d ' ')" = "${missing[*]}" ] ||
	say "missing are ${missing[*]}, named $named"
same "with ranks missing" stats.db "${there[@]}"

rm hold
stat -c '%n %i %y' out/rank-*.db | sort >before
second=$(collect 'second-%a' 0-1)
ended=$(slurm_wait "$(merge merged "$second")")
[ "$ended" = "COMPLETED 0" ] || say "all ranks, and the merge ended as $ended: $(cat merged second-*)"
stat -c '%n %i %y' out/rank-*.db | sort >after
[ "$(comm -12 before after | wc -l)" -eq ${#there[@]} ] || say "the second run did ranks again that were there"
[ "$(wc -l <after)" -eq "$ranks" ] || say "$(wc -l <after) databases of $ranks ranks"
same "all ranks" stats.db traces

# Nothing counts twice: the result, all that it was made of, and some of that by other names.
cp out/rank-3.db three.db
tracemerge -q -o twice.db stats.db out/rank-*.db three.db
same "everything twice" twice.db traces

# Where the path tells nothing, the rank is that of the process, and so is the host.
mkdir alone
# shellcheck disable=SC2016 # each task expands it
srun -N 2 -n 4 bash -c 'cp -r "traces/rank_$SLURM_PROCID" "alone/$SLURM_PROCID-of-$SLURMD_NODENAME" &&
	tracemerge -q -o "alone/$SLURM_PROCID.db" "alone/$SLURM_PROCID-of-$SLURMD_NODENAME"'
for ((r = 0; r < 4; r++)); do
	is=$(sqlite3 "alone/$r.db" "SELECT DISTINCT rule || ' ' || r.rank || ' ' || host FROM input i JOIN rank r ON r.input = i.id")
	[ "$is" = "environment $r $(basename "alone/$r-of-"* | sed 's/.*-//')" ] || say "task $r: $is"
done
tracemerge -q -o four.db alone/*.db
# ranks and summary name hosts, which the traces by themselves do not.
questions=("${questions[@]:0:12}")
same "ranks of processes" four.db traces/rank_{0,1,2,3}

slurm_down "$work/slurm"
exit $bad
