// A UserData template of a schema file. Beyond "does not crash": with values inserted, it is one
// well-formed element.
#include "fuzz/require.hpp"
#include "sink/windows/user_data.hpp"
#include "tests/support/xml_rules.hpp"

using namespace etl;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto result = sink::UserDataTemplate::parse(as_text(bytes));
    if (!result) {
        return 0;
    }
    std::string xml;
    for (const sink::UserDataTemplate::Piece& piece : result->pieces()) {
        xml += piece.text;
        if (piece.field != sink::UserDataTemplate::Piece::no_field) {
            fuzz::require(piece.field < 9999);
            append_xml_escaped(xml, "<\"'&\t\n", piece.place);
        }
    }
    fuzz::require(!xml.empty() && test::xml_problem(xml).empty());
    return 0;
}
