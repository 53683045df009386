# amd-smi monitor of two GPUs with two partitions each: a row for each, with power only in the first.  They are one moment: no reading is
# missing.  Device 0: 100, 200, 200, 300 W at 0, 1, 1, 2 s: 150 + 250 = 400 J; device 1: 300 W for 2 s.  Only the second sample of one
# second repeats a time.  VRAM is that of the first partition.
head=timestamp,gpu,xcp,power_usage,vram_used,vram_total
cat >monitor.csv <<EOF2
$head
10,0,0,100,1000,4000
10,0,1,N/A,3000,4000
10,1,0,300,1000,4000
10,1,1,N/A,N/A,N/A
11,0,0,200,1000,4000
11,0,1,N/A,3000,4000
11,1,0,300,1000,4000
11,1,1,N/A,N/A,N/A
11,0,0,200,1000,4000
11,0,1,N/A,3000,4000
11,1,0,300,1000,4000
11,1,1,N/A,N/A,N/A
12,0,0,300,1000,4000
12,0,1,N/A,3000,4000
12,1,0,300,1000,4000
12,1,1,N/A,N/A,N/A
EOF2
powerstats -f csv --what power monitor.csv && powerstats -q -f csv --what vram monitor.csv
