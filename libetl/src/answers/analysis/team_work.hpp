// Who of a team of threads does what next. Private to analysis.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

namespace etl::analysis {

/// What threads have to do with the parts of a batch of events: to prepare each, and to read them,
/// each reader in order. Those that are behind read first: all read a part while it is in the
/// caches of the processors, and a reader that takes long is not left over. Thread-safe.
class TeamWork {
public:
    struct Task {
        std::size_t part = 0;
        std::optional<std::size_t> reader{}; // none: prepares
    };

    /// Begins a batch, before next().
    void begin(std::size_t parts, std::size_t readers) {
        is_prepared_.assign(parts, false);
        readers_.assign(readers, {});
        next_part_ = 0;
    }

    /// Returns a task, which finish() follows; waits for one that depends on those of others.
    /// Nothing: there are no more.
    std::optional<Task> next() {
        std::unique_lock lock(mutex_);
        for (;;) {
            if (const auto task = find()) {
                return task;
            }
            if (std::ranges::all_of(readers_, [&](const Reader& one) { return is_last(one); })) {
                return std::nullopt;
            }
            changed_.wait(lock);
        }
    }

    void finish(const Task& task) {
        {
            const std::scoped_lock lock(mutex_);
            if (task.reader) {
                readers_[*task.reader].is_at_work = false;
                ++readers_[*task.reader].part;
            } else {
                is_prepared_[task.part] = true;
            }
        }
        changed_.notify_all();
    }

private:
    struct Reader {
        std::size_t part = 0; // that it reads, or reads next
        bool is_at_work = false;
    };

    /// Whether the reader has no part left that nobody reads.
    bool is_last(const Reader& reader) const noexcept {
        return reader.part + (reader.is_at_work ? 1 : 0) >= is_prepared_.size();
    }

    /// One part is prepared in advance.
    std::optional<Task> find() {
        Reader* const reader = furthest_behind();
        const bool can_read = reader != nullptr && is_prepared_[reader->part];
        if (next_part_ < is_prepared_.size() && (!can_read || next_part_ <= reader->part + 1)) {
            return Task{next_part_++};
        }
        if (can_read) {
            reader->is_at_work = true;
            return Task{reader->part, static_cast<std::size_t>(reader - readers_.data())};
        }
        return std::nullopt;
    }

    /// Of the readers that can go on; null: none.
    Reader* furthest_behind() noexcept {
        Reader* behind = nullptr;
        for (Reader& one : readers_) {
            if (!one.is_at_work && one.part < is_prepared_.size() &&
                (behind == nullptr || one.part < behind->part)) {
                behind = &one;
            }
        }
        return behind;
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<bool> is_prepared_; // by part
    std::size_t next_part_ = 0;     // to prepare
    std::vector<Reader> readers_;
};

} // namespace etl::analysis
