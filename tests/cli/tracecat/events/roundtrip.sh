# What kstats counts is what tracecat writes: calls and sum of every kernel, out of the rows.
f=$TESTDATA/rocprofv3/7.0/demo
tracecat -q --kind kernel -f csv --columns start_ns,end_ns,name "$f" |
	awk -F, 'NR > 1 {
		name = substr($0, length($1) + length($2) + 3)
		n[name]++
		sum[name] += $2 - $1
	}
	END {
		for (name in n)
			printf "%d,%d,%s\n", n[name], sum[name], name
	}' | sort >rows
kstats top -q -f csv --columns calls,total_ns,name "$f" | tail -n +2 | sort >want
cmp rows want
wc -l <want
