// Which fields that were asked for by name no event had.
#pragma once

#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::sink {

/// Any number of threads.
class SeenFields {
public:
    /// `names` as Options::fields; keys among them are left out.
    explicit SeenFields(std::span<const std::string> names);

    /// The paths of the fields of one kind of event.
    void add(std::span<const std::string> paths);

    struct Unseen {
        std::string name;
        std::vector<std::string> similar; // fields that there are; at most five
    };

    std::vector<Unseen> unseen() const;

private:
    mutable std::mutex mutex_;
    std::set<std::string, std::less<>> missing_;
    std::set<std::string, std::less<>> known_; // for suggestions
};

} // namespace etl::sink
