# Reads a table of schemas/*.csv into rows of C++. Included by scripts that write a source file. The fields of these
# tables have no quotes.
#   embed(FILE TYPE NAME PATTERN REPLACEMENT): appends to `text` the array NAME_table, to `functions` what returns it
function(embed file type name pattern replacement)
  file(STRINGS "${SCHEMAS}/${file}" lines ENCODING UTF-8)
  set(count -1) # the heading does not count
  set(rows "")
  foreach(line IN LISTS lines) # its semicolons are escaped; operations on the list would lose that
    math(EXPR count "${count}+1")
    if(count EQUAL 0)
      continue()
    endif()
    if(NOT line MATCHES "${pattern}")
      message(FATAL_ERROR "${file}: cannot read '${line}'")
    endif()
    string(REGEX REPLACE "${pattern}" "${replacement}" row "${line}")
    string(APPEND rows "    ${row},\n")
  endforeach()
  string(APPEND text "constexpr std::array<${type}, ${count}> ${name}_table{{\n${rows}}};\n\n")
  string(APPEND functions "std::span<const ${type}> ${name}() noexcept { return ${name}_table; }\n\n")
  set(text "${text}" PARENT_SCOPE)
  set(functions "${functions}" PARENT_SCOPE)
endfunction()
