#include "analysis/layouts.hpp"

#include <algorithm>

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

} // namespace

std::vector<FieldPlace> places_of(const decode::EventKind& kind,
                                  const std::vector<std::string_view>& wanted) {
    std::vector<FieldPlace> places(std::max<std::size_t>(wanted.size(), 1));
    if (kind.schema == nullptr) {
        return places;
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
    return places;
}

const Layouts::Layout& Layouts::find(const flow::Event& event, std::uint8_t version,
                                     std::uint8_t pointer_size, decode::Decoder& decoder) {
    for (const auto& layout : layouts_) {
        if (layout->version == version && layout->pointer_size == pointer_size) {
            return *layout;
        }
    }
    const decode::DecodedEvent& decoded = decoder.decode(event);
    const decode::EventKind& kind = *decoded.kind;
    auto found = std::make_unique<Layout>(Layout{
        version, pointer_size, decoded.header.pointer_size, places_of(kind, fields_), {}, {}});
    if (kind.raw_reason == decode::RawReason::other_version) {
        found->fit = Fit::unknown;
    } else if (kind.is_guess && kind.schema->version != version) {
        found->fit = Fit::older;
        found->layout_version = kind.schema->version;
    }
    // What was decoded by its values is decided for each event.
    const bool is_lasting = found->fit == Fit::described ||
                            (found->fit == Fit::older && kind.plan.has_plain_size());
    if (!is_lasting) {
        passing_ = std::move(found);
        passing_->pointer_size = 0;
        return *passing_;
    }
    return *layouts_.emplace_back(std::move(found));
}

} // namespace etl::analysis
