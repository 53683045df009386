# Names of the columns.
libperf trace --list-columns
