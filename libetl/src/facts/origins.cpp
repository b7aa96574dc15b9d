#include <etl/base/cursor.hpp>
#include <etl/base/text.hpp>
#include <etl/facts/limits.hpp>
#include <etl/facts/origins.hpp>
#include <etl/facts/relevance.hpp>
#include <etl/format/records.hpp>
#include <etl/format/source_event.hpp>

#include <algorithm>

namespace etl::facts {

namespace {

using format::RecordKind;

// SystemConfig/CPU, all versions: the name behind five numbers. schemas/kernel/systemconfig.mof
constexpr std::uint16_t hook_cpu = 0x0B0A;
constexpr std::size_t machine_offset = 20;
constexpr std::size_t machine_bytes = 512;

bool may_tell_machine(const flow::Event& event) noexcept {
    static_assert(RecordKind::system32 < RecordKind::perfinfo64);
    return event.kind >= RecordKind::system32 && event.kind <= RecordKind::perfinfo64 &&
           flow::stored<format::system_record::hook_id>(event) == hook_cpu;
}

bool is_source(const flow::Event& event) noexcept {
    return (event.kind == RecordKind::event32 || event.kind == RecordKind::event64) &&
           flow::stored<format::event_record::provider_id>(event) == format::source_event::provider;
}

/// Takes a text up to its NUL off the front; nothing: there is no NUL.
std::optional<std::string> take_text(Bytes& bytes) {
    for (std::size_t at = 0; at + 2 <= bytes.size(); at += 2) {
        if (load_le<std::uint16_t>(bytes.data() + at) == 0) {
            std::string text;
            append_utf16le(text, bytes.first(at));
            bytes = bytes.subspan(at + 2);
            return text;
        }
    }
    return std::nullopt;
}

} // namespace

bool may_have_origin(const flow::Event& event) noexcept {
    return may_tell_machine(event) || is_source(event);
}

void OriginCollector::add(flow::Run events) {
    for (const flow::Event& event : events) {
        if (may_tell_machine(event)) [[unlikely]] {
            add_machine(event);
        } else if (is_source(event)) [[unlikely]] {
            add_source(event);
        }
    }
}

void OriginCollector::add_machine(const flow::Event& event) {
    const Bytes payload = flow::read_header(event).payload;
    if (payload.size() < machine_offset + machine_bytes) {
        return;
    }
    Machine machine{.buffer = event.buffer->number, .offset = event.offset()};
    append_utf16le(machine.name, payload.subspan(machine_offset, machine_bytes));
    machine.name.resize(std::min(machine.name.find('\0'), machine.name.size()));
    if (!machine.name.empty()) {
        add_machine({event.trace().file, event.buffer->logger_id}, std::move(machine));
    }
}

void OriginCollector::add_machine(const Place& place, Machine machine) {
    if (machines_.size() >= limits::origins && !machines_.contains(place)) {
        return;
    }
    const auto [known, is_new] = machines_.try_emplace(place, machine);
    if (!is_new && std::pair(machine.buffer, machine.offset) <
                       std::pair(known->second.buffer, known->second.offset)) {
        known->second = std::move(machine);
    }
}

// Number, File, Session, Start, Boot, FirstProcessor, LastProcessor, EventsLost, BuffersLost,
// Offset100ns, Path, which merges of before do not have.
void OriginCollector::add_source(const flow::Event& event) {
    constexpr std::size_t start_bytes = 8;
    constexpr std::size_t behind_boot = 4 * sizeof(std::uint32_t) + sizeof(std::int64_t);
    Bytes rest = flow::read_header(event).payload;
    if (rest.size() < sizeof(std::uint16_t) || sources_.size() >= limits::origins) {
        return;
    }
    const auto number = load_le<std::uint16_t>(rest.data());
    rest = rest.subspan(sizeof(std::uint16_t));
    auto file = take_text(rest);
    if (!file || !take_text(rest) || rest.size() < start_bytes + sizeof(std::int64_t)) {
        return;
    }
    Source source{.file = *std::move(file), .boot = std::nullopt};
    if (const auto boot = load_le<std::int64_t>(rest.data() + start_bytes); boot != 0) {
        source.boot = Filetime{boot};
    }
    rest = rest.subspan(std::min(rest.size(), start_bytes + sizeof(std::int64_t) + behind_boot));
    if (auto path = take_text(rest); path && !path->empty()) {
        source.file = *std::move(path);
    }
    sources_.try_emplace({event.trace().file, number}, std::move(source));
}

void OriginCollector::combine(OriginCollector&& other) {
    sources_.merge(std::move(other.sources_));
    for (auto& [place, machine] : other.machines_) {
        add_machine(place, std::move(machine));
    }
}

Origins::Origins(std::span<const flow::TraceInfo* const> traces, const OriginCollector& collected) {
    const auto add = [&](std::string file, std::optional<Filetime> boot, std::string machine) {
        all_.push_back({.trace = static_cast<std::uint32_t>(all_.size() + 1),
                        .file = std::move(file),
                        .machine = std::move(machine),
                        .boot = boot});
    };
    for (const flow::TraceInfo* const trace : traces) {
        File& file = files_[trace->file];
        file.first = static_cast<std::uint32_t>(all_.size());
        const auto from = collected.sources_.lower_bound({trace->file, 0});
        for (auto at = from; at != collected.sources_.end() && at->first.file == trace->file;
             ++at) {
            const auto machine = collected.machines_.find(at->first);
            add(at->second.file, at->second.boot,
                machine == collected.machines_.end() ? "" : machine->second.name);
            file.loggers.push_back(at->first.logger);
        }
        if (!file.loggers.empty()) {
            continue;
        }
        const auto machine = collected.machines_.lower_bound({trace->file, 0});
        const bool is_named =
            machine != collected.machines_.end() && machine->first.file == trace->file;
        const bool has_boot = trace->has_header && trace->header.boot_time != 0;
        add(trace->name, has_boot ? std::optional(Filetime{trace->header.boot_time}) : std::nullopt,
            is_named ? machine->second.name : "");
    }
}

const Origin* Origins::find(const flow::Event& event) const noexcept {
    const auto found = files_.find(event.trace().file);
    if (found == files_.end()) {
        return nullptr;
    }
    const File& file = found->second;
    if (file.loggers.empty()) {
        return &all_[file.first];
    }
    const auto logger = std::ranges::lower_bound(file.loggers, event.buffer->logger_id);
    return logger != file.loggers.end() && *logger == event.buffer->logger_id
               ? &all_[file.first + static_cast<std::size_t>(logger - file.loggers.begin())]
               : nullptr;
}

} // namespace etl::facts
