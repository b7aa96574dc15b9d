#include <etl/flow/filters.hpp>
#include <etl/relog/keep_context.hpp>

#include "relog/kept_stacks.hpp"

namespace etl::relog {

namespace {

using format::ItemType;

bool is_stack_item(ItemType type) noexcept {
    return type == ItemType::stack_trace32 || type == ItemType::stack_trace64 ||
           type == ItemType::stack_key32 || type == ItemType::stack_key64;
}

std::uint64_t load_key(Bytes from, bool wide) noexcept {
    return wide ? load_le<std::uint64_t>(from.data()) : load_le<std::uint32_t>(from.data());
}

/// At `at` of a payload, in the width of its record; nothing when it does not reach there.
std::optional<std::uint64_t> key_at(const flow::EventHeader& header, std::size_t at) noexcept {
    const std::size_t width = header.pointer_size == 4 ? 4 : 8;
    if (header.payload.size() < at + width) {
        return std::nullopt;
    }
    return load_key(header.payload.subspan(at), width == 8);
}

} // namespace

struct KeepContext::State {
    State(flow::Source& upstream, Predicate predicate)
        : kept(std::move(predicate)),
          filter(upstream, [this](const flow::Event& event) { return passes(event); }) {}

    bool passes(const flow::Event& event);
    void remember(const flow::Event& event);
    void remember_items(const flow::EventHeader& header);
    bool passes_stack(const flow::Event& event, const flow::StackOf& stack, bool is_kept);

    Predicate kept;
    KeptStamps stamps;
    NamedKeys keys;
    flow::WhereFilter filter;
};

bool KeepContext::State::passes(const flow::Event& event) {
    const bool is_kept = kept(event);
    if (const auto stack = flow::stack_of(event)) {
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

bool KeepContext::State::passes_stack(const flow::Event& event, const flow::StackOf& stack,
                                      bool is_kept) {
    if (!is_kept && !stamps.may_have(stack.time, stack.thread_id)) {
        return false;
    }
    constexpr std::uint8_t of_frames = 32;
    constexpr std::size_t key_offset = 16;
    const flow::EventHeader header = flow::read_header(event);
    if (header.opcode != of_frames) {
        if (const auto key = key_at(header, key_offset)) {
            keys.add(*key);
        }
    }
    return true;
}

// Records of the kernel have their stacks behind them; events carry theirs, or say under which
// number the rest of it comes.
void KeepContext::State::remember(const flow::Event& event) {
    using format::RecordKind;
    if (!event.has_time) {
        return;
    }
    switch (event.kind) {
    case RecordKind::perfinfo32:
    case RecordKind::perfinfo64:
        stamps.add(event.raw_time, flow::no_id);
        return;
    case RecordKind::system32:
    case RecordKind::system64:
    case RecordKind::compact32:
    case RecordKind::compact64:
    case RecordKind::full32:
    case RecordKind::full64: {
        // A disk answers to whatever thread runs then; the stack is that of the one who asked.
        constexpr unsigned disk_group = 0x01;
        const flow::EventHeader header = flow::read_header(event);
        const bool is_disk = header.is_kernel && header.hook_id >> 8U == disk_group;
        stamps.add(event.raw_time, is_disk ? flow::no_id : header.thread_id);
        return;
    }
    case RecordKind::event32:
    case RecordKind::event64:
        remember_items(flow::read_header(event));
        return;
    case RecordKind::none:
    case RecordKind::instance32:
    case RecordKind::instance64:
    case RecordKind::timed:
    case RecordKind::error:
    case RecordKind::message:
    case RecordKind::wnode:
    case RecordKind::ulong32:
        return;
    }
}

void KeepContext::State::remember_items(const flow::EventHeader& header) {
    format::ExtendedItems items(header.items);
    format::ExtendedItem item;
    while (items.next(item)) {
        if (!is_stack_item(item.type) || item.data.size() < 8) {
            continue;
        }
        if (const auto match = load_le<std::int64_t>(item.data.data()); match != 0) {
            stamps.add(match, header.thread_id);
        }
        const bool wide = item.type == ItemType::stack_key64;
        const Bytes key = item.data.subspan(8);
        if ((wide && key.size() >= 8) || (item.type == ItemType::stack_key32 && key.size() >= 4)) {
            keys.add(load_key(key, wide));
        }
    }
}

KeepContext::KeepContext(flow::Source& upstream, Predicate kept)
    : state_(std::make_unique<State>(upstream, std::move(kept))) {}

KeepContext::~KeepContext() = default;

flow::Run KeepContext::next_run() {
    return state_->filter.next_run();
}

flow::Pin KeepContext::pin() const {
    return state_->filter.pin();
}

const Error* KeepContext::error() const noexcept {
    return state_->filter.error();
}

} // namespace etl::relog
