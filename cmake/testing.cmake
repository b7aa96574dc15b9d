# etl_unit_test(ROOM [SOURCES further.cpp of tests/ ...] [ROOMS further rooms] [LIBRARIES ...])
# One executable etl_ROOM_test of all .cpp files in the folder, linked with that room and the rooms below it only.
find_package(GTest REQUIRED)
include(GoogleTest)

# Test code runs for seconds and compiles for minutes: little optimization (with sanitizers none, which compiles in half the
# time), and the headers that all have in common once.
set(test_options "")
if(NOT MSVC AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(test_options -Og)
  if(ETL_SANITIZE)
    set(test_options -O0)
  endif()
endif()

add_library(etl_test_headers OBJECT "${PROJECT_SOURCE_DIR}/cmake/headers.cpp")
target_link_libraries(etl_test_headers PRIVATE etl_options GTest::gmock)
target_compile_options(etl_test_headers PRIVATE ${test_options})
target_precompile_headers(etl_test_headers PRIVATE
  <gmock/gmock.h> <gtest/gtest.h> <algorithm> <array> <chrono> <cstdint> <expected> <filesystem> <fstream> <functional> <map> <memory>
  <optional> <ranges> <set> <span> <string> <string_view> <thread> <tuple> <unordered_map> <utility> <vector>)

add_library(etl_test_folders STATIC "${PROJECT_SOURCE_DIR}/tests/support/folders.cpp")
target_include_directories(etl_test_folders PRIVATE "${PROJECT_SOURCE_DIR}")
target_compile_features(etl_test_folders PRIVATE cxx_std_23)
target_link_libraries(etl_test_folders PRIVATE etl_options)
target_compile_definitions(etl_test_folders PRIVATE
  ETL_SHARED_CORPUS="${PROJECT_SOURCE_DIR}/../shared/corpus" ETL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

# etl_with_test_headers(TARGET ...): programs of tests in C++, with these headers.
function(etl_with_test_headers)
  foreach(target IN LISTS ARGN)
    target_precompile_headers(${target} REUSE_FROM etl_test_headers)
    target_compile_options(${target} PRIVATE $<TARGET_PROPERTY:GTest::gtest,INTERFACE_COMPILE_OPTIONS>)
  endforeach()
endfunction()

function(etl_unit_test room)
  cmake_parse_arguments(ARG "" "" "SOURCES;ROOMS;LIBRARIES" ${ARGN})
  set(target etl_${room}_test)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  list(TRANSFORM ARG_SOURCES PREPEND "${PROJECT_SOURCE_DIR}/tests/")
  add_executable(${target} ${sources} ${ARG_SOURCES})
  etl_in_units(${target} 8)
  list(TRANSFORM ARG_ROOMS PREPEND etl_)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${target} PRIVATE etl_${room} ${ARG_ROOMS} etl_options ${ARG_LIBRARIES} etl_test_folders GTest::gmock GTest::gtest_main)
  etl_with_test_headers(${target})
  gtest_discover_tests(${target} PROPERTIES LABELS unit DISCOVERY_TIMEOUT 60)
endfunction()
