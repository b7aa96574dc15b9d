#include "anonymize/item_rewriter.hpp"

#include "anonymize/texts/binary_values.hpp"
#include "base/cursor.hpp"
#include "format/item_layout.hpp"
#include "format/log_origin.hpp"
#include "format/provider_identity.hpp"
#include "schema/tracelogging.hpp"

#include <algorithm>

namespace etl::anonymize {

namespace {

constexpr std::size_t item_head = 8;
constexpr std::size_t linkage_at = 4;

/// `view` is a part of `from`, of which `to` is a copy.
MutableBytes same_part(MutableBytes to, Bytes from, Bytes view) noexcept {
    return view.empty()
               ? MutableBytes{}
               : to.subspan(static_cast<std::size_t>(view.data() - from.data()), view.size());
}

/// What a trait of our own takes of its data: numbers and four strings with their NUL.
std::size_t size_of(const format::LogOrigin& origin) noexcept {
    constexpr std::size_t numbers = 4, terminators = 4;
    return numbers + origin.channel.size() + origin.computer.size() + origin.event_source.size() +
           origin.xml_namespace.size() + terminators;
}

/// The part of a trait that readers use; nothing is known of the rest.
std::size_t known_size(std::uint8_t type, std::size_t size) noexcept {
    constexpr std::uint8_t group = 1, decode = 2;
    return (type == group || type == decode) && size >= sizeof(Guid) ? sizeof(Guid) : 0;
}

} // namespace

Bytes ItemRewriter::rewrite(Bytes items, KindPlan& plan) {
    items_ = items;
    now_.clear();
    format::ExtendedItems each(items);
    format::ExtendedItem item;
    std::size_t begin = 0;
    while (each.next(item)) {
        rewrite_data(item, plan);
        const std::size_t end_of_data = begin + item_head + item.data.size();
        clear(items.subspan(end_of_data, each.position() - end_of_data));
        const auto linkage = load_le<std::uint16_t>(items.data() + begin + linkage_at);
        if ((linkage & ~1U) != 0) {
            store_le(changing(items.subspan(begin + linkage_at, sizeof(linkage))).data(),
                     static_cast<std::uint16_t>(linkage & 1U));
        }
        begin = each.position();
    }
    return now_;
}

MutableBytes ItemRewriter::changing(Bytes part) {
    if (now_.empty()) {
        now_.assign(items_.begin(), items_.end());
    }
    return same_part(now_, items_, part);
}

bool ItemRewriter::clear(Bytes part) {
    return !is_all_zero(part) && fill_with_zeros(changing(part));
}

void ItemRewriter::rewrite_data(const format::ExtendedItem& item, KindPlan& plan) {
    using format::ItemLayout;
    switch (format::layout_of(item)) {
    case ItemLayout::numbers:
        if (item.type == format::ItemType::stack_key32) {
            clear(item.data.subspan(format::stack_key32_size));
        }
        return;
    case ItemLayout::sid:
        plan.sids_of_items +=
            rewrite_binary(changing(item.data), Role::sid, *pseudonyms_) != 0 ? 1U : 0U;
        return;
    case ItemLayout::event_schema:
        rewrite_names(item, plan.metadata, plan);
        return;
    case ItemLayout::provider_traits:
        rewrite_names(item, plan.traits, plan);
        return;
    case ItemLayout::unknown:
        break;
    }
    if (clear(item.data)) {
        ++plan.unchecked.items;
        ++plan.elsewhere[static_cast<std::size_t>(Kind::redacted)];
    }
}

void ItemRewriter::rewrite_names(const format::ExtendedItem& item, RewrittenItem& known,
                                 KindPlan& plan) {
    if (!std::ranges::equal(known.before, item.data)) {
        known.before.assign(item.data.begin(), item.data.end());
        known.after = known.before;
        known.changed = 0;
        const std::size_t size = load_le<std::uint16_t>(item.data.data());
        known.is_cleared = fill_with_zeros(MutableBytes(known.after).subspan(size));
        if (item.type == format::ItemType::event_schema_tl) {
            rewrite_metadata(known);
        } else {
            rewrite_traits(known);
        }
    }
    if (known.before == known.after) {
        return;
    }
    std::ranges::copy(known.after, changing(item.data).begin());
    plan.unchecked.items += known.is_cleared ? 1U : 0U;
    for (std::size_t kind = 0; kind < kind_count; ++kind) {
        plan.schemas[kind] += known.changed >> kind & 1U;
    }
    plan.elsewhere[static_cast<std::size_t>(Kind::redacted)] += known.is_cleared ? 1U : 0U;
}

void ItemRewriter::rewrite_metadata(RewrittenItem& item) {
    const auto texts = schema::texts_of_tracelogging(item.before);
    if (!texts) {
        item.is_cleared = fill_with_zeros(item.after);
        return;
    }
    for (const Bytes text : *texts) {
        item.changed |= replace(same_part(item.after, item.before, text));
    }
}

/// The traits of an event of an event log contain the name of its computer.
void ItemRewriter::rewrite_traits(RewrittenItem& item) {
    const Bytes before = item.before;
    const auto traits = format::parse_provider_traits(before);
    if (!traits) {
        item.is_cleared = fill_with_zeros(item.after);
        return;
    }
    const auto origin = format::parse_log_origin(before);
    const std::size_t size = load_le<std::uint16_t>(before.data());
    Cursor in(before.first(size));
    in.u16("size of provider traits");
    in.zero_terminated8("provider name");
    while (in && !in.is_at_end()) {
        const std::size_t trait_size = in.u16("size of a trait");
        const std::uint8_t type = in.u8("type of a trait");
        const Bytes data = in.bytes("trait", trait_size - 3); // parsed before
        const bool is_origin = origin && data.data() == traits->log_origin.data();
        const std::size_t known = is_origin ? size_of(*origin) : known_size(type, data.size());
        const bool had_content =
            fill_with_zeros(same_part(item.after, before, data.subspan(known)));
        item.is_cleared = item.is_cleared || had_content;
    }
    item.changed |= replace(same_part(item.after, before, traits->name));
    if (!origin) {
        return;
    }
    const MutableBytes computer = same_part(item.after, before, origin->computer);
    load_units(computer, UnitSize::one, units_);
    item.changed |= rewriter_->rewrite(units_, Role::computer);
    store_units(units_, UnitSize::one, computer);
    for (const Bytes text : {origin->channel, origin->event_source, origin->xml_namespace}) {
        item.changed |= replace(same_part(item.after, before, text));
    }
}

KindSet ItemRewriter::replace(MutableBytes text) {
    load_units(text, UnitSize::one, units_);
    const KindSet changed = rewriter_->replace_in_names(units_);
    store_units(units_, UnitSize::one, text);
    return changed;
}

} // namespace etl::anonymize
