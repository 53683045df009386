# A run.db next to the file it was made of, which has grown since: k ran twice (100 ns each) then, and three times now.  Both
# hold the first two calls, so one of them is to be given: 2 calls or 3.  As long as the file is what it was, it counts once.
# A database of a part of the file (-k) cannot count next to it either.  With RANK=FILE they are two processes, 2 and 3 calls.
mkdir d
printf 'Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp\n' >d/77_kernel_trace.csv
row() { echo "KERNEL_DISPATCH,4,$1,$2,$3,$4" >>d/77_kernel_trace.csv; }
ask() { kstats top -f csv --per rank --columns rank,name,calls,total_ns "$@"; echo "status $?"; }
row k 1 1000 1100 && row k 2 2000 2100
tracemerge -q -o run.db d && ask run.db d
row k 3 3000 3100
ask run.db d && ask d run.db
mv run.db d && ask d
mv d/run.db . && ask run.db && ask d && ask 0=run.db 1=d
tracediff -q run.db -- d >out; grep -c verdict out
row a 4 4000 4050
tracemerge -q -k k -o k.db d && ask k.db d
# The program ran again: databases of both nights hold what they hold, 2 + 1 calls, with the files of the second or without.
rm d/* && printf 'Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp\n' >d/77_kernel_trace.csv
row k 1 9000 9100
tracemerge -q -o second.db d && ask run.db second.db && ask run.db second.db d
