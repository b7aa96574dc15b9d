#include "base/text.hpp"
#include "flow/event.hpp"
#include "format/kernel_group.hpp"
#include "format/records.hpp"
#include "match/condition_state.hpp"

#include <algorithm>
#include <optional>

namespace etl::match {

namespace {

Subject number_or_none(std::optional<std::uint64_t> number) noexcept {
    return number ? number_subject(*number) : Subject{};
}

Subject id_or_none(const Guid& guid) noexcept {
    return guid.is_zero() ? Subject{} : guid_subject(guid);
}

Subject text_or_none(std::string_view text) noexcept {
    return text.empty() ? Subject{} : text_subject(text);
}

Subject related_activity(const flow::EventHeader& header) noexcept {
    const format::ExtendedItem item =
        flow::find_item(header, format::ItemType::related_activity_id);
    return item.data.size() == sizeof(Guid) ? guid_subject(load_le<Guid>(item.data.data()))
                                            : Subject{};
}

bool has_stack(const flow::EventHeader& header) noexcept {
    using format::ItemType;
    return !flow::find_item(header, ItemType::stack_trace32).data.empty() ||
           !flow::find_item(header, ItemType::stack_trace64).data.empty();
}

/// The user is put into `scratch`.
Subject log_subject(Operand operand, const flow::EventHeader& header, std::string& scratch) {
    if (operand == Operand::record_id) {
        const auto id = decode::record_id_if_of_log(header);
        return id ? number_subject(*id) : Subject{};
    }
    const Bytes sid = decode::user_sid(header);
    return sid.empty() ? Subject{}
                       : subject_of({.bytes = sid, .form = decode::Form::sid}, nullptr, scratch);
}

Subject header_subject(Operand operand, const flow::Event& event, const flow::EventHeader& header,
                       std::string& scratch) {
    if (operand == Operand::time) {
        const auto time = flow::wall_time(event);
        return time ? time_subject(*time) : Subject{};
    }
    if (const HeaderNumber number = header_number(operand)) {
        return number_or_none(number(event, header));
    }
    if (operand == Operand::activity_id) {
        return id_or_none(header.activity);
    }
    if (operand == Operand::related_activity_id) {
        return related_activity(header);
    }
    if (operand == Operand::user || operand == Operand::record_id) {
        return log_subject(operand, header, scratch);
    }
    if (operand == Operand::stack) {
        return has_stack(header) ? number_subject(1) : Subject{};
    }
    if (operand == Operand::raw_time) {
        const auto stored = flow::stored_time(event);
        return stored ? number_subject(static_cast<std::uint64_t>(*stored)) : Subject{};
    }
    return operand == Operand::header ? text_subject(format::name(event.kind)) : Subject{};
}

/// What is known without a pass over the trace.
facts::Origin origin_by_trace(const flow::TraceInfo& trace) {
    const bool has_boot = trace.has_header && trace.header.boot_time != 0;
    return {.trace = trace.file + 1,
            .file = trace.name,
            .machine = {},
            .boot = has_boot ? std::optional(Filetime{trace.header.boot_time}) : std::nullopt};
}

Subject origin_subject(Operand operand, const facts::Origin& origin) noexcept {
    if (operand == Operand::trace) {
        return number_subject(origin.trace);
    }
    if (operand == Operand::boot) {
        return origin.boot ? time_subject(*origin.boot) : Subject{};
    }
    return text_or_none(operand == Operand::file ? origin.file : origin.machine);
}

Subject descriptor_subject(Operand operand, const flow::Event& event,
                           const flow::EventHeader& header) noexcept {
    const HeaderNumber number = header_number(operand);
    return operand == Operand::provider_guid ? guid_subject(header.provider)
           : number != nullptr               ? number_or_none(number(event, header))
                                             : Subject{};
}

bool fits(const Meaning& meaning, std::string_view name) {
    return meaning.regex ? meaning.regex->finds(name) : matches_glob(meaning.text, name);
}

/// A class is called by its name, with or without that of its provider in front.
bool fits_class(const Meaning& meaning, std::string_view name) {
    return fits(meaning, name) ||
           fits(meaning, std::string(format::system_trace_name).append("/").append(name));
}

/// Whether a name is that of a kernel record's provider or class.
bool names_kernel_record(const Meaning& meaning, const flow::EventHeader& header) {
    if (header.is_kernel && fits(meaning, format::system_trace_name)) {
        return true;
    }
    const std::string_view name = format::class_name(header.provider);
    return !name.empty() && fits_class(meaning, name);
}

/// What GUIDs alone tell of a test of the provider; unknown: names decide.
Truth provider_by_header(const CompiledTest& test, const flow::EventHeader& header) {
    bool is_decided = true;
    for (const Meaning& meaning : test.meanings) {
        const bool is_it =
            meaning.guid ? *meaning.guid == header.provider ||
                               (header.is_kernel && *meaning.guid == format::system_trace_guid)
                         : test.fits_classes && names_kernel_record(meaning, header);
        if (is_it) {
            return truth_of(test.op != Operator::not_equal);
        }
        is_decided = is_decided && meaning.guid.has_value();
    }
    return is_decided ? truth_of(test.op == Operator::not_equal) : Truth::unknown;
}

Truth event_by_header(const CompiledTest& test, const flow::EventHeader& header) {
    bool is_decided = true;
    for (const Meaning& meaning : test.meanings) {
        if (meaning.number && compare(*meaning.number, Number{header.id}) == 0) {
            return truth_of(test.op != Operator::not_equal);
        }
        is_decided = is_decided && meaning.number.has_value();
    }
    return is_decided ? truth_of(test.op == Operator::not_equal) : Truth::unknown;
}

bool is_equality(Operator op) noexcept {
    return op == Operator::equal || op == Operator::not_equal;
}

Subject kind_subject(Operand operand, const decode::DecodedEvent& event) {
    const decode::EventKind& kind = *event.kind;
    const schema::TraceSite* const site =
        kind.schema != nullptr && kind.schema->site ? &*kind.schema->site : nullptr;
    if (operand == Operand::provider) {
        return kind.provider ? text_or_none(*kind.provider) : Subject{};
    }
    if (operand == Operand::event) {
        return kind.event ? text_or_none(*kind.event) : Subject{};
    }
    if (operand == Operand::task_name) {
        return text_or_none(kind.task_name);
    }
    if (operand == Operand::opcode_name) {
        return text_or_none(kind.opcode_name);
    }
    if (operand == Operand::level_name) {
        return text_or_none(kind.level_name);
    }
    if (operand == Operand::channel_name) {
        return text_or_none(kind.channel_name);
    }
    if (operand == Operand::computer) {
        return kind.log ? text_or_none(kind.log->computer) : Subject{};
    }
    if (operand == Operand::qualifiers) {
        return kind.log && kind.log->qualifiers ? number_subject(*kind.log->qualifiers) : Subject{};
    }
    if (operand == Operand::source) {
        return text_subject(decode::name(kind.decoded_by));
    }
    if (operand == Operand::schema_from) {
        return text_or_none(kind.schema_from());
    }
    if (site == nullptr) {
        return {};
    }
    return operand == Operand::wpp_component  ? text_or_none(site->component)
           : operand == Operand::wpp_file     ? text_or_none(site->file)
           : operand == Operand::wpp_function ? text_or_none(site->function)
           : operand == Operand::wpp_level    ? text_or_none(site->level)
                                              : Subject{};
}

/// A number that has a name in the schema: numbers are compared with the one, words with the other.
Truth named_number(const CompiledTest& test, const decode::DecodedEvent& event,
                   std::string_view name) {
    const Subject number = descriptor_subject(test.operand, *event.event, event.header);
    const Subject word = text_or_none(name);
    std::string scratch;
    return truth_of(std::ranges::any_of(test.meanings, [&](const Meaning& meaning) {
        return holds(meaning.number ? number : word, test.op, meaning, scratch);
    }));
}

/// Of a test with numbers.
bool holds(std::uint64_t number, const CompiledTest& test) noexcept {
    return std::ranges::any_of(test.numbers, [&](std::uint64_t other) {
        const int order = number < other ? -1 : number > other ? 1 : 0;
        return test.op == Operator::any_bits ? (number & other) != 0 : is_ordered(test.op, order);
    });
}

void note(Operand operand, Missing& missing) noexcept {
    missing.time |= operand == Operand::time;
    missing.pid |= operand == Operand::pid;
    missing.tid |= operand == Operand::tid;
}

bool has_numbers_only(const CompiledTest& test) noexcept {
    return std::ranges::all_of(test.meanings,
                               [](const Meaning& one) { return one.number.has_value(); });
}

} // namespace

void count(const Missing& missing, Notes& notes) noexcept {
    const auto add = [](bool is_missing, std::atomic<std::uint64_t>& to) {
        if (is_missing) {
            to.fetch_add(1, std::memory_order_relaxed);
        }
    };
    add(missing.time, notes.untimed);
    add(missing.pid, notes.without_pid);
    add(missing.tid, notes.without_tid);
    add(missing.process, notes.unattributed);
    add(missing.process_name, notes.unnamed);
}

bool fits_kernel_class(const Meaning& meaning) {
    return fits(meaning, format::system_trace_name) ||
           std::ranges::any_of(format::class_names(),
                               [&](std::string_view name) { return fits_class(meaning, name); });
}

Truth compared(const CompiledTest& test, const Subject& subject) {
    if (test.op == Operator::has) {
        return truth_of(subject.kind != Subject::Kind::absent);
    }
    std::string scratch;
    return truth_of(std::ranges::any_of(test.meanings, [&](const Meaning& meaning) {
        return holds(subject, test.op, meaning, scratch);
    }));
}

Truth header_truth(const CompiledTest& test, const flow::Event& event,
                   const flow::EventHeader& event_header, Missing* missing) {
    if (test.number != nullptr) {
        const auto number = test.number(event, event_header);
        if (!number && missing != nullptr) {
            note(test.operand, *missing);
        }
        return truth_of(number && holds(*number, test));
    }
    if (test.stage == Stage::header) {
        std::string scratch;
        const Subject subject = header_subject(test.operand, event, event_header, scratch);
        const bool is_asked = test.op != Operator::has || test.operand != Operand::time;
        if (missing != nullptr && subject.kind == Subject::Kind::absent && is_asked) {
            note(test.operand, *missing);
        }
        return compared(test, subject);
    }
    if (test.stage == Stage::descriptor && (test.op == Operator::has || has_numbers_only(test) ||
                                            test.operand == Operand::provider_guid)) {
        return compared(test, descriptor_subject(test.operand, event, event_header));
    }
    if (test.operand == Operand::provider && test.op != Operator::has &&
        (is_equality(test.op) || test.op == Operator::regex)) {
        return provider_by_header(test, event_header);
    }
    if (test.operand == Operand::event && is_equality(test.op)) {
        return event_by_header(test, event_header);
    }
    return Truth::unknown;
}

Truth origin_truth(const CompiledTest& test, const flow::Event& event,
                   const facts::Origins* origins) {
    if (origins == nullptr) {
        return compared(test, origin_subject(test.operand, origin_by_trace(event.trace())));
    }
    const facts::Origin* const origin = origins->find(event);
    return compared(test, origin != nullptr ? origin_subject(test.operand, *origin) : Subject{});
}

Truth kind_truth(const CompiledTest& test, const decode::DecodedEvent& event) {
    if (test.stage == Stage::header || test.stage == Stage::origin || test.stage == Stage::facts ||
        test.stage == Stage::payload) {
        return Truth::unknown;
    }
    if (const Truth known = header_truth(test, *event.event, event.header, nullptr);
        known != Truth::unknown) {
        return known;
    }
    const decode::EventKind& kind = *event.kind;
    if (test.operand == Operand::level) {
        return named_number(test, event, kind.level_name);
    }
    if (test.operand == Operand::opcode) {
        return named_number(test, event, kind.opcode_name);
    }
    if (test.operand == Operand::task) {
        return named_number(test, event, kind.task_name);
    }
    if (test.operand == Operand::channel) {
        return named_number(test, event, kind.channel_name);
    }
    if (test.operand == Operand::keywords) {
        if (test.op == Operator::has || kind.keywords.empty()) {
            return truth_of(test.op == Operator::has && !kind.keywords.empty());
        }
        return truth_of(std::ranges::any_of(kind.keywords, [&](std::string_view keyword) {
            return compared(test, text_subject(keyword)) == Truth::yes;
        }));
    }
    return compared(test, kind_subject(test.operand, event));
}

} // namespace etl::match
