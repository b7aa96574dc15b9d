#include "dataset/dataset.hpp"

#include "flow/mux.hpp"
#include "gather/index_cache.hpp"
#include "match/expression.hpp"
#include "match/kind_filter.hpp"
#include "match/time_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace etl::dataset {

namespace {

/// Readers of more files must not have copies of buffers each.
constexpr std::size_t few_inputs = 8;

TraceError error_about(const Error& error, const std::string& name) {
    return {error, name, {}};
}

flow::TimeFilter::Upstream upstream_of(const std::vector<std::unique_ptr<trace::Reader>>& readers,
                                       trace::Order order) {
    const bool in_one_go =
        std::ranges::all_of(readers, [](const auto& reader) { return reader->is_in_one_go(); });
    return in_one_go && order == trace::Order::time ? flow::TimeFilter::Upstream::ordered
                                                    : flow::TimeFilter::Upstream::unordered;
}

/// The headers of the buffers of a trace; empty: its index does not have them.
Bytes buffers_in(const std::shared_ptr<const trace::TraceIndex>& index) {
    const auto found =
        index ? index->sections->find(trace::buffers_section) : Result<Bytes>(Bytes{});
    return found.value_or(Bytes{});
}

/// Whether schemas that are known are enough.
bool have_schemas(const std::optional<gather::SchemaScope>& known,
                  gather::SchemaScope needed) noexcept {
    return known == needed || known == gather::SchemaScope::everything;
}

/// Whether facts that are known are enough.
bool have_facts(const Needs& known, const Needs& needed) noexcept {
    return known.facts == facts::Scope::processes
               ? needed.facts == facts::Scope::processes
               : known.facts && (needed.facts == facts::Scope::processes ||
                                 covers(known.stacks, needed.stacks));
}

} // namespace

bool covers(const flow::TimeFilter::Window& outer, const flow::TimeFilter::Window& inner) noexcept {
    return (!outer.from || (inner.from && *inner.from >= *outer.from)) &&
           (!outer.to || (inner.to && *inner.to <= *outer.to));
}

/// Adds names to findings.
class Dataset::Findings final : public DiagnosticSink {
public:
    explicit Findings(FindingSink to) : to_(std::move(to)) {}

    /// `number` is at most that of the names so far.
    void set_name(std::size_t number, const std::string& name) {
        names_.resize(number);
        names_.push_back(name);
    }

    void report(const Diagnostic& finding) override {
        if (to_) {
            to_(finding, names_[finding.file]);
        }
    }

    void silence() noexcept { to_ = {}; }

private:
    FindingSink to_;                 // empty: silent
    std::vector<std::string> names_; // by number
};

Dataset Dataset::open(const std::vector<std::string>& paths, Options options) {
    Inputs inputs = open_inputs(paths, options);
    return Dataset(std::move(inputs), std::move(options));
}

Dataset::Dataset(Inputs inputs, Options options)
    : Dataset(std::move(inputs), std::move(options), nullptr) {}

/// `again` is the dataset of the same inputs that is opened again, or null.
Dataset::Dataset(Inputs inputs, Options options, const Dataset* again)
    : inputs_{{}, std::move(inputs.problems)}, options_(std::move(options)),
      findings_(options_.findings ? std::make_unique<Findings>(options_.findings) : nullptr) {
    trace::ReaderOptions how = reader_options(inputs.files.size());
    how.is_single_pass = options_.is_single_pass && inputs.files.size() <= few_inputs;
    how.select = options_.select;
    for (Input& input : inputs.files) {
        how.file = static_cast<std::uint32_t>(readers_.size());
        how.hides_header = input.is_event_log();
        if (findings_) {
            findings_->set_name(how.file, input.name());
        }
        auto reader = open_reader(input, how, again);
        if (reader) {
            readers_.push_back(*std::move(reader));
            inputs_.files.push_back(std::move(input));
        } else {
            inputs_.add({{input.name(), reader.error()}}, options_);
        }
    }
    bounds_ = again != nullptr ? again->bounds_ : gather::bounds_of(readers_);
    upstream_ = upstream_of(readers_, options_.order);
}

/// Its index is the next of opened_by_.
Result<std::unique_ptr<trace::Reader>>
Dataset::open_reader(const Input& input, trace::ReaderOptions how, const Dataset* again) {
    const trace::Reader* const same =
        again != nullptr && !findings_ ? again->readers_[how.file].get() : nullptr;
    if (same != nullptr) {
        auto reader = trace::Reader::open(*same, input.file, how);
        if (reader) {
            opened_by_.push_back(again->opened_by_[how.file]);
        }
        return reader;
    }
    const bool has_index = options_.uses_indexes && !options_.ignores_indexes;
    const auto index = input.index != nullptr               ? input.index
                       : has_index && !input.is_event_log() ? gather::index_of_state(*input.file)
                                                            : nullptr;
    how.known_buffers = buffers_in(index);
    auto reader = trace::Reader::open(input.file, how);
    if (reader) {
        opened_by_.push_back((*reader)->has_known_buffers() ? index : nullptr);
    }
    return reader;
}

void Dataset::silence() noexcept {
    options_.problems = {};
    options_.findings = {};
    options_.remarks = {};
    if (findings_) {
        findings_->silence(); // readers keep a pointer to it
    }
}

Dataset::Dataset(Dataset&&) noexcept = default;
Dataset& Dataset::operator=(Dataset&&) noexcept = default;
Dataset::~Dataset() = default;

/// Readers of many files must not have all the threads each.
trace::ReaderOptions Dataset::reader_options(std::size_t inputs) const {
    const auto each = static_cast<unsigned>(std::max<std::size_t>(inputs, 1));
    return {.order = options_.order,
            .threads = std::max(1U, options_.worker_threads() / each),
            .diagnostics = findings_.get(),
            .stop = options_.stop};
}

std::expected<Dataset, TraceError> Dataset::again(Selection select, FindingSink findings) const {
    Options options = options_;
    options.select = std::move(select);
    options.findings = std::move(findings);
    return again(std::move(options));
}

std::expected<Dataset, TraceError> Dataset::again(Options options) const {
    options.problems = {}; // the first one is the error
    Dataset next({inputs_.files}, std::move(options), this);
    if (!next.problems().empty()) {
        const Problem& problem = next.problems().front();
        return std::unexpected(error_about(problem.error, problem.name));
    }
    next.indexes_ = indexes_;
    next.context_ = context_;
    next.known_ = known_;
    next.symbols_ = symbols_;
    return next;
}

std::vector<const flow::TraceInfo*> Dataset::infos() const {
    std::vector<const flow::TraceInfo*> infos;
    for (const auto& reader : readers_) {
        infos.push_back(&reader->info());
    }
    return infos;
}

bool Dataset::may_have_several_origins() const noexcept {
    return gather::may_have_several_origins(readers_);
}

void Dataset::remark(const gather::Remark& remark) const {
    if (options_.remarks) {
        options_.remarks(remark);
    }
}

std::expected<void, TraceError> Dataset::find_schemas(gather::SchemaScope scope,
                                                      facts::OriginCollector* origins) {
    auto found = gather::schemas_of(
        readers_, useful_indexes(),
        {.paths = options_.schemas,
         .culture = options_.culture,
         .scope = scope,
         .threads = options_.worker_threads()},
        [this](const gather::Remark& line) { remark(line); }, origins);
    if (!found) {
        return std::unexpected(error_about(found.error().error, found.error().path));
    }
    context_.schemas = found->by_trace;
    context_.schema_files = std::make_shared<const catalog::Catalog>(std::move(found->files));
    known_.schemas = scope;
    return {};
}

std::expected<Context, TraceError> Dataset::context(const Needs& needs) {
    const bool lacks_origins = needs.origins && !known_.origins;
    std::optional<gather::SchemaScope> scope = needs.schemas;
    if (!scope && needs.facts) {
        scope = gather::SchemaScope::facts;
    }
    facts::OriginCollector collected;
    const bool reads_schemas = scope && !have_schemas(known_.schemas, *scope);
    if (reads_schemas) {
        if (auto found = find_schemas(*scope, lacks_origins ? &collected : nullptr); !found) {
            return std::unexpected(std::move(found.error()));
        }
    }
    if (lacks_origins && !reads_schemas) {
        context_.origins = gather::origins_of(readers_, options_.worker_threads());
    } else if (lacks_origins || context_.origins == nullptr) {
        context_.origins = gather::origins_of(readers_, collected);
    }
    known_.origins = known_.origins || needs.origins;
    if (needs.facts && !have_facts(known_, needs)) {
        context_.facts = gather::facts_of(
            readers_, useful_indexes(), context_.schemas,
            {.scope = *needs.facts,
             .pointer_size = options_.pointer_size,
             .code_page = options_.code_page,
             .stop = options_.stop},
            options_.worker_threads(), [this](const gather::Remark& line) { remark(line); },
            needs.stacks);
        known_.facts = needs.facts;
        known_.stacks = needs.stacks;
    }
    return context_;
}

std::shared_ptr<gather::StoreSymbols> Dataset::symbols() {
    if (symbols_ == nullptr) {
        auto places = gather::symbol_places(options_.symbols);
        symbols_ =
            places.empty() ? nullptr : std::make_shared<gather::StoreSymbols>(std::move(places));
    }
    return symbols_;
}

gather::Indexes Dataset::indexes() {
    if (indexes_.empty()) {
        for (const auto& reader : readers_) {
            const auto& known = opened_by_[indexes_.size()];
            if (options_.ignores_indexes) {
                indexes_.push_back(inputs_.files[indexes_.size()].index);
                continue;
            }
            indexes_.push_back(
                known ? known : gather::read_index(*reader, [this](const gather::Remark& line) {
                    remark(line);
                }));
        }
    }
    return indexes_;
}

gather::Indexes Dataset::useful_indexes() {
    if (options_.part.count > 1) {
        complete_indexes();
    } else if (options_.uses_indexes) {
        static_cast<void>(indexes());
    }
    return indexes_;
}

bool Dataset::is_indexed() {
    return options_.uses_indexes && std::ranges::find(indexes(), nullptr) == indexes().end();
}

void Dataset::complete_indexes() {
    static_cast<void>(indexes());
    for (std::size_t i = 0; i < indexes_.size(); ++i) {
        if (indexes_[i] == nullptr) {
            static_cast<void>(make_index(i));
            keep_index(i);
        }
    }
}

/// What fails is made again the next time.
void Dataset::keep_index(std::size_t number) const {
    constexpr std::uint64_t large = std::uint64_t{16} << 20U; // others are read at once
    const io::InputFile& file = *inputs()[number].file;
    if (!options_.keeps_indexes || options_.ignores_indexes || file.bytes().size() < large ||
        !file.changed()) {
        return;
    }
    if (const auto key = gather::index_key_or_new()) {
        static_cast<void>(gather::cache_index(
            file.name(), *key,
            gather::encoded_index(*readers_[number], file, *indexes_[number], *key)));
    }
}

std::uint64_t Dataset::make_index(std::size_t number) {
    static_cast<void>(indexes()); // of the others
    gather::MadeIndex made = gather::index_of(*readers_[number], options_.worker_threads());
    indexes_[number] = std::make_shared<const trace::TraceIndex>(std::move(made.index));
    return made.damage;
}

std::expected<WindowSources, TraceError> Dataset::window_sources(const Window& window) {
    complete_indexes();
    std::vector<trace::IndexedTrace> indexed;
    for (std::size_t i = 0; i < readers_.size(); ++i) {
        indexed.push_back({readers_[i].get(), indexes_[i].get()});
    }
    const auto wanted =
        trace::window_of({.part = window.part,
                          .window = window.time,
                          .ends_with_window = upstream_ == flow::TimeFilter::Upstream::ordered,
                          .has_all_before = window.has_all_before},
                         indexed);
    WindowSources sources{.readers = {}, .begin = wanted.from};
    for (std::size_t i = 0; i < readers_.size(); ++i) {
        auto reader = open_window(i, wanted, {.select = window.select});
        if (!reader) {
            return std::unexpected(std::move(reader.error()));
        }
        sources.readers.push_back(*std::move(reader));
    }
    return sources;
}

std::expected<std::unique_ptr<trace::WindowReader>, TraceError>
Dataset::open_window(std::size_t number, const flow::TimeFilter::Window& window,
                     const WindowOptions& options) {
    if (indexes()[number] == nullptr) {
        static_cast<void>(make_index(number));
    }
    trace::ReaderOptions how = reader_options(readers_.size());
    how.select = options.select.value_or(options_.select);
    how.diagnostics = options.is_silent ? nullptr : how.diagnostics;
    how.file = static_cast<std::uint32_t>(number);
    how.hides_header = inputs()[number].is_event_log();
    const auto& file = inputs()[number].file;
    auto reader =
        readers_[number] != nullptr
            ? trace::WindowReader::open(*readers_[number], file, how, indexes_[number], window)
            : trace::WindowReader::open(file, how, indexes_[number], window);
    if (!reader) {
        return std::unexpected(error_about(reader.error(), inputs()[number].name()));
    }
    return *std::move(reader);
}

std::optional<std::vector<bool>>
Dataset::buffers_of_kinds(std::size_t number,
                          FunctionRef<bool(const flow::Event& event)> is_wanted) {
    const auto& reader = readers_[number];
    const auto index = options_.uses_indexes ? indexes()[number] : nullptr;
    return index != nullptr && reader != nullptr
               ? gather::buffers_of_kinds(*reader, *index, is_wanted)
               : std::nullopt;
}

void Dataset::skip_kinds(const match::Condition& where, const match::MatcherInputs& inputs) {
    if (!options_.uses_indexes || where.is_always_true()) {
        return;
    }
    match::KindTest test(where, inputs);
    for (std::size_t i = 0; i < readers_.size(); ++i) {
        if (const auto& index = indexes()[i]; index != nullptr && readers_[i] != nullptr) {
            gather::skip_kinds(*readers_[i], *index,
                               [&](const flow::Event& event) { return test.may_match(event); });
        }
    }
}

bool Dataset::reads_window(const Window& window) {
    const bool has_bounds = window.time.from || window.time.to;
    return window.part.count > 1 ||
           (has_bounds && options_.order == trace::Order::time && is_indexed());
}

std::expected<Events, TraceError> Dataset::events(const Window& window) {
    Events events;
    std::vector<flow::Source*> sources;
    if (reads_window(window)) {
        auto opened = window_sources(window);
        if (!opened) {
            return std::unexpected(std::move(opened.error()));
        }
        events.window_ = *std::move(opened);
        for (const auto& reader : events.window_.readers) {
            sources.push_back(reader.get());
        }
    } else {
        for (const auto& reader : readers_) {
            sources.push_back(reader.get());
        }
    }
    if (sources.size() == 1) {
        events.source_ = sources.front();
    } else {
        events.joined_ = join(std::move(sources));
        events.source_ = events.joined_.get();
    }
    if (window.time.from || window.time.to) {
        events.timed_ = std::make_unique<flow::TimeFilter>(*events.source_, window.time, upstream_,
                                                           window.untimed);
        events.source_ = events.timed_.get();
    }
    return events;
}

std::unique_ptr<flow::Source> Dataset::join(std::vector<flow::Source*> sources) const {
    if (sources.size() == 1 || options_.order != trace::Order::time) {
        return std::make_unique<flow::Concatenation>(std::move(sources));
    }
    return std::make_unique<flow::Mux>(std::move(sources));
}

void Dataset::report_unmatched(const match::Condition& where) const {
    if (!options_.remarks) {
        return;
    }
    for (const match::UnmatchedName& name : where.unmatched()) {
        options_.remarks({.severity = gather::Remark::Severity::warning, .text = describe(name)});
    }
}

void Dataset::report_truncation() {
    for (const auto& reader : readers_) {
        if (reader) {
            reader->report_truncation();
        }
    }
}

// Filters as text, compiled for traces.

namespace {

std::unexpected<TraceError> invalid(const char* what, const char* option, std::string detail) {
    return std::unexpected(
        TraceError{{.code = ErrorCode::invalid_option, .what = what}, option, std::move(detail)});
}

std::expected<std::optional<Filetime>, TraceError>
resolve(const std::string& text, const match::TimeBounds& bounds, const char* option) {
    if (text.empty()) {
        return std::nullopt;
    }
    const auto point = match::parse_time_point(text);
    if (!point) {
        return invalid("time", option,
                       fmt::format("'{}' is not a time; use {}", text, match::time_forms));
    }
    const std::optional<Filetime> time = point->resolve(bounds);
    if (!time) {
        return invalid("relative to an unknown end", option,
                       fmt::format("'{}' is relative to the end, which is unknown", text));
    }
    return time;
}

} // namespace

std::expected<match::Condition, TraceError> compile_where(const std::string& where,
                                                          const match::TimeBounds& bounds) {
    if (where.empty()) {
        return match::Condition();
    }
    const auto expression = match::Expression::parse(where);
    auto condition = expression
                         ? match::Condition::compile(*expression, {.bounds = bounds, .notes = {}})
                         : std::unexpected(expression.error());
    if (!condition) {
        return invalid("where", "where", match::describe(where, condition.error()));
    }
    return *std::move(condition);
}

std::expected<flow::TimeFilter::Window, TraceError>
compile_window(const std::string& from, const std::string& to, const match::TimeBounds& bounds) {
    const auto begin = resolve(from, bounds, "from");
    const auto end = resolve(to, bounds, "to");
    if (!begin || !end) {
        return std::unexpected((begin ? end : begin).error());
    }
    return flow::TimeFilter::Window{*begin, *end};
}

std::expected<Filters, TraceError> Dataset::filters() const {
    auto condition = compile_where(options_.where, bounds_);
    if (!condition) {
        return std::unexpected(std::move(condition.error()));
    }
    const auto window = compile_window(options_.from, options_.to, bounds_);
    if (!window) {
        return std::unexpected(window.error());
    }
    return Filters{*std::move(condition), *window};
}

} // namespace etl::dataset
