// EVENT_MAP_INFO, laid out as merges on Windows leave it. docs/format/decoding.md#event-information
#include "schema/embedded/event_info_layout.hpp"
#include "schema/embedded/event_info_texts.hpp"
#include "schema/event_info.hpp"

namespace etl::schema {

void write_map_info(const EmbeddedMap& map, ByteWriter& to) {
    namespace info = map_info_layout;
    constexpr std::size_t unused = info::entry_size; // behind the entries
    const ValueMap& values = *map.map;
    const std::size_t begin = to.size();
    to.fill(info::size + values.entries.size() * info::entry_size + unused);
    const auto here = [&] { return static_cast<std::uint32_t>(to.size() - begin - info::origin); };
    const auto put = [&]<typename T>(etl::LayoutField<T> field, T value) {
        to.patch(begin + field.offset, value);
    };
    put(info::provider, map.provider);
    put(info::name, here());
    put(info::flag, values.kind == ValueMap::Kind::bits ? info::bit_map : info::value_map);
    put(info::entries, static_cast<std::uint32_t>(values.entries.size()));
    to.zero_terminated16(units_of(values.name));
    std::size_t entry = begin + info::size;
    for (const auto& [value, text] : values.entries) {
        to.patch(entry, here());
        to.patch(entry + 4, value);
        to.zero_terminated16(units_of(text + std::string(event_info_message_end)));
        entry += info::entry_size;
    }
}

} // namespace etl::schema
