# SPDX-License-Identifier: Apache-2.0
# fish completion for slowtop(1): the program says what a word may become.

function __slowtop_offers
	set -l words (commandline -opc) (commandline -ct)
	for offer in ($words[1] --complete $words[2..-1] 2>/dev/null)
		if test "$offer" = /
			__fish_complete_path (commandline -ct)
		else
			string trim -r -- $offer
		end
	end
end

complete -c slowtop -f -a '(__slowtop_offers)'
