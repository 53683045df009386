# Worked out by hand, microseconds of base and new:
#   TN 4096x4096x4096   300 -> 200: speedup 1.5, above 6 % (each measured once): faster
#   NN 1024x1024x1024   40 -> 41: 2.5 %: ~
#   TN 8192x64x8192     100 102 101 -> 111 110 112: medians 101 and 111, 9.9 % above 3 %; three against three are
#                       compared by means: t = 10 / sqrt(1/3 + 1/3) = 12.25 of 4, p = 0.000255: slower
#   NT 128x128x128      5 -> 5.3: 6 %, but 10 % are noise of a call below 20 us that was measured once: ~
#   NN 2048x2048x2048   140 100 120 -> 150 130 110: 120 and 130, 8.3 % above 3 %, but t = 10 / sqrt(400/3 +
#                       400/3) = 0.61 of 4, p = 0.573: ~
#   NN 512x512x512      only in base; TT 256x256x256 only in new
# Speedups 1.5, 0.97561, 0.90991, 0.94340, 0.92308: their product is 1.15957, its fifth root 1.0301.
# One call each: 300+40+101+5+120 = 566 us, then 200+41+111+5.3+130 = 487.3 us.
cd "$TESTDATA/hipblaslt/7.0/bench" || exit 2
libperf compare -f csv default.txt tuned.txt
