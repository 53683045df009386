# Runs that cannot be compared: status 2 and the reason, never a pass.
trace() {
	echo Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp
	awk -v OFS=, -v agent="${1:-1}" '{ print "KERNEL_DISPATCH", "Agent " agent, $1, NR, $2, $2 + $3 }'
}
printf '%s\n' 'a 0 1000' 'b 4000 5000' | trace >old.csv
printf '%s\n' 'a 0 900' 'b 4000 4900' | trace >new.csv
printf '%s\n' 'x 0 900' 'y 4000 4900' | trace >other.csv
printf '%s\n' 'a_gfx90a 0 900' 'b 4000 4900' | trace >mi200.csv
printf '%s\n' 'a_gfx942 0 900' 'b 4000 4900' | trace >mi300.csv
{
	cat new.csv
	printf '%s\n' 'a 0 900' | trace 2 | tail -n 1
} >two.csv
head -n 1 old.csv >empty.csv
head -c 150 new.csv | gzip | head -c 60 >cut.csv.gz
check() {
	base=$1 new=$2
	shift 2
	tracecheck -q --rule 'kernels.total_us <= baseline' --baseline "$base" "$@" "$new" 2>&1
	echo $?
}
check old.csv new.csv
check old.csv empty.csv
check empty.csv new.csv
check old.csv old.csv
check old.csv two.csv
check old.csv two.csv --allow agents
check old.csv other.csv
check mi200.csv mi300.csv
check mi200.csv mi300.csv --allow arch
check old.csv missing.csv
check old.csv cut.csv.gz
check cut.csv.gz new.csv
