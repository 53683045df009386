# What counters count in, as far as it is known (Perfetto: 1 ns, 2 a number, 3 bytes; else a word): power of the sensors W,
# clock MHz, allocated bytes 3, ours 2 and 3; of any other counter nothing.  An agent of which there are only counters
# may be a CPU: it is not called GPU.
cat >run.csv <<'EOF'
kind,rank,pid,tid,agent,corr,name,start_ns,end_ns,bytes,address,value,counter
api,0,1,1,,1,hipLaunchKernel,100,200,,,,
kernel,0,1,,4,1,a,1000,2000,,,,
alloc,0,1,1,4,,allocate,300,301,64,4096,,
counter,0,1,,4,,,700,700,,,5,GPU Power [4] (S)
counter,0,1,,4,,,700,700,,,6,sclk
counter,0,1,,4,,,700,700,,,7,SQ_WAVES
counter,0,1,,0,,,700,700,,,8,ALLOCATE BYTES on Agent [0] (CPU)
counter,0,1,,CPU 1,,,700,700,,,8,anything
EOF
tracecat -q --to pftrace --no-findings -o run.pftrace run.csv || exit
python3 - <<'END'
import zlib

def fields(b):
    i = 0
    def varint():
        nonlocal i
        v = shift = 0
        while True:
            v |= (b[i] & 127) << shift
            shift += 7
            i += 1
            if b[i - 1] < 128:
                return v
    while i < len(b):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        elif key & 7 == 2:
            n = varint()
            i += n
            yield key >> 3, b[i - n:i]
        else:
            n = 8 if key & 7 == 1 else 4
            i += n
            yield key >> 3, b[i - n:i]

def packets(b):
    for f, v in fields(b):
        inner = dict(fields(v))
        if 50 in inner:
            yield from packets(zlib.decompress(inner[50]))
        else:
            yield inner

tracks = [dict(fields(p[60])) for p in packets(open("run.pftrace", "rb").read()) if 60 in p]
name = {t[1]: t.get(2, b"").decode() for t in tracks}
for t in tracks:
    if 8 in t:
        of = dict(fields(t[8]))
        print(name[t.get(5)], "|", name[t[1]], "|", of.get(3, ""), of.get(6, b"").decode())
END
