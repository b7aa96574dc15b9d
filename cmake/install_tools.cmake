# The tool with all that belongs to a command: man pages, completion, links for the commands of Windows, units of the host.
install(TARGETS etl_tool COMPONENT tools)
if(NOT UNIX)
  return()
endif()
install(PROGRAMS "${PROJECT_SOURCE_DIR}/tools/extcap/etl-extcap" DESTINATION "${CMAKE_INSTALL_LIBDIR}/wireshark/extcap" COMPONENT tools)
if(TARGET etld)
  install(TARGETS etld COMPONENT tools)
  include("${PROJECT_SOURCE_DIR}/cmake/units.cmake")
  etl_systemd_units("${CMAKE_INSTALL_FULL_BINDIR}/etld" "${PROJECT_BINARY_DIR}/units")
  install(DIRECTORY "${PROJECT_BINARY_DIR}/units/" DESTINATION "lib/systemd" COMPONENT tools)
  install(FILES "${PROJECT_SOURCE_DIR}/tools/systemd/sysusers.conf" DESTINATION "lib/sysusers.d" RENAME etl.conf COMPONENT tools)
endif()

# etl_install_link(TARGET LINK): a symbolic link next to its target.
function(etl_install_link target link)
  cmake_path(GET link PARENT_PATH folder)
  install(CODE "file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}\")
    file(CREATE_LINK ${target} \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${link}\" SYMBOLIC)" COMPONENT tools)
endfunction()

# Completion, where each shell looks for it. Debian's zsh looks in directories of its own.
if(EXISTS /etc/debian_version)
  set(zsh_directory zsh/vendor-completions)
else()
  set(zsh_directory zsh/site-functions)
endif()
set(ETL_ZSH_DIRECTORY "${CMAKE_INSTALL_DATADIR}/${zsh_directory}" CACHE STRING "where zsh looks for completion functions")
set(bash_directory "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
set(fish_directory "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")

# The commands of Windows that the tool answers to: a link for each, and its man page and completion under that name.
file(READ "${PROJECT_SOURCE_DIR}/tools/cli/windows_words.hpp" words)
string(REGEX MATCH "windows_tools\\[\\] =[^}]*" words "${words}")
string(REGEX MATCHALL "[a-z]+\"" words "${words}")
string(REPLACE "\"" "" words "${words}")
foreach(word IN LISTS words)
  etl_install_link(etl "${CMAKE_INSTALL_BINDIR}/${word}")
  etl_install_link(etl "${bash_directory}/${word}")
  etl_install_link(etl.fish "${fish_directory}/${word}.fish")
endforeach()
list(JOIN words " " ETL_COMMANDS)
string(PREPEND ETL_COMMANDS "etl ")
foreach(shell IN ITEMS bash zsh fish)
  configure_file("${PROJECT_SOURCE_DIR}/tools/completion/etl.${shell}.in" "${PROJECT_BINARY_DIR}/completion/etl.${shell}" @ONLY)
endforeach()
install(FILES "${PROJECT_BINARY_DIR}/completion/etl.bash" DESTINATION "${bash_directory}" RENAME etl COMPONENT tools)
install(FILES "${PROJECT_BINARY_DIR}/completion/etl.zsh" DESTINATION "${ETL_ZSH_DIRECTORY}" RENAME _etl COMPONENT tools)
install(FILES "${PROJECT_BINARY_DIR}/completion/etl.fish" DESTINATION "${fish_directory}" COMPONENT tools)

# Man pages: the programs write them from their option tables.
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  return()
endif()
set(manual "${PROJECT_BINARY_DIR}/manual")
set(programs etl_tool)
set(host_page "")
if(TARGET etld)
  list(APPEND programs etld)
  set(host_page COMMAND etld --man-page ">${manual}/etld.1")
endif()
add_custom_command(OUTPUT "${manual}/etl.1.gz"
  COMMAND ${CMAKE_COMMAND} -E rm -rf "${manual}"
  COMMAND ${CMAKE_COMMAND} -E make_directory "${manual}"
  COMMAND etl_tool help --man-pages "${manual}"
  ${host_page}
  COMMAND gzip -9n "${manual}/*.1"
  DEPENDS ${programs}
  COMMENT "Writing man pages")
add_custom_target(etl_manual ALL DEPENDS "${manual}/etl.1.gz")
foreach(word IN LISTS words)
  etl_install_link(etl-${word}.1.gz "${CMAKE_INSTALL_MANDIR}/man1/${word}.1.gz")
endforeach()
install(DIRECTORY "${manual}/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT tools OPTIONAL) # not built by the target etl_tool
