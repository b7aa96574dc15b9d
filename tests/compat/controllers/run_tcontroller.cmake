# cmake -DPROGRAM= -DETL= -DWORK= -P run_tcontroller.cmake
# The same commands and the same output, whatever text the program was compiled for.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}/a")
execute_process(
  COMMAND "${PROGRAM}" start "Tea é \"time\"" -f a/../tea.etl -b 16 -guid "#0d2f5c84-3a63-4c39-9a0e-5c1f0a7be001" -LEVEL 5 -flags 0x10
          , query "Tea é \"time\"" , flush "Tea é \"time\"" , stop "Tea é \"time\"" , query "Tea é \"time\""
  WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE result OUTPUT_VARIABLE output)
set(expected "start: Tea é \"time\", 16 KB buffers, file tea.etl
Query: Tea é \"time\", 16 KB buffers, file tea.etl
Flush: Tea é \"time\", 16 KB buffers, file tea.etl
Stop: Tea é \"time\", 16 KB buffers, file tea.etl
query: error 4201
")
if(NOT result EQUAL 1 OR NOT output STREQUAL expected)
  message(FATAL_ERROR "exit code ${result}:\n${output}")
endif()
execute_process(COMMAND "${ETL}" check "${WORK}/tea.etl" COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
execute_process(COMMAND "${PROGRAM}" start X -guid "#nonsense" RESULT_VARIABLE result OUTPUT_VARIABLE output)
if(NOT result EQUAL 1 OR NOT output STREQUAL "start: error 87\n")
  message(FATAL_ERROR "exit code ${result}:\n${output}")
endif()
