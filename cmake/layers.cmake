# etl_read_layers(FILE): the wings and rooms of libetl/LAYERS as variables of the caller:
#   ETL_WINGS            all wings, in the order of the data
#   ETL_ROOMS            all rooms, lowest first
#   ETL_WING_<room>      the wing in which it stands
#   ETL_MAY_<room>       the rooms that it may include
#   ETL_PARTS_<room>     its sub-rooms, `.` for its own folder; empty: it has none
#   ETL_MAY_<room>/<part> the sub-rooms that this one may include
#   ETL_HEADERS          all public headers, by name
#   ETL_ROOM_OF_<header> the room that a public header belongs to
macro(etl_read_layers file)
  set(ETL_WINGS "")
  set(ETL_HEADERS "")
  set(_wing "")
  set(ETL_ROOMS "")
  set(_room "")
  file(STRINGS "${file}" _lines REGEX "^( *[a-z.]+ *:|\\[[a-z]+\\]$)")
  foreach(_line IN LISTS _lines)
    if(_line MATCHES "^\\[([a-z]+)\\]$")
      set(_wing "${CMAKE_MATCH_1}")
      if(NOT _wing STREQUAL "include")
        list(APPEND ETL_WINGS "${_wing}")
      endif()
      continue()
    endif()
    string(REGEX MATCH "^( *)([a-z.]+) *: *(.*)$" _match "${_line}")
    string(REPLACE " " ";" _may "${CMAKE_MATCH_3}")
    if(_wing STREQUAL "include")
      list(APPEND ETL_HEADERS ${_may})
      foreach(_header IN LISTS _may)
        set("ETL_ROOM_OF_${_header}" "${CMAKE_MATCH_2}")
      endforeach()
    elseif("${CMAKE_MATCH_1}" STREQUAL "")
      set(_room "${CMAKE_MATCH_2}")
      list(APPEND ETL_ROOMS "${_room}")
      list(GET ETL_WINGS -1 "ETL_WING_${_room}")
      set("ETL_MAY_${_room}" "${_may}")
      set("ETL_PARTS_${_room}" "")
    else()
      list(APPEND "ETL_PARTS_${_room}" "${CMAKE_MATCH_2}")
      set("ETL_MAY_${_room}/${CMAKE_MATCH_2}" "${_may}")
    endif()
  endforeach()
endmacro()
