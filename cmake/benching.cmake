# etl_bench(NAME ROOMS ... [SOURCES more.cpp ...]): bench/bench_NAME.cpp as the program etl_NAME_bench.
# Numbers depend on the machine and its load, so no ctest runs them; a figure that is claimed is a ratio to a
# reference that the same program measures in the same run.
find_package(benchmark REQUIRED)

function(etl_bench name)
  cmake_parse_arguments(ARG "" "" "ROOMS;SOURCES" ${ARGN})
  list(TRANSFORM ARG_ROOMS PREPEND etl_)
  set(target etl_${name}_bench)
  add_executable(${target} bench_${name}.cpp ${ARG_SOURCES})
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${target} PRIVATE ${ARG_ROOMS} etl_options benchmark::benchmark)
  target_compile_definitions(${target} PRIVATE ETL_SHARED_CORPUS="${PROJECT_SOURCE_DIR}/../shared/corpus")
endfunction()
