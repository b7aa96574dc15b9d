# cmake -DSCRIPT= -DPROGRAMS= -DHOST= -DETL= -DMANIFEST= -DWORK= -P run_four_processes.cmake
# Programs of their own share a session of the machine; the file has every event.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
execute_process(COMMAND sh "${SCRIPT}" "${PROGRAMS}" "${HOST}" "${WORK}" COMMAND_ERROR_IS_FATAL ANY)
include("${CMAKE_CURRENT_LIST_DIR}/check_file.cmake")
