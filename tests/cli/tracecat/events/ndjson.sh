# The same columns as objects: null where csv has an empty field, texts in quotes.
tracecat --to ndjson -q --kind kernel,copy,alloc,marker "$TESTDATA/rocprofv3/6.2/run"
