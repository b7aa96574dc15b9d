#include "viewer/command.hpp"

#include <etl/time.hpp>

#include "base/shell_word.hpp"
#include "explore/explorer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace etl::viewer {

namespace {

/// A FILETIME as people read times; other forms are kept.
std::string time_word(const std::string& time) {
    const auto filetime = filetime_of(time);
    if (!filetime) {
        return shell_word(time);
    }
    std::string text;
    append_rfc3339(text, *filetime);
    return text;
}

void append_option(std::string& to, std::string_view name, const std::string& value) {
    if (!value.empty()) {
        to.append(" --").append(name).append(" ").append(shell_word(value));
    }
}

/// Its options; processes as an option of tables, else as part of the expression.
std::string words_of(const explore::Selection& selection) {
    std::string words;
    if (!selection.from.empty()) {
        words += " --from " + time_word(selection.from);
    }
    if (!selection.to.empty()) {
        words += " --to " + time_word(selection.to);
    }
    append_option(words, "where", selection.where);
    for (const std::string& process : selection.processes) {
        append_option(words, "process", process);
    }
    return words;
}

/// The window of the trace before, of a comparison that has one.
std::string before_words(const Request& request) {
    std::string words;
    if (!request.before_from.empty()) {
        words += " --before-from " + time_word(request.before_from);
    }
    if (!request.before_to.empty()) {
        words += " --before-to " + time_word(request.before_to);
    }
    return words;
}

std::string sort_words(const Request& request) {
    return request.sort.empty() ? std::string()
                                : fmt::format(" --sort {}{}", request.is_reversed ? "-" : "",
                                              shell_word(request.sort));
}

/// Empty: `etl diff` has no such options.
std::string diff_command(const Request& request, const analysis::TableForm& form,
                         const OpenedWith& with) {
    using analysis::TableOption;
    const Request usual;
    const bool has_other_rows =
        (form.kind->options.contains(TableOption::slices) && request.slices != usual.slices) ||
        (form.kind->options.contains(TableOption::per_kind) && request.per_kind != usual.per_kind);
    if (!with.is_one || !request.source.empty() || has_other_rows || request.excludes_interrupts) {
        return {};
    }
    std::string words = fmt::format("etl diff --table {}", form.kind->name);
    append_option(words, "by", std::string(form.by));
    return words + words_of(request.selection) + before_words(request) + sort_words(request) +
           with.symbols + with.options + " " + with.against + " " + with.traces;
}

} // namespace

std::string table_command(const Request& request, const analysis::TableForm& form,
                          const OpenedWith& with) {
    using analysis::TableOption;
    if (request.is_compared) {
        return diff_command(request, form, with);
    }
    const analysis::TableKind& kind = *form.kind;
    std::string words = fmt::format("etl {}", kind.name);
    append_option(words, "by", std::string(form.by));
    words += words_of(request.selection);
    const Request usual;
    if (kind.options.contains(TableOption::slices) && request.slices != usual.slices) {
        words += fmt::format(" --slices {}", request.slices);
    }
    if (kind.options.contains(TableOption::per_kind) && request.per_kind != usual.per_kind) {
        words += fmt::format(" --per-kind {}", request.per_kind);
    }
    append_option(words, "source", request.source);
    words += request.excludes_interrupts ? " --without-interrupts" : "";
    return words + sort_words(request) +
           (kind.options.contains(TableOption::symbols) ? with.symbols : "") + with.options + " " +
           with.traces;
}

std::string flame_command(const Request& request, const OpenedWith& with) {
    std::string words = "etl flame";
    append_option(words, "kind", request.kind);
    words += words_of(request.selection);
    append_option(words, "source", request.source);
    words += request.is_compared ? before_words(request) + " --against " + with.against : "";
    return words + with.symbols + with.options + " " + with.traces + " -o flame.html";
}

std::string packets_command(const Request& request, const OpenedWith& with) {
    const bool has_order =
        request.name == "packets"; // of the capture: the verb prints while it reads
    return "etl " + request.name + words_of(request.selection) +
           (has_order ? std::string() : sort_words(request)) + with.options + " " + with.traces;
}

std::string events_command(const Request& request, const OpenedWith& with) {
    std::string words = "etl dump" + words_of(request.selection);
    if (!request.text.empty()) {
        append_option(words, "where", explore::search_expression(request.text));
    }
    return words + with.options + " " + with.traces;
}

std::string event_command(const explore::EventPlace& place, const OpenedWith& with,
                          const std::vector<std::string>& inputs) {
    const bool is_one = inputs.size() < 2 || place.input == 0 || place.input > inputs.size();
    return fmt::format(
        "etl dump --enrich --raw{}{} --where {} {}", with.symbols, with.options,
        shell_word(fmt::format("buffer == {} and offset == {}", place.buffer, place.offset)),
        is_one ? with.traces : shell_word(inputs[place.input - 1]));
}

} // namespace etl::viewer
