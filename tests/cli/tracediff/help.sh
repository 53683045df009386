tracediff --help
