# As the contract has them.
libperf compare --list-columns
