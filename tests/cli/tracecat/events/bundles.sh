# Threads compress the packets of a timeline in bundles of 450 KiB: 6,000 kernels and their calls are three of them, the same
# bytes for any number of threads, and all are there when they are read again.
awk 'BEGIN {
	print "kind,domain,rank,pid,tid,agent,queue,corr,name,start_ns,end_ns"
	for (i = 1; i <= 6000; i++) {
		printf "api,hip,0,1,1,,,%d,hipLaunchKernel,%d,%d\n", i, 1000 * i, 1000 * i + 300
		printf "kernel,,0,1,1,4,1,%d,work_%d,%d,%d\n", i, i % 9, 1000 * i + 400, 1000 * i + 400 + i % 599
	}
}' >run.csv
for jobs in 1 3; do
	tracecat -q -j $jobs --no-findings --to pftrace -o $jobs.pftrace run.csv
	cmp 1.pftrace $jobs.pftrace
done
tracecat info -f csv --columns kinds,skipped,lost 3.pftrace
kstats top -q -f csv -n 0 run.csv >want
kstats top -q -f csv -n 0 3.pftrace | cmp want -
python3 - <<'END'
import zlib

data, at, sizes = open("3.pftrace", "rb").read(), 0, []


def varint():
    global at
    v = shift = 0
    while True:
        v |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            return v


while at < len(data):
    assert varint() == 1 << 3 | 2
    end = varint() + at
    key = varint()
    if key == 50 << 3 | 2:
        size = varint()
        sizes.append(len(zlib.decompress(data[at : at + size])))
    at = end
print(len(sizes), "bundles, none above 512 KB:", max(sizes) <= 512000)
END
