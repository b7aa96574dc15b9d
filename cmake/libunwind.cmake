# Call stacks of events, if libunwind is installed: ETL_HAS_LIBUNWIND. That of LLVM satisfies pkg-config, too, but has no
# unw_backtrace: only a program that uses what libetl/src/host uses, compiled and linked, tells them apart.
include(CheckCXXSourceCompiles)

pkg_check_modules(libunwind IMPORTED_TARGET GLOBAL libunwind)
if(libunwind_FOUND)
  if(NOT ETL_LIBUNWIND_LINKS)
    unset(ETL_LIBUNWIND_LINKS CACHE) # another one may have been installed since
  endif()
  set(CMAKE_REQUIRED_LIBRARIES PkgConfig::libunwind)
  check_cxx_source_compiles("
#define UNW_LOCAL_ONLY
#include <libunwind.h>
int main() {
    void* frames[8];
    return ::unw_backtrace(frames, 8) < 0 ? 1 : 0;
}
" ETL_LIBUNWIND_LINKS)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()
if(libunwind_FOUND AND ETL_LIBUNWIND_LINKS)
  set(ETL_HAS_LIBUNWIND ON)
else()
  set(ETL_HAS_LIBUNWIND OFF)
  message(STATUS "no libunwind with unw_backtrace (Debian: libunwind-dev): events are recorded without call stacks")
endif()
