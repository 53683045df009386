# Exactly two.
libperf compare one.csv
