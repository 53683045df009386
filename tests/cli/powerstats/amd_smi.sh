# amd-smi monitor --csv -w 1 of two devices, with what it says first and the header of every sample.  Device 0: 140,
# 240, 340 W at 0, 1, 2 s: 190 + 290 = 480 J.  Device 1: 150 and 250 W, none between: 200 W for 2 s.  VRAM of device 0:
# 25, 50, 50 %.
cat >monitor.csv <<'EOF'
'CTRL' + 'C' to stop watching output:
timestamp,gpu,power_usage,hotspot_temperature,vram_used,vram_total
1733000000,0,140,44,1000,4000
1733000000,1,150,45,N/A,4000

timestamp,gpu,power_usage,hotspot_temperature,vram_used,vram_total
1733000001,0,240,44,2000,4000
1733000001,1,N/A,45,3000,4000

timestamp,gpu,power_usage,hotspot_temperature,vram_used,vram_total
1733000002,0,340,44,2000,4000
1733000002,1,250,45,3000,4000
EOF
powerstats -f csv --what power monitor.csv || exit
powerstats -f csv --what vram monitor.csv || exit
# amd-smi metric -p; a device whose second is over before its row is written; the same without -w is no table.
printf 'timestamp,gpu,socket_power,gfx_voltage\n10,0,100,N/A\n11,1,200,N/A\n11,0,100,N/A\n12,1,200,N/A\n' |
	powerstats -f csv || exit
printf 'gpu,socket_power,gfx_voltage\n0,100,N/A\n' | powerstats -f csv
