# etl_room(NAME SOURCES a.cpp ... [ROOMS lower rooms] [LIBRARIES third party])
#
# Each room is a static library of its own, so that its unit tests link only the rooms below it; the objects of
# all of them make up the one library `etl`. The rooms are those of libetl/LAYERS; the ctest `layers` holds every
# include against that file.
function(etl_room name)
  cmake_parse_arguments(ARG "" "" "SOURCES;ROOMS;LIBRARIES" ${ARGN})
  set(target etl_${name})
  add_library(${target} STATIC ${ARG_SOURCES})
  target_include_directories(${target}
    PUBLIC "${PROJECT_SOURCE_DIR}/libetl/include" PRIVATE "${PROJECT_SOURCE_DIR}/libetl/src")
  list(TRANSFORM ARG_ROOMS PREPEND etl_)
  target_link_libraries(${target} PUBLIC ${ARG_ROOMS} ${ARG_LIBRARIES} PRIVATE etl_options)
  if(NOT MSVC)
    target_compile_options(${target} PRIVATE -fno-rtti)
  endif()
  set_property(GLOBAL APPEND PROPERTY ETL_ROOMS ${target})
  set_property(GLOBAL APPEND PROPERTY ETL_LIBRARIES ${ARG_LIBRARIES})
endfunction()
