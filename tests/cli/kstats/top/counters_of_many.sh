# A table of more counters than are usual, next to the same table saved again.
mkdir a b
{
	echo "Index,KernelName,gpu-id,queue-id,pid,tid,$(seq -s, -f 'C%g' 40),BeginNs,EndNs"
	for i in $(seq 0 99); do
		echo "$i,\"k.kd\",1,0,7,7,$(seq -s, 40),$((1000 * i + 1000)),$((1000 * i + 1500))"
	done
} >a/results.csv
tr -d '"' <a/results.csv >b/results.csv
kstats top -f csv --columns name,calls a b
