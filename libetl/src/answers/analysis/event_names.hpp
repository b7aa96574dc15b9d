// Names of providers and events, looked up once per kind. Private to analysis.
#pragma once

#include "analysis/groups.hpp"
#include "decode/decoder.hpp"
#include "format/records.hpp"

namespace etl::analysis {

/// Keys by kind of event: kernel events by hook and version, others by the kind of the decoder.
/// `Make` is called with a decoded event, once per kind.
class KeysByKind {
public:
    explicit KeysByKind(const schema::SchemasByTrace& schemas) : decoder_(schemas) {}

    template <typename Make>
    GroupKey find(const flow::Event& event, Make&& make) {
        if (!format::has_hook(event.kind)) {
            return find_decoded(event, make);
        }
        // The names of kernel events depend on nothing else.
        const auto version = flow::stored<format::system_record::version>(event) & 0xFFU;
        const auto hook = flow::stored<format::system_record::hook_id>(event);
        const auto [known, is_new] =
            hooks_.try_emplace(std::uint32_t{hook} << 8U | version, GroupKey{});
        if (is_new) {
            known->second = find_decoded(event, make);
        }
        return known->second;
    }

private:
    template <typename Make>
    GroupKey find_decoded(const flow::Event& event, Make&& make) {
        const decode::DecodedEvent& decoded = decoder_.decode(event);
        if (generation_ != decoder_.generation()) {
            generation_ = decoder_.generation();
            kinds_.clear();
        }
        const std::uint32_t number = decoded.kind->number;
        if (number >= kinds_.size()) {
            kinds_.resize(std::max<std::size_t>(number + std::size_t{1}, kinds_.size() * 2),
                          GroupKey{no_part, 0, 0});
        }
        GroupKey& key = kinds_[number];
        if (key[0] == no_part) {
            key = make(decoded);
        }
        return key;
    }

    decode::Decoder decoder_;
    std::unordered_map<std::uint32_t, GroupKey> hooks_; // by hook and version
    std::vector<GroupKey> kinds_;                       // by number of the kind
    std::uint32_t generation_ = 0;
};

/// The best known name of the provider, or its GUID.
inline std::string provider_of(const decode::DecodedEvent& decoded) {
    const auto& name = decoded.kind->provider;
    return name && !name->empty() ? std::string(*name) : to_string(decoded.header.provider);
}

} // namespace etl::analysis
