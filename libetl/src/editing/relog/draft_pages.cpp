#include "relog/draft_pages.hpp"

#include <algorithm>
#include <cstring>

namespace etl::relog {

namespace {

constexpr std::size_t page_bytes = 64U << 10U;
constexpr std::size_t page_events = 512;
constexpr std::size_t page_contexts = 256;
constexpr std::size_t kept_pages = 64; // more than that is only needed now and then

/// `bytes` is what differs anyhow.
bool is_same(const flow::BufferContext& a, const flow::BufferContext& b) noexcept {
    return a.trace == b.trace && a.where == b.where && a.number == b.number &&
           a.sequence == b.sequence && a.processor == b.processor && a.logger_id == b.logger_id &&
           a.flags == b.flags;
}

} // namespace

DraftPage::DraftPage(std::size_t bytes)
    : capacity_(std::max(bytes, page_bytes)),
      memory_(std::make_unique_for_overwrite<std::byte[]>(capacity_)),
      events_(std::make_unique<flow::Event[]>(page_events)),
      contexts_(std::make_unique<flow::BufferContext[]>(page_contexts)) {}

const flow::BufferContext* DraftPage::context_for(const flow::BufferContext& buffer) noexcept {
    if (contexts_used_ > 0 && is_same(contexts_[contexts_used_ - 1], buffer)) {
        return &contexts_[contexts_used_ - 1];
    }
    if (contexts_used_ == page_contexts) {
        return nullptr;
    }
    flow::BufferContext& context = contexts_[contexts_used_++];
    context = buffer;
    context.bytes = {memory_.get(), capacity_};
    return &context;
}

const flow::Event* DraftPage::add(const flow::Event& event) noexcept {
    const std::size_t size = format::padded(event.size);
    if (events_used_ == page_events || size > capacity_ - used_) {
        return nullptr;
    }
    const flow::BufferContext* const context = context_for(*event.buffer);
    if (context == nullptr) {
        return nullptr;
    }
    std::byte* const to = memory_.get() + used_;
    std::memcpy(to, event.record, event.size);
    std::memset(to + event.size, 0, size - event.size);
    used_ += size;
    flow::Event& added = events_[events_used_++];
    added = event;
    added.record = to;
    added.buffer = context;
    return &added;
}

void DraftPage::clear() noexcept {
    used_ = 0;
    events_used_ = 0;
    contexts_used_ = 0;
}

DraftPagePointer DraftPageShelf::take(std::size_t bytes) {
    std::unique_ptr<DraftPage> page;
    {
        const std::scoped_lock lock(mutex_);
        if (!free_.empty() && free_.back()->has_room_for(bytes)) {
            page = std::move(free_.back());
            free_.pop_back();
        }
    }
    if (!page) {
        page = std::make_unique<DraftPage>(bytes);
    }
    page->clear();
    return {page.release(), [shelf = shared_from_this()](DraftPage* done) {
                shelf->put(std::unique_ptr<DraftPage>(done));
            }};
}

void DraftPageShelf::put(std::unique_ptr<DraftPage> page) {
    if (page->capacity() != page_bytes) {
        return; // made for one large record
    }
    const std::scoped_lock lock(mutex_);
    if (free_.size() < kept_pages) {
        free_.push_back(std::move(page));
    }
}

} // namespace etl::relog
