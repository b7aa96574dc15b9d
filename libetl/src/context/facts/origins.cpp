#include "facts/origins.hpp"

#include "base/text.hpp"
#include "facts/limits.hpp"
#include "facts/relevance.hpp"
#include "format/records.hpp"

#include <algorithm>

namespace etl::facts {

namespace {

// SystemConfig/CPU, all versions: the name behind five numbers. schemas/kernel/systemconfig.mof
constexpr std::uint16_t hook_cpu = 0x0B0A;
constexpr std::size_t machine_offset = 20;
constexpr std::size_t machine_bytes = 512;

bool may_tell_machine(const flow::Event& event) noexcept {
    return format::has_hook(event.kind) &&
           flow::stored<format::system_record::hook_id>(event) == hook_cpu;
}

} // namespace

bool may_have_origin(const flow::Event& event) noexcept {
    return may_tell_machine(event);
}

void OriginCollector::add(flow::Run events) {
    for (const flow::Event& event : events) {
        if (may_tell_machine(event)) [[unlikely]] {
            add_machine(event);
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
        add_machine({event.trace().file, event.buffer->merged_input}, std::move(machine));
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

void OriginCollector::combine(OriginCollector&& other) {
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
    const auto machine_of = [&](const flow::TraceInfo& trace, std::uint16_t input) {
        const auto machine = collected.machines_.lower_bound({trace.file, input});
        const bool is_named = machine != collected.machines_.end() &&
                              machine->first.file == trace.file &&
                              (machine->first.merged_input == input || input == 0);
        return is_named ? machine->second.name : std::string();
    };
    const auto boot_of = [](std::int64_t boot) {
        return boot != 0 ? std::optional(Filetime{boot}) : std::nullopt;
    };
    for (const flow::TraceInfo* const trace : traces) {
        File& file = files_[trace->file];
        file.first = static_cast<std::uint32_t>(all_.size());
        file.inputs = static_cast<std::uint16_t>(trace->merged_inputs.size());
        for (std::uint16_t i = 0; i < file.inputs; ++i) {
            const flow::MergedInput& input = trace->merged_inputs[i];
            add(input.path, boot_of(input.boot.ticks),
                machine_of(*trace, static_cast<std::uint16_t>(i + 1)));
        }
        if (file.inputs == 0) {
            add(trace->name, boot_of(trace->has_header ? trace->header.boot_time : 0),
                machine_of(*trace, 0));
        }
    }
}

std::span<const Origin> Origins::of_file(std::uint32_t file) const noexcept {
    const auto found = files_.find(file);
    return found == files_.end()
               ? std::span<const Origin>()
               : std::span(all_).subspan(found->second.first,
                                         std::max<std::size_t>(found->second.inputs, 1));
}

const Origin* Origins::find(const flow::Event& event) const noexcept {
    const auto found = files_.find(event.trace().file);
    if (found == files_.end()) {
        return nullptr;
    }
    const File& file = found->second;
    if (file.inputs == 0) {
        return &all_[file.first];
    }
    const std::uint16_t input = event.buffer->merged_input;
    return input != 0 && input <= file.inputs ? &all_[file.first + input - 1U] : nullptr;
}

} // namespace etl::facts
