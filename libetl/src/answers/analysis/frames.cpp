#include "analysis/frames.hpp"

#include "analysis/names.hpp"
#include "analysis/samples.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace etl::analysis {

// Whether a stack reaches the start of its thread. docs/profilers.md#stacks

/// Returns whether a user-mode frame can be the outermost one: threads start in ntdll.dll, or of
/// old versions of Windows in kernel32.dll. The function is as in `etl cpu --by function`.
inline bool can_start_thread(std::string_view module, std::string_view function) {
    const std::string name = to_lower_ascii(module);
    const bool has_name = !function.starts_with(std::string(module) + "!0x");
    if (name == "ntdll.dll") {
        return !has_name || function.contains("ThreadStart") ||
               function.contains("LdrInitializeThunk");
    }
    return name == "kernel32.dll" &&
           (function.contains("BaseThreadStart") || function.contains("BaseProcessStart"));
}

namespace {

constexpr std::string_view other_name = "(other)";

bool is_kernel_address(std::uint64_t address) noexcept {
    return address >> 63U != 0; // of 64-bit Windows; 32-bit ones have images
}

} // namespace

void Function::append_to(std::string& to) const {
    const bool names_module =
        name.size() > module.size() && name.starts_with(module) && name[module.size()] == '!';
    if (!module.empty() && !names_module) {
        to.append(module).push_back('!');
    }
    to.append(name);
}

std::string_view label(StackEnd end) noexcept {
    switch (end) {
    case StackEnd::complete:
        break;
    case StackEnd::missing:
        return "(no stack)";
    case StackEnd::missing_user:
        return "(no user stack)";
    case StackEnd::truncated:
        return "(truncated)";
    case StackEnd::incomplete:
        return "(incomplete)";
    }
    return {};
}

struct Frames::State {
    NamesCache names;
    std::unordered_map<GroupKey, FunctionIndex, GroupKeyHash> functions; // by numbers of texts
    std::unordered_map<GroupKey, FrameRef, GroupKeyHash> frames;         // by address and function
    std::unordered_map<GroupKey, ImageRef, GroupKeyHash> images;         // by base, size, and path
    Texts paths;
};

Frames::Frames() : state_(std::make_unique<State>()) {
    functions_.push_back({{}, other_name, true});
    frames_.push_back({});
    for (const StackEnd end :
         {StackEnd::missing, StackEnd::missing_user, StackEnd::truncated, StackEnd::incomplete}) {
        frames_.push_back({.function = static_cast<FunctionIndex>(functions_.size())});
        functions_.push_back({{}, label(end), true});
    }
}

Frames::~Frames() = default;

void Frames::subscribe(Subscriptions& subscriptions) {
    NamesCache::subscribe(subscriptions);
}

bool Frames::takes(std::uint32_t tag) noexcept {
    return tag == NamesCache::image_tag;
}

void Frames::forget() {
    state_->names.forget();
}

FrameRef Frames::frame(const Context& context, const facts::CodeAddress& code) {
    const NamesCache::Name name = state_->names.name(context, code);
    if (name.function == 0) {
        ++dropped_;
        return other;
    }
    const auto [function, is_new_function] = state_->functions.try_emplace(
        GroupKey{name.module, name.function, 0}, static_cast<FunctionIndex>(functions_.size()));
    if (is_new_function) {
        const Texts& texts = state_->names.texts();
        functions_.push_back({texts.text(name.module), texts.text(name.function)});
    }
    const std::uint64_t image = tells_images_apart_ ? image_of(context, code) : 0;
    const GroupKey key{code.address, function->second,
                       image << 1U | (code.is_return_address ? 1U : 0U)};
    if (const auto known = state_->frames.find(key); known != state_->frames.end()) {
        return known->second;
    }
    if (frames_.size() >= limits::analysis_frames) {
        ++dropped_;
        return other;
    }
    const FrameRef added = add(context, code, function->second);
    state_->frames.emplace(key, added);
    return added;
}

FrameRef Frames::add(const Context& context, const facts::CodeAddress& code,
                     FunctionIndex function) {
    Frame frame{.address = code.address,
                .function = function,
                .kind = Frame::Kind::user,
                .is_caller = code.is_return_address};
    frame.image = image_of(context, code);
    if (frame.image != Frame::no_image) {
        frame.kind = images_[frame.image].process == 0 ? Frame::Kind::kernel : Frame::Kind::user;
    } else if (context.facts->method(code.process, code.address, code.time)) {
        frame.kind = Frame::Kind::generated;
    } else if (is_kernel_address(code.address)) {
        frame.kind = Frame::Kind::kernel;
    }
    frames_.push_back(frame);
    return static_cast<FrameRef>(frames_.size() - 1);
}

ImageRef Frames::image_of(const Context& context, const facts::CodeAddress& code) {
    const std::uint64_t address = code.address - (code.is_return_address ? 1 : 0);
    const auto image = context.facts->image(code.process, address, code.time);
    if (!image || image->path.empty()) {
        return Frame::no_image;
    }
    const GroupKey key{image->base, image->size, state_->paths.number_of(image->path)};
    const auto [known, is_new] =
        state_->images.try_emplace(key, static_cast<ImageRef>(images_.size()));
    if (is_new) {
        images_.push_back(*image);
    }
    return known->second;
}

void StackReader::add(const Context& context, const Place& place, std::uint64_t address,
                      bool is_return_address) {
    stack_.push_back(frames_.frame(context, {.process = place.process,
                                             .address = address,
                                             .time = place.time,
                                             .is_return_address = is_return_address}));
}

/// How a stack ends that is there and not truncated.
StackEnd StackReader::outer_end(const Place& place) const {
    const Frame& last = frames_[stack_.back()];
    if (last.kind == Frame::Kind::kernel) {
        return place.has_user_mode ? StackEnd::missing_user : StackEnd::complete;
    }
    const Function& outermost = frames_.function(last.function);
    return can_start_thread(outermost.module, outermost.name) ? StackEnd::complete
                                                              : StackEnd::incomplete;
}

Stack StackReader::read(const Context& context, const Place& place) {
    stack_.clear();
    if (place.sampled) {
        add(context, place, *place.sampled, false);
    }
    const EventStack parts = stack_of(context, place.thread, place.time);
    for_each_return_address(context, parts, place.sampled,
                            [&](std::uint64_t address, facts::StackPart::Where) {
                                add(context, place, address, true);
                            });
    const auto size_of = [&](const facts::StackPart* part) {
        return part == nullptr ? std::size_t{0} : context.facts->frames(*part).size();
    };
    const std::size_t kernel = size_of(parts.kernel), user = size_of(parts.user);
    return {.frames = stack_,
            .end = kernel + user == 0                                      ? StackEnd::missing
                   : std::max(kernel, user) >= limits::analysis_full_stack ? StackEnd::truncated
                                                                           : outer_end(place)};
}

Stack StackReader::read(const Context& context, const Place& place,
                        std::span<const std::uint64_t> addresses) {
    stack_.clear();
    if (place.sampled) {
        add(context, place, *place.sampled, false);
    }
    const bool begins_with_sampled =
        place.sampled && !addresses.empty() && addresses.front() == *place.sampled;
    for (const std::uint64_t address : addresses.subspan(begins_with_sampled ? 1 : 0)) {
        add(context, place, address, true);
    }
    return {.frames = stack_,
            .end = addresses.empty()                                 ? StackEnd::missing
                   : addresses.size() >= limits::analysis_full_stack ? StackEnd::truncated
                                                                     : outer_end(place)};
}

StackTable::StackTable() : nodes_(2) {
    constexpr std::size_t first_size = 1024;
    slots_.resize(first_size);
}

namespace {

std::size_t hash_of(StackRef parent, FrameRef frame) noexcept {
    return GroupKeyHash{}({parent, frame, 0});
}

} // namespace

StackRef StackTable::child(StackRef parent, FrameRef frame) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash_of(parent, frame) & mask;
    for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
        const Node& node = nodes_[slots_[slot]];
        if (node.parent == parent && node.frame == frame) {
            return slots_[slot];
        }
    }
    if (nodes_.size() >= limits::analysis_stacks) {
        ++dropped_;
        return other;
    }
    const auto added = static_cast<StackRef>(nodes_.size());
    nodes_.push_back({parent, frame});
    slots_[slot] = added;
    if (nodes_.size() * 2 > slots_.size()) {
        grow();
    }
    return added;
}

void StackTable::grow() {
    slots_.assign(slots_.size() * 2, 0);
    const std::size_t mask = slots_.size() - 1;
    for (StackRef node = other + 1; node < nodes_.size(); ++node) {
        std::size_t slot = hash_of(nodes_[node].parent, nodes_[node].frame) & mask;
        while (slots_[slot] != 0) {
            slot = (slot + 1) & mask;
        }
        slots_[slot] = node;
    }
}

StackRef StackTable::add(const Stack& stack) {
    StackRef node = root;
    if (stack.end != StackEnd::complete) {
        node = child(node, Frames::marker(stack.end));
    }
    for (std::size_t i = stack.frames.size(); i-- > 0 && node != other;) {
        node = child(node, stack.frames[i]);
    }
    return node;
}

} // namespace etl::analysis
