#! /bin/sh
# SPDX-License-Identifier: Apache-2.0
# doc/code-map.sh [SOURCE-TREE]: the part of code-map.md that tells what each file is
# for, from the first comment of its header, or of the .c file that has none of its own
# ("NAME: WHAT.").  "make update-docs" puts it into the page.

cd "${1:-$(dirname "$0")/..}" || exit 2

# The rows of a folder's files: the first sentence of the first comment of each, on one line.
rows()
{
	awk '
		function row(    name, shown) {
			if (file == "")
				return
			name = shown = file
			sub(/.*\//, "", shown)
			sub(/\.h$/, "", shown)
			sub(/.*\//, "", name)
			sub(/\.[ch]$/, "", name)
			if (index(text, name ": ") == 1)
				text = substr(text, length(name) + 3)
			sub(/[.] .*/, "", text)
			sub(/[.:]$/, "", text)
			gsub(/\|/, "\\|", text)
			print "| `" shown "` | " (text == "" ? "?" : text) " |"
		}
		FNR == 1 { row(); file = FILENAME; text = ""; inside = over = 0 }
		over || /^\/\/ SPDX/ { next }
		!inside && /^\/\*/ { inside = 1; sub(/^\/\* ?/, "") }
		!inside && NF && !/^#/ { over = 1 }
		!inside { next }
		{
			last = sub(/ ?\*\/.*/, "")
			sub(/^ \* ?/, "")
			if (NF == 0 && text != "") {
				over = 1
				next
			}
			text = text (text == "" ? "" : " ") $0
			over = last
		}
		END { row() }' "$@"
}

for folder in src/base src/record src/trace src/format src/format/* src/profile src/profile/* \
    src/view src/view/* src/report src/report/* src/serve src/tui src/tui/* src/cli tests/*; do
	files=
	for file in "$folder"/*.[ch]; do
		name=${file##*/}
		name=${name%.[ch]}
		case $file in
		*/\*.*) continue ;;
		*.c) # NAME.c and NAME-PART.c go with NAME.h
			[ -e "${file%.c}.h" ] || [ -e "$folder/${name%%[-_]*}.h" ] && continue ;;
		esac
		files="$files $file"
	done
	[ -n "$files" ] || continue
	printf '### %s\n\n| file | what |\n|---|---|\n' "$folder"
	rows $files
	echo
done
