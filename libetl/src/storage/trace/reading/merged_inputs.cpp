#include "trace/reading/merged_inputs.hpp"

#include "base/cursor.hpp"
#include "base/limits.hpp"
#include "base/text.hpp"
#include "flow/merged_inputs.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace etl::trace {

namespace {

using flow::MergedInput;

std::string utf8(Bytes text) {
    std::string to;
    append_utf16le(to, text);
    return to;
}

std::u16string utf16(Bytes text) {
    std::u16string to;
    for (std::size_t at = 0; at + 2 <= text.size(); at += 2) {
        to.push_back(static_cast<char16_t>(load_le<std::uint16_t>(text.data() + at)));
    }
    return to;
}

// Number, File, Session, Start, Boot, FirstProcessor, LastProcessor, EventsLost, BuffersLost,
// Offset100ns, Path, MissingBuffers, Build. Early merges do not have the last ones: what is beyond
// the end is 0 or empty.
std::optional<MergedInput> parse(Bytes payload) {
    Cursor from(payload);
    MergedInput input;
    input.number = from.u16("Number");
    input.file = utf8(from.zero_terminated16("File"));
    input.session = utf16(from.zero_terminated16("Session"));
    input.start = {static_cast<std::int64_t>(from.u64("Start"))};
    input.boot = {static_cast<std::int64_t>(from.u64("Boot"))};
    if (!from) {
        return std::nullopt;
    }
    input.first_processor = from.u32("FirstProcessor");
    input.last_processor = from.u32("LastProcessor");
    input.events_lost = from.u32("EventsLost");
    input.buffers_lost = from.u32("BuffersLost");
    input.offset = static_cast<std::int64_t>(from.u64("Offset100ns"));
    input.path = utf8(from.zero_terminated16("Path"));
    input.missing_buffers = from.u32("MissingBuffers");
    input.missing_buffers = std::min(input.missing_buffers, input.buffers_lost);
    input.build = from.u32("Build");
    if (input.path.empty()) {
        input.path = input.file;
    }
    if (input.last_processor < input.first_processor ||
        input.last_processor >= etl::limits::processors) {
        return std::nullopt;
    }
    return input;
}

/// The first buffer of processor 0 for each LoggerId: a merge writes the record about an input
/// there, before all others.
std::map<std::uint16_t, std::uint32_t> first_buffers(std::span<const BufferEntry> entries) {
    std::map<std::uint16_t, std::uint32_t> first;
    for (std::uint32_t i = 1; i < entries.size(); ++i) { // 0 is the header buffer
        const BufferEntry& entry = entries[i];
        if (entry.processor != 0) {
            continue;
        }
        const auto [known, is_new] = first.try_emplace(entry.logger_id, i);
        const BufferEntry& earliest = entries[known->second];
        if (!is_new &&
            std::pair(entry.run, entry.sequence) < std::pair(earliest.run, earliest.sequence)) {
            known->second = i;
        }
    }
    return first;
}

/// The place of the only machine and boot with a processor; 0: none, or several have it.
/// `machines`: flow::machines_of().
std::uint16_t input_of_processor(std::uint16_t processor, std::span<const MergedInput> inputs,
                                 std::span<const std::uint32_t> machines) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (processor < inputs[i].first_processor || processor > inputs[i].last_processor) {
            continue;
        }
        if (found && machines[*found] != machines[i]) {
            return 0;
        }
        found = found.value_or(i);
    }
    return found ? static_cast<std::uint16_t>(*found + 1) : std::uint16_t{0};
}

} // namespace

// A merge of merges may still contain the records of the inner ones: the first record of a buffer
// is that of the outer one.
std::vector<MergedInput> find_merged_inputs(const LoadRequest& request,
                                            std::span<const BufferEntry> entries) {
    std::map<std::uint16_t, MergedInput> found;
    LoadedBuffer buffer;
    for (const auto& [logger, number] : first_buffers(entries)) {
        load_records(request, entries[number], number, buffer);
        for (const flow::Event& event : buffer.events.view()) {
            auto input = flow::is_source_event(event) ? parse(flow::read_header(event).payload)
                                                      : std::nullopt;
            const std::uint16_t input_number = input ? input->number : std::uint16_t{0};
            if (input_number != 0 && (logger == 0 || input_number == logger)) {
                found.try_emplace(input_number, *std::move(input));
            }
        }
    }
    std::vector<MergedInput> inputs;
    inputs.reserve(found.size());
    for (auto& [number, input] : found) {
        inputs.push_back(std::move(input));
    }
    return inputs;
}

void assign_merged_inputs(std::span<BufferEntry> entries, std::span<const MergedInput> inputs) {
    const std::vector<std::uint32_t> machines = flow::machines_of(inputs);
    std::map<std::uint16_t, std::uint16_t> by_processor;
    for (BufferEntry& entry : entries.subspan(std::min<std::size_t>(1, entries.size()))) {
        const auto named =
            std::ranges::lower_bound(inputs, entry.logger_id, {}, &MergedInput::number);
        if (named != inputs.end() && named->number == entry.logger_id) {
            entry.merged_input = static_cast<std::uint16_t>(named - inputs.begin() + 1);
        } else if (entry.logger_id == 0) {
            const auto [known, is_new] = by_processor.try_emplace(entry.processor);
            if (is_new) {
                known->second = input_of_processor(entry.processor, inputs, machines);
            }
            entry.merged_input = known->second;
        }
    }
}

} // namespace etl::trace
