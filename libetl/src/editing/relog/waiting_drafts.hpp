// Drafts that were made ahead of their time, the earliest first. Private to relog. One thread.
#pragma once

#include "flow/event.hpp"

#include <compare>
#include <memory>
#include <vector>

namespace etl::relog {

/// Of two events of one trace the raw time stamps decide, of two traces wall time.
bool is_later(const flow::Event& event, const flow::Event& than) noexcept;

class WaitingDrafts {
public:
    bool empty() const noexcept { return heap_.empty(); }

    /// What those that wait occupy.
    std::size_t bytes() const noexcept { return bytes_; }

    /// Keeps a copy.
    void add(const flow::Event& event);

    /// The earliest; of equal times the one added first. Valid until pop().
    const flow::Event& first() const noexcept { return drafts_[heap_.front().draft]->event; }

    void pop();

private:
    struct Draft {
        std::vector<std::byte> record;
        flow::BufferContext buffer;
        flow::Event event;
    };

    struct Place {
        std::int64_t wall = 0; // Filetime
        std::uint32_t file = 0;
        std::int64_t raw = 0;
        std::uint64_t order = 0;
        std::uint32_t draft = 0; // index in drafts_

        auto operator<=>(const Place&) const = default;
    };

    std::uint32_t free_draft();

    std::vector<Place> heap_; // the least at the front
    std::vector<std::unique_ptr<Draft>> drafts_;
    std::vector<std::uint32_t> free_; // indices in drafts_
    std::size_t bytes_ = 0;
    std::size_t free_bytes_ = 0; // that the free ones still have
    std::uint64_t order_ = 0;
};

} // namespace etl::relog
