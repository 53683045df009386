# Steps as columns: all 1,200 of them, of three the longest in each column, 400 columns; slow ones are outlined.  Step 1100 is
# five times as long, and the only one that is slow, of 1099 to 1101.
sh "$ROOT/tests/cli/one_slow_step" 1200 1100
steps() {
	kstats steps -q -f csv --columns step,slow "$1" | grep -v ",\$"
	tracereport -q -o page.html "$1" || exit
	grep -o '<svg class="chart"[^>]*step[^>]*>.*' page.html | grep -o '<rect class="f-conv[^"]*"' | sort | uniq -c | sed 's/^ *//'
	grep -o '<rect class="f-conv mark".*' page.html | sed 's/<\/rect>.*//; s/ x=.*<title>/ /'
	grep -o '[^>]* steps* of the first rank[^<]*' page.html | sort -u
}
steps run.csv
head -n 1501 run.csv >some.csv # 500
steps some.csv
