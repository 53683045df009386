# All options; what -h leaves out.
tracereport --help
tracereport -h
