#include "base/text.hpp"
#include "flow/context.hpp"
#include "relog/edit.hpp"
#include "relog/kept_stacks.hpp"
#include "relog/limits.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace etl::relog {

namespace {

/// What makes events be of one kind.
struct Kind {
    Guid provider;
    std::uint32_t id = 0;     // id, type or hook, and which of them
    std::size_t metadata = 0; // TraceLogging: all its events have the id 0

    bool operator==(const Kind&) const = default;
};

struct KindHash {
    std::size_t operator()(const Kind& kind) const noexcept {
        constexpr std::size_t odd = 0x9E37'79B9'7F4A'7C15;
        return (std::hash<Guid>()(kind.provider) ^ kind.metadata) * odd + kind.id;
    }
};

Kind kind_of(const flow::Event& event) noexcept {
    const flow::EventHeader header = flow::read_header(event);
    const bool has_id = format::is_event(event.kind) || format::is_message(event.kind);
    const std::uint32_t number = has_id             ? header.id
                                 : header.is_kernel ? header.hook_id
                                                    : header.opcode;
    const std::uint32_t family = has_id ? 0U : header.is_kernel ? 1U : 2U;
    Kind kind{.provider = header.provider, .id = family << 16U | number};
    if (!header.items.empty()) {
        const Bytes metadata = flow::find_item(header, format::ItemType::event_schema_tl).data;
        kind.metadata = metadata.empty() ? 0 : std::hash<std::string_view>()(as_text(metadata));
    }
    return kind;
}

} // namespace

struct Downsampler::State {
    std::uint32_t every = 1;
    std::unordered_map<Kind, std::uint32_t, KindHash> seen; // since the last that was kept
    std::uint32_t seen_others = 0;                          // of kinds beyond all bounds
    KeptStamps stamps;
    RuntimeEvents<bool> runtime_events; // whether they are kept

    std::uint32_t& count_of(const Kind& kind) {
        if (seen.size() < limits::counted_kinds) {
            return seen[kind];
        }
        const auto found = seen.find(kind);
        return found != seen.end() ? found->second : seen_others;
    }
};

Downsampler::Downsampler(std::uint32_t every) : state_(std::make_unique<State>()) {
    state_->every = std::max(1U, every);
}

Downsampler::~Downsampler() = default;

bool Downsampler::keeps(const flow::Event& event) {
    if (state_->every == 1) {
        return true;
    }
    if (flow::stack_target(event) || flow::runtime_record_of(event) == flow::RuntimeRecord::stack) {
        return false;
    }
    if (flow::context_of(event) != flow::Context::none) {
        return true;
    }
    std::uint32_t& seen = state_->count_of(kind_of(event));
    const bool is_kept = seen == 0;
    seen = seen + 1 == state_->every ? 0 : seen + 1;
    return is_kept;
}

void Downsampler::edit(const flow::Event& event, Output& to) {
    if (const auto stack = flow::stack_target(event); stack && state_->every != 1) {
        if (state_->stamps.may_have(stack->time, stack->thread_id)) {
            to.pass();
        }
        return;
    }
    const flow::RuntimeRecord of_runtime = flow::runtime_record_of(event);
    if (of_runtime == flow::RuntimeRecord::stack && state_->every != 1) {
        if (state_->runtime_events.take(event).value_or(false)) {
            to.pass();
        }
        return;
    }
    const bool is_kept = keeps(event);
    if (of_runtime == flow::RuntimeRecord::event) {
        state_->runtime_events.add(event, is_kept);
    }
    if (!is_kept) {
        return;
    }
    state_->stamps.add(event, flow::read_header(event));
    to.pass();
}

} // namespace etl::relog
