# An option that is none, a format that is none, a window that is none, no columns: told so, status 2.
tracereport --opem run; echo $?
tracereport --from nothing run; echo $?
tracereport -w 5 run; echo $?
tracereport --allow all --baseline run run; echo $?
tracereport --list-columns
