#include "facts/origins.hpp"

#include "base/cursor.hpp"
#include "base/text.hpp"
#include "facts/limits.hpp"
#include "facts/machine.hpp"
#include "facts/relevance.hpp"
#include "format/known_guids.hpp"
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

// ImageId/FileVersion. schemas/kernel/imageid.mof
constexpr std::uint8_t file_version_type = 64;

bool is_file_version(const flow::Event& event) noexcept {
    return format::is_full(event.kind) &&
           flow::stored<format::full_record::guid>(event) == format::image_id_guid &&
           flow::stored<format::full_record::type>(event) == file_version_type;
}

bool may_tell_build(const flow::Event& event) noexcept {
    return is_build_info(event) || is_file_version(event);
}

/// Returns the build that a text begins with; 0: none that has ETW as it is.
std::uint32_t leading_build(std::string_view text) noexcept {
    constexpr std::uint64_t oldest = 6000; // Windows Vista
    constexpr std::uint64_t highest = 0xFFFF;
    const std::string_view digits =
        text.substr(0, std::min(text.find_first_not_of("0123456789"), text.size()));
    const std::uint64_t build = parse_number(digits).value_or(0);
    return build < oldest || build > highest ? 0 : static_cast<std::uint32_t>(build);
}

/// `10.0.22621.1 (WinBuild.160101.0800)` of the kernel or of ntdll, which both have the build of
/// Windows; 0: another file.
std::uint32_t build_of_file(Bytes payload) {
    Cursor in(payload);
    in.u32("ImageSize");
    in.u32("TimeDateStamp");
    std::string file;
    append_utf16le(file, in.zero_terminated16("OrigFileName"));
    in.zero_terminated16("FileDescription");
    std::string version;
    append_utf16le(version, in.zero_terminated16("FileVersion"));
    const bool is_of_windows =
        equals_ignoring_case(file, "ntoskrnl.exe") || equals_ignoring_case(file, "ntkrnlmp.exe") ||
        equals_ignoring_case(file, "ntdll.dll") || equals_ignoring_case(file, "ntdll.dll.mui");
    if (!in || !is_of_windows) {
        return 0;
    }
    std::string_view rest = version;
    for (unsigned dots = 0; dots < 2 && !rest.empty(); ++dots) {
        rest.remove_prefix(std::min(rest.find('.'), rest.size() - 1) + 1);
    }
    return leading_build(rest);
}

} // namespace

bool may_have_origin(const flow::Event& event) noexcept {
    return may_tell_machine(event) || may_tell_build(event);
}

void OriginCollector::add(flow::Run events) {
    for (const flow::Event& event : events) {
        if (may_tell_machine(event)) [[unlikely]] {
            add_machine(event);
        } else if (may_tell_build(event)) [[unlikely]] {
            add_build(event);
        }
    }
}

void OriginCollector::add_build(const flow::Event& event) {
    const flow::EventHeader header = flow::read_header(event);
    const bool is_file = is_file_version(event);
    const Build build{.source = is_file                                            ? 2U
                                : header.provider == format::system_config_ex_guid ? 1U
                                                                                   : 0U,
                      .buffer = event.buffer->number,
                      .offset = event.offset(),
                      .number = is_file ? build_of_file(header.payload)
                                        : leading_build(build_lab_of(header))};
    if (build.number != 0) {
        add_build({event.trace().file, event.buffer->merged_input}, build);
    }
}

void OriginCollector::add_build(const Place& place, const Build& build) {
    if (builds_.size() >= limits::origins && !builds_.contains(place)) {
        return;
    }
    const auto [known, is_new] = builds_.try_emplace(place, build);
    known->second = is_new ? build : std::min(known->second, build);
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
    for (const auto& [place, build] : other.builds_) {
        add_build(place, build);
    }
}

Origins::Origins(std::span<const flow::TraceInfo* const> traces, const OriginCollector& collected) {
    const auto add = [&](std::string file, std::optional<Filetime> boot, std::string machine,
                         std::uint32_t build) {
        all_.push_back({.trace = static_cast<std::uint32_t>(all_.size() + 1),
                        .file = std::move(file),
                        .machine = std::move(machine),
                        .boot = boot,
                        .build = build});
    };
    // What a header records comes first.
    const auto build_of = [&](std::uint32_t recorded, const flow::TraceInfo& trace,
                              std::uint16_t input) {
        const auto told = collected.builds_.find({trace.file, input});
        return recorded != 0 ? recorded : told != collected.builds_.end() ? told->second.number : 0;
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
            const auto number = static_cast<std::uint16_t>(i + 1);
            add(input.path, boot_of(input.boot.ticks), machine_of(*trace, number),
                build_of(input.build, *trace, number));
        }
        if (file.inputs == 0) {
            add(trace->name, boot_of(trace->has_header ? trace->header.boot_time : 0),
                machine_of(*trace, 0), build_of(trace->header.provider_version, *trace, 0));
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
