# cmake -DSCHEMAS=schemas -DOUTPUT=table.cpp -P embed_field_facts.cmake
# Turns schemas/field-facts.csv into one source file (libetl/src/meaning/schema/field_facts.hpp). The last
# column, the source, is for readers.
include("${CMAKE_CURRENT_LIST_DIR}/embed_table.cmake")
set(text "// Made from schemas/field-facts.csv by cmake/embed_field_facts.cmake.\n")
string(APPEND text "#include \"schema/field_facts.hpp\"\n\n#include <array>\n\nnamespace etl::schema {\n\nnamespace {\n\n")
string(APPEND text "using namespace etl::literals;\n\n")
embed(field-facts.csv FieldFact field_facts
  "^([0-9a-f-]+),([0-9]+)-([0-9]+),([A-Za-z0-9 ]+),([a-z0-9_]+)=?([A-Za-z0-9 ]*),([^\",;]+)$"
  "{\"\\1\"_guid, \\2, \\3, \"\\4\", Fact::\\5, \"\\6\"}")
string(APPEND text "} // namespace\n\n${functions}} // namespace etl::schema\n")
file(WRITE "${OUTPUT}" "${text}")
