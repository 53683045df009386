# An RCCL log that begins after more than 64 KiB of other output: read from a file and in a directory, next to text that is
# none; where the bytes can be read only once, an error says how.
mkdir d
seq -f 'epoch %.0f: loss 0.5, 17.3 samples a second' 1 2000 >d/other.txt
{
	cat d/other.txt
	echo "h:40:40 [0] NCCL INFO AllReduce: opCount 0 sendbuff (nil) recvbuff 0x7 count 10 datatype 7 op 0 root 0 comm 0x1 [nranks=2] stream (nil) task 0 globalrank 0"
} >d/late.txt
tar -cf d.tar -C d late.txt other.txt
for c in d/late.txt d d.tar -; do
	echo "-- $c"
	tracecat -f csv --columns name,bytes "$c" <d/late.txt 2>&1
done
echo "-- --from"
tracecat -f csv --columns name,bytes --from rccl-log - <d/late.txt
tracecat -f csv --columns name,bytes d/other.txt
