# Kernels by their names in a trace and in statistics: 2 dispatches of 1000 and 500 ns, of any agent.
cat >job.log <<'END'
Running kernel: Cijk_A
Running kernel: Cijk_A
Running kernel: Cijk_B
END
cat >kernel_trace.csv <<'END'
"Kind","Agent_Id","Queue_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","Private_Segment_Size","Group_Segment_Size","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"
"KERNEL_DISPATCH",1,1,1,"Cijk_A",1,1000,2000,0,0,64,1,1,64,1,1
"KERNEL_DISPATCH",2,1,1,"Cijk_A.kd",2,3000,3500,0,0,64,1,1,64,1,1
"KERNEL_DISPATCH",1,1,2,"other",3,4000,4500,0,0,64,1,1,64,1,1
END
libperf top -f csv --columns library,problem,calls,kernel_calls,kernel_ns --trace kernel_trace.csv job.log
libperf top -q -f csv --columns problem,kernel_ns --trace kernel_trace.csv <job.log
libperf top -f csv --columns problem,kernel_ns --trace job.log job.log
