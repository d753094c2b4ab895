# fish completion for slowtop(1).  tests/t-completions compares it with --help.

set -l named '__fish_seen_subcommand_from report info convert dmtracedump traceview'
set -l ours 'not __fish_seen_subcommand_from dmtracedump traceview'
set -l report 'not __fish_seen_subcommand_from info convert dmtracedump traceview'
set -l printed 'not __fish_seen_subcommand_from convert dmtracedump traceview'
set -l chosen 'not __fish_seen_subcommand_from info dmtracedump traceview'
set -l formats chrome
set -l columns rank incl% excl% incl excl other-incl% other-excl% other-incl other-excl wait wait-incl calls avg other-avg threads class file method

complete -c slowtop -n "not $named" -a report -d 'Print the profile'
complete -c slowtop -n "not $named" -a info -d 'Print what the trace is'
complete -c slowtop -n "not $named" -a convert -d 'Write a file that another tool opens'
complete -c slowtop -n "not $named" -a dmtracedump -d 'Print what dmtracedump prints'
complete -c slowtop -n "not $named" -a traceview -d 'Print what traceview -r prints'

complete -c slowtop -n "$report" -l format -x -a 'text csv json' -d 'How to print'
complete -c slowtop -n '__fish_seen_subcommand_from info' -l format -x -a 'text json' -d 'How to print'
complete -c slowtop -n "$ours" -s o -l output -r -d 'Write to this file'
complete -c slowtop -n "$ours" -l force -d 'Write it even if it is there'
complete -c slowtop -n "$report" -l view -x -a 'methods classes packages names threads' -d 'What the rows are'
complete -c slowtop -n "$chosen" -l clock -x -a 'cpu wall' -d 'Time to go by'
complete -c slowtop -n "$report" -l sort -x -a "$columns" -d 'Order of the rows'
complete -c slowtop -n "$report" -l limit -x -d 'At most so many rows'
complete -c slowtop -n "$chosen" -l filter -x -d 'Only methods that match'
complete -c slowtop -n "$chosen" -l thread -x -d 'Only this thread, by id or name'
complete -c slowtop -n "$chosen" -l from -x -d 'Only from this time of the trace on'
complete -c slowtop -n "$report" -l to -x -d 'Only up to this time of the trace'
complete -c slowtop -n "$chosen" -l until -x -d 'Only up to this time of the trace'
complete -c slowtop -n '__fish_seen_subcommand_from convert' -l to -x -a "$formats" -d 'What to write'
complete -c slowtop -n '__fish_seen_subcommand_from convert' -l list -d 'List the formats'
complete -c slowtop -n "$report" -l method -x -d 'Parents and children of methods that match'
complete -c slowtop -n "$report" -l relations -d 'Parents and children of every method'

complete -c slowtop -n "not $named" -l color -x -a 'auto never always' -d Colours
complete -c slowtop -n "not $named" -l config -r -d 'Settings from this file'
complete -c slowtop -n "not $named" -l no-config -d 'No file of settings'
complete -c slowtop -n "not $named" -l escape-time -x -d 'Milliseconds a lone Esc waits'

complete -c slowtop -n "$printed" -l ascii -d 'No characters outside of ASCII'
complete -c slowtop -n "$ours" -s j -l jobs -x -d 'Threads that read the trace'
complete -c slowtop -n "$ours" -l strict -d 'Status 3 when the trace is damaged'
complete -c slowtop -n "$ours" -s h -l help -d 'Show the options'
complete -c slowtop -n "$ours" -s V -l version -d 'Show the version'

set -l dump '__fish_seen_subcommand_from dmtracedump'
complete -c slowtop -n $dump -s d -r -d 'Differences from this trace'
complete -c slowtop -n $dump -s g -r -d 'Draw a graph of calls'
complete -c slowtop -n $dump -s h -d 'Write HTML'
complete -c slowtop -n $dump -s k -d 'Keep the description of the graph'
complete -c slowtop -n $dump -s o -d 'List the records'
complete -c slowtop -n $dump -s s -x -d 'Load sortable.js from below this URL'
complete -c slowtop -n $dump -s t -x -d 'Leave out calls below so many percent'
complete -c slowtop -n '__fish_seen_subcommand_from traceview' -s r -d 'Print totals, threads, calls'
