// Who events are about: threads and processes at a time, as rows of tables. Not thread-safe.
// docs/analysis.md#who
#pragma once

#include "analysis/key_numbers.hpp"
#include "analysis/limits.hpp"
#include "analysis/parts/archive.hpp"
#include "facts/attributor.hpp"
#include "facts/facts.hpp"

#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace etl::analysis {

/// A process, or a special row: unknown, Idle, DPC, ISR.
struct Owner {
    std::optional<std::uint32_t> pid; // none: null
    std::optional<std::string> name;  // none: null
    bool is_selected = true;          // by --process
};

/// Index of an owner in Owners.
using OwnerRef = std::uint32_t;

/// A thread from one use of its ID to the next: index in Owners.
using ThreadRef = std::uint32_t;

/// What it returns for an ID at a time does not depend on what was asked before, below the limits:
/// tables that share it find the same as each on its own.
class Owners {
public:
    static constexpr OwnerRef unknown = 0, idle = 1, dpc = 2, isr = 3;

    /// `facts` must outlive it. An empty selection selects everything.
    Owners(const facts::Facts& facts, facts::ProcessSelection selection);

    /// Returns the thread with an ID at a time: another one when the ID is that of another process,
    /// and after forget_thread().
    ThreadRef thread(std::uint32_t id, std::int64_t time) {
        if (id < small_.size() && small_[id] != none) [[likely]] {
            const Thread& known = threads_[small_[id]];
            if (known.begin <= time && time < known.end) [[likely]] {
                return small_[id];
            }
        }
        return find_thread(id, time);
    }

    /// A thread with this ID started, ended, or was listed.
    void forget_thread(std::uint32_t id);

    std::uint32_t id_of(ThreadRef thread) const noexcept { return threads_[thread].id; }

    /// When the process of a thread ends, or another one uses its ID; the largest number: unknown.
    std::int64_t end_of(ThreadRef thread) const noexcept { return threads_[thread].end; }

    /// Number of threads so far; all ThreadRefs are less.
    std::size_t threads() const noexcept { return threads_.size(); }

    /// Returns the process of a thread.
    OwnerRef owner_of(ThreadRef thread);

    OwnerRef process(std::uint32_t id, std::int64_t time);

    /// The same, fast for times of one life of the process. Kept until forget_processes().
    OwnerRef process_now(std::uint32_t id, std::int64_t time) {
        if (const auto known = now_.find(id);
            known != now_.end() && known->second.begin <= time && time < known->second.end) {
            return known->second.owner;
        }
        if (now_.size() >= limits::analysis_threads) {
            now_.clear();
        }
        const auto [begin, end] = facts_->life_around(id, time);
        return now_.insert_or_assign(id, Life{process(id, time), begin, end}).first->second.owner;
    }

    /// Processes started, ended, or were listed.
    void forget_processes() { now_.clear(); }

    /// The process of a thread ID at a time; flow::no_id: unknown.
    OwnerRef of_thread_id(std::uint32_t id, std::int64_t time) {
        return id == flow::no_id ? unknown : owner_of(thread(id, time));
    }

    /// Returns the owner that is known from elsewhere, selected as it was there unless these owners
    /// are selective. `special`: the constant above, if it is one.
    OwnerRef adopt(std::optional<OwnerRef> special, const Owner& owner);

    /// Returns the thread with an ID of an owner that was adopted.
    ThreadRef adopt_thread(std::uint32_t id, OwnerRef owner);

    const Owner& operator[](OwnerRef owner) const noexcept { return owners_[owner]; }

    bool is_selective() const noexcept {
        return !selection_.ids.empty() || !selection_.names.empty();
    }

    /// Threads, and uses of processes, beyond limits::analysis_threads; they are counted as
    /// unknown.
    std::uint64_t dropped() const noexcept { return dropped_; }

private:
    static constexpr ThreadRef none = 0xFFFFFFFF;
    static constexpr std::uint32_t small_ids = 1U << 20U;

    struct Thread {
        std::uint32_t id = 0;
        std::uint32_t process = flow::no_id;
        /// The time in which it is of one life of `process`.
        std::int64_t begin = std::numeric_limits<std::int64_t>::min();
        std::int64_t end = std::numeric_limits<std::int64_t>::max();
        std::int64_t time = 0; // of the first use
        OwnerRef owner = none;
    };

    /// The time in which a process ID is that of one owner.
    struct Life {
        OwnerRef owner = none;
        std::int64_t begin = 0, end = 0;
    };

    /// A process ID with the place of a name, which stays where it is.
    struct NamedProcess {
        std::uint32_t process = 0;
        const char* name = nullptr;
        std::size_t name_size = 0;

        bool operator==(const NamedProcess&) const = default;

        struct Hash {
            std::size_t operator()(const NamedProcess& key) const noexcept {
                const std::uint64_t hash =
                    (std::hash<const char*>()(key.name) ^ key.process) * 0x9E3779B97F4A7C15U;
                return static_cast<std::size_t>(hash ^ (hash >> 32U));
            }
        };
    };

    ThreadRef find_thread(std::uint32_t id, std::int64_t time);
    OwnerRef add(std::uint32_t pid, std::optional<std::string> name);
    bool selects(std::uint32_t pid, const std::optional<std::string>& name) const;

    const facts::Facts* facts_;
    facts::ProcessSelection selection_;
    std::vector<ThreadRef> small_; // by thread ID
    std::unordered_map<std::uint32_t, ThreadRef> large_;
    std::vector<Thread> threads_;
    std::vector<Owner> owners_;
    std::unordered_map<std::string, OwnerRef> by_key_; // PID:NAME
    KeyNumbers<NamedProcess, NamedProcess::Hash> resolved_;
    std::vector<OwnerRef> by_resolved_;                    // by number
    std::unordered_map<std::uint32_t, Life> now_;          // by process ID
    std::unordered_map<std::uint64_t, ThreadRef> adopted_; // by owner and ID
    std::uint64_t dropped_ = 0;
};

// Processes and threads in archives.

/// Writes a process, or reads it into other owners.
inline void visit_owner(Archive& archive, Owners& owners, OwnerRef& ref) {
    std::optional<OwnerRef> special;
    Owner owner;
    if (!archive.is_reading()) {
        owner = owners[ref];
        special = ref <= Owners::isr ? std::optional(ref) : std::nullopt;
    }
    archive.optional(special);
    archive.optional(owner.pid);
    archive.optional(owner.name, [&](std::string& name) { archive.text(name); });
    archive.number(owner.is_selected);
    if (special && *special > Owners::isr) {
        archive.fail();
    }
    if (archive.is_reading()) {
        ref = archive.is_intact() ? owners.adopt(special, owner) : Owners::unknown;
    }
}

/// Writes a thread with its process, or reads it into other owners.
inline void visit_thread(Archive& archive, Owners& owners, ThreadRef& thread) {
    std::uint32_t id = archive.is_reading() ? 0 : owners.id_of(thread);
    OwnerRef owner = archive.is_reading() ? Owners::unknown : owners.owner_of(thread);
    archive.number(id);
    visit_owner(archive, owners, owner);
    if (archive.is_reading()) {
        thread = archive.is_intact() ? owners.adopt_thread(id, owner) : 0;
    }
}

} // namespace etl::analysis
