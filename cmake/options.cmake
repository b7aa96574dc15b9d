# What a consumer may choose. Developer parts are on only when this is the top-level project.
option(ETL_TOOLS "build the etl command line" ON)
option(ETL_DEVELOPER "build tests, fuzz replays and benches" ${PROJECT_IS_TOP_LEVEL})
option(ETL_FUZZERS "build libFuzzer targets (clang only)" OFF)
set(ETL_SANITIZE "" CACHE STRING "sanitizers for everything, for example address,undefined")

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "build type" FORCE)
endif()
