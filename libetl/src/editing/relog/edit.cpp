#include "relog/edit.hpp"

#include "relog/draft_pages.hpp"
#include "relog/limits.hpp"
#include "relog/waiting_drafts.hpp"

#include <utility>
#include <vector>

namespace etl::relog {

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
