# Five rows .1 s apart.  GPU0: (15 + 40.25 + 60.5 + 40.5) * .1 / .4 = 39.0625 %; p95: the 5th smallest, 60.5.
# GPU1: 0.0 at .1 is a failed reading, bridged: (.2*.25 + .1*.5 + .1*.5) / .4 = .375 %.  Counted as a reading it is
# (.1*.125 + .1*.125 + .1*.5 + .1*.5) / .4 = .3125 %.
cd "$TESTDATA/madengine/2.0/power" || exit
f=gpu_info_vram_profiler_output.csv
powerstats -f csv "$f"
powerstats -f csv -q --keep-zero "$f"
