# Long times are in minutes and hours in sentences and in columns, as on the page of tracereport.  Two kernels of 20 minutes,
# 100 minutes apart: 1200 + 6000 + 1200 s are 140 min = 2.333 h, of which 40 min = 0.6667 h are busy, 28.57 %.  A column goes
# on in seconds where its least number would have less than one digit of three: 5 s are 0.083 min, 6 s are 0.100.
make() {
	printf '%s\n' kind,rank,agent,name,start_ns,end_ns
	at=1000
	for s; do
		[ "$s" -gt 0 ] && printf 'kernel,0,4,%s,%s,%s\n' "k$s" "$at" $((at + s * 1000000000))
		at=$((at + ${s#-} * 1000000000))
	done
}
make 1200 -6000 1200 >hours.csv
make 90 6 >six.csv
make 90 5 >five.csv
# 59.995 s are a minute when rounded to four digits, 59.994 s are not.
printf '%s\n' kind,rank,agent,name,start_ns,end_ns kernel,0,4,k,0,59995000000 >minute.csv
printf '%s\n' kind,rank,agent,name,start_ns,end_ns kernel,0,4,k,0,59994000000 >below.csv
kstats -q hours.csv | sed -n -e 1p -e '/longest gap/p' -e '/PCT/,$p'
kstats timeline -q --columns window_ns,busy_ns,idle_ns hours.csv
kstats timeline -q -f csv --columns window_ns,busy_ns,idle_ns hours.csv
for f in six five; do
	kstats top -q --columns name,total_ns $f.csv
done
kstats top -q --unit s --columns name,total_ns six.csv
for f in minute below; do
	kstats -q $f.csv | sed -n 1p
done
