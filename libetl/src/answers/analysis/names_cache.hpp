// Names of addresses, kept while no image comes or goes. Private to analysis.
#pragma once

#include "analysis/analyzer.hpp"
#include "analysis/groups.hpp"
#include "base/text.hpp"
#include "format/known_guids.hpp"

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

} // namespace etl::analysis
