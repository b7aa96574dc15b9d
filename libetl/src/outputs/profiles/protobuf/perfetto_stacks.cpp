#include "profiles/protobuf/perfetto_stacks.hpp"

#include "symbols/symbol_file.hpp"

#include <algorithm>

namespace etl::profiles {

namespace {

using analysis::Frame;
using analysis::FrameRef;
using analysis::StackRef;
using analysis::StackTable;

/// Fields of InternedData.
namespace interned {
constexpr std::uint32_t function_names = 5, frames = 6, callstacks = 7, build_ids = 16,
                        mapping_paths = 17, mappings = 19;
}

/// Numbers of interned data begin at 1.
constexpr std::uint64_t iid(std::uint32_t index) noexcept {
    return std::uint64_t{index} + 1;
}

void add_text(std::string& to, std::uint32_t field, std::uint64_t number, std::string_view text) {
    std::string message;
    Proto(message).number(1, number).bytes(2, text);
    Proto(to).bytes(field, message);
}

} // namespace

/// Writes the first packet of the sequence.
void PerfettoStacks::begin(std::string_view timebase) {
    has_begun_ = true;
    constexpr std::uint32_t cleared = 1;
    std::string sample_defaults, defaults;
    Proto(sample_defaults).bytes(1, timebase);
    Proto(defaults).bytes(12, sample_defaults);
    packet_.clear();
    Proto(packet_)
        .number(packet::timestamp, 0)
        .number(packet::sequence, sequence_)
        .number(packet::sequence_flags, cleared)
        .bytes(packet::defaults, defaults)
        .number(packet::first_on_sequence, true);
    to_->write(packet_);
}

void PerfettoStacks::add(const analysis::ThreadSample& sample, std::optional<std::uint32_t> process,
                         std::optional<std::uint32_t> thread) {
    if (!has_begun_) {
        constexpr std::uint32_t cpu_clock = 1;
        std::string timebase;
        Proto(timebase)
            .number(1, sample.interval_ns)
            .number(4, cpu_clock)
            .bytes(10, "SampledProfile");
        begin(timebase);
    }
    add({.time = sample.time,
         .processor = sample.processor,
         .weight = sample.weight_ns,
         .stack = &sample.stack,
         .process = process,
         .thread = thread});
}

void PerfettoStacks::add(const analysis::CounterSample& sample,
                         std::optional<std::uint32_t> process,
                         std::optional<std::uint32_t> thread) {
    if (!has_begun_) {
        std::string timebase;
        Proto(timebase).number(1, sample.weight).bytes(10, (*context_.sources)[sample.source].name);
        begin(timebase);
    }
    add({.time = sample.time,
         .processor = sample.processor,
         .weight = sample.weight,
         .stack = &sample.stack,
         .process = process,
         .thread = thread});
}

void PerfettoStacks::add(const Sample& sample) {
    const StackRef stack = stacks_.add(*sample.stack);
    interned_.clear();
    describe(stack);
    if (sample.processor >= totals_.size()) {
        totals_.resize(sample.processor + std::size_t{1});
    }
    totals_[sample.processor] += sample.weight;
    message_.clear();
    Proto to(message_);
    to.number(1, sample.processor);
    if (sample.process) {
        to.number(2, *sample.process);
    }
    if (sample.thread) {
        to.number(3, *sample.thread);
    }
    constexpr std::uint32_t kernel_mode = 1, user_mode = 2;
    const bool is_kernel =
        (*context_.frames)[sample.stack->frames.front()].kind == Frame::Kind::kernel;
    to.number(4, std::uint64_t{stack})
        .number(5, is_kernel ? kernel_mode : user_mode)
        .number(6, totals_[sample.processor]);
    constexpr std::uint32_t needs_state = 2;
    packet_.clear();
    Proto packet(packet_);
    packet.number(packet::timestamp, context_.since_begin(sample.time))
        .number(packet::sequence, sequence_)
        .number(packet::sequence_flags, needs_state);
    if (!interned_.empty()) {
        packet.bytes(packet::interned_data, interned_);
    }
    packet.bytes(packet::perf_sample, message_);
    to_->write(packet_);
}

bool PerfettoStacks::is_new(std::vector<bool>& seen, std::size_t index) {
    if (index >= seen.size()) {
        seen.resize(std::max(index + 1, seen.size() * 2));
    }
    const bool is_new = !seen[index];
    seen[index] = true;
    return is_new;
}

/// The number of a stack is that of its innermost node. Its frames are outermost first.
void PerfettoStacks::describe(StackRef stack) {
    if (!is_new(seen_stacks_, stack)) {
        return;
    }
    std::vector<FrameRef> frames;
    for (StackRef node = stack; node != StackTable::root; node = stacks_[node].parent) {
        frames.push_back(stacks_[node].frame);
        describe_frame(frames.back());
    }
    std::string message;
    Proto to(message);
    to.number(1, std::uint64_t{stack});
    for (std::size_t i = frames.size(); i-- > 0;) {
        to.number(2, iid(frames[i]));
    }
    Proto(interned_).bytes(interned::callstacks, message);
}

void PerfettoStacks::describe_frame(FrameRef number) {
    if (!is_new(seen_frames_, number)) {
        return;
    }
    const Frame& frame = (*context_.frames)[number];
    if (is_new(seen_functions_, frame.function)) {
        name_.clear();
        context_.frames->function(frame.function).append_to(name_);
        add_text(interned_, interned::function_names, iid(frame.function), name_);
    }
    std::string message;
    Proto to(message);
    to.number(1, iid(number)).number(2, iid(frame.function));
    if (frame.image != Frame::no_image) {
        describe_image(frame.image);
        to.number(3, iid(frame.image));
        to.number(4, frame.instruction() - context_.frames->image(frame.image).base);
    }
    Proto(interned_).bytes(interned::frames, message);
}

void PerfettoStacks::describe_image(analysis::ImageRef number) {
    if (!is_new(seen_images_, number)) {
        return;
    }
    const facts::Image& image = context_.frames->image(number);
    add_text(interned_, interned::mapping_paths, iid(number), image.path);
    std::string message;
    Proto to(message);
    to.number(1, iid(number));
    if (image.pdb) {
        add_text(interned_, interned::build_ids, iid(number),
                 symbols::Identity{image.pdb->guid, image.pdb->age}.key());
        to.number(2, iid(number));
    }
    to.number(4, image.base).number(5, image.base + image.size).number(7, iid(number));
    Proto(interned_).bytes(interned::mappings, message);
}

} // namespace etl::profiles
