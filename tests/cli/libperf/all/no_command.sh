# No sub-command, or one that is none.
libperf
libperf tarce job.log
