# cmake -DPROGRAM= -DETL= -DMANIFEST= -DWORK= -P run_four.cmake
# Every event of every provider is in the file, too.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
execute_process(COMMAND "${PROGRAM}" "${WORK}/four.etl" COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE output)
if(NOT output MATCHES "heard 4000 events\n" OR NOT output MATCHES "stopped Tea of four, lost 0 events\n")
  message(FATAL_ERROR "${output}")
endif()
execute_process(COMMAND "${ETL}" check "${WORK}/four.etl" COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
execute_process(COMMAND "${ETL}" dump --strict --format jsonl --schema "${MANIFEST}" --where "data.Name == tea" --fields data
  "${WORK}/four.etl" OUTPUT_VARIABLE events COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL [["Length":3,"Name":"tea","Tail":"706f74"]] events "${events}")
list(LENGTH events count)
if(NOT count EQUAL 4000)
  message(FATAL_ERROR "${count} events are in the file")
endif()
