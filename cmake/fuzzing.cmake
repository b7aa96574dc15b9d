# etl_fuzz(ROOM/TARGET [ROOMS more ...] [LIBRARIES ...]): fuzz/WING/ROOM/fuzz_TARGET.cpp (of what is no room, such as mcp of
# the tool: fuzz/mcp/...) as a libFuzzer program of its own (with ETL_FUZZERS), or as one of the fuzz targets of etl_replay, of
# any compiler. A ctest of each target runs its seeds, and fails on a crash.
# etl_add_replay(): after the last target.
set_property(GLOBAL PROPERTY ETL_FUZZ_TARGETS "")

# The folder of the targets of a room, below fuzz/.
function(etl_fuzz_folder result room)
  set(${result} ${room} PARENT_SCOPE)
  if(DEFINED ETL_WING_${room})
    set(${result} ${ETL_WING_${room}}/${room} PARENT_SCOPE)
  endif()
endfunction()

function(etl_fuzz path)
  cmake_parse_arguments(ARG "" "" "ROOMS;LIBRARIES" ${ARGN})
  get_filename_component(room ${path} DIRECTORY)
  get_filename_component(name ${path} NAME)
  etl_fuzz_folder(folder ${room})
  list(PREPEND ARG_ROOMS ${room})
  list(TRANSFORM ARG_ROOMS PREPEND etl_)
  set(libraries ${ARG_ROOMS} ${ARG_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY ETL_FUZZ_TARGETS ${path})
  set_property(GLOBAL APPEND PROPERTY ETL_FUZZ_LIBRARIES ${libraries})
  set(replay etl_replay ${name})
  if(ETL_FUZZERS)
    set(replay fuzz_${name} -runs=0)
    add_executable(fuzz_${name} ${folder}/fuzz_${name}.cpp)
    target_include_directories(fuzz_${name} PRIVATE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(fuzz_${name} PRIVATE ${libraries} etl_options)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  endif()
  add_test(NAME fuzz.replay.${name} COMMAND ${replay} "${CMAKE_CURRENT_SOURCE_DIR}/seeds/${name}")
  set_tests_properties(fuzz.replay.${name} PROPERTIES LABELS fuzz TIMEOUT 120)
endfunction()

# The name that libFuzzer wants is that of the function of each target: here each gets one of its own.
function(etl_add_replay)
  if(ETL_FUZZERS)
    return()
  endif()
  get_property(targets GLOBAL PROPERTY ETL_FUZZ_TARGETS)
  get_property(libraries GLOBAL PROPERTY ETL_FUZZ_LIBRARIES)
  list(REMOVE_DUPLICATES libraries)
  set(declared "")
  set(listed "")
  set(included "")
  foreach(path IN LISTS targets)
    get_filename_component(room ${path} DIRECTORY)
    get_filename_component(name ${path} NAME)
    etl_fuzz_folder(folder ${room})
    string(APPEND declared "extern \"C\" int etl_target_${name}(const std::uint8_t* data, std::size_t size);\n")
    string(APPEND listed "    FuzzTarget{\"${name}\", etl_target_${name}},\n")
    file(GENERATE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/target_${name}.cpp" CONTENT
"#define LLVMFuzzerTestOneInput etl_target_${name}
#include \"fuzz/${folder}/fuzz_${name}.cpp\"
")
    list(APPEND included "${CMAKE_CURRENT_BINARY_DIR}/target_${name}.cpp")
  endforeach()
  file(GENERATE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/fuzz_targets.cpp" CONTENT
"#include \"fuzz/targets.hpp\"

${declared}
std::span<const FuzzTarget> fuzz_targets() {
    static constexpr FuzzTarget list[] = {
${listed}    };
    return list;
}
")
  add_executable(etl_replay replay_main.cpp "${CMAKE_CURRENT_BINARY_DIR}/fuzz_targets.cpp" ${included})
  target_include_directories(etl_replay PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(etl_replay PRIVATE ${libraries} etl_options)
  etl_with_test_headers(etl_replay)
endfunction()
