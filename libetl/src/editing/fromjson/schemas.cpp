#include "fromjson/schemas.hpp"

#include "base/text.hpp"
#include "format/provider_identity.hpp"
#include "schema/tracelogging.hpp"

#include <algorithm>
#include <utility>

namespace etl::fromjson {

using etl::schema::EventSchema;
using etl::schema::Origin;

namespace {

/// Of an event of the kind that has a provider and an id.
bool is_of_event(const EventSchema& schema) noexcept {
    return schema.origin != Origin::mof && schema.origin != Origin::wpp;
}

} // namespace

/// Whether the trace can have the event, where another description is of other builds.
bool Schemas::is_better(const EventSchema& one, const EventSchema& other) const {
    using etl::schema::BuildFit;
    return etl::schema::fit_of(one, build_) != BuildFit::other &&
           etl::schema::fit_of(other, build_) == BuildFit::other;
}

void Schemas::use(std::shared_ptr<const etl::schema::SchemaStore> store) {
    const std::uint32_t known_build = store_ != nullptr ? store_->build() : build_;
    if (decoder_ && store == loaded_ && build_ == known_build) {
        return;
    }
    generations_ += decoder_ ? decoder_->generation() + 1 : 0;
    loaded_ = std::move(store);
    previous_ = std::exchange(store_, loaded_ != nullptr ? etl::schema::for_build(loaded_, build_)
                                                         : nullptr);
    decoder_.emplace(store_);
    is_indexed_ = false;
}

void Schemas::set_build(std::uint32_t build) {
    build_ = build;
    use(loaded_);
}

/// Schemas from outside, with those of this provider. Null: there are none.
const etl::schema::SchemaStore* Schemas::store_with(const etl::Guid& provider) {
    if (load_ && !has_all_ && asked_.insert(provider).second) {
        has_all_ = asked_.size() >= 1024; // each one goes through the list of all files
        use(load_(has_all_ ? nullptr : &provider));
    }
    use(loaded_);
    return store_.get();
}

void Schemas::index() {
    if (std::exchange(is_indexed_, true)) {
        return;
    }
    guids_.clear();
    events_.clear();
    for (auto store = store_; store; store = store->base()) {
        for (const auto& [guid, names] : store->providers()) {
            auto& same = guids_[etl::to_lower_ascii(names->name)];
            if (std::ranges::find(same, guid) == same.end()) {
                same.push_back(guid);
            }
        }
        for (const auto& schema : store->schemas()) {
            index(*schema);
        }
    }
}

void Schemas::index(const EventSchema& schema) {
    if (is_of_event(schema) && schema.provider) {
        auto& names = events_[schema.provider->guid];
        names[schema.event_name].push_back(&schema);
        if (schema.symbol != schema.event_name) {
            names[schema.symbol].push_back(&schema);
        }
    }
}

Schemas::Named Schemas::find_named(const etl::Guid& provider, std::string_view name,
                                   std::optional<std::uint8_t> version) {
    store_with(provider);
    index();
    const auto names = events_.find(provider);
    if (names == events_.end() || name.empty()) {
        return {};
    }
    const auto events = names->second.find(name);
    if (events == names->second.end()) {
        return {};
    }
    Named found;
    for (const EventSchema* const event : events->second) {
        if (version && !event->any_version && event->version != *version) {
            continue;
        }
        found.is_ambiguous |= found.event != nullptr && found.event->id != event->id;
        const bool is_newer = found.event != nullptr && found.event->version < event->version;
        if (found.event == nullptr || is_better(*event, *found.event) ||
            (is_newer && !is_better(*found.event, *event))) {
            found.event = event;
        }
    }
    return found.is_ambiguous ? Named{nullptr, true} : found;
}

bool Schemas::describes(const etl::Guid& provider) {
    store_with(provider);
    index();
    return events_.contains(provider);
}

Schemas::Found Schemas::find(etl::Bytes record, const etl::flow::TraceInfo& trace) {
    const etl::format::RecordShape shape = etl::format::record_at(record);
    if (shape.kind == etl::format::RecordKind::none) {
        return {};
    }
    etl::flow::BufferContext buffer;
    buffer.trace = &trace;
    buffer.bytes = record;
    const etl::flow::Event event{record.data(), shape.time, &buffer,
                                 shape.size,    shape.kind, shape.has_time};
    store_with(etl::flow::read_header(event).provider);
    const etl::decode::DecodedEvent& decoded = decoder_->decode(event);
    // Payloads that are shown unpacked or in another order: packing is not the schema's business.
    const bool is_arranged = decoded.problem != nullptr;
    if (decoded.kind->raw_reason == etl::decode::RawReason::other_version) {
        return {highest_lower(decoded.header, !is_event(shape.kind)), decoded.header.pointer_size};
    }
    return {is_arranged ? nullptr : decoded.kind->schema, decoded.header.pointer_size};
}

// What a payload that it consumes would be decoded by.
const EventSchema* Schemas::highest_lower(const etl::flow::EventHeader& header, bool is_class) {
    const std::uint16_t id = is_class ? header.opcode : header.id;
    const auto match = store_->find({header.provider, id, header.version});
    for (const auto* const list : {&match.other_builds, &match.lower}) {
        const auto found = std::ranges::find_if(*list, [is_class](const EventSchema* candidate) {
            return (candidate->origin == Origin::mof) == is_class;
        });
        if (found != list->end()) {
            return *found;
        }
    }
    return nullptr;
}

bool Schemas::is_built_in(const EventSchema& schema) {
    const etl::schema::SchemaFile* const file =
        store_ == nullptr ? nullptr : store_->file_of(schema);
    return file != nullptr && file->built_in;
}

std::span<const Schemas::Found> Schemas::others(const Draft& draft, const Found& first,
                                                std::uint8_t version) {
    others_.clear();
    const bool is_class = !is_event(draft.kind);
    const etl::schema::SchemaStore* const store = store_with(draft.provider);
    if (store == nullptr || first.schema->origin == Origin::tracelogging) {
        return others_;
    }
    const std::uint16_t id = is_class ? draft.opcode : draft.id;
    const auto match = store->find({draft.provider, id, version});
    const auto add = [&](std::uint32_t pointer_size) {
        for (const EventSchema* const candidate : match.all()) {
            const bool is_first = candidate == first.schema && pointer_size == first.pointer_size;
            if ((candidate->origin == Origin::mof) == is_class && !is_first) {
                others_.push_back({candidate, pointer_size});
            }
        }
    };
    add(first.pointer_size);
    if (is_class) {
        add(first.pointer_size == 4 ? 8 : 4);
    }
    return others_;
}

const EventSchema* Schemas::find(const etl::Guid& provider, std::uint16_t id,
                                 std::optional<std::uint8_t> version) {
    constexpr std::uint8_t highest = 0xFF;
    const etl::schema::SchemaStore* const store = store_with(provider);
    if (store == nullptr) {
        return nullptr;
    }
    const EventSchema* best = nullptr;
    for (const EventSchema* const candidate :
         store->find({provider, id, version.value_or(highest)}).all()) {
        if (is_of_event(*candidate) && (best == nullptr || is_better(*candidate, *best))) {
            best = candidate;
        }
    }
    return best;
}

std::optional<std::uint8_t> Schemas::highest_version(const etl::Guid& event_class,
                                                     std::uint8_t type) {
    constexpr std::uint8_t highest = 0xFF;
    const etl::schema::SchemaStore* const store = store_with(event_class);
    if (store == nullptr) {
        return std::nullopt;
    }
    std::optional<std::uint8_t> version;
    for (const EventSchema* const candidate : store->find({event_class, type, highest}).all()) {
        if (candidate->origin == Origin::mof) {
            version = std::max(version.value_or(0), candidate->version);
        }
    }
    return version;
}

std::span<const etl::Guid> Schemas::guids_of(std::string_view provider_name) {
    if (provider_name == last_name_ && !last_name_.empty()) {
        return last_guids_;
    }
    if (!std::exchange(has_all_, true)) {
        use(load_ ? load_(nullptr) : nullptr);
    }
    index();
    const auto found = guids_.find(etl::to_lower_ascii(provider_name));
    last_guids_ = found != guids_.end()
                      ? found->second
                      : std::vector{etl::format::guid_of_provider_name(provider_name)};
    last_name_ = provider_name;
    return last_guids_;
}

} // namespace etl::fromjson
