# cmake -DETL=etl -DROOT=top -DCASE=folder -DWORK=scratch [-DUPDATE=ON] -P run_tool.cmake
# Runs the shell script `cmd` of a case in an empty folder, with `etl` on the PATH and the traces in $CORPUS, and holds
# standard output, standard error and the exit code against the files `stdout`, `stderr` (missing: empty) and `exit`
# (missing: 0). What differs is printed as a diff.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}/here")
get_filename_component(programs "${ETL}" DIRECTORY)
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env --unset=ETL_SCHEMA_PATH --unset=TRACE_FORMAT_SEARCH_PATH --unset=TRACE_FORMAT_PREFIX --unset=TMPDIR --unset=ETL_INDEX_KEY XDG_CONFIG_HOME=${WORK}/none XDG_STATE_HOME=${WORK}/state XDG_CACHE_HOME=${WORK}/cache TZ=UTC
          "PATH=${programs}:$ENV{PATH}" "CORPUS=${ROOT}/corpus" sh "${CASE}/cmd"
  WORKING_DIRECTORY "${WORK}/here" OUTPUT_FILE "${WORK}/stdout" ERROR_FILE "${WORK}/stderr" RESULT_VARIABLE exit)
file(WRITE "${WORK}/exit" "${exit}\n")
foreach(stream IN ITEMS stdout stderr)
  # The same wherever the project lies.
  file(READ "${WORK}/${stream}" text)
  string(REPLACE "${ROOT}/corpus/" "CORPUS/" text "${text}")
  file(WRITE "${WORK}/${stream}" "${text}")
endforeach()
set(differences "")
foreach(result IN ITEMS exit stdout stderr)
  if(EXISTS "${CASE}/${result}")
    file(READ "${CASE}/${result}" expected)
  elseif(result STREQUAL "exit")
    set(expected "0\n")
  else()
    set(expected "")
  endif()
  file(READ "${WORK}/${result}" got)
  if(expected STREQUAL got)
    continue()
  endif()
  if(UPDATE)
    file(WRITE "${CASE}/${result}" "${got}")
  else()
    file(WRITE "${WORK}/expected-${result}" "${expected}")
    execute_process(COMMAND diff -u "${WORK}/expected-${result}" "${WORK}/${result}" OUTPUT_VARIABLE diff)
    string(APPEND differences "${diff}")
  endif()
endforeach()
if(differences)
  message(NOTICE "${differences}")
  message(FATAL_ERROR "${CASE}/cmd gave something else")
endif()
