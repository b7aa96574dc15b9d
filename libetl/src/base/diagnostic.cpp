#include <etl/base/diagnostic.hpp>

#include <fmt/format.h>

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
    if (diagnostic.packed) {
        fmt::format_to(add, ", packed at {:#x}", diagnostic.packed->value);
    }
    if (diagnostic.bytes_skipped != 0) {
        fmt::format_to(add, " ({} byte{} skipped)", diagnostic.bytes_skipped,
                       diagnostic.bytes_skipped == 1 ? "" : "s");
    }
    return text;
}

} // namespace etl
