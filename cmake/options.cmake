# What a consumer may choose. Developer parts are on only when this is the top-level project.
option(ETL_TOOLS "build the etl command line" ON)
option(ETL_DEVELOPER "build tests, fuzz replays and benches" ${PROJECT_IS_TOP_LEVEL})
set(ETL_SANITIZE "" CACHE STRING "sanitizers for everything, for example address,undefined")
# Not with sanitizers: their functions are in programs, not in libraries.
set(with_shared OFF)
if(PROJECT_IS_TOP_LEVEL AND UNIX AND NOT ETL_SANITIZE)
  set(with_shared ON)
endif()
option(ETL_SHARED "build the shared library of the C interface, from the objects of the static one" ${with_shared})
option(ETL_PACKAGES "build what packages contain besides, and define them for cpack: preset `package`; needs ETL_SHARED" OFF)
if(ETL_PACKAGES AND NOT ETL_SHARED)
  message(FATAL_ERROR "ETL_PACKAGES needs ETL_SHARED")
endif()
option(ETL_PYTHON "build the Python module (docs/python.md); needs ETL_SHARED" OFF)
option(ETL_FUZZERS "build libFuzzer targets (clang only)" OFF)
# Warnings stop the build with the compilers that the project is tested with. Others may have warnings of their own.
if(PROJECT_IS_TOP_LEVEL AND "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" MATCHES "^(GNU 12|Clang 19)\\.")
  option(CMAKE_COMPILE_WARNING_AS_ERROR "warnings stop the build" ON)
endif()
# Several sources are compiled as one: a third of the time. OFF for work on single files: an edit recompiles less.
option(ETL_UNITY "compile the sources of a room, and of its tests, in a few units" ON)

# g++ looks for garbage only when it has 500 MB, which few units need: up to a sixth of the time, for a fifth more memory.
if(PROJECT_IS_TOP_LEVEL)
  add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param ggc-min-heapsize=500000>")
endif()

# A room compiles before the archives below it are made.
set(CMAKE_OPTIMIZE_DEPENDENCIES ON)
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "build type" FORCE)
endif()

# etl_in_units(TARGET SOURCES_PER_UNIT): how many sources are compiled as one.
function(etl_in_units target size)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${ETL_UNITY} UNITY_BUILD_BATCH_SIZE ${size})
endfunction()

# etl_in_folder_units(TARGET BYTES SOURCES...): a unit for each folder of sources; folders that have at most so many bytes
# together share one.
function(etl_in_folder_units target max_bytes)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${ETL_UNITY} UNITY_BUILD_MODE GROUP)
  set(sources ${ARGN})
  list(SORT sources)
  set(folders "")
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    if(NOT folder IN_LIST folders)
      list(APPEND folders "${folder}")
      set("bytes_in_${folder}" 0)
    endif()
    file(SIZE "${source}" bytes)
    math(EXPR "bytes_in_${folder}" "${bytes_in_${folder}} + ${bytes}")
  endforeach()
  set(units "")
  foreach(folder IN LISTS folders)
    cmake_path(GET folder FILENAME unit)
    set(bytes "${bytes_in_${folder}}")
    foreach(one IN LISTS units) # the first with space
      math(EXPR sum "${bytes_of_${one}} + ${bytes_in_${folder}}")
      if(sum LESS_EQUAL max_bytes)
        set(unit ${one})
        set(bytes ${sum})
        break()
      endif()
    endforeach()
    list(APPEND units ${unit})
    set(bytes_of_${unit} ${bytes})
    set("unit_of_${folder}" ${unit})
  endforeach()
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${unit_of_${folder}}")
  endforeach()
endfunction()

# ccache, where it is there; it is told that precompiled headers may be trusted, and that checkouts in different folders are
# alike. For that, __FILE__ is relative to the checkout.
find_program(ETL_CCACHE ccache)
mark_as_advanced(ETL_CCACHE)
if(ETL_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros
      "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1 "${ETL_CCACHE}")
endif()
