# The name and the version.
tracereport -V
