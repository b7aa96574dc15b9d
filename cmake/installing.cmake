# `cmake --install`: the library with its headers as the package `etl` (find_package(etl), target etl::etl), and the tool.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/etl")
install(TARGETS etl EXPORT etlTargets)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/libetl/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT etlTargets NAMESPACE etl:: DESTINATION "${package}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/etlConfig.cmake.in" "${PROJECT_BINARY_DIR}/etlConfig.cmake"
  INSTALL_DESTINATION "${package}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/etlConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/etlConfig.cmake" "${PROJECT_BINARY_DIR}/etlConfigVersion.cmake"
  DESTINATION "${package}")
if(ETL_TOOLS)
  install(TARGETS etl_tool)
  if(UNIX)
    install(PROGRAMS "${PROJECT_SOURCE_DIR}/tools/extcap/etl-extcap" DESTINATION "${CMAKE_INSTALL_LIBDIR}/wireshark/extcap")
  endif()
  # A link for each command of Windows that the tool answers to.
  file(STRINGS "${PROJECT_SOURCE_DIR}/tools/cli/windows_words.hpp" tools REGEX "windows_tools\\[\\] =")
  string(REGEX MATCHALL "[a-z]+\"" tools "${tools}")
  foreach(tool IN LISTS tools)
    string(REPLACE "\"" "" tool "${tool}")
    if(UNIX)
      install(CODE "file(CREATE_LINK etl \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/${tool}\" SYMBOLIC)")
    endif()
  endforeach()
endif()
