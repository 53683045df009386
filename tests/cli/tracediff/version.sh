tracediff -V
