// Names of functions with their modules. Private to analysis.
#pragma once

#include "analysis/names_cache.hpp"

namespace etl::analysis {

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

} // namespace etl::analysis
