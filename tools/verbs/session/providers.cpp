#include "verbs/session/providers.hpp"

#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/provider_spec.hpp"
#include "format/provider_identity.hpp"
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

/// Names of providers: those that programs gave them, then those of schemas.
class GuidNames {
public:
    void add(const etl::Guid& guid, const std::string& name) {
        if (!name.empty()) {
            names_.emplace(guid, name);
        }
    }

    /// Reads the schemas for the first provider that no program has named.
    std::string find(const etl::Guid& guid) {
        if (!names_.contains(guid) && !has_described_) {
            has_described_ = true;
            for (const auto& described : read_described_providers()) {
                add(described->guid, described->name);
            }
        }
        const auto found = names_.find(guid);
        return found == names_.end() ? std::string() : found->second;
    }

private:
    std::map<etl::Guid, std::string> names_;
    bool has_described_ = false;
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
    auto names = std::make_shared<GuidNames>();
    if (const auto providers = host.providers()) {
        for (const auto& provider : *providers) {
            names->add(provider.guid, provider.name);
        }
    }
    if (const auto sessions = host.sessions()) { // programs that have ended
        for (const auto& session : *sessions) {
            for (const auto& provider : session.providers) {
                names->add(provider.guid, provider.name);
            }
        }
    }
    return [names](const etl::Guid& guid) {
        const std::string label = label_of(guid, names->find(guid));
        return label == etl::to_string(guid) ? std::string() : label;
    };
}

DescribedProviders read_described_providers() {
    SourceOptions options;
    options.defaults = true;
    options.skips_bad_paths = true;
    etl::schema::SchemaSet set = join(read_sources(options).list);
    const std::set<etl::Guid> classes = class_guids(set);
    DescribedProviders providers = std::move(set.providers);
    std::set<std::pair<std::string, etl::Guid>> seen;
    std::erase_if(providers, [&](const auto& names) {
        return names->name.empty() || classes.contains(names->guid) ||
               !seen.emplace(names->name, names->guid).second;
    });
    return providers;
}

std::string keyword_names(const DescribedProviders& providers, const etl::Guid& provider,
                          std::uint64_t mask) {
    std::string text;
    for (std::uint64_t bit = 1; bit != 0 && mask != ~std::uint64_t{0}; bit <<= 1U) {
        if ((mask & bit) == 0) {
            continue;
        }
        std::string_view name;
        for (const auto& names : providers) {
            name = name.empty() && names->guid == provider ? names->keyword_name(bit) : name;
        }
        if (name.empty()) {
            return {};
        }
        text.append(text.empty() ? "" : ",").append(printable(name));
    }
    return text;
}

std::optional<std::uint64_t> keyword_mask(const DescribedProviders& providers,
                                          const std::string& provider, std::string_view names) {
    const auto guid = etl::parse_guid(provider);
    const auto bits_of = [&](std::string_view word) {
        std::uint64_t bits = 0;
        for (const auto& one : providers) {
            const bool is_meant =
                guid ? one->guid == *guid : etl::equals_ignoring_case(one->name, provider);
            for (std::uint64_t bit = 1; is_meant && bit != 0; bit <<= 1U) {
                bits |= etl::equals_ignoring_case(one->keyword_name(bit), word) ? bit : 0;
            }
        }
        return bits;
    };
    std::uint64_t mask = 0;
    while (!names.empty()) {
        const std::size_t end = std::min(names.find(','), names.size());
        const std::uint64_t bits = bits_of(names.substr(0, end));
        if (bits == 0) {
            return std::nullopt;
        }
        mask |= bits;
        names.remove_prefix(std::min(end + 1, names.size()));
    }
    return mask;
}

} // namespace cli
