#! /bin/sh
# SPDX-License-Identifier: Apache-2.0
# doc/addresses.sh [--write] [SOURCE-TREE]: version, bug address and home page, which
# configure.ac sets, are in other files, too: names those that say something else, or writes
# them anew.

write=
[ "${1-}" != --write ] || { write=yes; shift; }
cd "${1:-$(dirname "$0")/..}" || exit 2

init=$(sed -n 's/^AC_INIT(\(.*\))$/\1/p' configure.ac | tr -d '[]')
version=$(echo "$init" | cut -d, -f2 | tr -d ' ')
bugs=$(echo "$init" | cut -d, -f3 | tr -d ' ')
home=$(echo "$init" | cut -d, -f5 | tr -d ' ')
new=$(mktemp) || exit 2
trap 'rm -f "$new"' EXIT

for file in CONTRIBUTING.md README SECURITY.md contrib/ci/Jenkinsfile contrib/ci/github.yml \
    contrib/ci/gitlab-ci.yml contrib/slowtop.spec debian/changelog debian/control \
    debian/copyright debian/watch doc/slowtop.1; do
	# The tarball has no debian.
	case $file in debian/*) [ -d debian ] || continue ;; esac
	sed -e "s|<[^<> ]*@[^<> ]*>|<$bugs>|; s|^\.Aq Mt [^ ]*|.Aq Mt $bugs|" \
		-e "s|<https:[^<> ]*>|<$home>|; s|^\.Lk [^ ]*|.Lk $home|" \
		-e "s|^\(Homepage: *\)[^ ]*|\1$home|; s|^\(URL: *\)[^ ]*|\1$home|" \
		-e "s|https:[^ ']*/releases|$home/releases|" \
		-e "s|^\(Version: *\)[^ ]*|\1$version|; s|\(VERSION[ =:]*\)'[^']*'|\1'$version'|" \
		"$file" >"$new" || exit 2
	cmp -s "$file" "$new" || { echo "$file" && [ -z "$write" ] || cat "$new" >"$file"; }
done
