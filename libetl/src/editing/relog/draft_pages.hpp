// Where drafts lie that are given on. Private to relog. One thread; pages may be let go of on any.
#pragma once

#include "flow/source.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace etl::relog {

/// Records, their events and buffer contexts, appended until one of them has no room. What is there
/// never moves.
class DraftPage {
public:
    /// With room for a record of `bytes` at least.
    explicit DraftPage(std::size_t bytes);

    /// A copy of `event`, behind the one before; null: no room.
    const flow::Event* add(const flow::Event& event) noexcept;

    bool has_room_for(std::size_t bytes) const noexcept { return bytes <= capacity_; }

    void clear() noexcept;

    std::size_t capacity() const noexcept { return capacity_; }

private:
    const flow::BufferContext* context_for(const flow::BufferContext& buffer) noexcept;

    std::size_t capacity_;
    std::unique_ptr<std::byte[]> memory_;
    std::unique_ptr<flow::Event[]> events_;
    std::unique_ptr<flow::BufferContext[]> contexts_;
    std::size_t used_ = 0; // bytes of memory_
    std::size_t events_used_ = 0;
    std::size_t contexts_used_ = 0;
};

using DraftPagePointer = std::shared_ptr<DraftPage>;

/// Pages that wait to be used again.
class DraftPageShelf : public std::enable_shared_from_this<DraftPageShelf> {
public:
    /// An empty page with room for `bytes`, which comes back here when its last holder lets go.
    DraftPagePointer take(std::size_t bytes);

private:
    void put(std::unique_ptr<DraftPage> page);

    std::mutex mutex_;
    std::vector<std::unique_ptr<DraftPage>> free_;
};

} // namespace etl::relog
