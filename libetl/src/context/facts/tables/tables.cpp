#include "facts/tables/tables.hpp"

#include <tuple>
#include <utility>

namespace etl::facts {

namespace {

/// The bounds of a process for what was seen in it; none if it was over by then: what was seen is
/// of another process of that number, whose start was lost.
std::pair<std::int64_t, std::int64_t> bounds_of(const Processes& processes, std::uint32_t process,
                                                std::int64_t time) noexcept {
    const Processes::Life* life = processes.latest(process, time);
    return life != nullptr && time < life->end ? std::pair(life->begin, life->end)
                                               : std::pair(always, forever);
}

} // namespace

void Tables::build() {
    processes.build();
    end_defunct_processes();
    threads.build([&](std::uint32_t process, std::int64_t time) {
        return bounds_of(processes, process, time);
    });
    images.build();
    images.end_by([&](const ImageKey& key, std::int64_t begin) {
        return key.first == 0 ? forever : bounds_of(processes, key.first, begin).second;
    });
    join_image_ids();
    methods.build([&](std::uint32_t process, std::int64_t time) {
        return bounds_of(processes, process, time);
    });
    modules.build();
    scripts.build();
    files.build();
    std::ranges::sort(partitions);
    partitions.erase(std::ranges::unique(partitions).begin(), partitions.end());
    std::ranges::sort(volumes);
    volumes.erase(std::ranges::unique(volumes).begin(), volumes.end());
    std::ranges::stable_sort(volumes, std::ranges::greater{},
                             [&](const Volume& volume) { return name(volume.nt_path).size(); });
    frames.freeze();
    names.freeze();
    method_names.freeze();
    join_runtime_stacks();
    join_keys();
    share_user_parts();
    count();
}

void Tables::count() {
    counts.processes = processes.lives().size();
    counts.threads = threads.lives().size();
    counts.images = images.lives().size();
    counts.methods = methods.lives().size();
    counts.modules = modules.lives().size();
    counts.files = files.lives().size();
    counts.disks = partitions.size();
    counts.stacks = stacks.size();
    counts.distinct_stacks = frames.size();
    counts.bytes = names.used() + method_names.used() + frames.used();
}

// An exit that is not within the life of the process has no time.
void Tables::end_defunct_processes() {
    for (const ExitSeen& seen : seen_exits) {
        processes.end_open(seen.process, seen.time, [&](Processes::Life& life) {
            const bool is_known = life.begin <= seen.exit && seen.exit <= seen.time;
            life.end = is_known ? seen.exit : seen.time;
            life.value.is_defunct = true;
            life.value.is_end_unknown = !is_known;
        });
    }
    seen_exits = {};
}

// A record at the end of an interval may be about the next image at that address, so one inside
// takes precedence. The merge writes these records at the time of the records about the image.
void Tables::join_image_ids() {
    std::ranges::sort(seen_image_ids);
    image_ids.resize(images.lives().size());
    for (std::size_t i = 0; i < image_ids.size(); ++i) {
        const Images::Life& life = images.lives()[i];
        const auto of_image =
            std::ranges::equal_range(seen_image_ids, life.key, {}, &ImageIdSeen::key);
        auto at = std::ranges::lower_bound(of_image, life.begin, {}, &ImageIdSeen::time);
        for (; at != of_image.end() && at->time <= life.end; ++at) {
            NameId& text = image_ids[i][static_cast<std::size_t>(at->kind)];
            if (at->time < life.end || text == 0) {
                text = at->text;
            }
        }
    }
    seen_image_ids = {};
}

namespace {

constexpr std::uint32_t idle_process = 0;
constexpr std::uint32_t system_process = 4;

/// Whether an address of a stack is the kernel's. The width of its addresses is that of the
/// greatest: those of the kernel have the highest bit.
bool is_of_kernel(std::uint64_t address, std::span<const std::uint64_t> stack) noexcept {
    const bool is_wide = std::ranges::max(stack) >> 32U != 0;
    return (address >> (is_wide ? 63U : 31U) & 1U) != 0;
}

bool is_same_event(const StackPart& a, const StackPart& b) noexcept {
    return a.time == b.time && a.thread == b.thread;
}

std::tuple<std::int64_t, std::uint32_t, StackPart::Where> order_of(const StackPart& part) noexcept {
    return {part.time, part.thread, part.where};
}

} // namespace

// Of several stacks for one time, thread and part the first one seen counts: clocks can be too
// coarse to tell the events apart.
void Tables::join_keys() {
    std::ranges::sort(seen_stacks, {}, [](const SeenStack& seen) {
        const bool is_of_runtime = seen.part.where == StackPart::Where::runtime;
        return std::tuple(order_of(seen.part), is_of_runtime ? seen.part.processor : 0U,
                          seen.seen_at, seen.part.processor, seen.key, seen.part.frames);
    });
    std::ranges::sort(keys_created);
    std::ranges::sort(keys_ended);
    stacks.reserve(seen_stacks.size());
    for (const SeenStack& seen : seen_stacks) {
        StackPart part = seen.part;
        if (part.frames == 0) {
            part.frames = frames_of_reference(seen);
            counts.unknown_keys += part.frames == 0 ? 1U : 0U;
        }
        const bool is_repeated = !stacks.empty() && is_same_event(stacks.back(), part) &&
                                 stacks.back().where == part.where;
        if (is_repeated && part.where == StackPart::Where::runtime &&
            stacks.back().processor == part.processor) {
            stacks.back().frames = 0; // whose of the two it is cannot be known
        } else if (part.frames != 0 && (!is_repeated || part.where == StackPart::Where::runtime)) {
            stacks.push_back(part);
        }
    }
    seen_stacks = {};
    std::erase_if(stacks, [](const StackPart& part) { return part.frames == 0; });
}

namespace {

std::tuple<flow::RuntimeThread, std::int64_t> place_of(const RuntimeEvent& event) noexcept {
    return {event.of, event.time};
}

} // namespace

/// The event of a stack: the last one of the thread before it; null: none. Buffers are those of
/// processors, and a thread may have logged a later one on another processor. Times that are equal
/// decide nothing there.
RuntimeEvent* Tables::runtime_event_of(const RuntimeStack& stack) noexcept {
    const std::tuple at(stack.of, stack.time);
    const auto after = stack.before ? std::ranges::lower_bound(runtime_events, at, {}, place_of)
                                    : std::ranges::upper_bound(runtime_events, at, {}, place_of);
    const bool has_last = after != runtime_events.begin() && (after - 1)->of == stack.of;
    if (!stack.before || (has_last && (after - 1)->time > stack.before->time)) {
        return has_last ? &*(after - 1) : nullptr;
    }
    const auto own = std::ranges::equal_range(
        runtime_events, std::tuple(stack.of, stack.before->time), {}, place_of);
    // Of events that cannot be told apart, each has a stack of its own, and then none is shown.
    const auto found = std::ranges::find_if(own, [&](const RuntimeEvent& event) {
        return event.id == stack.before->id && !event.has_stack;
    });
    return found != own.end() ? &*found : nullptr;
}

// In the order of time, so that an event has the first stack that follows it.
void Tables::join_runtime_stacks() {
    std::ranges::stable_sort(runtime_events, {}, place_of);
    std::ranges::stable_sort(runtime_stacks, {}, [](const RuntimeStack& stack) {
        return std::tuple(stack.of, stack.time);
    });
    for (const RuntimeStack& stack : runtime_stacks) {
        RuntimeEvent* const event = runtime_event_of(stack);
        if (event != nullptr && !std::exchange(event->has_stack, true)) {
            seen_stacks.push_back({.part = {.time = event->time,
                                            .thread = stack.of.thread,
                                            .process = stack.of.process,
                                            .frames = stack.frames,
                                            .processor = event->id,
                                            .where = StackPart::Where::runtime},
                                   .seen_at = stack.time});
        }
    }
    runtime_events = {};
    runtime_stacks = {};
}

// A stack of the kernel may go on in the program: its outermost frame says user.
std::uint32_t Tables::frames_of_reference(const SeenStack& seen) const noexcept {
    const std::uint32_t own = frames_of_key(seen.key, seen.part.where, seen.seen_at);
    if (own != 0 || seen.part.where == StackPart::Where::user) {
        return own;
    }
    const std::uint32_t mixed = frames_of_key(seen.key, StackPart::Where::user, seen.seen_at);
    const auto addresses = frames[mixed];
    return !addresses.empty() && is_of_kernel(addresses.front(), addresses) ? mixed : 0;
}

// The kernel gives keys again and again: meant is what ended first at or behind the time of the
// reference, unless the key was created anew before that.
std::uint32_t Tables::frames_of_key(std::uint64_t key, StackPart::Where where,
                                    std::int64_t time) const noexcept {
    const auto by_time = [](const KeyMeaning& meaning) {
        return std::tuple(meaning.key, meaning.where, meaning.time);
    };
    const auto is_meant = [&](const KeyMeaning& meaning) {
        return meaning.key == key && meaning.where == where;
    };
    const std::tuple at(key, where, time);
    const auto ended = std::ranges::lower_bound(keys_ended, at, {}, by_time);
    const bool has_ended = ended != keys_ended.end() && is_meant(*ended);
    const auto behind = std::ranges::upper_bound(keys_created, at, {}, by_time);
    const bool is_created_before = behind != keys_created.begin() && is_meant(*(behind - 1));
    const bool is_created_again = behind != keys_created.end() && is_meant(*behind) &&
                                  (!has_ended || behind->time < ended->time);
    if (has_ended && !is_created_again) {
        return ended->frames;
    }
    return is_created_before ? (behind - 1)->frames : 0;
}

// The user-mode part is recorded when the thread leaves the kernel, once for all events since it
// entered.
void Tables::share_user_parts() {
    std::vector<StackPart> users;
    std::ranges::copy_if(stacks, std::back_inserter(users), [](const StackPart& part) {
        return part.where == StackPart::Where::user;
    });
    const auto by_thread = [](const StackPart& part) { return std::tuple(part.thread, part.time); };
    std::ranges::sort(users, {}, by_thread);
    const std::size_t count = stacks.size();
    for (std::size_t i = 0; i < count; ++i) {
        const StackPart part = stacks[i];
        const bool has_own = part.where != StackPart::Where::kernel ||
                             (i + 1 < count && is_same_event(part, stacks[i + 1]) &&
                              stacks[i + 1].where == StackPart::Where::user);
        if (has_own || part.process == idle_process || part.process == system_process ||
            !is_of_kernel(frames[part.frames].back(), frames[part.frames])) {
            continue;
        }
        const auto next = std::ranges::lower_bound(users, by_thread(part), {}, by_thread);
        const bool is_of_thread =
            next != users.end() && next->thread == part.thread && next->process == part.process &&
            threads.latest(part.thread, part.time) == threads.latest(part.thread, next->time);
        if (!is_of_thread) {
            continue;
        }
        StackPart& shared = stacks.emplace_back(part);
        shared.where = StackPart::Where::user;
        shared.frames = next->frames;
    }
    counts.shared_stacks = stacks.size() - count;
    std::ranges::sort(stacks, {}, order_of);
}

} // namespace etl::facts
