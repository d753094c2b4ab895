# fish completion for slowtop(1).  tests/t-completions compares it with --help.

set -l reported '__fish_seen_subcommand_from report'
set -l columns rank incl% excl% incl excl other-incl% other-excl% other-incl other-excl wait wait-incl calls avg other-avg threads class file method

complete -c slowtop -n "not $reported" -a report -d 'Print the profile'
complete -c slowtop -n __fish_use_subcommand -a dmtracedump -d 'As dmtracedump'
complete -c slowtop -n __fish_use_subcommand -a traceview -d 'As Traceview'

complete -c slowtop -l format -x -a 'text csv json' -d 'How to print'
complete -c slowtop -l clock -x -a 'cpu wall' -d 'Time to go by'
complete -c slowtop -l sort -x -a "$columns" -d 'Order of the rows'
complete -c slowtop -l limit -x -d 'At most so many rows'
complete -c slowtop -l filter -x -d 'Only methods that match'
complete -c slowtop -l thread -x -d 'Only this thread, by id or name'
complete -c slowtop -l from -x -d 'Only from this time of the trace on'
complete -c slowtop -l to -x -d 'Only up to this time of the trace'
complete -c slowtop -l method -x -d 'Parents and children of methods that match'
complete -c slowtop -l relations -d 'Parents and children of every method'

complete -c slowtop -n "not $reported" -l color -x -a 'auto never always' -d Colours
complete -c slowtop -n "not $reported" -l escape-time -x -d 'Milliseconds a lone Esc waits'

complete -c slowtop -l ascii -d 'No characters outside of ASCII'
complete -c slowtop -s j -l jobs -x -d 'Threads that read the trace'
complete -c slowtop -l strict -d 'Status 3 when the trace is damaged'
complete -c slowtop -s h -l help -d 'Show the options'
complete -c slowtop -s V -l version -d 'Show the version'
