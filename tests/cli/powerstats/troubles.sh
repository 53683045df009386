# A bad input is reported, the others are shown; the worst status counts.
: >empty.csv
printf 'time,Power(Watt) GPU0\n' >header.csv
printf 'time,Power(Watt) GPU0' >cut.csv
echo nonsense >text.csv
printf 'time,temperature GPU0\n' >other.csv
printf 'Power(Watt) GPU0\n1\n' >untimed.csv
printf 'time,Power(Watt) GPU0,power(W) card0\n' >twins.csv
printf 'time,Power(Watt) GPU0\n2026-03-01 10:00:00,5\n' >one.csv
head -c 300 /dev/zero >binary.csv
mkdir none
powerstats -f csv empty.csv header.csv cut.csv text.csv other.csv untimed.csv twins.csv binary.csv missing.csv none one.csv; echo $?
powerstats -f csv header.csv; echo $?
powerstats -f csv empty.csv; echo $?
gzip -c "$TESTDATA/madengine/2.0/power/gpu_info_power_profiler_output.csv" | head -c 100 >broken.csv.gz
powerstats -f csv broken.csv.gz
