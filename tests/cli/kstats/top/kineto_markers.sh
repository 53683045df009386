# What the user wrote are markers: the step, not the operators and functions inside it, and not its shadow
# on the device.
kstats top -f csv --domain marker --columns name,calls,total_ns "$TESTDATA/kineto/7.0/step"
