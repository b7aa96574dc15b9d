#include "relog/context_filter.hpp"

#include "flow/filters.hpp"
#include "relog/kept_stacks.hpp"

namespace etl::relog {

namespace {

/// At `at` of a payload, in the width of its record; nothing when it does not reach there.
std::optional<std::uint64_t> key_at(const flow::EventHeader& header, std::size_t at) noexcept {
    const std::size_t width = header.pointer_size == 4 ? 4 : 8;
    if (header.payload.size() < at + width) {
        return std::nullopt;
    }
    const std::byte* const key = header.payload.data() + at;
    return width == 4 ? load_le<std::uint32_t>(key) : load_le<std::uint64_t>(key);
}

enum class StackKind : std::uint8_t { kernel, user };

/// By the type, or, of a record with frames, by the outermost one.
StackKind kind_of(const flow::EventHeader& header) noexcept {
    constexpr std::uint8_t kernel_key = 37, user_key = 38;
    constexpr std::size_t frames_offset = 16;
    if (header.opcode == kernel_key || header.opcode == user_key) {
        return header.opcode == kernel_key ? StackKind::kernel : StackKind::user;
    }
    const std::size_t width = header.pointer_size == 4 ? 4 : 8;
    const std::size_t size = header.payload.size();
    const auto outermost =
        size < frames_offset + width ? std::nullopt : key_at(header, size - width);
    return outermost && *outermost >> (8 * width - 1) != 0 ? StackKind::kernel : StackKind::user;
}

} // namespace

struct ContextFilter::State {
    State(flow::Source& upstream, Predicate predicate)
        : kept(std::move(predicate)),
          filter(upstream, [this](const flow::Event& event) { return passes(event); }) {}

    bool passes(const flow::Event& event);
    void remember(const flow::Event& event);
    bool passes_stack(const flow::Event& event, const flow::StackTarget& stack, bool is_kept);

    Predicate kept;
    KeptStamps stamps;
    RuntimeEvents<bool> runtime_events; // whether they are kept
    NamedKeys keys;
    AwaitedUserParts user_parts;
    flow::WhereFilter filter;
};

bool ContextFilter::State::passes(const flow::Event& event) {
    const bool is_kept = kept(event);
    const flow::RuntimeRecord of_runtime = flow::runtime_record_of(event);
    if (of_runtime == flow::RuntimeRecord::stack) {
        const bool is_of_kept = runtime_events.take(event).value_or(runtime_events.has_forgotten());
        return is_kept || is_of_kept;
    }
    if (of_runtime == flow::RuntimeRecord::event) {
        runtime_events.add(event, is_kept);
    }
    if (const auto stack = flow::stack_target(event)) {
        return passes_stack(event, *stack, is_kept);
    }
    const flow::Context context = flow::context_of(event);
    if (is_kept) {
        remember(event);
        return true;
    }
    if (context != flow::Context::stack) {
        return context != flow::Context::none;
    }
    // A key that is made says so before anybody can name it.
    constexpr std::uint8_t made = 34;
    const flow::EventHeader header = flow::read_header(event);
    const auto key = key_at(header, 0);
    return header.opcode == made || !key || keys.may_have(*key);
}

bool ContextFilter::State::passes_stack(const flow::Event& event, const flow::StackTarget& stack,
                                        bool is_kept) {
    const flow::EventHeader header = flow::read_header(event);
    const bool is_of_kept = is_kept || stamps.may_have(stack.time, stack.thread_id);
    if (kind_of(header) == StackKind::user) {
        const bool is_awaited = user_parts.take(stack.thread_id, stack.time);
        if (!is_of_kept && !is_awaited) {
            return false;
        }
    } else if (!is_of_kept) {
        return false;
    } else {
        user_parts.add(stack.thread_id, stack.time);
    }
    constexpr std::uint8_t of_frames = 32;
    constexpr std::size_t key_offset = 16;
    if (header.opcode != of_frames) {
        if (const auto key = key_at(header, key_offset)) {
            keys.add(*key);
        }
    }
    return true;
}

void ContextFilter::State::remember(const flow::Event& event) {
    const flow::EventHeader header = flow::read_header(event);
    stamps.add(event, header);
    flow::StackItems items(header);
    flow::StackItem item;
    while (items.next(item)) {
        if (item.key) {
            keys.add(*item.key);
        }
    }
}

ContextFilter::ContextFilter(flow::Source& upstream, Predicate kept)
    : state_(std::make_unique<State>(upstream, std::move(kept))) {}

ContextFilter::~ContextFilter() = default;

flow::Run ContextFilter::next_run() {
    return state_->filter.next_run();
}

flow::Pin ContextFilter::pin() const {
    return state_->filter.pin();
}

const Error* ContextFilter::error() const noexcept {
    return state_->filter.error();
}

} // namespace etl::relog
