// EVENT_MAP_INFO of merged traces. docs/format/decoding.md#map-info
#include "base/text.hpp"
#include "schema/embedded/event_info_layout.hpp"
#include "schema/event_info.hpp"
#include "schema/event_name.hpp"

namespace etl::schema {

namespace {

namespace map_layout = map_info_layout;

bool is_bits(std::uint32_t flag) noexcept {
    return (flag & (map_layout::bit_map | map_layout::wbem_bits)) != 0 ||
           ((flag & map_layout::wbem_values) != 0 && (flag & map_layout::wbem_flag) != 0);
}

// The value of an entry whose position is all that says it.
std::uint32_t value_of_position(std::uint32_t position, ValueMap::Kind kind) noexcept {
    if (kind == ValueMap::Kind::value) {
        return position;
    }
    return position < 32 ? std::uint32_t{1} << position : 0;
}

} // namespace

Bytes text16_at(Bytes blob, std::size_t offset) noexcept {
    if (offset == 0 || offset >= blob.size()) {
        return {};
    }
    const Bytes rest = blob.subspan(offset);
    std::size_t size = 0;
    while (rest.size() - size >= 2 &&
           (rest[size] != std::byte{0} || rest[size + 1] != std::byte{0})) {
        size += 2;
    }
    return rest.first(size);
}

std::string string_at(Bytes blob, std::size_t offset) {
    std::string text;
    append_utf16le(text, text16_at(blob, offset));
    return text;
}

Result<EmbeddedMap> parse_map_info(Bytes blob) {
    if (blob.size() < map_layout::size) {
        return fail(ErrorCode::truncated, "map information", {}, map_layout::size, blob.size());
    }
    const auto head = blob.first<map_layout::size>();
    const std::uint32_t flag = load<map_layout::flag>(head);
    const std::uint32_t count = load<map_layout::entries>(head);
    if ((flag & map_layout::pattern_map) != 0 || load<map_layout::value_type>(head) != 0) {
        return fail(ErrorCode::unsupported, "map of patterns or strings");
    }
    if (count > (blob.size() - map_layout::size) / map_layout::entry_size) {
        return fail(ErrorCode::truncated, "entries of a map", FileOffset{map_layout::size},
                    std::uint64_t{count} * map_layout::entry_size, blob.size() - map_layout::size);
    }
    const Bytes info = blob.subspan(map_layout::origin);
    auto map = std::make_shared<ValueMap>();
    map->name = string_at(info, load<map_layout::name>(head));
    map->kind = is_bits(flag) ? ValueMap::Kind::bits : ValueMap::Kind::value;
    std::size_t text_left =
        blob.size() * overlap; // texts may be shared, but must not multiply without end
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::byte* entry = blob.data() + map_layout::size + i * map_layout::entry_size;
        const Bytes text = text16_at(info, load_le<std::uint32_t>(entry));
        if (text.size() > text_left) {
            return fail(ErrorCode::limit, "texts of a map", {}, blob.size() * overlap);
        }
        text_left -= text.size();
        std::string shown;
        append_utf16le(shown, text);
        shown.resize(without_message_end(shown).size());
        const bool by_position = (flag & map_layout::wbem_no_map) != 0;
        const std::uint32_t value =
            by_position ? value_of_position(i, map->kind) : load_le<std::uint32_t>(entry + 4);
        map->entries.emplace_back(value, std::move(shown));
    }
    return EmbeddedMap{load<map_layout::provider>(head), std::move(map)};
}

} // namespace etl::schema
