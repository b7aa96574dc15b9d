# cmake -DSCHEMAS=schemas -DOUTPUT=table.cpp -P embed_start_stop_rules.cmake
# Turns schemas/start-stop-keys.csv into one source file (StartStopRule in libetl/src/answers/analysis/start_stop_events.hpp). The last column, the
# source, is for readers.
include("${CMAKE_CURRENT_LIST_DIR}/embed_table.cmake")
set(text "// Made from schemas/start-stop-keys.csv by cmake/embed_start_stop_rules.cmake.\n")
string(APPEND text "#include \"analysis/start_stop_events.hpp\"\n\n#include <array>\n\nnamespace etl::analysis {\n\nnamespace {\n\n")
string(APPEND text "using namespace etl::literals;\n\n")
embed(start-stop-keys.csv StartStopRule start_stop_rules
  "^([0-9a-f-]+),([0-9 ]+),([0-9 ]+),([A-Za-z0-9_ ]+),([A-Za-z0-9_ ]+),([^\",;]+)$"
  "{\"\\1\"_guid, \"\\2\", \"\\3\", \"\\4\", \"\\5\"}")
string(APPEND text "} // namespace\n\n${functions}} // namespace etl::analysis\n")
file(WRITE "${OUTPUT}" "${text}")
