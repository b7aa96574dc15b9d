#include "facts/tables/tables.hpp"

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

} // namespace etl::facts
