# Every option of the sub-command.
libperf compare --help
