#include "decode/undecoded.hpp"

#include "decode/decode_note.hpp"
#include "decode/limits.hpp"

namespace etl::decode {

namespace {

using format::EventIdentity;

bool is_raw_on_purpose(RawReason reason) noexcept {
    switch (reason) {
    case RawReason::none:
    case RawReason::not_requested:
    case RawReason::manifest_chunk:
    case RawReason::schema_record:
        return true;
    case RawReason::no_schema:
    case RawReason::unknown_provider:
    case RawReason::invalid_metadata:
    case RawReason::no_format:
    case RawReason::no_layout:
    case RawReason::other_version:
        break;
    }
    return false;
}

NeededSchema wanted_for(const DecodedEvent& event) noexcept {
    if (event.kind->raw_reason == RawReason::invalid_metadata) {
        return NeededSchema::nothing;
    }
    switch (format::traits_of(event.event->kind).identity) {
    case EventIdentity::descriptor:
        return NeededSchema::manifest;
    case EventIdentity::message: // without a GUID nothing tells which TMF
        return event.header.provider == Guid{} ? NeededSchema::nothing : NeededSchema::tmf;
    case EventIdentity::hook:
    case EventIdentity::event_class:
        return NeededSchema::mof;
    case EventIdentity::none:
        break;
    }
    return NeededSchema::nothing;
}

UndecodedKind undecoded_kind_of(const DecodedEvent& event) noexcept {
    const NeededSchema needed = wanted_for(event);
    const bool is_class = needed == NeededSchema::mof;
    return {.needed = needed,
            .provider = event.header.provider,
            .id = is_class ? std::uint16_t{event.header.opcode} : event.header.id,
            .version = needed == NeededSchema::tmf ? std::uint8_t{0} : event.header.version,
            .reason = event.kind->raw_reason};
}

} // namespace

std::string_view name(NeededSchema needed) noexcept {
    switch (needed) {
    case NeededSchema::manifest:
        return "manifest";
    case NeededSchema::mof:
        return "mof";
    case NeededSchema::tmf:
        return "tmf";
    case NeededSchema::nothing:
        break;
    }
    return "nothing";
}

UndecodedEvents* Undecoded::find_or_add(const UndecodedKind& kind) {
    const auto found = kinds_.find(kind);
    if (found != kinds_.end()) {
        return &found->second;
    }
    return kinds_.size() < limits::undecoded_kinds ? &kinds_[kind] : nullptr;
}

Undecoded::Known Undecoded::know(const DecodedEvent& event) {
    if (is_raw_on_purpose(event.kind->raw_reason)) {
        return {Known::Where::nowhere, nullptr};
    }
    UndecodedEvents* const events = find_or_add(undecoded_kind_of(event));
    if (events == nullptr) {
        return {Known::Where::others, nullptr};
    }
    if (events->events == 0) {
        events->provider = event.kind->provider.value_or("");
        events->event = event.kind->event.value_or("");
    }
    return {Known::Where::kind, events};
}

void Undecoded::add_raw(const DecodedEvent& event, std::uint32_t generation) {
    if (generation != generation_) {
        known_.clear();
        generation_ = generation;
    }
    const std::size_t number = event.kind->number;
    if (number >= known_.size()) {
        known_.resize(number + 1);
    }
    Known& known = known_[number];
    if (known.where == Known::Where::unknown) {
        known = know(event);
    }
    if (known.where == Known::Where::kind) {
        ++known.events->events;
    } else if (known.where == Known::Where::others) {
        ++others_;
    }
}

void Undecoded::combine(const Undecoded& other) {
    for (const auto& [kind, more] : other.kinds_) {
        UndecodedEvents* const events = find_or_add(kind);
        if (events == nullptr) {
            others_ += more.events;
            continue;
        }
        if (events->events == 0) {
            events->provider = more.provider;
            events->event = more.event;
        }
        events->events += more.events;
    }
    others_ += other.others_;
}

std::uint64_t Undecoded::total() const noexcept {
    std::uint64_t sum = others_;
    for (const auto& [kind, events] : kinds_) {
        sum += events.events;
    }
    return sum;
}

namespace {

void add_to(Misfits::Providers& providers, const Guid& guid, std::string_view name,
            std::uint64_t events) {
    auto found = providers.find(guid);
    if (found == providers.end()) {
        if (providers.size() >= limits::undecoded_kinds) {
            return;
        }
        found = providers.emplace(guid, UndecodedEvents{}).first;
        found->second.provider = name;
    }
    found->second.events += events;
}

} // namespace

void Misfits::judge(const DecodedEvent& event) {
    walker_.start(event.kind->plan, event.body);
    while (walker_.next() != Step::end) {
    }
    if (is_misfit(event, walker_)) {
        ++total_;
        add_to(providers_, event.header.provider,
               event.kind->provider ? std::string_view(*event.kind->provider) : "", 1);
    }
}

void Misfits::combine(const Misfits& other) {
    for (const auto& [guid, events] : other.providers_) {
        add_to(providers_, guid, events.provider, events.events);
    }
    total_ += other.total_;
}

} // namespace etl::decode
