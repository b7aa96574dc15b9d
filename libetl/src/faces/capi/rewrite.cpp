#include <etl/etl.h>
#include <etl/rewrite.hpp>

#include "capi/results.hpp"
#include "capi/values.hpp"

#include <iterator>

using namespace etl;
using namespace etl::capi;

namespace {

std::string string_of(const char* text) {
    return std::string(view_of(text));
}

/// Of an enumeration that is numbered in the same way.
template <typename Choice>
std::expected<Choice, etl_error> choice_of(std::uint32_t value, Choice last, const char* name) {
    if (value > static_cast<std::uint32_t>(last)) {
        return failed(ETL_INVALID_ARGUMENT, std::string(name) + ": unknown value");
    }
    return static_cast<Choice>(value);
}

std::expected<rewrite::Files, etl_error> files_of(const etl_file_options* given) {
    const auto options = read_sized(given);
    if (!options) {
        return std::unexpected(options.error());
    }
    const auto compression = choice_of(options->compression, Compression::lznt1, "compression");
    if (!compression) {
        return std::unexpected(compression.error());
    }
    return rewrite::Files{.existing = options->replace != 0 ? Existing::replace : Existing::keep,
                          .recursive = options->recursive != 0,
                          .threads = options->threads,
                          .buffer_size = options->buffer_size,
                          .compression = *compression,
                          .schemas = list_of(options->schemas, options->schema_count)};
}

etl_report report_of(rewrite::Report&& from) {
    etl_report report;
    report.counts.events = from.events;
    report.counts.bytes = from.bytes;
    report.counts.events_lost = from.events_lost;
    report.counts.findings = from.findings;
    report.remarks = std::move(from.remarks);
    return report;
}

void add(rewrite::MergeReport&& from, etl_report& to) {
    to.counts.repeated_context = from.repeated_context;
    to.counts.embedded_schemas = from.embedded_schemas;
}

void add(rewrite::SplitReport&& from, etl_report& to) {
    to.parts = std::move(from.parts);
}

void add(rewrite::RepairReport&& from, etl_report& to) {
    to.counts.losses = from.losses;
    to.counts.missing_buffers = from.missing_buffers;
    to.counts.session_events_lost = from.session_events_lost;
    to.counts.session_buffers_lost = from.session_buffers_lost;
    to.counts.are_losses_known = from.are_losses_known ? 1 : 0;
    to.counts.is_complete = from.is_complete ? 1 : 0;
    to.remarks.insert(to.remarks.begin(), std::move_iterator(from.corrections.begin()),
                      std::move_iterator(from.corrections.end()));
}

void add(rewrite::AnonymizeReport&& from, etl_report& to) {
    to.counts.changed_events = from.changed_events;
    to.counts.changed_values = from.changed_values;
    to.counts.undecodable_events = from.undecodable_events;
}

/// Hands the report of a call to the caller, unless `to` is null.
template <typename Report>
Outcome finish(std::expected<Report, TraceError> result, etl_report** to) {
    if (!result) {
        return failed(result.error());
    }
    if (to != nullptr) {
        etl_report report = report_of(std::move(*result));
        add(std::move(*result), report);
        *to = new etl_report(std::move(report));
    }
    return ETL_OK;
}

/// Reads sized options and those of files, and makes the call.
template <typename Options, typename Call>
etl_status rewritten(const Options* given, etl_report** report, etl_error** error,
                     Call&& call) noexcept {
    return guarded(error, [&]() -> Outcome {
        if (report != nullptr) {
            *report = nullptr;
        }
        const auto options = read_sized(given);
        if (!options) {
            return std::unexpected(options.error());
        }
        auto files = files_of(options->files);
        if (!files) {
            return std::unexpected(std::move(files.error()));
        }
        return call(*options, *std::move(files));
    });
}

} // namespace

void etl_report_free(etl_report* report) {
    delete report;
}

etl_status etl_report_get_counts(const etl_report* report, etl_report_counts* counts,
                                 etl_error** error) {
    return guarded(error, [&] { return write_sized(counts, report->counts); });
}

size_t etl_report_remark_count(const etl_report* report) {
    return report->remarks.size();
}

etl_text etl_report_remark(const etl_report* report, size_t index) {
    return text_of(index < report->remarks.size() ? std::string_view(report->remarks[index])
                                                  : std::string_view());
}

size_t etl_report_part_count(const etl_report* report) {
    return report->parts.size();
}

etl_status etl_report_part(const etl_report* report, size_t index, etl_split_part* part,
                           etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        if (index >= report->parts.size()) {
            return failed(ETL_NOT_FOUND, "no part has this index");
        }
        const rewrite::SplitPart& from = report->parts[index];
        return write_sized(part, {.struct_size = 0,
                                  .path = text_of(from.path),
                                  .key = text_of(from.key),
                                  .events = from.events,
                                  .context = from.context,
                                  .bytes = from.bytes});
    });
}

etl_status etl_merge(const char* const* paths, size_t count, const char* output,
                     const etl_merge_options* options, etl_report** report, etl_error** error) {
    return rewritten(
        options, report, error,
        [&](const etl_merge_options& given, rewrite::Files&& files) -> Outcome {
            const auto align = choice_of(given.align, rewrite::Align::first_event, "align");
            if (!align) {
                return std::unexpected(align.error());
            }
            rewrite::MergeOptions how{.files = std::move(files),
                                      .restamps = given.restamp != 0,
                                      .align = *align,
                                      .tags_sources = given.tag_sources != 0,
                                      .embeds_schemas = given.embed_schemas != 0};
            const auto shifted = list_of(given.offset_inputs, given.offset_count);
            for (std::size_t i = 0; given.offsets != nullptr && i < shifted.size(); ++i) {
                how.offsets.push_back({shifted[i], given.offsets[i]});
            }
            return finish(rewrite::merge(list_of(paths, count), string_of(output), how), report);
        });
}

etl_status etl_split(const char* path, const char* pattern, const etl_split_options* options,
                     etl_report** report, etl_error** error) {
    return rewritten(options, report, error,
                     [&](const etl_split_options& given, rewrite::Files&& files) -> Outcome {
                         const auto by = choice_of(given.by, rewrite::SplitBy::processor, "by");
                         const auto context =
                             choice_of(given.context, rewrite::SplitContext::none, "context");
                         if (!by || !context) {
                             return std::unexpected(by ? context.error() : by.error());
                         }
                         return finish(rewrite::split(string_of(path), string_of(pattern),
                                                      {.files = std::move(files),
                                                       .by = *by,
                                                       .limit = given.limit,
                                                       .context = *context,
                                                       .where = string_of(given.where),
                                                       .from = string_of(given.from),
                                                       .to = string_of(given.to)}),
                                       report);
                     });
}

etl_status etl_repair(const char* path, const char* output, const etl_repair_options* options,
                      etl_report** report, etl_error** error) {
    return rewritten(options, report, error,
                     [&](const etl_repair_options& given, rewrite::Files&& files) -> Outcome {
                         return finish(
                             rewrite::repair(string_of(path), string_of(output),
                                             {.files = std::move(files),
                                              .header_from = string_of(given.header_from),
                                              .accepts_any_header = given.accept_any_header != 0,
                                              .live_buffers = string_of(given.live_buffers)}),
                             report);
                     });
}

etl_status etl_anonymize(const char* const* paths, size_t count, const char* output,
                         const etl_anonymize_options* options, etl_report** report,
                         etl_error** error) {
    return rewritten(
        options, report, error,
        [&](const etl_anonymize_options& given, rewrite::Files&& files) -> Outcome {
            const auto undecodable =
                choice_of(given.undecodable, rewrite::Undecodable::clear, "undecodable");
            if (!undecodable) {
                return std::unexpected(undecodable.error());
            }
            return finish(
                rewrite::anonymize(list_of(paths, count), string_of(output),
                                   {.files = std::move(files),
                                    .key = string_of(given.key),
                                    .redactions = list_of(given.redactions, given.redaction_count),
                                    .redacts_only = given.redact_only != 0,
                                    .undecodable = *undecodable}),
                report);
        });
}

static_assert(ETL_COMPRESSION_LZNT1 == static_cast<int>(Compression::lznt1));
static_assert(ETL_ALIGN_FIRST_EVENT == static_cast<int>(rewrite::Align::first_event));
static_assert(ETL_SPLIT_BY_PROCESSOR == static_cast<int>(rewrite::SplitBy::processor));
static_assert(ETL_SPLIT_CONTEXT_NONE == static_cast<int>(rewrite::SplitContext::none));
static_assert(ETL_UNDECODABLE_CLEAR == static_cast<int>(rewrite::Undecodable::clear));
