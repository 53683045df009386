# Values are in the units of the rules: there is no --unit.
tracecheck --unit us --rule 'inputs >= 0' nothing.csv
