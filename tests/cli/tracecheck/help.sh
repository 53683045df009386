tracecheck --help
