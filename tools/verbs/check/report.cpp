#include "verbs/check/report.hpp"

#include <etl/base/text.hpp>
#include <etl/base/time.hpp>

#include "cli/console.hpp"
#include "cli/json_object.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace cli {

namespace {

void append_json(const etl::Diagnostic& finding, std::string& to) {
    const auto add = std::back_inserter(to);
    fmt::format_to(add, R"({{"severity":"{}","what":)",
                   finding.severity == etl::Severity::warning ? "warning" : "note");
    etl::append_json_string(to, finding.what);
    fmt::format_to(add, R"(,"file_offset":{})", finding.where.value);
    if (finding.buffer) {
        fmt::format_to(add, R"(,"buffer":{})", *finding.buffer);
    }
    if (finding.offset) {
        fmt::format_to(add, R"(,"offset":{})", *finding.offset);
    }
    if (finding.packed) {
        fmt::format_to(add, R"(,"packed_offset":{})", finding.packed->value);
    }
    if (finding.step) {
        to += R"(,"time_before":")";
        etl::append_rfc3339(to, finding.step->from);
        to += R"(","time_after":")";
        etl::append_rfc3339(to, finding.step->to);
        to += '"';
    }
    fmt::format_to(add, R"(,"bytes_skipped":{}}})", finding.bytes_skipped);
}

std::string shown_name(std::string_view name, CheckReport::Form form) {
    return form == CheckReport::Form::text ? printable(name) : utf8_text(name);
}

} // namespace

CheckReport::CheckReport(std::string name, Form form, etl::Output& output)
    : name_(shown_name(name, form)), form_(form), output_(&output) {}

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
        append_json(finding, pending_);
    }
    ++findings_;
    flush_if(pending_.size() >= largest_block);
}

etl::Result<void> CheckReport::finish(std::uint64_t buffers, std::uint64_t warnings) {
    const auto add = std::back_inserter(pending_);
    if (form_ == Form::text) {
        fmt::format_to(add, "{}: {} buffers, ", name_, buffers);
        if (warnings == 0) {
            pending_ += "whole\n";
        } else {
            fmt::format_to(add, "damaged ({} finding{})\n", warnings, warnings == 1 ? "" : "s");
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
