# cmake -DPROGRAM= -DETL= -DWORK= -P write_trace.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../running.cmake)
run(${PROGRAM} sales.etl)
run(${ETL} dump --format jsonl --fields provider,event,data sales.etl)
expect_lines(1 "{\"provider\":\"MyCompany.Shop\",\"event\":\"Sold\",\"data\":{\"What\":\"croissant\",\"Count\":3}}\n")
