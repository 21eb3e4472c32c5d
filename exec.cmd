@rem The npm scripts of the programs say "exec", so that on Unix signals reach the program itself; Windows finds this.
@%*
