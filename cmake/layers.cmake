# etl_read_layers(FILE): the rooms of libetl/LAYERS as variables of the caller:
#   ETL_ROOMS            all rooms, lowest first
#   ETL_MAY_<room>       the rooms that it may include
#   ETL_PARTS_<room>     its sub-rooms, `.` for its own folder; empty: it has none
#   ETL_MAY_<room>/<part> the sub-rooms that this one may include
macro(etl_read_layers file)
  set(ETL_ROOMS "")
  set(_room "")
  file(STRINGS "${file}" _lines REGEX "^ *[a-z.]+ *:")
  foreach(_line IN LISTS _lines)
    string(REGEX MATCH "^( *)([a-z.]+) *: *(.*)$" _match "${_line}")
    string(REPLACE " " ";" _may "${CMAKE_MATCH_3}")
    if("${CMAKE_MATCH_1}" STREQUAL "")
      set(_room "${CMAKE_MATCH_2}")
      list(APPEND ETL_ROOMS "${_room}")
      set("ETL_MAY_${_room}" "${_may}")
      set("ETL_PARTS_${_room}" "")
    else()
      list(APPEND "ETL_PARTS_${_room}" "${CMAKE_MATCH_2}")
      set("ETL_MAY_${_room}/${CMAKE_MATCH_2}" "${_may}")
    endif()
  endforeach()
endmacro()
