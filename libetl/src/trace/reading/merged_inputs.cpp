#include "trace/reading/merged_inputs.hpp"

#include <etl/base/text.hpp>
#include <etl/format/records.hpp>
#include <etl/format/source_event.hpp>

#include <algorithm>
#include <map>
#include <optional>

namespace etl::trace {

namespace {

using flow::MergedInput;

bool is_source(const flow::Event& event) noexcept {
    return format::is_event(event.kind) &&
           flow::stored<format::event_record::provider_id>(event) == format::source_event::provider;
}

/// Takes values off the front of a payload; what is behind its end is 0 or empty.
class Payload {
public:
    explicit Payload(Bytes bytes) noexcept : rest_(bytes) {}

    template <typename Number>
    Number number() noexcept {
        if (rest_.size() < sizeof(Number)) {
            is_complete_ = false;
            return 0;
        }
        const auto value = load_le<Number>(rest_.data());
        rest_ = rest_.subspan(sizeof(Number));
        return value;
    }

    /// Up to its NUL.
    Bytes text() noexcept {
        for (std::size_t at = 0; at + 2 <= rest_.size(); at += 2) {
            if (load_le<std::uint16_t>(rest_.data() + at) == 0) {
                const Bytes text = rest_.first(at);
                rest_ = rest_.subspan(at + 2);
                return text;
            }
        }
        is_complete_ = false;
        return {};
    }

    bool is_complete() const noexcept { return is_complete_; }

private:
    Bytes rest_;
    bool is_complete_ = true;
};

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
// Offset100ns, Path, which early merges do not have.
std::optional<MergedInput> parse(Bytes bytes) {
    Payload payload(bytes);
    MergedInput input;
    input.number = payload.number<std::uint16_t>();
    input.file = utf8(payload.text());
    input.session = utf16(payload.text());
    input.start = {payload.number<std::int64_t>()};
    input.boot = {payload.number<std::int64_t>()};
    if (!payload.is_complete()) {
        return std::nullopt;
    }
    input.first_processor = payload.number<std::uint32_t>();
    input.last_processor = payload.number<std::uint32_t>();
    input.events_lost = payload.number<std::uint32_t>();
    input.buffers_lost = payload.number<std::uint32_t>();
    input.offset = payload.number<std::int64_t>();
    input.path = utf8(payload.text());
    if (input.path.empty()) {
        input.path = input.file;
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
        if (!is_new && std::pair(entry.run, entry.sequence) <
                           std::pair(earliest.run, earliest.sequence)) {
            known->second = i;
        }
    }
    return first;
}

bool is_one_machine_and_boot(const MergedInput& a, const MergedInput& b) noexcept {
    // Of a boot that is not stated, parts of one recording are known by their start.
    const bool is_one_boot = a.boot == b.boot && (a.boot.ticks > 0 || a.start == b.start);
    return is_one_boot && a.first_processor == b.first_processor;
}

/// The place of the only machine and boot with a processor; 0: none, or several have it.
std::uint16_t input_of_processor(std::uint16_t processor, std::span<const MergedInput> inputs) {
    const MergedInput* found = nullptr;
    for (const MergedInput& input : inputs) {
        if (processor < input.first_processor || processor > input.last_processor) {
            continue;
        }
        if (found != nullptr && !is_one_machine_and_boot(*found, input)) {
            return 0;
        }
        found = found == nullptr ? &input : found;
    }
    return found == nullptr ? std::uint16_t{0}
                            : static_cast<std::uint16_t>(found - inputs.data() + 1);
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
            auto input = is_source(event) ? parse(flow::read_header(event).payload) : std::nullopt;
            if (input && input->number != 0 && (logger == 0 || input->number == logger)) {
                found.try_emplace(input->number, *std::move(input));
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
    std::map<std::uint16_t, std::uint16_t> by_processor;
    for (BufferEntry& entry : entries.subspan(std::min<std::size_t>(1, entries.size()))) {
        const auto named =
            std::ranges::lower_bound(inputs, entry.logger_id, {}, &MergedInput::number);
        if (named != inputs.end() && named->number == entry.logger_id) {
            entry.merged_input = static_cast<std::uint16_t>(named - inputs.begin() + 1);
        } else if (entry.logger_id == 0) {
            const auto [known, is_new] = by_processor.try_emplace(entry.processor);
            if (is_new) {
                known->second = input_of_processor(entry.processor, inputs);
            }
            entry.merged_input = known->second;
        }
    }
}

} // namespace etl::trace
