# cmake -DPROGRAM=... [-DETL=...] -DWORK=... -P run_sample.cmake
# The program writes a trace and reads it back; the tool finds nothing wrong with it.
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
execute_process(COMMAND "${PROGRAM}" "${WORK}/sample.etl" RESULT_VARIABLE failed OUTPUT_VARIABLE out ERROR_VARIABLE err)
if(failed)
  message(FATAL_ERROR "the program failed with ${failed}:\n${out}\n${err}")
endif()
if(ETL)
  execute_process(COMMAND "${ETL}" check "${WORK}/sample.etl" RESULT_VARIABLE failed OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(failed)
    message(FATAL_ERROR "etl check: ${failed}\n${out}\n${err}")
  endif()
endif()
