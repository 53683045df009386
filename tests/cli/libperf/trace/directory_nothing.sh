# A directory with nothing of use in it, and what -v says of it.
mkdir d
printf 'step 1\n' >d/a.log
libperf trace -v d
