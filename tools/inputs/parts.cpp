#include "inputs/parts.hpp"

#include "base/text.hpp"
#include "cli/console.hpp"
#include "flow/context.hpp"
#include "gather/trace_index.hpp"
#include "trace/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cli {

namespace {

std::optional<std::uint32_t> parse_part_number(std::string_view text) {
    const bool has_digits =
        !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
    const auto number = has_digits ? etl::parse_number(text) : std::nullopt;
    return number && *number >= 1 && *number <= etl::limits::parts
               ? std::optional(static_cast<std::uint32_t>(*number))
               : std::nullopt;
}

std::optional<etl::trace::Part> parse_part(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) {
        return std::nullopt;
    }
    const auto number = parse_part_number(text.substr(0, slash));
    const auto count = parse_part_number(text.substr(slash + 1));
    return number && count && *number <= *count
               ? std::optional(etl::trace::Part{.number = *number, .count = *count})
               : std::nullopt;
}

/// Those of the reader of one of several files.
etl::trace::ReaderOptions reader_options(const TraceOptions& options, bool is_event_log,
                                         std::size_t files) {
    const auto each = static_cast<unsigned>(std::max<std::size_t>(files, 1));
    return {.order = options.order,
            .threads = std::max(1U, options.worker_threads() / each),
            .select = options.select,
            .hides_header = is_event_log};
}

} // namespace

void add_part(Verb& verb, std::optional<etl::trace::Part>& part, const std::string& use) {
    verb.add_option_function<std::string>(
            "--part",
            [&part](const std::string& text) {
                part = parse_part(text);
                if (!part) {
                    throw UsageError("--part",
                                     fmt::format("'{}' is not a part; use K/N, such as 1/8 to 8/8",
                                                 printable(text)));
                }
            },
            fmt::format("the Kth of N time spans with about the same bytes of buffers; {} "
                        "(docs/parts.md)",
                        use))
        ->type_name("K/N")
        ->group("Filters");
}

TraceIndexes read_indexes(const Traces& traces) {
    TraceIndexes indexes;
    for (const auto& reader : traces.readers()) {
        indexes.push_back(etl::gather::read_index(*reader, say_remark));
    }
    return indexes;
}

void complete_indexes(const Traces& traces, TraceIndexes& indexes, unsigned threads) {
    for (std::size_t i = 0; i < indexes.size(); ++i) {
        if (!indexes[i]) {
            indexes[i] = std::make_shared<const etl::trace::TraceIndex>(
                etl::gather::index_of(*traces.readers()[i], threads).index);
        }
    }
}

std::optional<etl::gather::Schemas> gather_schemas(const SchemaOptions& options,
                                                   const Traces& traces,
                                                   const TraceIndexes& indexes, unsigned threads,
                                                   etl::facts::OriginCollector* origins) {
    auto schemas = etl::gather::schemas_of(traces.readers(), indexes, options.for_threads(threads),
                                           say_remark, origins);
    if (!schemas) {
        say(schemas.error().path, schemas.error().error);
        return std::nullopt;
    }
    return *std::move(schemas);
}

std::unique_ptr<PartOfTraces> PartOfTraces::open(const TraceOptions& options,
                                                 const OpenedFiles& opened, Traces& traces,
                                                 const TraceIndexes& indexes,
                                                 const etl::trace::WantedPart& wanted,
                                                 Traces::Findings findings) {
    std::vector<etl::trace::IndexedTrace> indexed;
    for (std::size_t i = 0; i < indexes.size(); ++i) {
        indexed.push_back({traces.readers()[i].get(), indexes[i].get()});
    }
    const auto window = etl::trace::window_of(wanted, indexed);
    auto part = std::make_unique<PartOfTraces>();
    part->begin_ = window.from;
    for (std::size_t i = 0; i < indexes.size(); ++i) {
        const auto& file = traces.files()[i];
        etl::trace::ReaderOptions reader =
            reader_options(options, opened.is_event_log(file->name()), opened.files.size());
        reader.file = traces.readers()[i]->info().file;
        reader.diagnostics = findings == Traces::Findings::reported ? &traces.findings() : nullptr;
        auto source = etl::trace::WindowReader::open(file, reader, *indexes[i], window);
        if (!source) {
            say(file->name(), source.error());
            return nullptr;
        }
        part->sources_.push_back(*std::move(source));
    }
    return part;
}

} // namespace cli
