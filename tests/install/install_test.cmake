# Installs, then configures, builds and runs the consumer against what was installed.
cmake_minimum_required(VERSION 3.25)
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}\nended with ${result}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${PLACE}/prefix" "${PLACE}/build" "${PLACE}/examples")
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${PLACE}/prefix)
set(flags "")
if(SANITIZE)
  set(flags "-fsanitize=${SANITIZE} -fno-sanitize=vptr")
endif()
run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${PLACE}/build -G ${GENERATOR} -DCMAKE_MAKE_PROGRAM=${MAKE}
    -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${flags}" -DCMAKE_PREFIX_PATH=${PLACE}/prefix)
run(${CMAKE_COMMAND} --build ${PLACE}/build)
run(${PLACE}/build/consumer ${TRACE})
if(NOT output MATCHES "^[1-9][0-9]* events\n$")
  message(FATAL_ERROR "the consumer said: ${output}")
endif()

# The same with pkg-config, as a person types it.
file(GLOB_RECURSE pc "${PLACE}/prefix/etl.pc")
cmake_path(GET pc PARENT_PATH pc_directory)
run(sh -c "PKG_CONFIG_PATH='${pc_directory}' && export PKG_CONFIG_PATH && \
  ${COMPILER} ${flags} '${CONSUMER}/consumer.cpp' $(pkg-config --cflags --libs etl) -o '${PLACE}/build/with_pkg_config'")
run(${PLACE}/build/with_pkg_config ${TRACE})
if(NOT output MATCHES "^[1-9][0-9]* events\n$")
  message(FATAL_ERROR "the consumer linked by pkg-config said: ${output}")
endif()

# The shared library needs no other package, in CMake and with pkg-config.
if(SHARED)
  set(program "${EXAMPLES}/c/print_events.c")
  set(without "")
  foreach(package IN ITEMS Threads fmt pugixml LibArchive ZLIB PkgConfig ICU)
    list(APPEND without -DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON)
  endforeach()
  foreach(with_cxx IN ITEMS OFF ON)
    file(REMOVE_RECURSE "${PLACE}/c")
    run(${CMAKE_COMMAND} -S ${CONSUMER}/c -B ${PLACE}/c -G ${GENERATOR} -DCMAKE_MAKE_PROGRAM=${MAKE} ${without}
        -DCMAKE_PREFIX_PATH=${PLACE}/prefix -DWITH_CXX=${with_cxx} -DPROGRAM=${program})
    run(${CMAKE_COMMAND} --build ${PLACE}/c)
    run(${PLACE}/c/consumer_c ${TRACE})
    if(NOT output MATCHES "Example.SignalBox CowOnTheLine")
      message(FATAL_ERROR "the consumer in C said: ${output}")
    endif()
  endforeach()
  run(sh -c "cc '${program}' $(PKG_CONFIG_LIBDIR='${pc_directory}' pkg-config --cflags --libs etl-c) -o '${PLACE}/c/with_pkg_config'")
  file(GLOB_RECURSE library "${PLACE}/prefix/libetl.so.0")
  cmake_path(GET library PARENT_PATH library_directory)
  run(${CMAKE_COMMAND} -E env "LD_LIBRARY_PATH=${library_directory}" "${PLACE}/c/with_pkg_config" ${TRACE})
  if(NOT output MATCHES "Example.SignalBox CowOnTheLine")
    message(FATAL_ERROR "the consumer in C linked by pkg-config said: ${output}")
  endif()
endif()

# The tool answers to the names of Windows' commands.
run(${PLACE}/prefix/bin/tracefmt -?)
if(NOT output MATCHES "-tmf FILE")
  message(FATAL_ERROR "tracefmt said: ${output}")
endif()

# Wireshark finds the script of its kind.
file(GLOB_RECURSE extcap "${PLACE}/prefix/etl-extcap")
run(${extcap} --extcap-interfaces)
if(NOT output MATCHES "interface {value=etl}")
  message(FATAL_ERROR "etl-extcap said: ${output}")
endif()

# The examples are such a project, too.
run(${CMAKE_COMMAND} -S ${EXAMPLES} -B ${PLACE}/examples -G ${GENERATOR} -DCMAKE_MAKE_PROGRAM=${MAKE}
    -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${flags}" -DCMAKE_PREFIX_PATH=${PLACE}/prefix)
run(${CMAKE_COMMAND} --build ${PLACE}/examples --target etl_example_consumer)
run(${PLACE}/examples/consumer 3)
if(NOT output MATCHES "Sold Item=croissant Number=3\n")
  message(FATAL_ERROR "the example said: ${output}")
endif()

# Public headers alone are installed, and including all of them costs little: most of it is the standard library.
file(GLOB installed RELATIVE "${PLACE}/prefix/include/etl" "${PLACE}/prefix/include/etl/*")
list(LENGTH installed headers)
if(headers GREATER 27 OR NOT "etl.hpp" IN_LIST installed) # 25 of C++, etl.h, and compat
  message(FATAL_ERROR "installed: ${installed}")
endif()
file(WRITE "${PLACE}/all.cpp" "#include <etl/etl.hpp>\n")
run(sh -c "${COMPILER} -std=c++23 '-I${PLACE}/prefix/include' -E '${PLACE}/all.cpp' | wc -l")
string(STRIP "${output}" count)
if(count GREATER 60000)
  message(FATAL_ERROR "etl/etl.hpp has ${count} preprocessed lines, at most 60000")
endif()
