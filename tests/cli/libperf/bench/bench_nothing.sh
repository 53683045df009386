# A file without a measurement is an error.
echo 'hello, world' >log.txt
libperf bench log.txt
