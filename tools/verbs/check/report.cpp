#include "verbs/check/report.hpp"

#include <etl/error.hpp>

#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/json_object.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace cli {

namespace {

std::string as_json(const etl::Diagnostic& finding) {
    JsonObject json;
    json.text("severity", finding.severity == etl::Severity::warning ? "warning" : "note");
    json.text("text", finding.what);
    json.number("file_offset", finding.where.value);
    if (finding.buffer) {
        json.number("buffer", *finding.buffer);
    }
    if (finding.offset) {
        json.number("offset", *finding.offset);
    }
    if (finding.packed) {
        json.number("container_offset", finding.packed->value);
    }
    if (finding.step) {
        json.time("time_before", finding.step->from).time("time_after", finding.step->to);
    }
    if (finding.missing) {
        const auto number = [&](std::string_view key, const auto& value) {
            value ? json.number(key, *value) : json.raw(key, "null");
        };
        const bool are_records = etl::is_about_records(finding);
        json.number(are_records ? "missing_records" : "missing_buffers", finding.missing->count);
        number("first_missing", finding.missing->first);
        if (!are_records) {
            number("cpu", finding.missing->processor);
        }
    }
    json.number("bytes_skipped", finding.bytes_skipped);
    return json.take();
}

std::string shown_name(std::string_view name, CheckReport::Form form) {
    return form == CheckReport::Form::text ? printable(name) : utf8_text(name);
}

} // namespace

CheckReport::CheckReport(const std::string& name, Form form, etl::Output& output,
                         BigNumbers big_numbers)
    : name_(shown_name(name, form)), form_(form), big_numbers_(big_numbers), output_(&output) {}

void CheckReport::begin_json() {
    pending_ += R"({"file":)";
    etl::append_json_string(pending_, name_);
}

void CheckReport::flush_if(bool is_due) {
    if (is_due && outcome_) {
        outcome_ = output_->write(pending_);
    }
    if (is_due) {
        pending_.clear();
    }
}

void CheckReport::report(const etl::Diagnostic& finding) {
    if (form_ == Form::text) {
        fmt::format_to(std::back_inserter(pending_), "{}:{}\n", name_, etl::describe(finding));
    } else {
        if (findings_ == 0) {
            begin_json();
        }
        pending_ += findings_ == 0 ? R"(,"findings":[)" : ",";
        pending_ += with_big_numbers(as_json(finding), big_numbers_);
    }
    ++findings_;
    missing_ += finding.severity == etl::Severity::warning && finding.missing ? 1U : 0U;
    flush_if(pending_.size() >= max_block);
}

etl::Result<void> CheckReport::finish(std::uint64_t buffers, std::uint64_t warnings) {
    const auto add = std::back_inserter(pending_);
    if (form_ == Form::text) {
        fmt::format_to(add, "{}: {}, ", name_, plural(buffers, "buffer"));
        if (warnings == 0) {
            pending_ += "intact\n";
        } else {
            fmt::format_to(add, "{} ({})\n", warnings == missing_ ? "incomplete" : "damaged",
                           plural(warnings, "finding"));
        }
    } else {
        if (findings_ == 0) {
            begin_json();
            pending_ += R"(,"findings":[)";
        }
        fmt::format_to(add, R"(],"buffers":{},"warnings":{}}})", buffers, warnings);
        pending_ += '\n';
    }
    flush_if(true);
    return std::exchange(outcome_, {});
}

etl::Result<void> CheckReport::fail(const etl::Error& error) {
    pending_ += form_ == Form::text ? fmt::format("{}: {}\n", name_, etl::describe(error))
                                    : unopened_json(name_, error);
    flush_if(true);
    return std::exchange(outcome_, {});
}

} // namespace cli
