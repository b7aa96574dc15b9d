#include "relog/edit.hpp"

#include "flow/event.hpp"
#include "flow/source.hpp"
#include "relog/limits.hpp"

#include <algorithm>
#include <compare>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace etl::relog {

// Where drafts lie that are given on. One thread; pages may be let go of on any.

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

// Drafts that were made ahead of their time, the earliest first. One thread.

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

bool is_later(const flow::Event& event, const flow::Event& than) noexcept {
    const bool same_trace = event.buffer->trace == than.buffer->trace;
    return same_trace ? event.raw_time > than.raw_time : event.time() > than.time();
}

std::uint32_t WaitingDrafts::free_draft() {
    if (free_.empty()) {
        drafts_.push_back(std::make_unique<Draft>());
        return static_cast<std::uint32_t>(drafts_.size() - 1);
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();
    free_bytes_ -= drafts_[index]->record.capacity();
    return index;
}

void WaitingDrafts::add(const flow::Event& event) {
    const std::uint32_t index = free_draft();
    Draft& draft = *drafts_[index];
    const Bytes bytes = event.bytes();
    draft.record.assign(bytes.begin(), bytes.end());
    draft.buffer = *event.buffer;
    draft.buffer.bytes = draft.record;
    draft.event = event;
    draft.event.record = draft.record.data();
    draft.event.buffer = &draft.buffer;
    bytes_ += sizeof(Draft) + draft.record.capacity();
    heap_.push_back({.wall = event.time().ticks,
                     .file = event.trace().file,
                     .raw = event.raw_time,
                     .order = order_++,
                     .draft = index});
    std::ranges::push_heap(heap_, std::greater());
}

void WaitingDrafts::pop() {
    constexpr std::size_t kept = 1U << 20U; // of memory for records to come
    std::ranges::pop_heap(heap_, std::greater());
    const std::uint32_t index = heap_.back().draft;
    heap_.pop_back();
    Draft& draft = *drafts_[index];
    bytes_ -= sizeof(Draft) + draft.record.capacity();
    if (free_bytes_ + draft.record.capacity() > kept) {
        draft.record = {};
    }
    free_bytes_ += draft.record.capacity();
    free_.push_back(index);
}

namespace {

// Handed out before more is made.
constexpr std::size_t max_segments = 256;

/// A run that is ready.
struct Segment {
    flow::Run run;
    DraftPagePointer page; // of drafts; null: a part of the upstream's run
};

} // namespace

struct EditedSource::State final : Output {
    State(flow::Source& from, Edit& how) : upstream(&from), edit(&how) {}

    void pass() override;
    void emit(const Draft& draft) override;
    void emit_now(const Draft& draft) override;

    void emit(const flow::Event& event);
    void release_before(const flow::Event& event);
    bool ask_for_more();
    void fill();
    void finish();

    /// Null: there was none.
    const flow::Event* last_seen() const noexcept {
        return last.event().kind != format::RecordKind::none ? &last.event() : nullptr;
    }

    flow::Source* upstream;
    Edit* edit;
    flow::Run rest; // of the upstream's run
    const flow::Event* current = nullptr;
    const flow::Event* newest = nullptr; // of the upstream's run: its last one
    Draft last;                          // that, once the upstream was asked for more
    std::vector<Segment> ready;
    std::size_t handed_out = 0; // of ready
    std::shared_ptr<DraftPageShelf> shelf = std::make_shared<DraftPageShelf>();
    DraftPagePointer page; // that is being filled
    WaitingDrafts waiting;
    bool ended = false;
};

void EditedSource::State::pass() {
    if (current == nullptr) {
        return; // there is no event at the end
    }
    if (!ready.empty() && !ready.back().page) {
        flow::Run& run = ready.back().run;
        if (run.data() + run.size() == current) {
            run = {run.data(), run.size() + 1};
            return;
        }
    }
    ready.push_back({.run = {current, 1}, .page = nullptr});
}

/// A draft, or what one was, in its place behind what is ready.
void EditedSource::State::emit(const flow::Event& event) {
    const flow::Event* added = page ? page->add(event) : nullptr;
    if (added == nullptr) {
        page = shelf->take(format::padded(event.size));
        added = page->add(event);
    }
    if (!ready.empty() && ready.back().page == page) {
        flow::Run& run = ready.back().run;
        if (run.data() + run.size() == added && run.front().buffer == added->buffer) {
            run = {run.data(), run.size() + 1};
            return;
        }
    }
    ready.push_back({.run = {added, 1}, .page = page});
}

void EditedSource::State::emit(const Draft& draft) {
    const flow::Event& event = draft.event();
    if (event.kind == format::RecordKind::none) {
        return;
    }
    const flow::Event* const now = current != nullptr ? current : last_seen();
    const bool must_wait = event.has_time && (now == nullptr || is_later(event, *now));
    if (!must_wait) {
        return emit(event);
    }
    waiting.add(event);
    while (waiting.bytes() > limits::waiting_drafts) {
        emit(waiting.first());
        waiting.pop();
    }
}

void EditedSource::State::emit_now(const Draft& draft) {
    if (draft.event().kind != format::RecordKind::none) {
        emit(draft.event());
    }
}

void EditedSource::State::release_before(const flow::Event& event) {
    while (!waiting.empty() && !is_later(waiting.first(), event)) {
        emit(waiting.first());
        waiting.pop();
    }
}

void EditedSource::State::finish() {
    edit->finish(last_seen(), *this);
    while (!waiting.empty()) {
        emit(waiting.first());
        waiting.pop();
    }
    ended = true;
}

/// The last event is copied, not pinned: what keeps a pin makes most sources allocate a new block.
bool EditedSource::State::ask_for_more() {
    if (newest != nullptr) {
        last.assign(*newest);
    }
    rest = upstream->next_run();
    newest = rest.empty() ? nullptr : &rest.back();
    return newest != nullptr;
}

/// Makes runs ready, at least one unless the end has come. All that point into the upstream's run
/// are handed out before the next one is asked for.
void EditedSource::State::fill() {
    while (ready.size() < max_segments) {
        if (rest.empty()) {
            if (!ready.empty()) {
                return;
            }
            if (!ask_for_more()) {
                return finish();
            }
        }
        current = &rest.front();
        rest = rest.subspan(1);
        if (!waiting.empty()) [[unlikely]] {
            release_before(*current);
        }
        edit->edit(*current, *this);
        current = nullptr;
    }
}

EditedSource::EditedSource(flow::Source& upstream, Edit& edit)
    : state_(std::make_unique<State>(upstream, edit)) {}

EditedSource::~EditedSource() = default;

flow::Run EditedSource::next_run() {
    State& state = *state_;
    if (state.handed_out == state.ready.size()) {
        state.handed_out = 0;
        state.ready.clear();
        if (!state.ended) {
            state.fill();
        }
        if (state.ready.empty()) {
            return {};
        }
    }
    return state.ready[state.handed_out++].run;
}

flow::Pin EditedSource::pin() const {
    const State& state = *state_;
    if (state.handed_out > 0 && state.ready[state.handed_out - 1].page) {
        return state.ready[state.handed_out - 1].page;
    }
    return state.ended ? nullptr : state.upstream->pin();
}

const Error* EditedSource::error() const noexcept {
    return state_->upstream->error();
}

} // namespace etl::relog
