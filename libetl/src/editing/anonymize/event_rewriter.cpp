#include "anonymize/event_rewriter.hpp"

#include "anonymize/limits.hpp"
#include "anonymize/names/well_known.hpp"
#include "anonymize/texts/binary_values.hpp"
#include "base/cursor.hpp"
#include "flow/context.hpp"
#include "format/extended_data.hpp"
#include "format/provider_identity.hpp"
#include "format/records.hpp"
#include "schema/tracelogging.hpp"

#include <algorithm>

namespace etl::anonymize {

KindSet rewrite_strings(format::LogfileHeader& header, Rewriter& rewriter) {
    return static_cast<KindSet>(rewriter.rewrite(header.session_name, Role::text) |
                                rewriter.rewrite(header.log_file_name, Role::path));
}

void rewrite_header(format::LogfileHeader& header, Rewriter& rewriter) {
    rewrite_strings(header, rewriter);
    rewriter.rewrite(header.time_zone.standard_name, Role::text);
    rewriter.rewrite(header.time_zone.daylight_name, Role::text);
    if (header.log_file_name.empty()) {
        header.log_file_name = u"trace.etl"; // a writer would store the path of its file
    }
    header.logger_name_pointer = 0;
    header.log_file_name_pointer = 0;
}

// The strings end the payload, one behind the other.
KindSet rewrite_logfile_payload(MutableBytes payload, unsigned pointer_size, Rewriter& rewriter) {
    auto header = format::parse_logfile_header(payload, pointer_size, {});
    if (!header) {
        return 0;
    }
    const std::size_t session = 2 * header->session_name.size();
    const std::size_t file = 2 * header->log_file_name.size();
    constexpr std::size_t terminator = 2;
    format::LogfileHeader bare = *header;
    bare.session_name.clear();
    bare.log_file_name.clear();
    const std::size_t fixed =
        format::encode_logfile_header(bare, pointer_size).size() - 2 * terminator;
    if (!has_range(payload, fixed, session)) {
        return 0;
    }
    const KindSet changed = rewrite_strings(*header, rewriter);
    store_units(header->session_name, UnitSize::two, payload.subspan(fixed, session));
    const std::size_t file_at = fixed + session + terminator;
    if (has_range(payload, file_at, file)) {
        store_units(header->log_file_name, UnitSize::two, payload.subspan(file_at, file));
    }
    return changed;
}

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

namespace {

// Binary values of up to so many bytes are numbers and flags.
constexpr std::size_t small_binary = 4;
// In bytes that nobody describes, shorter names are found by chance.
constexpr std::size_t min_text = 4;

KindSet wipe(MutableBytes bytes) noexcept {
    return fill_with_zeros(bytes) ? only(Kind::redacted) : KindSet{0};
}

// Letters as A and a, digits as 0; signs and blanks as they are.
std::string shape_of(Text text) {
    std::string shape;
    for (const char16_t c : text.substr(0, limits::shape_units)) {
        shape += is_digit(c)         ? '0'
                 : is_upper_ascii(c) ? 'A'
                 : is_wordy(c)       ? 'a'
                 : c >= u' '         ? static_cast<char>(c)
                                     : ' ';
    }
    return shape + (text.size() > limits::shape_units ? "..." : "");
}

// In these, parts that stay are as private as what was found.
constexpr bool is_free_text(Role role) noexcept {
    return role == Role::text || role == Role::version;
}

void count(std::array<std::uint64_t, kind_count>& counts, KindSet changed) noexcept {
    for (std::size_t kind = 0; kind < kind_count; ++kind) {
        counts[kind] += changed >> kind & 1U;
    }
}

} // namespace

EventRewriter::Result EventRewriter::rewrite(const decode::DecodedEvent& event, KindPlan& plan) {
    drafted_ = false;
    undecodable_ = false;
    const bool everything = options_->scope == Scope::everything;
    if (everything && !event.header.items.empty() && !event.header.has_invalid_items) {
        rewrite_items(event, plan);
    }
    if (everything && format::is_message(event.event->kind)) {
        clear_reserved(event);
    }
    const Bytes payload = event.header.payload;
    if (everything && event.header.has_invalid_items) {
        clear_payload(event, plan);
    } else if (plan.carries_schema || payload.empty()) {
        // Nothing of anybody's.
    } else if (plan.has_packet || (plan.has_details && !has_all_fields(event))) {
        rewrite_packet(event, plan);
    } else if (plan.is_opaque) {
        undecodable_ = true;
        ++plan.unchecked.undecodable;
        search(event, plan, payload);
    } else if (event.body.data() != payload.data()) {
        rewrite_arranged(event, plan);
    } else {
        rewrite_fields(event, plan);
    }
    if (undecodable_ && options_->undecodable == Undecodable::clear) {
        clear_undecoded(event, plan);
    }
    return {drafted_ ? &draft_ : nullptr, undecodable_};
}

bool EventRewriter::has_all_fields(const decode::DecodedEvent& event) {
    walker_.start(event.kind->plan, event.body);
    while (walker_.next() != decode::Step::end) {
    }
    return !walker_.failed() && walker_.doubt() != decode::Doubt::unknown_length;
}

relog::Draft& EventRewriter::draft_of(const decode::DecodedEvent& event) {
    if (!drafted_) {
        draft_.assign(*event.event);
        drafted_ = true;
    }
    return draft_;
}

// `where` is a part of the payload of the event.
void EventRewriter::put(const decode::DecodedEvent& event, Bytes where, Bytes now) {
    if (std::ranges::equal(where, now)) {
        return;
    }
    const auto at = static_cast<std::size_t>(where.data() - event.header.payload.data());
    const MutableBytes to = draft_of(event).payload();
    if (has_range(to, at, now.size())) {
        std::ranges::copy(now, to.begin() + static_cast<std::ptrdiff_t>(at));
    }
}

void EventRewriter::rewrite_packet(const decode::DecodedEvent& event, KindPlan& plan) {
    const Bytes before = event.header.payload;
    value_.assign(before.begin(), before.end());
    find_packet_parts(event.header, parts_,
                      options_->keep_fragments ? Fragments::kept : Fragments::wiped);
    KindSet changed = 0;
    for (const PacketPart& part : parts_) {
        changed |= rewrite_part(part, MutableBytes(value_).subspan(part.at, part.size));
    }
    count(plan.packets, changed);
    put(event, before, value_);
}

KindSet EventRewriter::rewrite_part(const PacketPart& part, MutableBytes bytes) {
    const auto text = [&](Role role) {
        load_units(bytes, UnitSize::two, units_);
        const KindSet changed = rewriter_->rewrite(units_, role);
        store_units(units_, UnitSize::two, bytes);
        return changed;
    };
    switch (part.holds) {
    case PacketPart::Holds::frame:
        return scrub_frame(bytes, part.link, *pseudonyms_);
    case PacketPart::Holds::text:
        return text(Role::text);
    case PacketPart::Holds::user:
        return text(Role::user);
    case PacketPart::Holds::computer:
        return text(Role::computer);
    case PacketPart::Holds::ipv4:
        return rewrite_binary(bytes, Role::ipv4, *pseudonyms_);
    case PacketPart::Holds::ipv6:
        return rewrite_binary(bytes, Role::ipv6, *pseudonyms_);
    case PacketPart::Holds::mac:
        return rewrite_binary(bytes, Role::mac, *pseudonyms_);
    case PacketPart::Holds::unknown:
        break;
    }
    return wipe(bytes);
}

void EventRewriter::rewrite_items(const decode::DecodedEvent& event, KindPlan& plan) {
    const Bytes before = event.header.items;
    const Bytes now = items_.rewrite(before, plan);
    if (now.empty() || std::ranges::equal(before, now)) {
        return;
    }
    const MutableBytes record = draft_of(event).record();
    std::ranges::copy(now, record.subspan(format::event_record::size).begin());
}

/// A message can have space for a timestamp without one: whatever was in memory.
void EventRewriter::clear_reserved(const decode::DecodedEvent& event) {
    using namespace format::message_record;
    constexpr std::size_t time_size = 8, system_info_size = 8;
    const Bytes record = event.event->bytes();
    const auto clear = [&](std::size_t at, std::size_t size) {
        if (!is_all_zero(record.subspan(at, size))) {
            std::ranges::fill(draft_of(event).record().subspan(at, size), std::byte{0});
        }
    };
    clear(reserved.offset, 1);
    const auto flags = flow::stored<options>(*event.event);
    if ((flags & (time_stamp | performance_time_stamp)) == performance_time_stamp) {
        const std::size_t payload = record.size() - event.header.payload.size();
        const std::size_t after_time = (flags & system_info) != 0 ? system_info_size : 0;
        clear(payload - after_time - time_size, time_size);
    }
}

/// Items or counters do not parse, so the payload can begin anywhere, and an item be in it.
void EventRewriter::clear_payload(const decode::DecodedEvent& event, KindPlan& plan) {
    undecodable_ = true;
    ++plan.unchecked.undecodable;
    value_.assign(event.header.payload.size(), std::byte{0});
    if (!is_all_zero(event.header.payload)) {
        count(plan.elsewhere, only(Kind::redacted));
        put(event, event.header.payload, value_);
    }
}

/// What its fields were replaced with, too, and what its items say of them.
void EventRewriter::clear_undecoded(const decode::DecodedEvent& event, KindPlan& plan) {
    const Bytes payload = event.header.payload;
    const Bytes items = event.header.has_invalid_items ? Bytes{} : event.header.items;
    bool had_content = false;
    if (!is_all_zero(payload)) {
        had_content = fill_with_zeros(draft_of(event).payload());
    }
    format::ExtendedItems each(items);
    format::ExtendedItem item;
    while (each.next(item)) {
        if (format::layout_of(item) != format::ItemLayout::numbers && !is_all_zero(item.data)) {
            const MutableBytes record = draft_of(event).record();
            had_content = fill_with_zeros(same_part(record.subspan(format::event_record::size),
                                                    items, item.data)) ||
                          had_content;
        }
    }
    plan.elsewhere[static_cast<std::size_t>(Kind::redacted)] += had_content ? 1U : 0U;
}

// The decoder shows something else than the payload: the parts of a log file header, or text that
// was packed into the record.
void EventRewriter::rewrite_arranged(const decode::DecodedEvent& event, KindPlan& plan) {
    if (!flow::is_logfile_header(*event.event)) {
        undecodable_ = true;
        ++plan.unchecked.packed;
        return;
    }
    if (options_->scope == Scope::everything) {
        const Bytes before = event.header.payload;
        value_.assign(before.begin(), before.end());
        count(plan.elsewhere,
              rewrite_logfile_payload(value_, event.header.pointer_size, *rewriter_));
        put(event, before, value_);
    }
}

void EventRewriter::rewrite_fields(const decode::DecodedEvent& event, KindPlan& plan) {
    using decode::Step;
    const Bytes body = event.body;
    if (plan.is_idle && event.kind->plan.size_fit(body.size()) == decode::SizeFit::exact) {
        return;
    }
    const std::byte* seen = body.data(); // up to here
    Bytes pieces;
    walker_.start(event.kind->plan, body);
    for (Step step = walker_.next(); step != Step::end; step = walker_.next()) {
        const std::size_t field = walker_.field();
        if (step == Step::value) {
            const Bytes bytes = walker_.bytes();
            const FieldTask& task = plan.tasks[field];
            if (bytes.data() > seen) { // counts, terminators, or what stands behind them
                search(event, plan, {seen, bytes.data()});
            }
            seen = bytes.data() == nullptr ? seen : bytes.data() + bytes.size();
            if (task.in_pieces) {
                pieces = pieces.empty() ? bytes : Bytes(pieces.data(), seen);
            } else if (!task.is_idle()) {
                rewrite_value(event, plan, field, bytes);
            }
        } else if (step == Step::array_end && plan.tasks[field].in_pieces) {
            if (!plan.tasks[field].is_idle()) {
                rewrite_value(event, plan, field, pieces);
            }
            pieces = {};
        }
    }
    if (walker_.failed()) {
        search(event, plan, {seen, body.data() + body.size()});
        undecodable_ = true;
        ++plan.unchecked.undecodable;
        return;
    }
    if (walker_.trailing().data() > seen) {
        search(event, plan, {seen, walker_.trailing().data()});
    }
    wipe_trailing(event, plan);
}

// Behind the last field nobody knows what there is.
void EventRewriter::wipe_trailing(const decode::DecodedEvent& event, KindPlan& plan) {
    const Bytes trailing = walker_.trailing();
    if (is_all_zero(trailing)) {
        return;
    }
    ++plan.unchecked.trailing;
    if (options_->scope == Scope::everything) {
        value_.assign(trailing.size(), std::byte{0});
        count(plan.elsewhere, only(Kind::redacted));
        put(event, trailing, value_);
    }
}

void EventRewriter::rewrite_value(const decode::DecodedEvent& event, KindPlan& plan,
                                  std::size_t field, Bytes bytes) {
    const FieldTask& task = plan.tasks[field];
    FieldCounts& counts = plan.counts[field];
    if (bytes.empty()) {
        return;
    }
    counts.unredacted += task.cannot_redact ? 1U : 0U;
    KindSet changed = 0;
    if (!task.redact && is_text(task.role)) {
        load_units(bytes, task.unit, units_);
        changed = rewriter_->rewrite(units_, task.role);
        count_kept(task.role, changed, counts);
        if (changed == 0) {
            return;
        }
        value_.resize(units_.size() * static_cast<std::size_t>(task.unit));
        store_units(units_, task.unit, value_);
    } else if (!task.redact && task.role == Role::binary) {
        if (bytes.size() <= small_binary) {
            return;
        }
        ++counts.binary;
        value_.assign(bytes.begin(), bytes.end());
        changed = wipe(value_);
    } else {
        value_.assign(bytes.begin(), bytes.end());
        changed =
            task.redact ? redact(task, value_) : rewrite_binary(value_, task.role, *pseudonyms_);
    }
    if (changed != 0) {
        count(counts.changed, changed);
        put(event, bytes.first(value_.size()), value_);
    }
}

void EventRewriter::count_kept(Role role, KindSet changed, FieldCounts& counts) const {
    const Text text = units_;
    if (changed != 0) {
        counts.partly += is_free_text(role) ? 1U : 0U;
        return;
    }
    const bool has_letters = std::ranges::any_of(text, is_wordy);
    if (!has_letters || is_placeholder(text)) {
        return;
    }
    if (counts.kept++ == 0) {
        counts.shape = shape_of(text);
    }
}

// Numbers and binary become zeros, a text a row of x, a SID the one of nobody.
KindSet EventRewriter::redact(const FieldTask& task, MutableBytes bytes) const noexcept {
    using decode::Form;
    const std::vector<std::byte> before(bytes.begin(), bytes.end());
    const Form form = task.form;
    const bool is_text8 = form == Form::text8 || form == Form::utf8 || form == Form::char8;
    const bool is_text16 = form == Form::text16 || form == Form::char16;
    constexpr std::size_t head_of_sid = 2; // revision and number of sub-authorities
    if (is_text8) {
        std::ranges::fill(bytes, std::byte{'x'});
    } else if (is_text16) {
        for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
            store_le(bytes.data() + i, u'x');
        }
    } else if (form == Form::sid) {
        std::ranges::fill(bytes.subspan(std::min(head_of_sid, bytes.size())), std::byte{0});
    } else {
        std::ranges::fill(bytes, std::byte{0});
    }
    return std::ranges::equal(before, bytes) ? KindSet{0} : only(Kind::redacted);
}

// SIDs, profiles and learned names in bytes that no text field covers, as 8-bit text and as UTF-16
// at either place.
void EventRewriter::search(const decode::DecodedEvent& event, KindPlan& plan, Bytes bytes) {
    if (bytes.size() < min_text || options_->scope != Scope::everything) {
        return;
    }
    value_.assign(bytes.begin(), bytes.end());
    KindSet changed = 0;
    const auto look = [&](MutableBytes part, UnitSize unit) {
        load_units(part, unit, units_);
        const KindSet found = rewriter_->replace_in_bytes(units_);
        if (found != 0) {
            store_units(units_, unit, part);
        }
        changed |= found;
    };
    const MutableBytes all(value_);
    look(all, UnitSize::one);
    look(all, UnitSize::two);
    look(all.subspan(1), UnitSize::two);
    count(plan.elsewhere, changed);
    if (changed != 0) {
        put(event, bytes, value_);
    }
}

} // namespace etl::anonymize
