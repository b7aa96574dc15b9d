# etl_unit_test(ROOM SOURCES a_test.cpp ... [ROOMS further rooms] [LIBRARIES ...])
# One executable etl_ROOM_test per room, linked with that room and the rooms below it only.
find_package(GTest REQUIRED)
include(GoogleTest)

function(etl_unit_test room)
  cmake_parse_arguments(ARG "" "" "SOURCES;ROOMS;LIBRARIES" ${ARGN})
  set(target etl_${room}_test)
  add_executable(${target} ${ARG_SOURCES})
  list(TRANSFORM ARG_ROOMS PREPEND etl_)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/libetl/src")
  target_link_libraries(${target} PRIVATE etl_${room} ${ARG_ROOMS} etl_options ${ARG_LIBRARIES} GTest::gmock GTest::gtest_main)
  target_compile_definitions(${target} PRIVATE
    ETL_SHARED_CORPUS="${PROJECT_SOURCE_DIR}/../shared/corpus" ETL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  gtest_discover_tests(${target} PROPERTIES LABELS unit DISCOVERY_TIMEOUT 60)
endfunction()
