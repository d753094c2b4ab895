dnl SPDX-License-Identifier: Apache-2.0
# Checks for compiler and linker flags that leave CFLAGS and LDFLAGS alone, and for libraries.

# ST_CHECK_LINK(FLAGS, IF-OK, IF-NOT): can a small program be built with FLAGS?
AC_DEFUN([ST_CHECK_LINK], [
	AC_MSG_CHECKING([whether $CC builds with $1])
	st_saved_CFLAGS=$CFLAGS
	CFLAGS="$CFLAGS -Werror $1"
	AC_LINK_IFELSE([AC_LANG_SOURCE([[
		#include <string.h>
		int main(int argc, char **argv)
		{
			return argc > 1 && strlen(argv[1]) > 9;
		}
	]])], [st_ok=yes], [st_ok=no])
	CFLAGS=$st_saved_CFLAGS
	AC_MSG_RESULT([$st_ok])
	AS_IF([test $st_ok = yes], [$2], [$3])
])

# ST_APPEND_CFLAGS(VARIABLE, FLAG...): add each flag that the compiler knows.
AC_DEFUN([ST_APPEND_CFLAGS], [
	for st_flag in $2; do
		ST_CHECK_LINK([$st_flag], [$1="$$1 $st_flag"])
	done
	AC_SUBST([$1])
])

# ST_APPEND_LDFLAGS(VARIABLE, FLAG...): the same for the linker.
AC_DEFUN([ST_APPEND_LDFLAGS], [ST_APPEND_CFLAGS([$1], [$2])])

# ST_MISSING(WHAT, DEBIAN, FEDORA, ALPINE, HOMEBREW): to be told with all else at the end.
AC_DEFUN([ST_MISSING], [
	AS_VAR_APPEND([st_missing], ["
  $1 (Debian: $2, Fedora: $3, Alpine: $4, Homebrew: $5)"])
])

# ST_LIBRARY(VARIABLE, MODULE, packages as for ST_MISSING)
AC_DEFUN([ST_LIBRARY], [
	PKG_CHECK_MODULES([$1], [$2], [], [ST_MISSING([$2], [$3], [$4], [$5], [$6])])
])

# ST_LOADED(PREFIX, LIBRARY, FUNCTION): a shared library that is loaded when it is needed
# (base/library.h), where its name can be told; else it is linked.
AC_DEFUN([ST_LOADED], [
	st_libs=$LIBS
	LIBS="$LIBS $$1_LIBS"
	AC_MSG_CHECKING([which $2 is loaded])
	st_file=
	AC_LINK_IFELSE([AC_LANG_PROGRAM([[char $3(void);]], [[return $3();]])],
		[st_file=`$READELF -d conftest$EXEEXT 2>/dev/null | sed -n 's/.*NEEDED.*\($2\.so\.@<:@0-9.@:>@*\).*/\1/p'`])
	AC_MSG_RESULT([${st_file:-none, it is linked}])
	LIBS=$st_libs
	AS_IF([test -n "$st_file" && test "$ac_cv_search_dlopen" != no],
		[AC_DEFINE_UNQUOTED([$1_FILE], ["$st_file"], [the shared library that is loaded])
		 $1_LIBS=])])
