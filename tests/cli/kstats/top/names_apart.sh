# Two matrix multiplications that differ in the middle of a long name, as the sizes of their tiles do, and a
# third that differs from the second further on, are three names in every width; a name that looks like no
# other is cut as ever, and what differs only in its arguments shows these.
tail=SN_LDSB1_AFC1_AFEM1_ASEM1_CLR1_CADS0_DTLA0
{
	echo '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"'
	echo "\"Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x32x64_${tail}_GRVWA8_WSGRA0_WSGRB0_WS64_WG64_4_1\",1,600,600,37.5,600,600,0"
	echo "\"Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT32x32x256_${tail}_GRVWA8_WSGRA0_WSGRB0_WS64_WG64_4_1\",1,500,500,31.25,500,500,0"
	echo "\"Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT32x32x256_${tail}_GRVWA4_WSGRA0_WSGRB0_WS64_WG64_4_1\",1,200,200,12.5,200,200,0"
	echo '"void at::native::reduce_kernel_of_a_long_name<512, 1, at::native::ReduceOp<float, 4, 4> >(float)",1,150,150,9.375,150,150,0'
	echo '"void copy_of_a_name_that_is_rather_long<64>(float const*, int, int, int, int, int, int, int, int)",1,100,100,6.25,100,100,0'
	echo '"void copy_of_a_name_that_is_rather_long<64>(double const*, int, int, int, int, int, int, int, int)",1,50,50,3.125,50,50,0'
} >a_kernel_stats.csv
for width in 60 80 120; do
	COLUMNS=$width kstats top -q --columns total_ns,name a_kernel_stats.csv
done
# Which names look alike is a matter of what is printed: alone, the first is cut in the middle.
COLUMNS=60 kstats top -q -n 1 --columns total_ns,name a_kernel_stats.csv
