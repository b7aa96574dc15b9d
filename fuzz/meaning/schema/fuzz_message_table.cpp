// Any bytes as a message table. Beyond "does not crash": texts are UTF-8, and their number is
// bounded by the bytes.
#include "base/text.hpp"
#include "fuzz/require.hpp"
#include "schema/message_table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    const Bytes bytes = std::as_bytes(std::span(data, size));
    auto table = schema::MessageTable::parse(bytes);
    if (!table) {
        fuzz::require(table.error().code != ErrorCode::none);
        return 0;
    }
    fuzz::require(table->size() <= size / 4);
    for (std::uint32_t id = 0; id < 16; ++id) {
        const std::string* text = table->find(id);
        fuzz::require(text == nullptr || is_valid_utf8(*text));
    }
    const std::size_t before = table->size();
    const schema::MessageTable copy = *table;
    table->merge(copy);
    fuzz::require(table->size() == before);
    return 0;
}
