# cmake -DPROGRAM= -DETL= -DTRACE= -DWORK= -P print_events.cmake
# As many events as `etl dump` prints, with their fields.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../running.cmake)
run(${ETL} dump --format jsonl ${TRACE})
string(REGEX MATCHALL "\n" lines "${output}")
list(LENGTH lines events)
string(REGEX MATCHALL "\"data\":{\"[^\"]+\"" first_fields "${output}")
run(${PROGRAM} ${TRACE})
expect_lines(${events} "20[0-9][0-9]-[0-9-]+T[0-9:.]+Z [^ \n]+ [^\n]+\n")
foreach(field IN LISTS first_fields)
  string(REGEX REPLACE ".*{\"([^\"]+)\"" "\\1" name "${field}")
  expect("\n  ${name}=")
endforeach()
