# cmake -DPROGRAM= -DETL= -DMANIFEST= -DWORK= -P run_four.cmake
# The consumer hears every event, and the file has them, too.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
execute_process(COMMAND "${PROGRAM}" "${WORK}/four.etl" COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE output)
if(NOT output MATCHES "heard 4000 events\n" OR NOT output MATCHES "stopped Tea of four, lost 0 events\n")
  message(FATAL_ERROR "${output}")
endif()
include("${CMAKE_CURRENT_LIST_DIR}/check_file.cmake")
