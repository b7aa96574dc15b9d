#include "analysis/layouts.hpp"

#include <algorithm>
#include <utility>

namespace etl::analysis {

namespace {

std::uint64_t mask_of(std::uint8_t size) noexcept {
    switch (size) {
    case 1:
        return 0xFF;
    case 2:
        return 0xFFFF;
    case 4:
        return 0xFFFFFFFF;
    case 8:
        return 0xFFFFFFFFFFFFFFFF;
    default:
        return 0;
    }
}

/// Whether a field has one of the names that are asked for.
bool is_named(std::string_view wanted, std::string_view name) noexcept {
    for (std::size_t bar = wanted.find('|'); bar != std::string_view::npos;
         bar = wanted.find('|')) {
        if (wanted.substr(0, bar) == name) {
            return true;
        }
        wanted.remove_prefix(bar + 1);
    }
    return wanted == name;
}

void find_places(const decode::EventKind& kind, const std::vector<std::string_view>& wanted,
                 std::vector<FieldPlace>& places) {
    places.assign(std::max<std::size_t>(wanted.size(), 1), {});
    if (kind.schema == nullptr) {
        return;
    }
    std::size_t offset = 0;
    const auto& planned = kind.plan.fields();
    for (std::size_t i = 0; i < planned.size() && i < kind.schema->fields.size(); ++i) {
        const auto named = std::ranges::find_if(wanted, [&](std::string_view one) {
            return is_named(one, kind.schema->fields[i].name);
        });
        // Of a field of variable size the first byte is enough to find it.
        const bool is_fixed = planned[i].is_single();
        if (named != wanted.end() && offset < 0xFFFF) {
            places[static_cast<std::size_t>(named - wanted.begin())] = {
                .offset = static_cast<std::uint16_t>(offset),
                .size = is_fixed ? planned[i].size : std::uint8_t{1},
                .mask = is_fixed ? mask_of(planned[i].size) : 0};
        }
        if (!is_fixed) {
            break;
        }
        offset += planned[i].size;
    }
}

/// Where the last of the fields ends; of one of variable size, where it begins.
std::size_t end_of(const std::vector<FieldPlace>& places) noexcept {
    std::size_t end = 0;
    for (const FieldPlace& place : places) {
        const std::size_t size = place.mask != 0 ? place.size : 0;
        end = std::max(end, place.size != 0 ? place.offset + size : 0);
    }
    return end;
}

/// Whether no schema describes an event of which fields are wanted.
bool is_unknown(const decode::EventKind& kind, bool wants_fields) noexcept {
    return kind.raw_reason == decode::RawReason::other_version ||
           (wants_fields && kind.schema == nullptr);
}

} // namespace

std::vector<FieldPlace> places_of(const decode::EventKind& kind,
                                  const std::vector<std::string_view>& wanted) {
    std::vector<FieldPlace> places;
    find_places(kind, wanted, places);
    return places;
}

const Layouts::Layout& Layouts::find(const Record& record, decode::Decoder& decoder) {
    for (const auto& layout : layouts_) {
        if (layout->is_of(record)) {
            return *layout;
        }
    }
    const decode::DecodedEvent& decoded = decoder.decode(*record.event);
    const decode::EventKind& kind = *decoded.kind;
    if (!passing_) {
        passing_ = std::make_unique<Layout>();
    }
    Layout& found = *passing_;
    found.version = record.version;
    found.pointer_size = record.pointer_size;
    found.payload_pointer_size = decoded.header.pointer_size;
    find_places(kind, fields_, found.places);
    found.least_size = end_of(found.places);
    const bool is_older = kind.is_guess && kind.schema->version != record.version;
    found.fit = is_unknown(kind, !fields_.empty()) ? Fit::unknown
                : is_older                         ? Fit::older
                                                   : Fit::described;
    found.layout_version = is_older ? kind.schema->version : std::uint8_t{0};
    found.size = is_older ? std::optional(record.payload.size()) : std::nullopt;
    // What was decoded by its values is decided for each event.
    const bool is_lasting =
        found.fit == Fit::described || (found.fit == Fit::older && kind.plan.has_plain_size());
    constexpr std::size_t max_layouts = 64; // payloads of a later version can have any size
    if (!is_lasting || layouts_.size() == max_layouts) {
        found.pointer_size = 0;
        return found;
    }
    return *layouts_.emplace_back(std::exchange(passing_, nullptr));
}

} // namespace etl::analysis
