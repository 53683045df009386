# The version; the same behind a sub-command.
libperf --version
libperf top -V
