# The options that mean something here, its own first.
tracemerge --help
