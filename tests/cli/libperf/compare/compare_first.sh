# The total, and what became slower, come first in every format, whatever is sorted and however few rows are asked for.
# 566.0 us become 487.3 us, 13.9 % less, and one problem is significantly faster: an improvement, with one regression in it.
bench=$TESTDATA/hipblaslt/7.0/bench
libperf compare -q -n 1 "$bench/default.txt" "$bench/tuned.txt"
libperf compare -q -n 1 -s problem -f csv --columns problem,status,saved_us "$bench/default.txt" "$bench/tuned.txt"
libperf compare -q -n 1 -f md --columns problem,status,saved_us "$bench/default.txt" "$bench/tuned.txt"
libperf compare -q -n 1 -f json --columns problem,status,saved_us "$bench/default.txt" "$bench/tuned.txt" | tail -n 5
# The same with a threshold of 20 %: 13.9 % is nothing.
libperf compare -q -n 1 -f tsv --threshold 20 --columns problem,status "$bench/default.txt" "$bench/tuned.txt"
