# cmake -DPROGRAM= -DETL= -DMANIFEST= -DEXPECTED= -DWORK= [-DUPDATE=ON] -P run_program.cmake
# The program records a trace; `etl dump` decodes it by the manifest, and every field is as expected.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
execute_process(COMMAND "${PROGRAM}" "${WORK}/trace.etl" RESULT_VARIABLE failed ERROR_VARIABLE err)
if(failed)
  message(FATAL_ERROR "the program failed with ${failed}:\n${err}")
endif()
execute_process(COMMAND "${ETL}" check "${WORK}/trace.etl" COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
execute_process(COMMAND "${ETL}" dump --strict --format jsonl --schema "${MANIFEST}" --where "provider == Example-*"
  --fields provider,id,version,channel,level,opcode,task,keyword,activity_id,event,source,data,trailing,short,decode_error
  "${WORK}/trace.etl" OUTPUT_FILE "${WORK}/events.jsonl" COMMAND_ERROR_IS_FATAL ANY)
if(UPDATE)
  configure_file("${WORK}/events.jsonl" "${EXPECTED}" COPYONLY)
  return()
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files --ignore-eol "${EXPECTED}" "${WORK}/events.jsonl"
  RESULT_VARIABLE different)
if(different)
  file(READ "${WORK}/events.jsonl" found)
  message(FATAL_ERROR "${EXPECTED} differs from what was read:\n${found}")
endif()
