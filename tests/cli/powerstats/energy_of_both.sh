# amd-smi monitor with power and VRAM next to a trace: energy is of the power, so nobody has to choose.  400 W for the 2 s
# from 10 s to 12 s, one kernel from 10.5 s to 11 s: 200 J of 800; the other 1.5 s are outside of the trace, 600 J.
printf '%s\n' timestamp,gpu,vram_used,vram_total,socket_power 10,0,100,1000,400 11,0,100,1000,400 12,0,100,1000,400 >smi.csv
printf '%s\n' Agent_Id,Kernel_Name,Start_Timestamp,End_Timestamp 4,Cijk_a,10500000000,11000000000 >kernels.csv
powerstats -q -f csv --columns class,calls,energy_j --trace kernels.csv --offset 10000000000 smi.csv
powerstats -q -f csv smi.csv || true
