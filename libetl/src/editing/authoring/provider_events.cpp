#include "authoring/provider_events.hpp"

#include "schema/limits.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace etl::authoring {

namespace {

// Names that several sources add to, each once.
template <typename Entry>
class Collected {
public:
    explicit Collected(const std::vector<Entry>& first) : seen_(first.begin(), first.end()) {}

    void add(std::vector<Entry>& to, const std::vector<Entry>& from) {
        for (const Entry& entry : from) {
            if (seen_.insert(entry).second) {
                to.push_back(entry);
            }
        }
    }

private:
    std::set<Entry> seen_;
};

void fill(std::string& to, const std::string& from) {
    if (to.empty()) {
        to = from;
    }
}

class Merge {
public:
    explicit Merge(const schema::ProviderNames& first)
        : result({.names = first}), levels_(first.levels), keywords_(first.keywords),
          channels_(first.channels) {
        add_name(first.name);
    }

    void add(const schema::ProviderNames& more) {
        fill(result.names.name, more.name);
        add_name(more.name);
        levels_.add(result.names.levels, more.levels);
        keywords_.add(result.names.keywords, more.keywords);
        channels_.add(result.names.channels, more.channels);
        fill(result.names.resource_file, more.resource_file);
        fill(result.names.message_file, more.message_file);
        fill(result.names.parameter_file, more.parameter_file);
        add_builds(more.builds);
        result.names.is_guess = result.names.is_guess && more.is_guess;
        if (!result.names.parameters) {
            result.names.parameters = more.parameters;
        }
    }

    ProviderEvents result;

private:
    void add_name(const std::string& name) {
        if (!name.empty() && called_.insert(name).second && called_.size() > 1) {
            result.other_names.push_back(name);
        }
    }

    void add_builds(const std::vector<std::uint32_t>& more) {
        std::vector<std::uint32_t> all;
        std::ranges::set_union(result.names.builds, more, std::back_inserter(all));
        const std::size_t extra =
            all.size() - std::min(all.size(), schema::limits::builds_of_a_provider);
        all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(extra)); // the oldest
        result.names.builds = std::move(all);
    }

    std::set<std::string> called_;
    Collected<std::pair<std::uint8_t, std::string>> levels_;
    Collected<std::pair<std::uint64_t, std::string>> keywords_;
    Collected<std::pair<std::uint8_t, std::string>> channels_;
};

} // namespace

std::vector<ProviderEvents> group_by_provider(const schema::SchemaSet& set) {
    std::vector<Merge> merges;
    std::unordered_map<Guid, std::size_t> places;
    std::unordered_set<const schema::ProviderNames*> known;
    const auto place_of = [&](const schema::ProviderNames& names) {
        const auto [place, is_new] = places.try_emplace(names.guid, merges.size());
        const bool is_news = known.insert(&names).second;
        if (is_new) {
            merges.emplace_back(names);
        } else if (is_news) {
            merges[place->second].add(names);
        }
        return place->second;
    };
    for (const auto& names : set.providers) {
        place_of(*names);
    }
    for (const auto& event : set.events) {
        if (event->provider) {
            merges[place_of(*event->provider)].result.events.push_back(event);
        }
    }
    std::vector<ProviderEvents> result;
    result.reserve(merges.size());
    for (Merge& merge : merges) {
        result.push_back(std::move(merge.result));
    }
    return result;
}

} // namespace etl::authoring
