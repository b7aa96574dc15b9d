# For the scripts beside it: WORK is an empty folder, and run() runs something in it; what it said is in `output`.
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE result
    OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}\nended with ${result}:\n${output}${errors}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect what)
  string(FIND "${output}" "${what}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "expected:\n${what}\nwas:\n${output}")
  endif()
endfunction()

# As many lines of `output` match.
function(expect_lines count regex)
  string(REGEX MATCHALL "${regex}" lines "${output}")
  list(LENGTH lines found)
  if(NOT found EQUAL count)
    message(FATAL_ERROR "${found} instead of ${count} times ${regex}:\n${output}")
  endif()
endfunction()
