# Of two libraries that pkg-config calls libunwind, the one without unw_backtrace, as LLVM's, is not used; if the other is
# installed later, the next configuration finds it.
file(REMOVE_RECURSE "${PLACE}")
set(library "${PLACE}/library")
set(ENV{PKG_CONFIG_LIBDIR} "${library}")
set(ENV{PKG_CONFIG_PATH} "")

# description FLAGS: libunwind.pc; the header is found in either case.
function(description)
  file(WRITE "${library}/libunwind.pc" "Name: libunwind\nDescription: of a test\nVersion: 1\nCflags: -I${library}\nLibs: ${ARGN}\n")
endfunction()

function(expect what)
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE}/libunwind -B ${PLACE}/build -DMODULE=${MODULE} -DCMAKE_CXX_COMPILER=${COMPILER}
                          -G ${GENERATOR} -DCMAKE_MAKE_PROGRAM=${MAKE}
                  OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE code)
  if(NOT code EQUAL 0 OR NOT said MATCHES "ETL_HAS_LIBUNWIND=${what}")
    message(FATAL_ERROR "expected ${what}:\n${said}")
  endif()
endfunction()

expect(OFF) # none at all
file(WRITE "${library}/libunwind.h" "extern \"C\" int unw_backtrace(void**, int);\n")
description("")
expect(OFF) # compiles, and does not link
file(WRITE "${library}/unwind.cpp" "extern \"C\" int unw_backtrace(void**, int) { return 0; }\n")
execute_process(COMMAND ${COMPILER} -shared -fPIC -o ${library}/libmade.so ${library}/unwind.cpp COMMAND_ERROR_IS_FATAL ANY)
description("-L${library} -lmade")
file(REMOVE_RECURSE "${PLACE}/build") # pkg-config's answer is cached
expect(ON)
