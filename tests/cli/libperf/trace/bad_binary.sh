# Bytes that are no text.
head -c 3000000 /dev/zero >zeros
libperf trace zeros
libperf top zeros
