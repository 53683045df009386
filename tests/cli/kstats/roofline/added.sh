# What an operator adds to its product is read once, at its own size, and not at all if its factor is 0.  bytes, of items of 2:
# baddbmm of 3 x (8x16 by 16x4): 2 x 3 x (128 + 64 + 32) = 1344; and all of [3,8,4] 1344 + 192 = 1536, [1,8,4] + 64, [4] + 8, [3,1,4] + 24,
# with beta 0. and 0 + 0.  addmm 8x16 by 16x4: 448, and [1,4] + 8, [1] + 2.  addmv of 8x16 by 16: 2 x (128 + 16 + 8) + 16 = 320.
# _scaled_mm of items of 1, result and bias of 2: 128 + 64 + 2 x 32 + 2 x 4 = 264.
H='"c10::Half"' F='"c10::Float8_e4m3fnuz"' n=0
op() { # NAME TYPES DIMS VALUES
	n=$((n + 1))
	[ $n -eq 1 ] || printf ','
	printf '\n{"ph": "X", "cat": "cpu_op", "name": "aten::%s", "pid": 7, "tid": 7, "ts": %d, "dur": 5, "args": {"External id": %d, "Input type": [%s], "Input Dims": [%s], "Concrete Inputs": [%s]}}' \
		"$1" $((n * 20)) $n "$2" "$3" "$4"
	printf ',\n{"ph": "X", "cat": "kernel", "name": "Cijk_Ailk_Bljk_K%d", "pid": 0, "tid": 3, "ts": %d, "dur": %d, "args": {"External id": %d, "device": 0, "stream": 3, "correlation": %d}}' \
		$n $((n * 20 + 6)) $((13 - n)) $n $n
}
{
	printf '{"schemaVersion": 1, "roctracer_version": 4.1, "deviceProperties": [{"id": 0, "name": "AMD Instinct MI300X", "computeMajor": 9, "computeMinor": 4, "warpSize": 64, "numSms": 304}], "traceEvents": ['
	for c in '[3, 8, 4]' '[1, 8, 4]' '[4]' '[3, 1, 4]'; do
		op baddbmm "$H, $H, $H, \"Scalar\", \"Scalar\"" "$c, [3, 8, 16], [3, 16, 4], [], []" '"", "", "", "1", "0.125"'
	done
	for beta in 0. 0; do
		op baddbmm "$H, $H, $H, \"Scalar\", \"Scalar\"" "[3, 8, 4], [3, 8, 16], [3, 16, 4], [], []" "\"\", \"\", \"\", \"$beta\", \"0.125\""
	done
	for c in '[1, 4]' '[1]'; do
		op addmm "$H, $H, $H, \"Scalar\", \"Scalar\"" "$c, [8, 16], [16, 4], [], []" '"", "", "", "1", "1"'
	done
	op addmv "$H, $H, $H, \"Scalar\", \"Scalar\"" "[8], [8, 16], [16], [], []" '"", "", "", "1", "1"'
	op _scaled_mm "$F, $F, \"float\", \"float\", $H, \"\", \"Scalar\", \"Scalar\"" "[8, 16], [16, 4], [], [], [4], [], [], []" \
		'"", "", "", "", "", "", "5", "True"'
	printf '\n]}\n'
} >t.pt.trace.json
kstats roofline -q -f csv --columns name,op,problem,flops,bytes t.pt.trace.json
