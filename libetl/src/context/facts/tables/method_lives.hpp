// The methods of runtimes by address and time. Ranges of one process that are in use at one time
// do not overlap: the code memory of a method that goes is given to others. Private to facts.
// docs/enrich.md#methods
#pragma once

#include "facts/tables/timeline.hpp"

#include <map>
#include <utility>

namespace etl::facts {

using NameId = std::uint32_t; // 0: none

struct MethodValue {
    std::uint64_t module = 0; // ID of the module, or of the source of a script
    std::uint32_t size = 0;   // not 0
    std::uint32_t flags = 0;
    NameId type = 0;
    NameId name = 0;
    NameId signature = 0;
    std::uint32_t token = 0; // of a script: the line
    bool is_script = false;

    constexpr auto operator<=>(const MethodValue&) const = default;
};

using MethodKey = std::pair<std::uint32_t, std::uint64_t>; // process, first byte

class MethodLives {
public:
    using Seen = Observation<MethodKey, MethodValue>;
    using Life = Timeline<MethodKey, MethodValue>::Life;
    /// Bounds of the process that had an ID at a time.
    using Bounds = std::pair<std::int64_t, std::int64_t>;

    /// False: there are `most` already.
    bool add(const Seen& seen, std::size_t most);

    /// Turns the observations into lives. Once, at the end. `bounds_of` takes a process and a time.
    template <typename BoundsOf>
    void build(BoundsOf bounds_of) {
        sort_seen();
        Occupants occupants;
        for (std::size_t i = 0; i < seen_.size(); ++i) {
            if (i == 0 || seen_[i - 1].key.first != seen_[i].key.first) {
                occupants.clear();
            }
            place(occupants, seen_[i], bounds_of(seen_[i].key.first, seen_[i].time));
        }
        finish();
    }

    /// The method whose code contained an address; null: none.
    const Life* find(std::uint32_t process, std::uint64_t address,
                     std::int64_t time) const noexcept;

    /// By process, first byte, and time.
    std::span<const Life> lives() const noexcept { return lives_; }

private:
    /// Who has, or had last, the memory from an address on: number of the life.
    using Occupants = std::map<std::uint64_t, std::uint32_t>;

    /// The lives of one first byte.
    struct Group {
        std::uint64_t end = 0;   // the greatest of its lives
        std::uint32_t first = 0; // its first life
        std::uint32_t outer = 0; // the nearest group before it that reaches beyond its first byte
    };

    /// The groups of one process: they follow each other.
    struct OfProcess {
        std::uint32_t process = 0;
        std::uint32_t first = 0;
    };

    std::span<const std::uint64_t> starts_of(std::uint32_t process) const noexcept;
    void sort_seen();
    void place(Occupants& occupants, const Seen& seen, Bounds bounds);
    bool merge(Life& life, const Seen& seen);
    void finish();
    void link_groups();

    std::vector<Seen> seen_;
    std::vector<Life> lives_;
    std::vector<Group> groups_;
    std::vector<std::uint64_t>
        starts_; // first bytes of the groups: next to each other for searches
    std::vector<OfProcess> processes_;
};

} // namespace etl::facts
