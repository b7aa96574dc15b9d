// What follows an event header. Property: items lie inside, one behind the other; what was parsed
// without a fault comes back the same from the encoder.
#include "format/encode.hpp"
#include "fuzz/require.hpp"

#include <algorithm>
#include <vector>

using namespace etl;

namespace {

using fuzz::require;

std::vector<format::ExtendedItem> items_of(Bytes bytes, bool& broken) {
    std::vector<format::ExtendedItem> items;
    format::ExtendedItems walk(bytes);
    format::ExtendedItem item;
    std::size_t last = 0;
    while (walk.next(item)) {
        require(walk.position() > last && walk.position() <= bytes.size());
        last = walk.position();
        items.push_back(item);
    }
    broken = walk.is_malformed();
    return items;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    bool broken = false;
    const auto items = items_of(std::as_bytes(std::span(data, size)), broken);
    ByteWriter again;
    if (broken || !format::encode_items(items, again)) {
        return 0;
    }
    const auto back = items_of(again.view(), broken);
    require(!broken && back.size() == items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        require(back[i].type == items[i].type && std::ranges::equal(back[i].data, items[i].data));
    }
    return 0;
}
