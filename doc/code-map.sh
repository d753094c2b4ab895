#! /bin/sh
# SPDX-License-Identifier: Apache-2.0
# doc/code-map.sh [SOURCE-TREE]: the part of code-map.md that tells what each file is
# for, from the first comment of its header, or of the .c file that has none of its own
# ("NAME: WHAT.").  "make update-docs" puts it into the page.

cd "${1:-$(dirname "$0")/..}" || exit 2

# told FILE NAME: the first sentence of its first comment, on one line
told()
{
	awk -v name="$2: " '
		/^\/\/ SPDX/ { next }
		!inside && /^\/\*/ { inside = 1; sub(/^\/\* ?/, "") }
		!inside && NF && !/^#/ { exit }
		!inside { next }
		{
			last = sub(/ ?\*\/.*/, "")
			sub(/^ \* ?/, "")
			if (NF == 0 && text != "")
				exit
			text = text (text == "" ? "" : " ") $0
			if (last)
				exit
		}
		END {
			if (index(text, name) == 1)
				text = substr(text, length(name) + 1)
			sub(/[.] .*/, "", text)
			sub(/[.:]$/, "", text)
			gsub(/\|/, "\\|", text)
			print text
		}' "$1"
}

for folder in src/base src/record src/trace src/format src/format/* src/profile src/profile/* \
    src/view src/view/* src/report src/report/* src/serve src/tui src/tui/* src/cli tests/*; do
	ls "$folder"/*.[ch] >/dev/null 2>&1 || continue
	printf '### %s\n\n| file | what |\n|---|---|\n' "$folder"
	for file in "$folder"/*.[ch]; do
		name=${file##*/}
		name=${name%.[ch]}
		case $file in
		*.h) shown=$name ;;
		*) # NAME.c and NAME-PART.c go with NAME.h
			[ -e "${file%.c}.h" ] || [ -e "$folder/${name%%[-_]*}.h" ] && continue
			shown=$name.c ;;
		esac
		text=$(told "$file" "$name")
		echo "| \`$shown\` | ${text:-?} |"
	done
	echo
done
