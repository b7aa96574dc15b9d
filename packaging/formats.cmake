# cpack reads this for each format. The module is for Debian's Python: its directory exists only there.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  list(REMOVE_ITEM CPACK_COMPONENTS_ALL python)
endif()
if(CPACK_GENERATOR STREQUAL "TGZ") # for any directory, such as /opt
  set(CPACK_PACKAGING_INSTALL_PREFIX /)
endif()
