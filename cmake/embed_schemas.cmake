# cmake -DSCHEMAS=schemas -DOUTPUT=tables.cpp -P embed_schemas.cmake
# Turns the tables of schemas/*.csv into one source file (libetl/src/decode/schema_tables.hpp). The fields of these
# tables hold neither quotes nor commas nor semicolons.
set(text "// Made from schemas/*.csv by cmake/embed_schemas.cmake.\n")
string(APPEND text "#include \"decode/schema_tables.hpp\"\n\n#include <array>\n\nnamespace etl::decode::tables {\n\nnamespace {\n\n")
string(APPEND text "using namespace etl::literals;\n\n")

function(embed file type name pattern replacement)
  file(STRINGS "${SCHEMAS}/${file}" lines ENCODING UTF-8)
  list(POP_FRONT lines)
  list(LENGTH lines count)
  set(rows "")
  foreach(line IN LISTS lines)
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

embed(kernel-hooks.csv HookName hooks "^(0x[0-9A-F]+),([A-Za-z0-9_]*),([A-Za-z0-9_/-]*)$" "{\\1, \"\\2\", \"\\3\"}")
embed(classic-events.csv ClassicEvent classic_events "^([0-9a-f-]+),([0-9]+),([A-Za-z0-9_/-]+)$"
  "{\"\\1\"_guid, \\2, \"\\3\"}")
embed(providers.csv Provider providers "^([0-9a-f-]+),([^\",;]+)$" "{\"\\1\"_guid, \"\\2\"}")
embed(error-names.csv ErrorCodeName error_codes "^(win32|ntstatus|hresult),(0x[0-9A-F]+),([A-Z0-9_]+)$"
  "{ErrorSpace::\\1, \\2, \"\\3\"}")

string(APPEND text "} // namespace\n\n${functions}} // namespace etl::decode::tables\n")
file(WRITE "${OUTPUT}" "${text}")
