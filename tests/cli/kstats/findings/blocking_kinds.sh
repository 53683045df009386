# Every call of a kind, in all threads of the process together: 19 x 70 us of 1920 us, 69.3 %, and the call by its name.  It is
# told once: "host synchronization" is of calls that only wait.
for what in "hipMemcpyWithStream 1" "hipMemcpyDtoH 8" "hipFree 8" "hipFreeHost 3" "hipMemset_spt 1"; do
	sh "$ROOT/tests/cli/waits" "${what% *}" "${what#* }"
	kstats findings -q -f csv --columns id,saves_ns,title .
done
