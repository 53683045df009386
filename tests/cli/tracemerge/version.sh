tracemerge --version
