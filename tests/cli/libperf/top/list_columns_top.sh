# Names of the columns.
libperf top --list-columns
