# cmake -DPROGRAM= -DETL= -DWORK= -P live_events.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../running.cmake)
run(${PROGRAM})
expect_lines(1 "\"provider\":\"MyCompany.Shop\",[^\n]*\"event\":\"Sold\",[^\n]*\"data\":{\"What\":\"croissant\"}")
