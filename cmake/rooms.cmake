# etl_room(NAME [COMPONENT] [HOT | COLD] [GENERATED made.cpp ...] [LIBRARIES third party ...])
#
# A room: all .cpp files of its folder, libetl/src/WING/NAME. What ends in _posix.cpp or _windows.cpp is for that system only. Each room
# is a static library of its own, linked with the rooms that libetl/LAYERS lets it include, so that its unit tests link
# only what is below it; the objects of all of them make up the one library `etl`. A room without sources is headers only.
# A COMPONENT is a library etl::NAME on top of `etl`, because not everybody wants what it needs. HOT: its time is the
# program's time; few of its sources make up a unit, because in a large one the compiler inlines less of each. COLD: it does
# not work on events one by one; compiling counts more than its time.
include(layers)
etl_read_layers("${PROJECT_SOURCE_DIR}/libetl/LAYERS")

# Where the headers of the rooms are found ("ROOM/header.hpp"), and those of the public face (<etl/header.hpp>).
set(ETL_INCLUDES "${PROJECT_SOURCE_DIR}/libetl/include" ${ETL_WINGS})
list(TRANSFORM ETL_INCLUDES PREPEND "${PROJECT_SOURCE_DIR}/libetl/src/" REGEX "^[a-z]+$")

# etl_room_options(TARGET IS_COLD): how rooms are compiled.
function(etl_room_options target is_cold)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ${ETL_SHARED})
  if(NOT MSVC)
    target_compile_options(${target} PRIVATE -fno-rtti)
    if(is_cold)
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O2>)
    endif()
  endif()
endfunction()

# What most sources include takes a second of each unit: it is compiled once for each level of optimization. Only with g++:
# where clang compiles, a source that lacks an include is found.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND ETL_UNITY)
  foreach(level IN ITEMS usual cold)
    add_library(etl_headers_${level} OBJECT "${PROJECT_SOURCE_DIR}/cmake/headers.cpp")
    target_compile_features(etl_headers_${level} PRIVATE cxx_std_23)
    target_link_libraries(etl_headers_${level} PRIVATE etl_options)
    string(COMPARE EQUAL ${level} cold is_cold)
    etl_room_options(etl_headers_${level} ${is_cold})
    target_precompile_headers(etl_headers_${level} PRIVATE
      <algorithm> <array> <cstring> <expected> <functional> <limits> <map> <memory> <mutex> <optional> <ranges> <set> <span>
      <string> <string_view> <unordered_map> <utility> <variant> <vector>)
  endforeach()
endif()

function(etl_room name)
  cmake_parse_arguments(ARG "COMPONENT;HOT;COLD" "" "GENERATED;LIBRARIES" ${ARGN})
  set(target etl_${name})
  list(TRANSFORM ETL_MAY_${name} PREPEND etl_ OUTPUT_VARIABLE lower)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  if(WIN32)
    list(FILTER sources EXCLUDE REGEX "_posix\\.cpp$")
  else()
    list(FILTER sources EXCLUDE REGEX "_windows\\.cpp$")
  endif()
  if(NOT sources)
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${ETL_INCLUDES})
    target_link_libraries(${target} INTERFACE ${lower})
    return()
  endif()
  if(ARG_COMPONENT)
    set(lower etl::etl)
  endif()
  add_library(${target} STATIC ${sources} ${ARG_GENERATED})
  if(ARG_HOT)
    etl_in_units(${target} 3)
  else()
    etl_in_units(${target} 12)
  endif()
  target_include_directories(${target} PUBLIC ${ETL_INCLUDES})
  target_link_libraries(${target} PUBLIC ${lower} ${ARG_LIBRARIES} PRIVATE etl_options)
  etl_room_options(${target} ${ARG_COLD})
  if(TARGET etl_headers_usual)
    set(level usual)
    if(ARG_COLD)
      set(level cold)
    endif()
    target_precompile_headers(${target} REUSE_FROM etl_headers_${level})
  endif()
  if(ARG_COMPONENT)
    add_library(etl::${name} ALIAS ${target})
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY ETL_ROOM_TARGETS ${target})
  set_property(GLOBAL APPEND PROPERTY ETL_LIBRARIES ${ARG_LIBRARIES})
endfunction()
