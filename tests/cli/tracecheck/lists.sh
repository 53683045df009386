# The columns, the version, and completions that know the formats.
tracecheck --list-columns
tracecheck --version
tracecheck --completion bash | grep -c openmetrics
