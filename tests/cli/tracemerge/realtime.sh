# Two Perfetto traces of one kernel each: snapshots of the clock and CLOCK_REALTIME, then the kernel.
#   rank 0   clock 2000 is 1700000000000002100, 9000 is 1700000000000009140: 100 and 140 more than 17e17,
#            middle 120, off by 20; kernel from 3000 to 3500
#   rank 1   clock 700 is 1700000000000005700: 5000 more; kernel from 800 to 900
# The clock of rank 0 is further ahead, by 4880: rank 1 is shifted by that, its kernel begins at 5680.
printf '\012\033P\001\062\027\012\005\010\006\020\320\017\012\014\010\001\020\264\220\250\261\343\237\347\313\027\020\006\012\033P\001\062\027\012\005\010\006\020\250F\012\014\010\001\020\264\307\250\261\343\237\347\313\027\020\006\012\036P\001h\001\270\005\001b\025\012\023\010\001\022\017kernel_dispatch\012\052P\001\342\003\045\010\011\022\041COMPUTE AGENT [4] QUEUE [1] (GPU)\012\027P\001\100\270\027\320\003\006Z\015H\001X\011\030\001\272\001\004gemm\012\016P\001\100\254\033\320\003\006Z\004H\002X\011' > rank0.pftrace
printf '\012\033P\001\062\027\012\005\010\006\020\274\005\012\014\010\001\020\304\254\250\261\343\237\347\313\027\020\006\012\036P\001h\001\270\005\001b\025\012\023\010\001\022\017kernel_dispatch\012\052P\001\342\003\045\010\011\022\041COMPUTE AGENT [4] QUEUE [1] (GPU)\012\027P\001\100\240\006\320\003\006Z\015H\001X\011\030\001\272\001\004gemm\012\016P\001\100\204\007\320\003\006Z\004H\002X\011' > rank1.pftrace
tracecat info -f csv --columns rank,producer,clock,snapshots,realtime_offset_ns,realtime_error_ns,aligned rank0.pftrace rank1.pftrace
tracemerge -o run.db rank0.pftrace rank1.pftrace 2> err
sed 's/, [0-9]* bytes.*//' err
sqlite3 run.db 'SELECT * FROM clock; SELECT start_ns FROM kernel ORDER BY id; SELECT rank, start, "end" FROM kernels'
tracecat --columns rank,name,start_ns,end_ns run.db
tracecat info -f csv --columns rank,first_ns,snapshots,aligned,shift_ns,shift_error_ns run.db
# What is aligned is not shifted again, and can be had back as it was.
tracemerge -q -o again.db run.db
sqlite3 again.db 'SELECT offset_ns, residual_ns FROM clock'
tracemerge --align none -o none.db again.db 2> err
sed 's/, [0-9]* bytes.*//' err
tracecat --columns rank,start_ns none.db
# There are no collectives in them.
tracemerge --align collectives -o never.db run.db; echo $?
ls
