#include "decode/misfits.hpp"

#include "decode/decode_note.hpp"
#include "decode/limits.hpp"

namespace etl::decode {

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
