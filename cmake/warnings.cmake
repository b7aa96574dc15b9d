# etl_options: how our own code is compiled. Never exported: linked as $<BUILD_INTERFACE:etl_options>.
add_library(etl_options INTERFACE)
if(MSVC)
  target_compile_options(etl_options INTERFACE /W4 /permissive- /utf-8 /Zc:__cplusplus)
else()
  target_compile_options(etl_options INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast
    -Wswitch-enum -Wnon-virtual-dtor -Wformat=2 -Wundef
    # A designated initialiser that leaves members at their defaults is the idiom, not an oversight.
    -Wno-missing-field-initializers
    # __FILE__ is relative, so that a build does not depend on where the checkout is.
    "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND ETL_UNITY)
    # In a unit every source is an included file, in which gcc doubts what is usual in a source.
    target_compile_options(etl_options INTERFACE -Wno-subobject-linkage)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 15)
    # gcc 12 and 14 at -O3 report false positives inside std::string, std::vector, and copies into arrays whose size
    # was checked before.
    target_compile_options(etl_options INTERFACE -Wno-restrict -Wno-stringop-overflow
      -Wno-array-bounds -Wno-stringop-overread)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    # References to what a temporary view refers to, which outlives the view.
    target_compile_options(etl_options INTERFACE -Wno-dangling-reference)
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # std::stable_sort of libstdc++ 12 uses what C++23 deprecates.
    target_compile_options(etl_options INTERFACE -Wno-missing-designated-field-initializers -Wno-deprecated-declarations)
    if(ETL_UNITY)
      # Unlike g++, it compares with hidden names of the other sources of a unit.
      target_compile_options(etl_options INTERFACE -Wno-shadow)
    endif()
  endif()
endif()
if(ETL_SANITIZE)
  target_compile_options(etl_options INTERFACE
    -fsanitize=${ETL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # The rooms are built without RTTI, which the check of virtual tables needs.
  target_compile_options(etl_options INTERFACE -fno-sanitize=vptr)
  # An index beyond a view whose neighbor is valid memory is nothing that they see.
  target_compile_definitions(etl_options INTERFACE _GLIBCXX_ASSERTIONS)
  target_link_options(etl_options INTERFACE -fsanitize=${ETL_SANITIZE})
endif()
if(ETL_FUZZERS)
  target_compile_options(etl_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
target_compile_definitions(etl_options INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
