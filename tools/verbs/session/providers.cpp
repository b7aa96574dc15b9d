#include "verbs/session/providers.hpp"

#include <etl/base/text.hpp>
#include <etl/format/provider_identity.hpp>

#include "cli/console.hpp"
#include "cli/provider_label.hpp"
#include "inputs/schema_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace cli {

namespace {

using etl::machine::Controller;

bool is_glob(const std::string& text) {
    return text.find_first_of("*?") != std::string::npos;
}

/// Providers by name: registered ones, then those that schemas describe.
class ProviderNames {
public:
    explicit ProviderNames(Controller& host) : host_(&host) {}

    /// Returns the GUIDs that a name, glob, or GUID stands for.
    std::vector<etl::Guid> find(const std::string& text) {
        if (const auto guid = etl::parse_guid(text)) {
            return {*guid};
        }
        std::vector<etl::Guid> found = matching(text, registered());
        if (found.empty()) {
            found = matching(text, described());
        }
        if (found.empty() && !is_glob(text)) {
            found.push_back(etl::format::guid_of_provider_name(text));
        }
        return found;
    }

private:
    using Names = std::multimap<std::string, etl::Guid>;

    static std::vector<etl::Guid> matching(const std::string& text, const Names& names) {
        std::vector<etl::Guid> found;
        for (const auto& [name, guid] : names) {
            if (etl::matches_glob(text, name) && std::ranges::find(found, guid) == found.end()) {
                found.push_back(guid);
            }
        }
        return found;
    }

    const Names& registered() {
        if (!registered_) {
            registered_.emplace();
            if (const auto providers = host_->providers()) {
                for (const auto& provider : *providers) {
                    if (!provider.name.empty() && !provider.is_group) {
                        registered_->emplace(provider.name, provider.guid);
                    }
                }
            }
        }
        return *registered_;
    }

    const Names& described() {
        if (!described_) {
            described_.emplace();
            for (const auto& names : read_described_providers()) {
                described_->emplace(names->name, names->guid);
            }
        }
        return *described_;
    }

    Controller* host_;
    std::optional<Names> registered_, described_;
};

} // namespace

std::optional<std::vector<NamedProvider>> find_providers(Controller& host,
                                                         const std::vector<ProviderSpec>& specs) {
    ProviderNames names(host);
    std::vector<NamedProvider> found;
    for (const ProviderSpec& spec : specs) {
        const std::vector<etl::Guid> guids = names.find(spec.provider);
        if (guids.empty()) {
            say(printable(fmt::format("{}: no registered or described provider matches; "
                                      "`etl session providers` lists the registered ones",
                                      spec.provider)));
            return std::nullopt;
        }
        for (const etl::Guid& guid : guids) {
            found.push_back({guid, spec});
        }
    }
    return found;
}

etl::session::NameLookup names_of(Controller& host) {
    auto names = std::make_shared<std::map<etl::Guid, std::string>>();
    if (const auto providers = host.providers()) {
        for (const auto& provider : *providers) {
            names->emplace(provider.guid, provider.name);
        }
    }
    return [names](const etl::Guid& guid) {
        const auto found = names->find(guid);
        const std::string known = found == names->end() ? "" : found->second;
        const std::string label = label_of(guid, known);
        return known.empty() && label == etl::to_string(guid) ? std::string() : label;
    };
}

DescribedProviders read_described_providers() {
    SourceOptions options;
    options.defaults = true;
    options.skips_bad_paths = true;
    DescribedProviders providers = join(read_sources(options).list).providers;
    std::set<std::pair<std::string, etl::Guid>> seen;
    std::erase_if(providers, [&](const auto& names) {
        return names->name.empty() || !seen.emplace(names->name, names->guid).second;
    });
    return providers;
}

} // namespace cli
