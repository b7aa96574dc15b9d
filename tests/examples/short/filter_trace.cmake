# cmake -DPROGRAM= -DETL= -DTRACE= -DWORK= -P filter_trace.cmake
# `etl dump` of the output shows what `etl dump --where` shows of the input, and a wrong name is told.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../running.cmake)
set(where "level <= information && id > 0")
run(${ETL} dump --format jsonl --where ${where} ${TRACE})
set(expected "${output}")
run(${PROGRAM} ${TRACE} out.etl ${where})
run(${ETL} dump --format jsonl --where ${where} out.etl)
if(NOT output STREQUAL expected OR output STREQUAL "")
  message(FATAL_ERROR "expected:\n${expected}\nwas:\n${output}")
endif()
run(${PROGRAM} ${TRACE} none.etl "data.NoSuchField == 1")
expect("no event has a field 'NoSuchField'")
