# Options of kstats that mean nothing here, and a misspelt one.
libperf trace --per rank job.log
libperf top --librarys job.log
