# The files bring the others.
libperf bench --list-columns
