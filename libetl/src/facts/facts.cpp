#include <etl/facts/facts.hpp>

#include "facts/tables.hpp"

#include <tuple>

namespace etl::facts {

namespace {

/// Images that are looked at to find the one that an address lies in: those of one process that
/// begin below it. They do not overlap but by damage.
constexpr int image_tries = 8;

const Images::Life* find_image(std::span<const Images::Life> lives, std::uint32_t process,
                               std::uint64_t address, std::int64_t time) noexcept {
    auto behind =
        std::ranges::upper_bound(lives, ImageKey(process, address), {}, &Images::Life::key);
    for (int tries = 0; tries < image_tries && behind != lives.begin(); ++tries) {
        const ImageKey key = (behind - 1)->key;
        if (key.first != process) {
            break;
        }
        const auto first =
            std::ranges::lower_bound(lives.begin(), behind, key, {}, &Images::Life::key);
        const auto later = std::ranges::upper_bound(first, behind, time, {}, &Images::Life::begin);
        if (later != first) {
            const Images::Life& life = *(later - 1);
            if (address - key.second < life.value.size && time < life.end) {
                return &life;
            }
        }
        behind = first;
    }
    return nullptr;
}

Process as_process(const Tables& tables, const Processes::Life& life) noexcept {
    return {life.key,
            life.value.parent,
            life.begin,
            life.end,
            tables.name(life.value.name),
            tables.name(life.value.command_line)};
}

} // namespace

std::string_view Image::name() const noexcept {
    return path.substr(path.find_last_of('\\') + 1);
}

void Tables::build() {
    processes.build();
    threads.build();
    images.build();
    files.build();
    std::ranges::sort(partitions);
    partitions.erase(std::ranges::unique(partitions).begin(), partitions.end());
    std::ranges::sort(keys_created);
    std::ranges::sort(keys_ended);
    frames.freeze();
    names.freeze();
    join_keys();
    counts.processes = processes.lives().size();
    counts.threads = threads.lives().size();
    counts.images = images.lives().size();
    counts.files = files.lives().size();
    counts.disks = partitions.size();
    counts.stacks = stacks.size();
    counts.distinct_stacks = frames.size();
    counts.bytes = names.used() + frames.used();
}

// Of several stacks for one time, thread and part the first one seen counts: clocks can be too
// coarse to tell the events apart.
void Tables::join_keys() {
    std::ranges::sort(seen_stacks, {}, [](const SeenStack& seen) {
        const StackPart& part = seen.part;
        return std::tuple(part.time, part.thread, part.where, seen.seen_at, part.processor,
                          seen.key, part.frames);
    });
    stacks.reserve(seen_stacks.size());
    for (const SeenStack& seen : seen_stacks) {
        StackPart part = seen.part;
        if (part.frames == 0) {
            part.frames = frames_of_key(seen.key, seen.seen_at);
            counts.unknown_keys += part.frames == 0 ? 1U : 0U;
        }
        const bool is_repeated = !stacks.empty() && stacks.back().time == part.time &&
                                 stacks.back().thread == part.thread &&
                                 stacks.back().where == part.where;
        if (part.frames != 0 && !is_repeated) {
            stacks.push_back(part);
        }
    }
    seen_stacks = {};
}

// The kernel gives keys again and again: meant is what ended first at or behind the time of the
// reference, unless the key was created anew before that.
std::uint32_t Tables::frames_of_key(std::uint64_t key, std::int64_t time) const noexcept {
    const auto by_time = [](const KeyMeaning& meaning) {
        return std::tuple(meaning.key, meaning.time);
    };
    const auto ended = std::ranges::lower_bound(keys_ended, std::tuple(key, time), {}, by_time);
    const bool has_ended = ended != keys_ended.end() && ended->key == key;
    const auto behind = std::ranges::upper_bound(keys_created, std::tuple(key, time), {}, by_time);
    const bool is_created_before = behind != keys_created.begin() && (behind - 1)->key == key;
    const bool is_created_again = behind != keys_created.end() && behind->key == key &&
                                  (!has_ended || behind->time < ended->time);
    if (has_ended && !is_created_again) {
        return ended->frames;
    }
    return is_created_before ? (behind - 1)->frames : 0;
}

Facts::Facts() : tables_(std::make_unique<const Tables>()) {}

Facts::Facts(std::unique_ptr<Tables> tables) : tables_(std::move(tables)) {}

Facts::~Facts() = default;
Facts::Facts(Facts&&) noexcept = default;
Facts& Facts::operator=(Facts&&) noexcept = default;

std::optional<Process> Facts::process(std::uint32_t id, std::int64_t time) const noexcept {
    const Processes::Life* life = tables_->processes.latest(id, time);
    return life != nullptr ? std::optional(as_process(*tables_, *life)) : std::nullopt;
}

std::vector<Process> Facts::processes() const {
    std::vector<Process> all;
    for (const Processes::Life& life : tables_->processes.lives()) {
        all.push_back(as_process(*tables_, life));
    }
    return all;
}

std::uint32_t Facts::process_of_thread(std::uint32_t thread, std::int64_t time) const noexcept {
    const Threads::Life* life = tables_->threads.latest(thread, time);
    return life != nullptr ? life->value : flow::no_id;
}

std::optional<Image> Facts::image(std::uint32_t process, std::uint64_t address,
                                  std::int64_t time) const noexcept {
    const auto lives = tables_->images.lives();
    const Images::Life* life = find_image(lives, process, address, time);
    if (life == nullptr && process != 0) {
        life = find_image(lives, 0, address, time);
    }
    if (life == nullptr) {
        return std::nullopt;
    }
    return Image{life->key.first, life->key.second, life->value.size,
                 tables_->name(life->value.path)};
}

std::string_view Facts::file(std::uint64_t object, std::int64_t time) const noexcept {
    const Files::Life* life = object != 0 ? tables_->files.latest(object, time) : nullptr;
    return life != nullptr ? tables_->name(life->value) : std::string_view{};
}

void Facts::append_drives(std::string& to, std::uint32_t disk,
                          std::optional<std::uint64_t> offset) const {
    const auto all = std::ranges::equal_range(tables_->partitions, disk, {}, &Partition::disk);
    bool is_first = true;
    for (const Partition& partition : all) {
        if (!offset || *offset - partition.offset < partition.size) {
            to.append(is_first ? "" : ", ").append(tables_->name(partition.letters));
            is_first = false;
        }
    }
}

std::span<const StackPart> Facts::stacks(std::int64_t time) const noexcept {
    const auto all = std::ranges::equal_range(tables_->stacks, time, {}, &StackPart::time);
    return {all.begin(), all.end()};
}

std::span<const std::uint64_t> Facts::frames(const StackPart& part) const noexcept {
    return tables_->frames[part.frames];
}

std::span<const std::uint64_t> Facts::frames_of_key(std::uint64_t key,
                                                    std::int64_t time) const noexcept {
    return tables_->frames[tables_->frames_of_key(key, time)];
}

const Counts& Facts::counts() const noexcept {
    return tables_->counts;
}

} // namespace etl::facts
