# --help of a sub-command.
libperf top --help
