#include "facts/facts.hpp"

#include "base/text.hpp"
#include "facts/tables/interner.hpp"
#include "facts/tables/tables.hpp"

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
        const bool is_alone = behind - lives.begin() < 2 || (behind - 2)->key != key;
        const auto first =
            is_alone ? behind - 1
                     : std::ranges::lower_bound(lives.begin(), behind, key, {}, &Images::Life::key);
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
            tables.name(life.value.command_line),
            tables.name(life.value.path),
            life.value.is_defunct,
            !life.value.is_end_unknown};
}

Image as_image(const Tables& tables, const Images::Life& life) noexcept {
    const auto number = static_cast<std::size_t>(&life - tables.images.lives().data());
    const auto text = [&](ImageIdKind kind) {
        return tables.name(tables.image_ids[number][static_cast<std::size_t>(kind)]);
    };
    const InfoText info = info_of_text(text(ImageIdKind::info));
    return {.process = life.key.first,
            .base = life.key.second,
            .size = life.value.size,
            .path = tables.name(life.value.path),
            .begin = life.begin,
            .end = life.end,
            .time_date_stamp =
                info.time_date_stamp != 0 ? info.time_date_stamp : life.value.time_date_stamp,
            .original_name = info.name,
            .pdb = pdb_of_text(text(ImageIdKind::pdb)),
            .il_pdb = pdb_of_text(text(ImageIdKind::il_pdb))};
}

Method as_method(const Tables& tables, const MethodLives::Life& life, std::int64_t time) noexcept {
    const MethodValue& value = life.value;
    const Modules& modules = value.is_script ? tables.scripts : tables.modules;
    const Modules::Life* module = modules.latest(ModuleKey(life.key.first, value.module), time);
    return {.start = life.key.second,
            .size = value.size,
            .module = module != nullptr ? tables.name(module->value.path) : std::string_view{},
            .type = tables.method_name(value.type),
            .name = tables.method_name(value.name),
            .signature = tables.method_name(value.signature),
            .token = value.is_script ? 0 : value.token,
            .flags = value.flags,
            .line = value.is_script ? value.token : 0,
            .is_script = value.is_script};
}

ManagedModule as_module(const Tables& tables, const Modules::Life& life) noexcept {
    return {.process = life.key.first,
            .id = life.key.second,
            .il_path = tables.name(life.value.path),
            .native_path = tables.name(life.value.native_path),
            .begin = life.begin,
            .end = life.end,
            .pdb = pdb_of_text(tables.name(life.value.pdb)),
            .native_pdb = pdb_of_text(tables.name(life.value.native_pdb))};
}

} // namespace

std::string_view Image::name() const noexcept {
    return path.substr(path.find_last_of('\\') + 1);
}

// CoreCLR: MethodFlagsJitOptimizationTierShift.
Method::Tier Method::tier() const noexcept {
    return is_script ? Tier::unknown : static_cast<Tier>(flags >> 7U & 7U);
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

std::pair<std::int64_t, std::int64_t> Facts::life_around(std::uint32_t id,
                                                         std::int64_t time) const noexcept {
    const std::span<const Processes::Life> lives = tables_->processes.lives();
    const auto after =
        std::ranges::upper_bound(lives, std::tuple(id, time), {}, [](const Processes::Life& life) {
            return std::tuple(life.key, life.begin);
        });
    return {after != lives.begin() && (after - 1)->key == id ? (after - 1)->begin : always,
            after != lives.end() && after->key == id ? after->begin : forever};
}

std::vector<Process> Facts::processes() const {
    std::vector<Process> all;
    for (const Processes::Life& life : tables_->processes.lives()) {
        all.push_back(as_process(*tables_, life));
    }
    return all;
}

std::uint32_t Facts::process_of_thread(std::uint32_t thread, std::int64_t time) const noexcept {
    const ThreadLives::Life* life = tables_->threads.latest(thread, time);
    return life != nullptr ? life->process : flow::no_id;
}

Thread Facts::thread(std::uint32_t id, std::int64_t time) const noexcept {
    return tables_->threads.around(id, time);
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
    return as_image(*tables_, *life);
}

std::vector<Image> Facts::images() const {
    std::vector<Image> all;
    for (const Images::Life& life : tables_->images.lives()) {
        all.push_back(as_image(*tables_, life));
    }
    return all;
}

std::optional<Method> Facts::method(std::uint32_t process, std::uint64_t address,
                                    std::int64_t time) const noexcept {
    const MethodLives::Life* life = tables_->methods.find(process, address, time);
    return life != nullptr ? std::optional(as_method(*tables_, *life, time)) : std::nullopt;
}

std::vector<ManagedModule> Facts::managed_modules() const {
    std::vector<ManagedModule> all;
    for (const Modules::Life& life : tables_->modules.lives()) {
        all.push_back(as_module(*tables_, life));
    }
    return all;
}

std::string Facts::dos_path(std::string_view nt_path) const {
    for (const Volume& volume : tables_->volumes) {
        const std::string_view prefix = tables_->name(volume.nt_path);
        if (equals_ignoring_case(nt_path.substr(0, prefix.size()), prefix)) {
            return std::string(tables_->name(volume.dos_path))
                .append(nt_path.substr(prefix.size()));
        }
    }
    return std::string(nt_path);
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
    const std::uint32_t user = tables_->frames_of_key(key, StackPart::Where::user, time);
    return tables_
        ->frames[user != 0 ? user : tables_->frames_of_key(key, StackPart::Where::kernel, time)];
}

std::optional<std::uint32_t> Facts::first_sampling_interval(std::uint32_t source) const noexcept {
    const auto found = tables_->sample_sources.find(source);
    return found != tables_->sample_sources.end() && found->second.first
               ? std::optional(found->second.first->interval)
               : std::nullopt;
}

std::string_view Facts::sample_source(std::uint32_t source) const noexcept {
    const auto found = tables_->sample_sources.find(source);
    return found != tables_->sample_sources.end() ? tables_->name(found->second.name)
                                                  : std::string_view();
}

const ClassSources& Facts::class_sources() const noexcept {
    return tables_->sources;
}

const Counts& Facts::counts() const noexcept {
    return tables_->counts;
}

FactsByTrace::FactsByTrace(std::size_t traces) {
    for (std::size_t i = 0; i < traces; ++i) {
        push_back(Facts());
    }
}

std::uint32_t FactsByTrace::add(Facts facts) {
    all_.push_back(std::move(facts));
    return static_cast<std::uint32_t>(all_.size() - 1);
}

} // namespace etl::facts
