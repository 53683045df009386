# The span is [100,600), so 50% is 350, and 50%..320 ends before it begins: nothing is inside, not even the kernel
# that runs from before the one to behind the other.
cat >1_kernel_trace.csv <<'END'
"Kind","Agent_Id","Queue_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
"KERNEL_DISPATCH",1,1,"k",1,100,200
"KERNEL_DISPATCH",1,1,"k",2,300,400
"KERNEL_DISPATCH",1,1,"k",3,500,600
END
kstats timeline -f csv --columns agent,window_ns -w 50%..320 1_kernel_trace.csv; echo $?
kstats top -f csv --columns name -w 50%..320 1_kernel_trace.csv; echo $?
kstats gaps -f csv --columns agent,gaps -w 50%..320 1_kernel_trace.csv
