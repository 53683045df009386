#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.db against its inputs: same answers, same sums by other means, associative, sound.
set -eu
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2

bad=0
wrong() {
	printf '%s\n' "$*"
	bad=1
}

# ask DB SQL
ask() {
	sqlite3 -batch "$1" "$2"
}

merge() {
	tracemerge -q "$@"
}

# same NAME OPTIONS... -- DB -- INPUTS...: kstats top says the same of both
same() {
	local name=$1 opts=() db st1=0 st2=0
	shift
	while [ "$1" != -- ]; do
		opts+=("$1")
		shift
	done
	db=$2
	shift 3
	kstats top -q -f csv "${opts[@]}" "$@" >want 2>want.err || st1=$?
	kstats top -q -f csv "${opts[@]}" "$db" >got 2>got.err || st2=$?
	if ! cmp -s want got || [ "$st1" != "$st2" ]; then
		wrong "$name: kstats top ${opts[*]} of $db is not that of its inputs (status $st2, $st1)"
		diff want got | head -n 5
		head -n 3 got.err
	fi
}

sound() {
	if [ "$(ask "$1" 'PRAGMA integrity_check')" != ok ]; then
		wrong "$1: $(ask "$1" 'PRAGMA integrity_check' | head -n 3)"
	fi
	if [ "$(ask "$1" 'PRAGMA application_id; PRAGMA user_version' | tr '\n' ' ')" != '1953656172 11 ' ]; then
		wrong "$1: application_id or user_version"
	fi
}

# What a database holds, names written out, but for its ids and pages; of totals as rows.
content() {
	local db=$1
	if [ "$(ask "$db" "SELECT count(*) FROM sqlite_schema WHERE name = 'packed_rollup'")" = 1 ]; then
		merge "$db" >unpacked.db
		db=unpacked.db
	fi
	python3 - "$db" <<-'END'
		import sqlite3, sys
		db = sqlite3.connect(sys.argv[1])
		db.text_factory = bytes
		names = dict(db.execute("SELECT id, text FROM name"))
		ranks = {r[0]: r[1:] for r in db.execute("SELECT * FROM rank")}
		tables = [r[0].decode() for r in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('name', 'rank', 'extent') ORDER BY 1")]
		for t in tables:
		    cols = [r[1].decode() for r in db.execute(f"PRAGMA table_info({t})")]
		    refs = {r[3].decode() for r in db.execute(f"PRAGMA foreign_key_list({t})") if r[2] == b"name"}
		    rows = []
		    for row in db.execute(f"SELECT * FROM {t}"):
		        out = []
		        for c, v in zip(cols, row):
		            if c == "id" and t != "input":
		                continue
		            if c in refs and v is not None:
		                v = names[v]
		            if c == "rank_id":
		                v = ranks[v]
		            out.append(v)
		        rows.append(repr(out))
		    for r in sorted(rows):
		        print(t, r)
	END
}

identical() {
	content "$1" >one
	content "$2" >two
	if ! cmp -s one two; then
		wrong "$1 and $2 hold different things:"
		diff one two | head -n 4 | cut -c 1-300
	fi
}

# ---- four ranks that were generated ----

# Smaller ones where a sample is asked for.
effort=${EFFORT:-100}
size=$((100000 + 5000 * effort))
for r in 0 1 2 3; do
	mkdir -p "rank$r"
	"$GEN" --rank "$r" --seed "$r" --names 60 --agents 2 --short $size >"rank$r/app_kernel_trace.csv"
	"$GEN" --rank "$r" --seed "$r" --names 60 --agents 2 --short --kind hip $size >"rank$r/app_hip_api_trace.csv"
done
"$GEN" --seed 9 --names 30 --nasty 400000 >nasty_kernel_trace.csv
"$GEN" --seed 10 --names 30 --raw 400000 >raw_kernel_trace.csv

merge rank0 rank1 rank2 rank3 >all.db
merge -j 1 --no-index rank0 rank1 rank2 rank3 >j1.db
merge -j 4 --no-index -o j4.db rank0 rank1 rank2 rank3
cmp j1.db j4.db || wrong "-j changes the database"
merge rank0 rank1 | cat >ab.db
merge rank2 rank3 | cat >cd.db
merge ab.db cd.db >two.db
merge rank0 ab.db >/dev/null 2>&1 || wrong "a trace and a database do not merge"
for db in all.db j1.db ab.db two.db; do
	sound "$db"
done
identical all.db two.db
merge two.db >again.db
identical all.db again.db

for domain in kernel hip all; do
	for per in '' rank agent rank,agent queue,stream shape; do
		opts=(--domain "$domain")
		if [ -n "$per" ]; then
			opts+=(--per "$per")
		fi
		same "ranks" "${opts[@]}" -- all.db -- rank0 rank1 rank2 rank3
		same "ranks in two steps" "${opts[@]}" -- two.db -- rank0 rank1 rank2 rank3
	done
done
for opts in '-w 25%..50%' '-w +1ms..' '-s p99,name' '--name short' '--name class' '--columns name,p50_ns,calls'; do
	# shellcheck disable=SC2086 # an option and its value
	same "options" $opts -- all.db -- rank0 rank1 rank2 rank3
done
merge nasty_kernel_trace.csv raw_kernel_trace.csv >nasty.db
same "hostile names" -- nasty.db -- nasty_kernel_trace.csv raw_kernel_trace.csv
same "hostile names" --per stream -- nasty.db -- nasty_kernel_trace.csv raw_kernel_trace.csv

# Through a pipe, compressed, in an archive, both at a time.
gzip -k two.db
same "gzip" -- two.db.gz -- rank0 rank1 rank2 rank3
tar cf two.tar two.db
same "tar" -- two.tar -- rank0 rank1 rank2 rank3
kstats top -q -f csv rank0 rank1 rank2 rank3 >want
kstats top -q -f csv - <two.db >got
cmp want got || wrong "standard input"
gzip -dc two.db.gz | kstats top -q -f csv - >got
cmp want got || wrong "a pipe"
kstats top -q -f csv ab.db cd.db >got
cmp want got || wrong "two databases at a time"
kstats top -q -f csv ab.db rank2 rank3 >got
cmp want got || wrong "a database and traces"

# Sums only.
merge --stats-only rank0 rank1 rank2 rank3 >stats.db
sound stats.db
same "stats only" -- stats.db -- rank0 rank1 rank2 rank3
same "stats only" --per rank,agent --domain all -- stats.db -- rank0 rank1 rank2 rank3
merge --stats-only ab.db cd.db >stats2.db
identical stats.db stats2.db
merge stats.db >stats3.db
identical stats.db stats3.db
if [ "$(ask stats.db "SELECT count(*) FROM sqlite_schema WHERE name IN ('kernel', 'api', 'copy', 'marker')")" != 0 ]; then
	wrong "--stats-only keeps events"
fi
# Its rollups as rows, which are also what --stats-only wrote before version 10.
merge stats.db >rows.db
sound rows.db
same "sums as rows" --per rank,agent --domain all -- rows.db -- rank0 rank1 rank2 rank3
merge --stats-only rows.db >stats3.db
identical stats.db stats3.db
for sql in "UPDATE packed_rollup SET bytes = x'ff'" "UPDATE packed_rollup SET bytes = substr(bytes, 1, length(bytes) - 1)" \
	"DELETE FROM packed_name" "UPDATE packed_name SET bytes = x'28b52ffd'" "UPDATE packed_name SET first = first + 1" \
	"DROP TABLE packed_name" "DROP TABLE state" "UPDATE extent SET tbl = 'kernel' WHERE tbl = 'packed_rollup'" \
	"UPDATE extent SET tbl = 'rollup' WHERE tbl = 'packed_rollup'" "UPDATE packed_rollup SET bytes = NULL" \
	"PRAGMA user_version = 9" "DROP TABLE packed_whole"; do
	cp stats.db lie.db
	ask lie.db "$sql" 2>/dev/null || true
	status=0
	kstats top -q --per rank lie.db >out 2>err || status=$?
	[ "$status" = 2 ] || [ "$sql" = "UPDATE packed_rollup SET bytes = NULL" ] || wrong "$sql: status $status"
done

# The same counted by other means: python's csv over the files, SQL over the tables.
python3 - rank?/app_kernel_trace.csv >want <<-'END'
	import collections, csv, re, sys
	sums = collections.defaultdict(lambda: [0, 0, 0])
	for path in sys.argv[1:]:
	    rank = int(re.search(r"rank(\d)", path).group(1))
	    for row in csv.DictReader(open(path)):
	        ns = int(row["End_Timestamp"]) - int(row["Start_Timestamp"])
	        s = sums[rank, row["Kernel_Name"], row["Agent_Id"].replace("Agent ", "")]
	        s[0] += 1
	        s[1] += ns
	        s[2] += int(row["Correlation_Id"]) + int(row["Grid_Size_X"]) + int(row["Stream_Id"])
	for key, s in sorted(sums.items()):
	    print(*key, *s, sep="|")
END
ask all.db "SELECT r.rank, n.text, k.agent, count(*), sum(end_ns - start_ns), sum(corr + grid_x + stream)
	FROM kernel k JOIN rank r ON r.id = k.rank_id JOIN name n ON n.id = k.name
	GROUP BY r.rank, n.text, k.agent" | LC_ALL=C sort >got
LC_ALL=C sort -o want want
cmp want got || wrong "sums per rank, kernel and agent differ from the files"
if [ "$(ask all.db "SELECT count(*) FROM (SELECT k.name, r.input, k.agent, count(*) c, sum(end_ns - start_ns) t,
		min(end_ns - start_ns) lo, max(end_ns - start_ns) hi
		FROM kernel k JOIN rank r ON r.id = k.rank_id GROUP BY 1, 2, 3) x
	LEFT JOIN rollup u ON u.input = x.input AND u.name = x.name AND u.agent = x.agent AND u.domain = 'kernel'
	WHERE u.calls IS NOT x.c OR u.total_ns IS NOT x.t OR u.min_ns IS NOT x.lo OR u.max_ns IS NOT x.hi")" != 0 ]; then
	wrong "rollups are not the sums of the events"
fi
# Squares, against python's integers.
ask all.db "SELECT u.id, u.squares_0, u.squares_1, u.squares_2, group_concat(k.end_ns - k.start_ns)
	FROM rollup u JOIN rank r ON r.input = u.input JOIN kernel k ON k.rank_id = r.id AND k.name = u.name
	AND k.agent = u.agent WHERE u.domain = 'kernel' GROUP BY u.id" | python3 -c '
import sys
for line in sys.stdin:
    i, a, b, c, v = line.strip().split("|")
    have = sum((int(x) % 2**64) << 64 * k for k, x in enumerate((a, b, c)))
    if have != sum(int(x) ** 2 for x in v.split(",")):
        print("squares of rollup", i)
' >squares
if [ -s squares ]; then
	wrong "$(head -n 3 squares)"
fi

# ---- every table of every format, and what was left out ----

# Is it this set's turn?  EFFORT percent of them are, the first among them.
turn=-1
taken() {
	turn=$((turn + 1))
	[ "$turn" = 0 ] || [ $((turn * effort / 100)) -ne $(((turn - 1) * effort / 100)) ]
}

for set in "$TESTDATA"/rocprofv3/*/run "$TESTDATA"/rocprofv3/*/stats "$TESTDATA"/rocprofv3/*/pmc \
	"$TESTDATA"/rocprofv2/*/* "$TESTDATA"/rocprofv1/*/* "$TESTDATA"/rocpd/*/* \
	"$TESTDATA"/rocprofv3/resnet "$TESTDATA"/rocprofv3/7.0/hostile "$TESTDATA"/rocprofv3/7.0/cut; do
	if ! [ -d "$set" ] || ! taken; then
		continue
	fi
	merge "$set" >set.db 2>err || true
	if [ ! -s set.db ]; then
		continue
	fi
	sound set.db
	for opts in '' '--domain all' '--domain copy' '--domain marker' '--per rank,queue' '-w 10%..90%'; do
		# Standard error too: what was left out is told again.
		st1=0 st2=0
		# shellcheck disable=SC2086
		kstats top -f csv $opts "$set" >want 2>want.err || st1=$?
		# shellcheck disable=SC2086
		kstats top -f csv $opts set.db >got 2>got.err || st2=$?
		grep -v 'not a trace\|no trace' want.err >want.notes || true
		cmp -s want got || wrong "$set: kstats top $opts differs: $(diff want got | head -n 3)"
		LC_ALL=C sort -o want.notes want.notes
		LC_ALL=C sort -o got.err got.err
		if ! cmp -s want.notes got.err && [ -z "$opts" ]; then
			wrong "$set: notes differ $opts: $(diff want.notes got.err | head -n 3)"
		fi
	done
	merge set.db >set2.db 2>err || true
	identical set.db set2.db
done
if [ -n "${TRACEMILL_SHARED-}" ]; then
	for set in "$TRACEMILL_SHARED"/data/docs_samples "$TRACEMILL_SHARED"/data/legacy/rocprof_v1 \
		"$TRACEMILL_SHARED"/data/mission "$TRACEMILL_SHARED"/data/sdk_traces "$TESTDATA"/pftrace; do
		if ! [ -d "$set" ] || ! taken; then
			continue
		fi
		merge "$set" >set.db 2>err || true
		sound set.db
		for opts in '' '--domain all' '--domain hip --per rank' '--per shape'; do
			# shellcheck disable=SC2086
			kstats top -q -f csv $opts "$set" >want 2>/dev/null || true
			# shellcheck disable=SC2086
			kstats top -q -f csv $opts set.db >got 2>/dev/null || true
			cmp -s want got || wrong "$set: kstats top $opts differs: $(diff want got | head -n 3)"
		done
		merge set.db >set2.db 2>err || true
		identical set.db set2.db
	done
else
	echo "NOT COMPARED: the traces of ../shared, which is not there"
fi

# ---- many inputs ----

mkdir many
for i in $(seq 80); do
	"$GEN" --rank "$i" --seed "$i" --names 20 --short 20000 >"many/rank$i.csv"
done
(ulimit -n 40 && merge -o many.db many)
if [ "$(ask many.db 'SELECT count(*), count(DISTINCT rank) FROM input')" != '80|80' ]; then
	wrong "80 inputs became $(ask many.db 'SELECT count(*), count(DISTINCT rank) FROM input')"
fi
same "80 ranks" --per rank -- many.db -- many

# ---- trouble ----

cp all.db keep.db
if (ulimit -f 100 && trap '' XFSZ && merge -o keep.db rank0 rank1 >/dev/null 2>full); then
	wrong "a full disk is no error"
fi
grep -q 'cannot write the database' full || wrong "a full disk: $(head -n 2 full)"
cmp -s all.db keep.db || wrong "a failed merge replaced its output"
if compgen -G 'keep.db?*' >/dev/null; then
	wrong "a failed merge left something behind"
fi
status=0
merge rank0 >/dev/full 2>full || status=$?
[ "$status" = 2 ] || wrong "/dev/full: status $status"
merge ab.db ab.db 2>/dev/null >once.db
cp ab.db ab2.db
merge -o x.db rank0 rank1
merge -o y.db --no-index rank1 rank0
merge -o once.db x.db y.db
if [ "$(ask once.db 'SELECT count(*) FROM kernel')" != "$(ask x.db 'SELECT count(*) FROM kernel')" ]; then
	wrong "the same traces in two databases are counted twice"
fi
kstats top -q -f csv x.db >want
kstats top -q -f csv x.db y.db >got
cmp want got || wrong "kstats counts the same traces in two databases twice"

# A database that lies: no crash, a message.
for sql in "UPDATE kernel SET name = 999999" "UPDATE rollup SET sketch = x'ff'" "DROP TABLE rollup" \
	"UPDATE extent SET first = -5, rows = 9223372036854775807" "DELETE FROM name WHERE id = 0" \
	"DROP TABLE kernel; CREATE VIEW kernel AS SELECT * FROM rollup" "UPDATE input SET rule = 'x'" \
	"UPDATE rollup SET total_hi = NULL" "PRAGMA user_version = 99" "UPDATE rank SET id = id + 100"; do
	cp ab.db lie.db
	ask lie.db "$sql" 2>/dev/null || true
	for per in agent queue; do
		status=0
		kstats top -q --per "$per" lie.db >out 2>err || status=$?
		[ "$status" -le 2 ] || wrong "$sql: status $status"
	done
done
head -c 100000 ab.db >lie.db
status=0
kstats top lie.db >out 2>err || status=$?
[ "$status" = 2 ] || wrong "half a database: status $status"
exit "$bad"
