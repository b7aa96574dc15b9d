# etl_fuzz(ROOM/DOOR [ROOMS more ...] [LIBRARIES ...]): fuzz/WING/ROOM/fuzz_DOOR.cpp as a libFuzzer program of its own (with
# ETL_FUZZERS), or as one of the doors of etl_replay, of any compiler. A ctest of each door runs its seeds, and fails on a crash.
# etl_add_replay(): after the last door.
set_property(GLOBAL PROPERTY ETL_DOORS "")

function(etl_fuzz path)
  cmake_parse_arguments(ARG "" "" "ROOMS;LIBRARIES" ${ARGN})
  get_filename_component(room ${path} DIRECTORY)
  get_filename_component(door ${path} NAME)
  list(PREPEND ARG_ROOMS ${room})
  list(TRANSFORM ARG_ROOMS PREPEND etl_)
  set(libraries ${ARG_ROOMS} ${ARG_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY ETL_DOORS ${path})
  set_property(GLOBAL APPEND PROPERTY ETL_DOOR_LIBRARIES ${libraries})
  set(replay etl_replay ${door})
  if(ETL_FUZZERS)
    set(replay fuzz_${door} -runs=0)
    add_executable(fuzz_${door} ${ETL_WING_${room}}/${room}/fuzz_${door}.cpp)
    target_include_directories(fuzz_${door} PRIVATE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(fuzz_${door} PRIVATE ${libraries} etl_options)
    target_link_options(fuzz_${door} PRIVATE -fsanitize=fuzzer)
  endif()
  add_test(NAME fuzz.replay.${door} COMMAND ${replay} "${CMAKE_CURRENT_SOURCE_DIR}/seeds/${door}")
  set_tests_properties(fuzz.replay.${door} PROPERTIES LABELS fuzz TIMEOUT 120)
endfunction()

# The name that libFuzzer wants is that of each door's function: here each gets one of its own.
function(etl_add_replay)
  if(ETL_FUZZERS)
    return()
  endif()
  get_property(doors GLOBAL PROPERTY ETL_DOORS)
  get_property(libraries GLOBAL PROPERTY ETL_DOOR_LIBRARIES)
  list(REMOVE_DUPLICATES libraries)
  set(declared "")
  set(listed "")
  set(included "")
  foreach(path IN LISTS doors)
    get_filename_component(room ${path} DIRECTORY)
    get_filename_component(door ${path} NAME)
    string(APPEND declared "extern \"C\" int etl_door_${door}(const std::uint8_t* data, std::size_t size);\n")
    string(APPEND listed "    Door{\"${door}\", etl_door_${door}},\n")
    file(GENERATE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/door_${door}.cpp" CONTENT
"#define LLVMFuzzerTestOneInput etl_door_${door}
#include \"fuzz/${ETL_WING_${room}}/${room}/fuzz_${door}.cpp\"
")
    list(APPEND included "${CMAKE_CURRENT_BINARY_DIR}/door_${door}.cpp")
  endforeach()
  file(GENERATE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/doors.cpp" CONTENT
"#include \"fuzz/doors.hpp\"

${declared}
std::span<const Door> doors() {
    static constexpr Door list[] = {
${listed}    };
    return list;
}
")
  add_executable(etl_replay replay_main.cpp "${CMAKE_CURRENT_BINARY_DIR}/doors.cpp" ${included})
  target_include_directories(etl_replay PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(etl_replay PRIVATE ${libraries} etl_options)
  target_compile_options(etl_replay PRIVATE ${test_options})
endfunction()
