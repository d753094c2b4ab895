# SPDX-License-Identifier: Apache-2.0
# bash completion for slowtop(1): the program says what a word may become.

_slowtop()
{
	local word line lead= words=()

	# readline cuts "--option=value" at the "=".
	for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
		if [[ ${#words[@]} -gt 0 && ($word == = || ${words[-1]} == --*=) ]]; then
			words[-1]+=$word
		else
			words+=("$word")
		fi
	done
	[[ ${words[-1]} == --*=* ]] && lead=${words[-1]%%=*}=
	COMPREPLY=()
	while IFS= read -r line; do
		if [[ $line == / ]]; then
			mapfile -t COMPREPLY < <(compgen -f -- "${words[-1]#"$lead"}")
			compopt -o filenames 2>/dev/null
		else
			line=${line%%$'\t'*}
			COMPREPLY+=("${line#"$lead"}")
		fi
	done < <("${COMP_WORDS[0]/#\~/$HOME}" --complete "${words[@]}" 2>/dev/null)
	[[ ${COMPREPLY[0]} == --*= || ${COMPREPLY[0]} == *: ]] && compopt -o nospace 2>/dev/null
	return 0
}
complete -F _slowtop slowtop
