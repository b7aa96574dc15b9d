#include "analysis/dispatch.hpp"

#include "facts/relevance.hpp"
#include "flow/kernel_record.hpp"
#include "format/kernel_group.hpp"
#include "format/known_guids.hpp"
#include "format/records.hpp"

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

namespace {

/// Start, End, DCStart, DCEnd.
constexpr std::uint16_t thread_hooks[] = {0x0501, 0x0502, 0x0503, 0x0504};

/// Start, End, DCStart, DCEnd, Defunct.
constexpr std::uint16_t process_hooks[] = {0x0301, 0x0302, 0x0303, 0x0304, 0x0327};
constexpr std::uint32_t process_tag = 1; // of the owners

Record without_fields(const flow::Event& event, bool in_range) noexcept {
    Record record;
    record.event = &event;
    record.time = event.raw_time;
    record.in_range = in_range;
    return record;
}

/// Fills what a kernel record without counters says; false: it has counters.
bool read_kernel_record(const flow::Event& event, Record& record) {
    const auto kernel = flow::plain_kernel_record(event);
    if (!kernel) [[unlikely]] {
        return false;
    }
    record.thread = kernel->thread;
    record.process = kernel->process;
    record.pointer_size = kernel->pointer_size;
    record.version = kernel->version;
    record.payload = kernel->payload;
    return true;
}

void read_any_record(const flow::Event& event, Record& record) {
    const flow::EventHeader header = flow::read_header(event);
    record.thread = header.thread_id;
    record.process = header.process_id;
    record.pointer_size = header.pointer_size;
    record.version = header.version;
    record.id = header.id;
    record.payload = header.payload;
}

} // namespace

void Dispatch::Recipients::add(const Recipient& added) {
    const auto same = std::ranges::find_if(all, [&](const Recipient& one) {
        return one.receiver == added.receiver && one.tag == added.tag &&
               one.tables.back() != added.tables.front();
    });
    if (same != all.end()) {
        same->tables.insert(same->tables.end(), added.tables.begin(), added.tables.end());
    } else {
        all.push_back(added);
    }
}

void Dispatch::Recipients::give(Record& record) {
    used += use == Use::values && record.in_range ? 1 : 0;
    for (const Recipient& one : all) {
        record.tag = one.tag;
        one.receiver->add(record);
    }
}

std::uint64_t Dispatch::Recipients::count(std::size_t table) const noexcept {
    std::uint64_t count = 0;
    for (const Recipient& one : all) {
        count += static_cast<std::uint64_t>(std::ranges::count(one.tables, table));
    }
    return count;
}

Dispatch::Dispatch(Owners& owners, const schema::SchemasByTrace& schemas, unsigned pointer_size,
                   std::shared_ptr<const facts::FactsByTrace> facts)
    : owners_(&owners), schemas_(schemas), facts_(std::move(facts)),
      decoder_(schemas, {.pointer_size = pointer_size}) {
    for (const std::uint16_t hook : thread_hooks) {
        takers_of(hook).push_back({OwnerEvents::threads, {}, Layouts({"TThreadId"})});
    }
    for (const std::uint16_t hook : process_hooks) {
        takers_of(hook).push_back({OwnerEvents::processes, {}, Layouts({})});
    }
}

void Dispatch::add_table(Analyzer& analyzer, const Subscriptions& subscriptions) {
    const std::size_t number = tables_.size();
    SharedReceiver* const leader = leader_of(subscriptions.shared());
    for (const Subscriptions::Hook& hook : subscriptions.hooks()) {
        Receiver* const receiver = hook.receiver != nullptr ? leader : nullptr;
        add_hook(hook, {receiver != nullptr ? receiver : &analyzer, hook.tag, {number}});
    }
    for (const Subscriptions::Provider& provider : subscriptions.providers()) {
        add_provider(provider, {&analyzer, provider.tag, {number}});
    }
    tables_.push_back({.analyzer = &analyzer,
                       .wants_everything = subscriptions.has_everything(),
                       .in_range_only = subscriptions.is_in_range_only(),
                       .described_only = subscriptions.is_described_only(),
                       .sums = subscriptions.sums(),
                       .others = {}});
    wants_described_ = wants_described_ || subscriptions.is_described_only();
    if (subscriptions.sums() == SumsBy::process && facts_ != nullptr && !attributor_) {
        attributor_.emplace(facts_, schemas_);
    }
}

/// The one that receives what `shared` asks for, which may be null.
SharedReceiver* Dispatch::leader_of(SharedReceiver* shared) {
    if (shared == nullptr) {
        return nullptr;
    }
    const auto leader = std::ranges::find(leaders_, shared->what(), &SharedReceiver::what);
    if (leader == leaders_.end()) {
        return leaders_.emplace_back(shared);
    }
    (*leader)->serve(*shared);
    return *leader;
}

std::vector<Dispatch::Taker>& Dispatch::takers_of(std::uint16_t hook) {
    if (lists_[hook] == 0) {
        takers_.emplace_back();
        lists_[hook] = static_cast<std::uint8_t>(takers_.size()); // tables ask for some dozen hooks
    }
    return takers_[lists_[hook] - 1U];
}

void Dispatch::add_hook(const Subscriptions::Hook& hook, const Recipient& recipient) {
    std::vector<Taker>& takers = takers_of(hook.id);
    auto same = std::ranges::find_if(takers, [&](const Taker& one) {
        return one.of_owners == OwnerEvents::none && one.to.use == hook.use &&
               one.layouts.fields() == hook.fields;
    });
    if (same == takers.end()) {
        takers.push_back({OwnerEvents::none, {hook.use, {}}, Layouts(hook.fields)});
        same = takers.end() - 1;
    }
    same->to.add(recipient);
}

void Dispatch::add_provider(const Subscriptions::Provider& provider, const Recipient& recipient) {
    auto same = std::ranges::find_if(providers_, [&](const ProviderTaker& one) {
        return one.guid == provider.guid && one.to.use == provider.use && one.ids == provider.ids &&
               one.fields == provider.fields;
    });
    if (same == providers_.end()) {
        providers_.push_back({provider.guid, provider.ids, provider.fields, {provider.use, {}}});
        same = providers_.end() - 1;
    }
    same->to.add(recipient);
}

// False: the condition is not met. Nothing is told of an event whose fields are unknown.
bool Dispatch::give(Taker& taker, Record& record) {
    if (!is_taken(taker.to.use, *record.event)) {
        return false;
    }
    const std::uint8_t of_header = record.pointer_size;
    record.places = taker.layouts.places(record, decoder_);
    if (taker.of_owners != OwnerEvents::none) {
        tell_owners(taker.of_owners, record);
    } else if (taker.layouts.can_read(record)) [[likely]] {
        record.pointer_size = taker.layouts.pointer_size();
        taker.to.give(record);
        record.pointer_size = of_header;
    }
    return true;
}

void Dispatch::tell_owners(OwnerEvents what, const Record& record) {
    if (what == OwnerEvents::processes) {
        owners_->forget_processes();
    } else if (record.has(0)) {
        owners_->forget_thread(record.number32(0));
    }
}

void Dispatch::pass_hook(const flow::Event& event, std::uint16_t list, bool in_range) {
    Record record = without_fields(event, in_range);
    if (!read_kernel_record(event, record)) {
        read_any_record(event, record);
    }
    give_all(list, flow::stored<PreparedEvents::hook>(event), record);
}

void Dispatch::give_all(std::uint16_t list, std::uint16_t hook, Record& record) {
    std::vector<Taker>& takers = takers_[list - 1U];
    bool is_described = true;
    for (Taker& taker : takers) {
        if (give(taker, record)) {
            is_described = taker.layouts.describes(record) && is_described;
        }
    }
    if (!is_described) [[unlikely]] {
        count_other_versions(takers, hook, record);
    }
}

// The takers of a hook read an event alike, but one may need a field that a short event lacks.
void Dispatch::count_other_versions(const std::vector<Taker>& takers, std::uint16_t hook,
                                    const Record& record) {
    for (std::size_t table = 0; table < tables_.size(); ++table) {
        const auto lacking = std::ranges::find_if(takers, [&](const Taker& taker) {
            return (taker.of_owners != OwnerEvents::none || taker.to.has(table)) &&
                   is_taken(taker.to.use, *record.event) && !taker.layouts.describes(record);
        });
        if (lacking != takers.end()) {
            count_other_version(
                table, {.event_class = format::class_of_hook(hook), .version = record.version},
                record, lacking->layouts);
        }
    }
}

void Dispatch::count_other_version(std::size_t table, OtherVersions wanted, const Record& record,
                                   const Layouts& layouts) {
    std::vector<OtherVersions>& others = tables_[table].others;
    const bool can_read = layouts.can_read(record);
    wanted.is_short = layouts.fit() != Layouts::Fit::unknown && !can_read;
    if (layouts.fit() == Layouts::Fit::older && can_read) {
        wanted.layout = layouts.layout_version();
    }
    const auto known = std::ranges::find_if(others, [&](const OtherVersions& one) {
        return one.event_class == wanted.event_class && one.provider == wanted.provider &&
               one.version == wanted.version && one.layout == wanted.layout &&
               one.is_short == wanted.is_short;
    });
    if (known != others.end()) {
        ++known->events;
        return;
    }
    if (wanted.provider) {
        wanted.name =
            decoder_.decode(*record.event).kind->provider.value_or(to_string(*wanted.provider));
    } else {
        wanted.name = format::class_name(wanted.event_class);
    }
    wanted.events = 1;
    others.push_back(std::move(wanted));
}

std::vector<OtherVersion> Dispatch::other_versions(std::size_t table) const {
    std::vector<OtherVersion> all;
    for (const OtherVersions& one : tables_[table].others) {
        all.push_back({.event_class = one.name,
                       .version = one.version,
                       .layout = one.layout,
                       .is_short = one.is_short,
                       .events = one.events});
    }
    return all;
}

std::uint64_t Dispatch::used(std::size_t table) const noexcept {
    std::uint64_t used = tables_[table].used;
    if (tables_[table].wants_everything) {
        return used;
    }
    for (const std::vector<Taker>& takers : takers_) {
        for (const Taker& taker : takers) {
            used += taker.to.count(table) * taker.to.used;
        }
    }
    for (const ProviderTaker& taker : providers_) {
        used += taker.to.count(table) * taker.to.used;
    }
    return used;
}

std::uint16_t Dispatch::list_of_full(const flow::Event& event) const noexcept {
    const auto hook = format::hook_of_class(flow::stored<format::full_record::guid>(event),
                                            flow::stored<format::full_record::type>(event));
    return hook ? lists_[*hook] : std::uint16_t{0};
}

void Dispatch::pass_full(const flow::Event& event, bool in_range) {
    const std::uint16_t list = list_of_full(event);
    if (list == 0) {
        return;
    }
    Record record = without_fields(event, in_range);
    read_any_record(event, record);
    const auto hook = format::hook_of_class(flow::stored<format::full_record::guid>(event),
                                            flow::stored<format::full_record::type>(event));
    give_all(list, hook.value_or(0), record);
}

void Dispatch::pass_event(const flow::Event& event, bool in_range) {
    if (PreparedEvents::is_kernel_process(event)) {
        constexpr std::size_t thread_at = 4; // ThreadStart, ThreadStop: ProcessID, ThreadID
        const flow::EventHeader header = flow::read_header(event);
        owners_->forget_processes();
        if ((header.id == 3 || header.id == 4) && has_range(header.payload, thread_at, 4)) {
            owners_->forget_thread(load_le<std::uint32_t>(header.payload.data() + thread_at));
        }
    }
    const Guid guid = flow::stored<format::event_record::provider_id>(event);
    for (ProviderTaker& taker : providers_) {
        if (taker.guid == guid && taker.takes(flow::stored<format::event_record::id>(event)) &&
            is_taken(taker.to.use, event)) {
            pass_to(taker, event, in_range);
        }
    }
}

void Dispatch::pass_to(ProviderTaker& taker, const flow::Event& event, bool in_range) {
    Record record = without_fields(event, in_range);
    read_any_record(event, record);
    if (!taker.fields.empty()) {
        Layouts& layouts = taker.layouts.try_emplace(record.id, taker.fields).first->second;
        record.places = layouts.places(record, decoder_);
        if (!layouts.describes(record)) [[unlikely]] {
            for (std::size_t table = 0; table < tables_.size(); ++table) {
                for (std::uint64_t left = taker.to.count(table); left != 0; --left) {
                    count_other_version(table, {.provider = taker.guid, .version = record.version},
                                        record, layouts);
                }
            }
        }
        if (!layouts.can_read(record)) [[unlikely]] {
            return;
        }
        record.pointer_size = layouts.pointer_size();
    }
    taker.to.give(record);
}

void Dispatch::pass_everything(Table& table, const flow::Event& event, bool in_range,
                               std::optional<std::uint32_t> about) {
    if (!matches(event)) {
        return;
    }
    table.used += in_range ? 1 : 0;
    if (table.described_only && !format::is_event(event.kind)) {
        return;
    }
    if (table.sums) {
        EventSums sums;
        sums.add(event);
        if (table.sums == SumsBy::process && attributor_) {
            sums.about = about ? *about : attributor_->attribute(event).process;
        }
        table.analyzer->add_sums(sums);
        return;
    }
    Record record = without_fields(event, in_range);
    record.tag = everything_tag;
    table.analyzer->add(record);
}

bool Dispatch::can_sum(const Table& table) const noexcept {
    return table.sums && !condition_ && (table.sums != SumsBy::process || attributor_);
}

std::vector<SumsBy> Dispatch::wanted_sums() const {
    std::vector<SumsBy> wanted;
    for (const Table& table : tables_) {
        if (can_sum(table)) {
            wanted.push_back(*table.sums);
        }
    }
    return wanted;
}

bool Dispatch::pass_together(const PreparedEvents& prepared, bool in_range, bool are_ascending) {
    bool has_each = false;
    for (Table& table : tables_) {
        table.rest = pass_together(table, prepared, in_range, are_ascending);
        has_each = has_each || table.rest == Rest::each;
    }
    return !has_each;
}

Dispatch::Rest Dispatch::pass_together(Table& table, const PreparedEvents& prepared, bool in_range,
                                       bool are_ascending) {
    if (!table.wants(in_range)) {
        return Rest::nothing;
    }
    if (table.described_only && !condition_) {
        table.used += in_range ? prepared.size() - prepared.described() : 0;
        return Rest::described;
    }
    const std::span<const EventSums> all =
        can_sum(table) ? prepared.sums(*table.sums) : std::span<const EventSums>();
    if (all.empty() || !are_ascending ||
        !table.analyzer->may_sum(prepared.earliest(), prepared.latest())) {
        return Rest::each;
    }
    table.used += prepared.size();
    std::ranges::for_each(all, [&](const EventSums& sums) { table.analyzer->add_sums(sums); });
    return Rest::nothing;
}

} // namespace etl::analysis
