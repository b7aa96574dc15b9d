#include <etl/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace etl {

namespace {

const char* word(Severity severity) noexcept {
    switch (severity) {
    case Severity::note:
        return "note";
    case Severity::warning:
        return "warning";
    }
    return "finding";
}

/// How far it leads, and from where to where.
void add_step(std::string& text, const TimeStep& step) {
    const auto [low, high] = std::minmax(step.from.ticks, step.to.ticks);
    const std::uint64_t ticks = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    fmt::format_to(std::back_inserter(text), " by at least {}.{:07} s, from ",
                   ticks / Filetime::per_second, ticks % Filetime::per_second);
    append_rfc3339(text, step.from);
    text += " to ";
    append_rfc3339(text, step.to);
}

/// How many, and which.
void add_missing(std::string& text, const MissingNumbers& missing, bool are_records) {
    const auto add = std::back_inserter(text);
    fmt::format_to(add, " ({} {}{}", missing.count, are_records ? "record" : "buffer",
                   missing.count == 1 ? "" : "s");
    const char* const number = are_records ? "ID" : "number";
    if (missing.first && missing.count == 1) {
        fmt::format_to(add, ", {} {}", number, *missing.first);
    } else if (missing.first) {
        fmt::format_to(add, ", {}s {} to {}", number, *missing.first,
                       static_cast<std::uint64_t>(*missing.first) + missing.count - 1);
    }
    if (missing.processor) {
        fmt::format_to(add, ", processor {}", *missing.processor);
    }
    text += ')';
}

} // namespace

std::string describe(const Diagnostic& diagnostic) {
    std::string text =
        fmt::format("{:#x}: {}: ", diagnostic.where.value, word(diagnostic.severity));
    const auto add = std::back_inserter(text);
    if (diagnostic.buffer) {
        fmt::format_to(add, "buffer {}: ", *diagnostic.buffer);
    }
    if (diagnostic.offset) {
        fmt::format_to(add, "record at {:#x}: ", *diagnostic.offset);
    }
    text.append(diagnostic.what);
    if (diagnostic.step) {
        add_step(text, *diagnostic.step);
    }
    if (diagnostic.missing) {
        add_missing(text, *diagnostic.missing, is_about_records(diagnostic));
    }
    if (diagnostic.packed) {
        fmt::format_to(add, ", at {:#x} of the container", diagnostic.packed->value);
    }
    if (diagnostic.bytes_skipped != 0) {
        fmt::format_to(add, " ({} byte{} skipped)", diagnostic.bytes_skipped,
                       diagnostic.bytes_skipped == 1 ? "" : "s");
    }
    return text;
}

} // namespace etl
