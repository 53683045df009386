# Steps as columns: all 1,200 of them, of six the longest in each column, 200 columns; slow ones are outlined.  Step 1100 is
# five times as long, and the only one that is slow, of 1099 to 1104.  The table has the same steps.
sh "$ROOT/tests/cli/one_slow_step" 1200 1100
steps() {
	kstats steps -q -f csv --columns step,slow "$1" | grep -v ",\$"
	tracereport -q -o page.html "$1" || exit
	grep -o '<svg class="chart"[^>]*step[^>]*>.*' page.html | grep -o '<rect class="f-conv[^"]*"' | sort | uniq -c | sed 's/^ *//'
	grep -o '<rect class="f-conv mark".*' page.html | sed 's/<\/rect>.*//; s/ x=.*<title>/ /'
	grep -o '[^>]*the longest of [^<]*rank[^<]*' page.html | sort -u
	grep -o '[^>]* steps* of the first rank[^<]*' page.html | sort -u
}
steps run.csv
head -n 1501 run.csv >some.csv # 500, of three the longest
steps some.csv
# A kernel that repeats is a step for who asks for steps, and none in pages, of whatever kind of file.
{
	echo kind,rank,agent,name,start_ns,end_ns
	seq 9 | awk '{ printf "kernel,0,0,k,%d,%d\n", $1 * 1000, $1 * 1000 + 500 }'
} >one.csv
tracemerge -q --stats-only one.csv >one.db
for f in one.csv one.db; do
	kstats steps --total -q "$f"
	kstats -q "$f" | grep -c 'checked$'
done
tracereport -q -o page.html one.csv
grep -o 'Each step: [^<]*' page.html
