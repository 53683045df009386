# A kernel's row opens to a histogram of its calls, that of `kstats top --hist`, and to a command that prints its page:
# of that kernel alone, whatever its name holds.  k(1) [a+b]* takes 1, 1, 1.1 and 4 us, k twice 2 us, the same name longer 9.
{
	echo Kernel_Name,Start_Timestamp,End_Timestamp
	at=1000
	for call in 'k(1) [a+b]*' 1000 'k(1) [a+b]*' 1000 'k(1) [a+b]*' 1100 'k(1) [a+b]*' 4000 k 2000 k 2000 'k(1) [a+b]*2' 9000; do
		case $call in
		k*) name=$call ;;
		*)
			echo "\"$name\",$at,$((at + call))"
			at=$((at + 10000))
			;;
		esac
	done
} >t.csv
tracereport -q -o page.html t.csv || exit
grep -o 'figcaption>Calls by duration[^<]*' page.html | head -n 1
sed -n '/id="t-top"/,/<.table>/p' page.html | sed 's/<p class="full">/\n&/g; s/<rect/\n&/g; s/<code class="cmd">/\n&/g' |
	sed -n 's/^<p class="full">\([^<]*\).*/\1/p; s/^<rect.*<title>\([^<]*\).*/\1/p; s/^<code class="cmd">\(kstats kernel [^<]*\).*/\1/p' |
	sed "s/&#39;/'/g" >rows
cat rows
kstats top -q -f csv --hist 'b]*' t.csv | grep -v ',0,0.0000,'
# What it prints is of four calls, two and one.
grep '^kstats kernel' rows | while read -r line; do
	eval "$line -q -f csv" | grep '^total,calls'
done
# Statistics hold no single durations: no histogram.
printf 'Name,Calls,TotalDurationNs,AverageNs,Percentage\nk,2,4000,2000,100\n' >1_kernel_stats.csv
tracereport -q 1_kernel_stats.csv | grep -c 'Calls by duration'
