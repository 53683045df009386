# A pipeline of three ranks in one process group, two rounds of 1000 us: each computes for 100 us and sends to the next, which computes when it
# has received.  A receive is launched at the start of a round.  A transfer takes 10 us.
#
#   rank 0   computes 0 to 100, sends 100 to 110
#   rank 1   receives 0 to 110, computes 110 to 210, sends 210 to 220
#   rank 2   receives 0 to 220, computes 220 to 320
#
# Traces that name the other rank (Src Rank, Dst Rank) tell which send is which receive: two pairs, of two each, of 4000 bytes in 10 us, or 0.4
# GB/s.  If all computes in half of the time the last round is shorter by 3 * 50 us, of 1320.  Without these names it is not known.
trace() { # rank, with names?
	awk -v r="$1" -v named="$2" 'function row(name, stream, from, to, args) {
		printf ",\n{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"%s\",\"pid\":0,\"tid\":%d,\"ts\":%d,\"dur\":%d,\"args\":{\"device\":0,\"stream\":%d%s}}",
			name, stream, from, to - from, stream, args
	}
	function pass(what, peer, from, to) {
		row("ncclDevKernel_SendRecv", 2, from, to, ",\"Collective name\":\"" what "\",\"In msg nelems\":1000,\"Out msg nelems\":1000,\"dtype\":\"Float\"" \
			",\"Group size\":3,\"Process Group Name\":\"7\",\"Process Group Description\":\"pp\",\"Process Group Ranks\":\"[0, 1, 2]\"" \
			(named ? ",\"" (what == "send" ? "Dst" : "Src") " Rank\":" peer : ""))
	}
	BEGIN {
		printf "{\"schemaVersion\":1,\"distributedInfo\":{\"backend\":\"nccl\",\"rank\":%d,\"world_size\":3},\"traceEvents\":[\n", r
		printf "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":0,\"args\":{\"name\":\"python\"}}"
		for (i = 0; i < 2; i++) {
			t = 1000 + i * 1000
			if (r)
				pass("recv", r - 1, t, t + r * 110)
			row("Cijk_a", 1, t + r * 110, t + r * 110 + 100, "")
			if (r < 2)
				pass("send", r + 1, t + r * 110 + 100, t + r * 110 + 110)
		}
		print "]}"
	}' >"rank$1.json"
}
for named in 1 ''; do
	for rank in 0 1 2; do
		trace $rank $named
	done
	kstats collectives -q -f csv --columns op,comm,ranks,bytes,count,busbw_gb_per_s rank?.json
	kstats collectives -f csv --ranks --columns rank,transfer_ns rank?.json 2>&1
	kstats whatif -q -f csv --scale gemm=0.5 --columns scenario,window_ns,saved_ns rank?.json
done
