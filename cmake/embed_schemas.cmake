# cmake -DSCHEMAS=schemas -DOUTPUT=tables.cpp -P embed_schemas.cmake
# Turns tables of schemas/*.csv into one source file (libetl/src/meaning/decode/schema_tables.hpp).
include("${CMAKE_CURRENT_LIST_DIR}/embed_table.cmake")
set(text "// Made from schemas/*.csv by cmake/embed_schemas.cmake.\n")
string(APPEND text "#include \"decode/schema_tables.hpp\"\n\n#include <array>\n\nnamespace etl::decode::tables {\n\nnamespace {\n\n")
string(APPEND text "using namespace etl::literals;\n\n")

embed(kernel-hooks.csv HookName hooks "^(0x[0-9A-F]+),([A-Za-z0-9_]*),([A-Za-z0-9_/-]*)$" "{\\1, \"\\2\", \"\\3\"}")
embed(classic-events.csv ClassicEvent classic_events "^([0-9a-f-]+),([0-9]+),([A-Za-z0-9_/ -]+),([^\",]+)$"
  "{\"\\1\"_guid, \\2, \"\\3\", \"\\4\"}")
embed(providers.csv Provider providers "^([0-9a-f-]+),([^\",;]+)$" "{\"\\1\"_guid, \"\\2\"}")
embed(error-names.csv ErrorCodeName error_codes "^(win32|ntstatus|hresult),(0x[0-9A-F]+),([A-Z0-9_]+)$"
  "{ErrorSpace::\\1, \\2, \"\\3\"}")

string(APPEND text "} // namespace\n\n${functions}} // namespace etl::decode::tables\n")
file(WRITE "${OUTPUT}" "${text}")
