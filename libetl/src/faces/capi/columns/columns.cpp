#include "capi/columns/arrow.hpp"
#include "capi/handles.hpp"
#include "columns/builder.hpp"
#include "columns/limits.hpp"
#include "match/matcher.hpp"
#include "view/field_table.hpp"

#include <cerrno>

using namespace etl;
using namespace etl::capi;

namespace {

/// Reads the events that are selected, from the first one on.
class Selected {
public:
    Selected(etl_trace& trace, match::Condition condition)
        : trace_(&trace), condition_(std::move(condition)) {
        rewind();
    }

    void rewind() {
        number_ = trace_->restart();
        matches_.emplace(condition_, match::MatcherInputs{});
    }

    /// Whether the trace has been read otherwise since rewind().
    bool is_over() const noexcept { return trace_->reading != number_; }

    /// Returns the next event, or null.
    const Event* next() {
        auto& position = trace_->position;
        while (!is_over()) {
            if (!position) {
                position.emplace(trace_->trace.begin());
            } else if (*position != trace_->trace.end()) {
                ++*position;
            }
            if (*position == trace_->trace.end()) {
                return nullptr;
            }
            const Event& event = **position;
            if (condition_.is_always_true() ||
                (*matches_)(Access::decoded(event), Access::generation(event))) {
                return &event;
            }
        }
        return nullptr;
    }

    const Error* error() const noexcept { return trace_->trace.error(); }

    /// Which name no event has, at the end; empty: none, or some event matched.
    std::string unmatched_name() const {
        const auto names = condition_.unmatched();
        return names.empty() ? std::string() : describe(names.front());
    }

    bool is_exhausted() const noexcept { return trace_->current.is_exhausted; }

    /// Memory is exhausted.
    void give_up() noexcept { trace_->current.is_exhausted = true; }

private:
    etl_trace* trace_;
    std::uint64_t number_ = 0; // of the reading
    match::Condition condition_;
    std::optional<match::Matcher> matches_;
};

/// What the stream owns.
struct Stream {
    Stream(Selected&& from, const columns::Layout& layout, std::size_t rows)
        : events(std::move(from)), has_messages(layout.options().messages),
          builder(layout, rows, nullptr, spare.get()) {}

    void add(const Event& event) {
        builder.add(Access::decoded(event), Access::generation(event), event.provider(),
                    event.name(), has_messages ? event.message() : std::string());
    }

    Selected events;
    bool has_messages;
    /// Of batches that were released; each holds a share of it.
    std::shared_ptr<columns::SpareMemory> spare = std::make_shared<columns::SpareMemory>();
    columns::Builder builder;
    std::string problem{}; // of the last call
    bool has_ended = false;
};

bool is_number(std::string_view text) noexcept {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::expected<match::Condition, etl_error> condition_of(const etl_columns_options& options) {
    std::vector<match::Expression> tests;
    const auto add = [&](const char* name, const char* value) {
        tests.push_back(
            match::Expression::make_test(name, match::Operator::equal, {std::string(value)}));
    };
    if (options.provider != nullptr) {
        add("provider", options.provider);
    }
    if (options.event != nullptr) {
        add(is_number(options.event) ? "id" : "event", options.event);
    }
    auto condition = match::Condition::compile(match::Expression::all_of(std::move(tests)), {});
    if (!condition) {
        return failed(ETL_INVALID_ARGUMENT, condition.error().what);
    }
    return *std::move(condition);
}

/// Reads the trace once to find the kinds of events.
std::expected<columns::Layout, etl_error> layout_of(Selected& events,
                                                    const etl_columns_options& options) {
    columns::Layout layout({.details = options.details != 0,
                            .messages = options.messages != 0,
                            .structures = options.structures != 0});
    std::vector<bool> known;
    std::uint32_t generation = 0;
    while (const Event* const event = events.next()) {
        const decode::EventKind& kind = *Access::decoded(*event).kind;
        if (generation != Access::generation(*event)) {
            generation = Access::generation(*event);
            known.clear();
        }
        if (kind.number >= known.size()) {
            known.resize(kind.number + std::size_t{1});
        }
        if (!known[kind.number]) {
            known[kind.number] = true;
            layout.add(kind);
        }
    }
    if (const Error* const error = events.error()) {
        return failed(*error);
    }
    return layout;
}

Stream& stream_of(ArrowArrayStream* stream) noexcept {
    return *static_cast<Stream*>(stream->private_data);
}

/// Runs a function of the stream, which returns an error number.
template <typename Call>
int streamed(ArrowArrayStream* stream, Call&& call) noexcept {
    Stream& of = stream_of(stream);
    try {
        if (of.events.is_exhausted()) {
            throw std::bad_alloc();
        }
        return call(of);
    } catch (const std::bad_alloc&) {
        of.events.give_up();
        of.problem = "out of memory"; // short: no allocation
        return ENOMEM;
    } catch (...) {
        of.problem = "unexpected";
        return EIO;
    }
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* to) {
    return streamed(stream, [&](Stream& of) {
        export_schema(of.builder.columns(), *to);
        return 0;
    });
}

int get_next(ArrowArrayStream* stream, ArrowArray* to) {
    return streamed(stream, [&](Stream& of) {
        *to = {};
        if (!of.has_ended && of.events.is_over()) {
            of.problem = "the trace was read otherwise before the stream had ended";
            return EIO;
        }
        while (!of.has_ended && !of.builder.is_full()) {
            const Event* const event = of.events.next();
            if (event == nullptr) {
                of.has_ended = true;
                break;
            }
            of.add(*event);
        }
        if (of.builder.rows() > 0) {
            export_batch(of.builder.columns(), of.builder.take(), of.spare, *to);
            return 0;
        }
        if (const Error* const error = of.events.error()) {
            of.problem = describe(*error);
            return EIO;
        }
        return 0; // the end: `release` is null
    });
}

const char* get_last_error(ArrowArrayStream* stream) {
    const std::string& problem = stream_of(stream).problem;
    return problem.empty() ? nullptr : problem.c_str();
}

void release_stream(ArrowArrayStream* stream) {
    delete &stream_of(stream);
    stream->release = nullptr;
}

} // namespace

etl_status etl_trace_columns(etl_trace* trace, const etl_columns_options* given,
                             struct ArrowArrayStream* stream, etl_error** error) {
    *stream = {};
    return guarded_reading(trace, error, [&]() -> Outcome {
        if (trace->runtime != nullptr) {
            return failed(ETL_UNSUPPORTED, "the columns of a live session are not known");
        }
        const auto options = read_sized(given);
        if (!options) {
            return std::unexpected(options.error());
        }
        if (options->rows > columns::limits::batch_rows) {
            return failed(ETL_INVALID_ARGUMENT, "rows: at most 16777216");
        }
        auto condition = condition_of(*options);
        if (!condition) {
            return std::unexpected(condition.error());
        }
        Selected events(*trace, *std::move(condition));
        const auto layout = layout_of(events, *options);
        if (!layout) {
            return std::unexpected(layout.error());
        }
        if (const std::string problem = events.unmatched_name();
            options->required != 0 && trace->has_all_events && !problem.empty()) {
            return failed(ETL_NOT_FOUND, problem);
        }
        events.rewind();
        constexpr std::size_t default_rows = 65536;
        stream->private_data =
            new Stream(std::move(events), *layout,
                       options->rows != 0 ? static_cast<std::size_t>(options->rows) : default_rows);
        stream->get_schema = get_schema;
        stream->get_next = get_next;
        stream->get_last_error = get_last_error;
        stream->release = release_stream;
        return ETL_OK;
    });
}
