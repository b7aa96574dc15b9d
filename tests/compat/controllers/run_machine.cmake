# cmake -DPROGRAM= -DETL= -DMANIFEST= -DWORK= -P run_machine.cmake
# Providers in processes of their own write into a session of the machine, which other processes start and stop.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
set(ENV{ETL_HOST} "${WORK}/host")
set(ENV{ETL_SCOPE} machine)
set(session ${ETL} session)
execute_process(COMMAND ${session} start Four --provider 0d2f5c84-3a63-4c39-9a0e-5c1f0a7be001 -o "${WORK}/four.etl"
  COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
# At the same time: processes of a pipeline.
execute_process(COMMAND "${PROGRAM}" COMMAND "${PROGRAM}" COMMAND "${PROGRAM}" COMMAND "${PROGRAM}" RESULTS_VARIABLE results)
execute_process(COMMAND ${session} stop Four COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
if(NOT results STREQUAL "0;0;0;0")
  message(FATAL_ERROR "the providers ended with ${results}")
endif()
include("${CMAKE_CURRENT_LIST_DIR}/check_file.cmake")
