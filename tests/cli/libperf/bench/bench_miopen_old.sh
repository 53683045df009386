# Before 2025-06 x stands before y; the 3D line lacks the comma between k and flopCnt (8, 1769472).
cd "$TESTDATA/miopen/2.10/driver" || exit 2
libperf bench conv.txt
