#include "facts/owner_layouts.hpp"

#include "facts/limits.hpp"

namespace etl::facts {

namespace {

constexpr std::uint32_t OwnerFields::* owner_members[] = {
    &OwnerFields::process, &OwnerFields::thread, &OwnerFields::switched_out};

/// The place of a field that is a number of four bytes, after fields of fixed size only.
std::optional<std::uint16_t> offset_of(const decode::EventKind& kind, std::uint32_t field) {
    const auto& planned = kind.plan.fields();
    std::size_t offset = 0;
    for (std::uint32_t i = 0; i < field && i < planned.size(); ++i) {
        if (!planned[i].is_single()) {
            return std::nullopt;
        }
        offset += planned[i].size;
    }
    const bool is_id = field < planned.size() && planned[field].plain &&
                       planned[field].size == sizeof(std::uint32_t) &&
                       schema::is_integer(planned[field].form);
    return is_id && offset <= 0xFFFF ? std::optional(static_cast<std::uint16_t>(offset))
                                     : std::nullopt;
}

/// The layout of the payloads of one kind.
OwnerLayouts::Layout layout_of_kind(const flow::Event& event, const decode::EventKind& kind) {
    decode::DecodedEvent decoded;
    decoded.event = &event;
    decoded.header = flow::read_header(event);
    decoded.kind = &kind;
    OwnerLayouts::Layout layout{.fields = owner_fields_of(decoded)};
    for (std::size_t i = 0; i < OwnerLayouts::owners; ++i) {
        std::uint32_t& field = layout.fields.*owner_members[i];
        if (field == OwnerFields::no_field) {
            continue;
        }
        const auto offset = offset_of(kind, field);
        layout.must_decode = layout.must_decode || !offset;
        layout.offsets[i] = offset.value_or(0);
        field = 0; // kinds that differ in other fields have the same layout
    }
    return layout;
}

} // namespace

const OwnerLayouts::Layout* OwnerLayouts::find(const flow::Event& event,
                                               const flow::KernelRecord& record) {
    if (record.payload.size() > 0xFFFF) {
        return nullptr;
    }
    const std::uint16_t schemas =
        schemas_.number_of(event.trace().file, event.buffer->merged_input);
    const Key key = Key{record.hook} << 48U | Key{schemas} << 32U | record.payload.size() << 16U |
                    std::uint32_t{record.version} << 8U | format::number_of(event.kind);
    Known& known = recent_[(key * 0x9E3779B97F4A7C15U) >> 56U];
    if (known.layout == nullptr || known.key != key) [[unlikely]] {
        if (layouts_.size() >= limits::owner_layouts && !layouts_.contains(key)) {
            layouts_.clear();
            recent_ = {};
        }
        const auto [found, is_new] = layouts_.try_emplace(key);
        if (is_new) {
            found->second = layout_of(event);
        }
        known = {key, &found->second};
    }
    return known.layout->must_decode ? nullptr : known.layout;
}

/// Where the bytes of the payload choose its kind, only what all of them have in common is known.
OwnerLayouts::Layout OwnerLayouts::layout_of(const flow::Event& event) {
    std::optional<Layout> common;
    for (const decode::EventKind* const kind : decoder_.possible_kinds(event)) {
        const Layout layout = layout_of_kind(event, *kind);
        if (layout.must_decode || (common && *common != layout)) {
            return {.must_decode = true};
        }
        common = layout;
    }
    return common.value_or(Layout{.must_decode = true});
}

OwnerIds OwnerLayouts::ids(const Layout& layout, Bytes payload) noexcept {
    OwnerIds ids;
    constexpr std::optional<std::uint32_t> OwnerIds::* members[] = {
        &OwnerIds::process, &OwnerIds::thread, &OwnerIds::switched_out};
    for (std::size_t i = 0; i < owners; ++i) {
        if (layout.fields.*owner_members[i] != OwnerFields::no_field &&
            has_range(payload, layout.offsets[i], sizeof(std::uint32_t))) {
            ids.*members[i] = load_le<std::uint32_t>(payload.data() + layout.offsets[i]);
        }
    }
    return ids;
}

} // namespace etl::facts
