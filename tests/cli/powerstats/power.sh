# Energy by the trapezoid rule over the times as written, seven rows (s: GPU0, GPU1):
#   0: 100, 50.5   .1: 200, 50.5   .25: 300, N/A   .35: 300, empty   .45: 100, 60.5   1.45: 100, 60.5   1.55: 200, 80
# Distances .1 .15 .1 .1 1 .1: median .1, so more than .35 s is a gap: the second from .45 to 1.45.
# GPU0: .1*150 + .15*250 + .1*300 + .1*200 + .1*150 = 15 + 37.5 + 30 + 20 + 15 = 117.5 J in .55 s: 213.63636 W;
#       p95: the ceil(.95*7) = 7th smallest, 300.
# GPU1: .1*50.5 + .35*55.5 (N/A and the empty cell are bridged) + .1*70.25 = 5.05 + 19.425 + 7.025 = 31.5 J in
#       .55 s: 57.27273 W; p95: the ceil(.95*5) = 5th smallest, 80.
cd "$TESTDATA/madengine/2.0/power" && powerstats -f csv gpu_info_power_profiler_output.csv
