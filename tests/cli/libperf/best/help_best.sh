# Every option of the sub-command.
libperf best --help
