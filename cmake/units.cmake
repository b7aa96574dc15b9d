# etl_systemd_units(PROGRAM DIRECTORY): the units of a host at PROGRAM, in DIRECTORY/system and DIRECTORY/user.
function(etl_systemd_units program directory)
  set(ETL_HOST_PROGRAM "${program}")
  foreach(kind IN ITEMS service socket)
    configure_file("${PROJECT_SOURCE_DIR}/tools/systemd/etld.${kind}.in" "${directory}/system/etld.${kind}" @ONLY)
    configure_file("${PROJECT_SOURCE_DIR}/tools/systemd/etld-user.${kind}.in" "${directory}/user/etld.${kind}" @ONLY)
  endforeach()
endfunction()
