#include "base/task_pool.hpp"
#include "catalog/catalog.hpp"
#include "cli/console.hpp"
#include "cli/line_problems.hpp"
#include "cli/option_values.hpp"
#include "cli/progress.hpp"
#include "cli/verbs.hpp"
#include "format/buffer_header.hpp"
#include "format/records.hpp"
#include "fromjson/line_source.hpp"
#include "fromjson/line_trace.hpp"
#include "inputs/schemas.hpp"
#include "io/input_file.hpp"
#include "outputs/trace_output.hpp"
#include "trace/reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cli {

// The inputs of `etl write`.

/// All inputs as one, with lookahead. Prints read errors to standard error.
class LineInputs {
public:
    struct Line {
        etl::fromjson::LineSource::Line line;
        std::size_t file = 0;
    };

    /// No names: standard input.
    explicit LineInputs(std::vector<std::string> names);

    /// If an input cannot be opened, prints why and returns false.
    bool open();

    /// Passes the first lines to the trace, as many as it needs, and to `seen`. next() returns them
    /// again.
    template <typename Seen>
    void look_ahead(etl::fromjson::LineTrace& trace, Seen seen) {
        constexpr std::size_t max_lines = 4096;
        constexpr std::size_t max_bytes = 1U << 20U;
        std::size_t bytes = 0;
        while (trace.needs_more_lines() && ahead_.size() < max_lines && bytes < max_bytes) {
            const auto next = read();
            if (!next) {
                return;
            }
            bytes += next->line.text.size();
            Kept& kept = ahead_.emplace_back(Kept{{}, *next});
            kept.text.assign(next->line.text).append(etl::fromjson::line_padding, '\0');
            if (next->file == 0) {
                trace.inspect(view_of(kept).line.text, next->line.number);
            }
            seen(view_of(kept));
        }
    }

    std::optional<Line> next() {
        return taken_ < ahead_.size() ? view_of(ahead_[taken_++]) : read();
    }

    const std::string& name(std::size_t file) const noexcept { return sources_[file]->name(); }

    double fraction_done() const noexcept;

    /// An input could not be read to its end.
    bool failed() const noexcept { return failed_; }

private:
    struct Kept {
        std::string text;
        Line line;
    };

    static Line view_of(const Kept& kept);
    std::optional<Line> read();

    std::vector<std::string> names_;
    std::vector<std::unique_ptr<etl::fromjson::LineSource>> sources_;
    std::vector<Kept> ahead_;
    std::size_t taken_ = 0, current_ = 0;
    bool failed_ = false;
};

LineInputs::LineInputs(std::vector<std::string> names) : names_(std::move(names)) {
    if (names_.empty()) {
        names_.emplace_back("-");
    }
}

bool LineInputs::open() {
    for (const std::string& name : names_) {
        auto sources = etl::fromjson::LineSource::open(name);
        if (!sources) {
            say(name, sources.error());
            return false;
        }
        std::ranges::move(*sources, std::back_inserter(sources_));
    }
    return true;
}

double LineInputs::fraction_done() const noexcept {
    const auto count = static_cast<double>(sources_.size());
    return current_ < sources_.size()
               ? (static_cast<double>(current_) + sources_[current_]->fraction_done()) / count
               : 1.0;
}

LineInputs::Line LineInputs::view_of(const Kept& kept) {
    Line line = kept.line;
    line.line.text =
        std::string_view(kept.text).substr(0, kept.text.size() - etl::fromjson::line_padding);
    return line;
}

std::optional<LineInputs::Line> LineInputs::read() {
    for (; current_ < sources_.size(); ++current_) {
        if (const auto line = sources_[current_]->next()) {
            return Line{*line, current_};
        }
        if (const auto& error = sources_[current_]->error()) {
            say(name(current_), *error);
            failed_ = true;
        }
    }
    return std::nullopt;
}

// etl write: creates a trace from JSON lines, written by `etl dump` or by hand.

namespace {

struct WriteOptions {
    std::vector<std::string> inputs;
    TraceOutputOptions output;
    std::vector<std::string> schemas;
    bool from_data = false;
    bool strict = false;
    bool verbose = false;
    unsigned threads = 0; // 0: logical processors
    ProgressBar::Mode progress = ProgressBar::Mode::automatic;
};

constexpr const char* write_footer = R"(Examples:
  etl dump --raw --format jsonl trace.etl | etl write -o copy.etl
  etl dump --raw --format jsonl trace.etl | sed s/alice/bob/g | etl write --from-data -o renamed.etl
  echo '{"time":"2024-05-17T04:00:00Z","provider":"My-Provider","event":"Hello","data":{"Count":3}}' | etl write -o hello.etl
  etl write --schema provider.man --compress xpress events.jsonl -o events.etl
Lines have the format of `etl dump --format jsonl` (docs/output.md); most keys are optional (docs/write.md).
Only lines of `etl dump --raw` preserve the kind of every record.
Exit codes: 0 success, 1 lost lines or buffers, 2 failure, 64 usage error.)";

/// Schemas for lines without payload. The files of a provider are loaded when a line first needs
/// them, all files when a line has only the name of its provider.
class SchemaFiles {
public:
    /// If a path is not usable, prints why and returns false.
    bool open(const std::vector<std::string>& paths) {
        auto catalog = etl::catalog::Catalog::open({.paths = paths});
        if (!catalog) {
            say(catalog.error().path, catalog.error().error);
            return false;
        }
        catalog_.emplace(*std::move(catalog));
        return true;
    }

    etl::fromjson::SchemaLoader loader() {
        return [this](const etl::Guid* provider) {
            const auto size = [this] { return loaded_.size() + loaded_.providers().size(); };
            const std::size_t before = size();
            if (provider != nullptr) {
                catalog_->load_related(*provider, loaded_);
            } else {
                catalog_->load_all(loaded_);
            }
            if (!newest_ || size() != before) {
                auto store = std::make_shared<etl::schema::SchemaStore>();
                store->add_all(loaded_);
                store->freeze();
                newest_ = std::move(store);
            }
            return newest_;
        };
    }

    /// Call at the end.
    void report_rejections() const {
        if (newest_) {
            etl::gather::report_rejections(*catalog_, say_remark);
        }
    }

private:
    std::optional<etl::catalog::Catalog> catalog_;
    etl::schema::SchemaStore loaded_; // so far, never frozen
    std::shared_ptr<const etl::schema::SchemaStore> newest_;
};

/// Converts lines into records and writes them.
class Writing {
public:
    Writing(const WriteOptions& options, LineInputs& inputs, SchemaFiles& schemas)
        : options_(options), inputs_(inputs), schemas_(schemas),
          problems_(options.verbose ? LineProblems::Shown::all : LineProblems::Shown::first),
          trace_(schemas.loader(), options.from_data ? etl::fromjson::PreferredSource::data
                                                     : etl::fromjson::PreferredSource::payload) {}

    ExitCode run() {
        inputs_.look_ahead(trace_, [this](const LineInputs::Line& line) { watch_keys(line); });
        etl::trace::Recording recording = trace_.begin();
        const bool appends = options_.output.file.mode == etl::trace::FileMode::append;
        if (appends && !adopt_output(recording)) {
            return ExitCode::failed;
        }
        const TraceOutputOptions where = output_options(recording);
        buffer_size_ = where.buffer_size.value_or(where.file.buffer_size);
        auto output = TraceOutput::open(where, threads(), std::move(recording));
        if (!output) {
            return output.error();
        }
        write_all(output->writer());
        const ExitCode exit = output->finish();
        schemas_.report_rejections();
        report_omissions();
        const bool is_complete = problems_.count() == 0 && !inputs_.failed();
        return worst(exit, is_complete ? ExitCode::well : ExitCode::damaged);
    }

private:
    // Lines without a header are appended as part of the existing trace. If their header does not
    // match it, prints why and returns false.
    bool adopt_output(etl::trace::Recording& recording) {
        const std::string& path = options_.output.path;
        const auto file = etl::io::InputFile::map(path);
        const auto reader = file ? etl::trace::Reader::open(*file) : std::unexpected(file.error());
        if (!reader || !(*reader)->info().has_header) {
            return true; // it does not exist, or the writer reports what is wrong
        }
        const etl::flow::TraceInfo& info = (*reader)->info();
        if (trace_.has_header()) {
            return has_clock_of(info, recording);
        }
        recording.header = info.header;
        recording.header_pointer_size = info.header_pointer_size;
        recording.reference_time = info.reference_time;
        continues_ = true;
        trace_.continue_trace(recording);
        return true;
    }

    bool has_clock_of(const etl::flow::TraceInfo& there, const etl::trace::Recording& recording) {
        const auto clock = there.header.clock_type();
        const auto other = recording.header.clock_type();
        if (clock == other) {
            return true;
        }
        say(fmt::format("{}: the clock type is {}, but that of the lines is {}",
                        printable(options_.output.path), name(clock), name(other)));
        return false;
    }

    // Use the buffer size of the original trace, so that all records fit, up to a limit, so that a
    // line cannot exhaust memory.
    TraceOutputOptions output_options(const etl::trace::Recording& recording) const {
        constexpr std::uint32_t min = 4U << 10U;
        constexpr std::uint32_t max = 1U << 20U;
        TraceOutputOptions options = options_.output;
        const std::uint32_t size = recording.header.buffer_size;
        if (options.buffer_size) {
            return options;
        }
        if (continues_) { // existing buffers have this size
            options.file.buffer_size = size;
        } else if (size >= min && size % 512 == 0) {
            options.file.buffer_size = std::min(size, max);
        }
        options.file.buffer_size =
            std::max(options.file.buffer_size, header_buffer_size(recording));
        return options;
    }

    // The minimum for a header buffer with the names of the first line and of the file.
    std::uint32_t header_buffer_size(const etl::trace::Recording& recording) const {
        constexpr std::size_t granule = 512;
        const std::size_t size =
            etl::format::buffer_header::size + etl::format::system_record::size +
            etl::format::encode_logfile_header(recording.header, 8).size() +
            recording.extra_records.size() + 2 * (options_.output.path.size() + 8);
        return static_cast<std::uint32_t>((size + granule - 1) / granule * granule);
    }

    unsigned threads() const {
        return options_.threads > 0 ? options_.threads : etl::hardware_threads();
    }

    void write_all(etl::trace::Writer& writer) {
        ProgressBar bar(options_.progress);
        while (const auto next = inputs_.next()) {
            if (const auto written = write(*next, writer); !written) {
                problems_.add(inputs_.name(next->file), next->line.number, written.error());
                if (options_.strict) {
                    return;
                }
            }
            if ((++lines_ & 0xFFFU) == 0) {
                bar.show(inputs_.fraction_done(), lines_);
            }
        }
    }

    etl::fromjson::LineResult<void> write(const LineInputs::Line& next,
                                          etl::trace::Writer& writer) {
        if (next.line.is_too_long) {
            return std::unexpected(etl::fromjson::LineError{"", "line too long"});
        }
        const auto made =
            trace_.make(next.line.text, next.file == 0 ? next.line.number : std::uint64_t{0});
        watch_keys(next);
        if (!made) {
            return std::unexpected(made.error());
        }
        if (made->record.empty()) {
            return {};
        }
        if (made->record.size() + etl::format::buffer_header::size > buffer_size_) {
            return std::unexpected(etl::fromjson::LineError{
                "",
                fmt::format(
                    "the record of {} bytes exceeds the buffer size of {} bytes; use --buffer-size",
                    made->record.size(), buffer_size_)});
        }
        if (const auto added = writer.add(made->processor, made->record, made->has_usable_time);
            !added) {
            return std::unexpected(etl::fromjson::LineError{"", etl::describe(added.error())});
        }
        return {};
    }

    void watch_keys(const LineInputs::Line& line) {
        if (unknown_key_.line == 0 && !trace_.unknown_keys().empty()) {
            unknown_key_ = {line.file, line.line.number};
        }
    }

    void report_omissions() const {
        if (lines_ == 0 && problems_.count() == 0 && !inputs_.failed()) {
            say(continues_ ? "note: no line was read; nothing was appended"
                           : "note: no line was read; the trace contains only its header");
        }
        if (trace_.further_headers() > 0) {
            say(fmt::format("note: skipped {}",
                            plural(trace_.further_headers(), "additional log file header")));
        }
        if (!trace_.unknown_keys().empty()) {
            say_plainly(
                fmt::format("{}:{}: note: unknown keys, first seen here: {}",
                            printable(inputs_.name(unknown_key_.file)), unknown_key_.line,
                            printable(fmt::format("{}", fmt::join(trace_.unknown_keys(), ", ")))));
        }
    }

    const WriteOptions& options_;
    LineInputs& inputs_;
    SchemaFiles& schemas_;
    LineProblems problems_;
    etl::fromjson::LineTrace trace_;
    std::uint64_t lines_ = 0;
    std::uint32_t buffer_size_ = 0;
    bool continues_ = false; // lines without a header are appended to an existing trace

    struct Place {
        std::size_t file = 0;
        std::uint64_t line = 0; // 0: none
    };

    Place unknown_key_; // of the first one
};

ExitCode run(const WriteOptions& options) {
    OutputGuard guard;
    guard.reads(options.inputs.empty() ? std::vector<std::string>{"-"} : options.inputs);
    guard.reads(etl::catalog::Options{.paths = options.schemas});
    SchemaFiles schemas;
    LineInputs inputs(options.inputs);
    if (!is_clear(options.output, guard) || !schemas.open(options.schemas) || !inputs.open()) {
        return ExitCode::failed;
    }
    return Writing(options, inputs, schemas).run();
}

} // namespace

void add_write(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand("write", "Create a trace from JSON lines");
    auto options = std::make_shared<WriteOptions>();
    verb.add_option(
        "FILE", options->inputs,
        "JSON lines, as written by `etl dump --format jsonl`; - for standard input (default: -)");
    options->output.add_to(verb);
    verb.add_option("--schema", options->schemas,
                    "manifest, MOF, executable, .mui, TMF, or PDB file, or a directory or archive; "
                    "repeatable. Also searched: ETL_SCHEMA_PATH, TRACE_FORMAT_SEARCH_PATH, "
                    "etl/schemas in the user configuration, the built-in schemas")
        ->allow_extra_args(false)
        ->type_name("PATH");
    verb.add_flag("--from-data", options->from_data,
                  "encode payloads from `data` even if a line has both");
    verb.add_flag("--strict", options->strict, "stop at the first invalid line");
    verb.add_flag("--verbose", options->verbose, "list all invalid lines (default: the first 20)");
    verb.add_option("--threads", options->threads,
                    "number of compression threads (default: logical processors)")
        ->check(in_range(0, 1024))
        ->type_name("N");
    add_progress(verb, options->progress);
    verb.footer(write_footer);
    verb.callback([options, &exit] { exit = run(*options); });
}

} // namespace cli
