# Two runs in one log: each row has the version and the device that its own run printed before it, not those that the
# next one prints; the third run prints neither, and what was printed last is true of it.
run() { # M VERSION DEVICE
	echo "hipBLASLt version: $2"
	echo "hipBLASLt git version: g$2"
	echo "Query device success: there are 1 devices. (Target device ID is 0)"
	echo "Device ID 0 : AMD Instinct $3 gfx942:sramecc+:xnack- (PCI Chip ID: 74a1)"
	row "$1"
}
row() {
	echo '[0]:transA,transB,m,n,k,a_type,b_type,c_type,d_type,compute_type,hipblaslt-Gflops,us'
	echo "    T,N,$1,8,8,f16_r,f16_r,f16_r,f16_r,f32_r,1,2"
	echo '    --Solution index: 7'
}
{
	run 1 1000 MI300X
	run 2 2000 MI325X
	row 3
	echo 'Device ID 0 : AMD Instinct MI308X gfx942:sramecc+:xnack- (PCI Chip ID: 74a2)'
	row 4
} >log
libperf bench -q -f csv --columns m,solution_index,version,git_version,device log
sed 's/^/10:00:00 INFO /' log | libperf bench -q -f csv --columns m,solution_index,version,git_version,device
