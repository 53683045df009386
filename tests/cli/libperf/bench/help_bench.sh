# Every option of the sub-command.
libperf bench --help
