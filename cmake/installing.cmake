# `cmake --install`: the libraries with their headers as the package `etl` (find_package(etl), pkg-config), and the tool.
# COMPONENT: the package that a file belongs to (packaging.cmake).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/etl")
install(TARGETS etl EXPORT etlTargets ARCHIVE COMPONENT development)
if(ETL_SHARED)
  install(TARGETS etl_shared EXPORT etlTargetsC LIBRARY COMPONENT library NAMELINK_COMPONENT development)
  install(EXPORT etlTargetsC NAMESPACE etl:: DESTINATION "${package}" COMPONENT development)
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/libetl/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development)
install(EXPORT etlTargets NAMESPACE etl:: DESTINATION "${package}" COMPONENT development)
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/etlConfig.cmake.in" "${PROJECT_BINARY_DIR}/etlConfig.cmake"
  INSTALL_DESTINATION "${package}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/etlConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/etlConfig.cmake" "${PROJECT_BINARY_DIR}/etlConfigVersion.cmake"
  DESTINATION "${package}" COMPONENT development)

# pkg-config: etl is the static library, etl-c the shared one. The prefix is where the files are: they can be moved.
set(ETL_PC_LIBUNWIND "")
if(ETL_HAS_LIBUNWIND)
  set(ETL_PC_LIBUNWIND " libunwind")
endif()
file(RELATIVE_PATH ETL_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" ETL_PC_PREFIX "${ETL_PC_PREFIX}")
set(pc_files etl)
if(ETL_SHARED)
  list(APPEND pc_files etl-c)
endif()
foreach(pc IN LISTS pc_files)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/${pc}.pc.in" "${PROJECT_BINARY_DIR}/${pc}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${pc}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)
endforeach()

if(ETL_TOOLS)
  include(install_tools)
endif()
