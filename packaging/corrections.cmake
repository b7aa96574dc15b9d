# cpack calls this after each format, with the files in CPACK_PACKAGE_FILES.
foreach(file IN LISTS CPACK_PACKAGE_FILES)
  if(file MATCHES "\\.deb$")
    execute_process(COMMAND sh "${CMAKE_CURRENT_LIST_DIR}/correct.sh" "${file}" COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()
