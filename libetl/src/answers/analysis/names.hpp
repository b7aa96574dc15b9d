// Names of addresses, functions, providers, and events, looked up once. Private to analysis.
#pragma once

#include "analysis/analyzer.hpp"
#include "analysis/groups.hpp"
#include "base/text.hpp"
#include "decode/decoder.hpp"
#include "format/known_guids.hpp"
#include "format/records.hpp"

namespace etl::analysis {

/// The name of an address as tables show it.
struct CodeName {
    std::string module;   // empty: unknown
    std::string function; // without the module if it is known by name; else `module!0x12` or `0x12`
};

inline CodeName code_name(const Context& context, const facts::CodeAddress& code) {
    const auto name = context.names->find(*context.facts, code);
    CodeName all{.module = name ? name->module : std::string(),
                 .function = name ? name->function : std::string()};
    if (all.function.empty()) {
        all.function = all.module.empty() ? std::string() : all.module + '!';
        append_hex(all.function, name ? name->offset : code.address);
    }
    return all;
}

class NamesCache {
public:
    static constexpr std::uint32_t image_tag = 300;

    /// Numbers of texts.
    struct Name {
        std::uint64_t module = 0, function = 0;
    };

    /// Asks for the events after which names may differ.
    static void subscribe(Subscriptions& subscriptions) {
        for (const std::uint16_t hook :
             std::initializer_list<std::uint16_t>{0x030A, 0x1402, 0x1403, 0x1404, 0x0302}) {
            subscriptions.hook(hook, image_tag, {}, Use::context);
        }
        // Methods: load, unload.
        subscriptions.provider(format::dotnet_runtime_guid, image_tag, {141, 142, 143, 144},
                               Use::context);
        subscriptions.provider(format::javascript_guid, image_tag, {9, 10}, Use::context);
    }

    /// After an event with image_tag.
    void forget() { kept_.clear(); }

    Name name(const Context& context, const facts::CodeAddress& code) {
        if (kept_.size() >= limits::analysis_frames) {
            kept_.clear();
        }
        const GroupKey key{code.process, code.address, code.is_return_address ? 1U : 0U};
        const auto [found, is_new] = kept_.try_emplace(key);
        if (is_new) {
            found->second = name_of(context, code);
        }
        return found->second;
    }

    const Texts& texts() const noexcept { return texts_; }

    Texts& texts() noexcept { return texts_; }

private:
    Name name_of(const Context& context, const facts::CodeAddress& code) {
        const CodeName name = code_name(context, code);
        return {name.module.empty() ? 0 : texts_.number_of(name.module),
                texts_.number_of(name.function)};
    }

    std::unordered_map<GroupKey, Name, GroupKeyHash> kept_;
    Texts texts_;
};

// Names of functions with their modules.

/// Numbers of `module!function` in `texts`.
class FullNames {
public:
    std::uint64_t number_of(const NamesCache::Name& name, const Texts& parts, Texts& texts) {
        const auto [found, is_new] = numbers_.try_emplace({name.module, name.function, 0});
        if (is_new) {
            const Cell module = parts.cell(name.module);
            const Cell function = parts.cell(name.function);
            const auto* const in = std::get_if<std::string>(&module);
            const auto* const text = std::get_if<std::string>(&function);
            std::string full = text != nullptr ? *text : std::string();
            if (in != nullptr && !full.starts_with(*in + '!')) {
                full.insert(0, *in + '!');
            }
            found->second = texts.number_of(full);
        }
        return found->second;
    }

private:
    std::unordered_map<GroupKey, std::uint64_t, GroupKeyHash> numbers_;
};

// Names of providers and events, looked up once per kind.

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
        const std::uint32_t key = std::uint32_t{hook} << 8U | version;
        std::uint32_t number = hooks_.find(key);
        if (number == hooks_.none) [[unlikely]] {
            number = hooks_.add(key);
            of_hooks_.push_back(find_decoded(event, make));
        }
        return of_hooks_[number];
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

    struct HookHash {
        std::size_t operator()(std::uint32_t key) const noexcept {
            return key * std::uint64_t{0x9E3779B97F4A7C15} >> 32U;
        }
    };

    KeyNumbers<std::uint32_t, HookHash> hooks_; // hook and version
    std::vector<GroupKey> of_hooks_;            // by number
    std::vector<GroupKey> kinds_;               // by number of the kind
    std::uint32_t generation_ = 0;
};

/// The best known name of the provider, or its GUID.
inline std::string provider_of(const decode::DecodedEvent& decoded) {
    const auto& name = decoded.kind->provider;
    return name && !name->empty() ? std::string(*name) : to_string(decoded.header.provider);
}

} // namespace etl::analysis
