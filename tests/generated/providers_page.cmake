# cmake -DPROGRAM= -DSOURCE= -DPAGE= -DMANIFEST= -DETL= -DWORK= -P providers_page.cmake
# The page shows what is between the marks of the program, however lines are broken, and `etl dump` what it wrote.
cmake_minimum_required(VERSION 3.25)
file(READ "${PAGE}" page)
file(READ "${SOURCE}" source)
string(REGEX REPLACE "[ \n]+" " " page "${page}")
string(REGEX REPLACE "[ \n]+" " " source "${source}")
string(REGEX REPLACE "([>)]) ([.(])" "\\1\\2" page "${page}")
string(REGEX REPLACE "([>)]) ([.(])" "\\1\\2" source "${source}")
set(shown 0)
while(TRUE)
  string(FIND "${source}" "// [page] " begin)
  string(FIND "${source}" "// [end]" end)
  if(begin EQUAL -1)
    break()
  endif()
  math(EXPR begin "${begin} + 10")
  math(EXPR size "${end} - ${begin}")
  string(SUBSTRING "${source}" ${begin} ${size} block)
  string(STRIP "${block}" block)
  string(FIND "${page}" "${block}" place)
  if(place EQUAL -1 OR block STREQUAL "")
    message(SEND_ERROR "${PAGE} does not show:\n${block}")
  endif()
  math(EXPR shown "${shown} + 1")
  math(EXPR end "${end} + 8")
  string(SUBSTRING "${source}" ${end} -1 source)
endwhile()
if(NOT shown EQUAL 10)
  message(SEND_ERROR "${shown} examples are marked")
endif()
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
execute_process(COMMAND ${PROGRAM} coffee.etl morning.etl WORKING_DIRECTORY "${WORK}" COMMAND_ERROR_IS_FATAL ANY)
function(expect_in trace)
  execute_process(COMMAND ${ETL} dump --format jsonl --fields event,data --schema "${MANIFEST}" ${trace}
    WORKING_DIRECTORY "${WORK}" OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  foreach(expected IN LISTS ARGN)
    string(FIND "${output}" "${expected}" place)
    if(place EQUAL -1)
      message(SEND_ERROR "etl dump does not show ${expected}:\n${output}")
    endif()
  endforeach()
endfunction()
expect_in(coffee.etl
  [["data":{"Drink":"espresso","Temperature":93,"Machine":{"Address":"192.0.2.1","Port":631}}]]
  [["data":{"Order":{"Id":7,"Drinks":["mocha","tea"]}}]]
  [["data":{"Drink":"espresso","Temperature":93}}]]
  [["data":{"Drink":"espresso","Temperature":93,"Size":"large"}}]]
  [["data":{"Drink":"mocha","Temperature":91,"Size":"small"}}]])
expect_in(morning.etl
  [["data":{"Drink":"espresso"}}]]
  [["data":{"Order":{"Id":8,"Drinks":["mocha"]}}]]
  [["data":{"Drink":"mocha","Temperature":91,"Size":"small"}}]])
