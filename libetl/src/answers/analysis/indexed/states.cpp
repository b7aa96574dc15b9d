#include "analysis/states.hpp"

#include "analysis/indexed/packed.hpp"
#include "analysis/indexed/track_levels.hpp"
#include "analysis/limits.hpp"
#include "analysis/parts/archive.hpp"
#include "analysis/parts/part_place.hpp"
#include "analysis/parts/part_rows.hpp"
#include "gather/scopes.hpp"

#include <zstd.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace etl::analysis {

namespace {

constexpr std::string_view state_signature = "ETLSTATE";
constexpr std::uint32_t state_version = 1;

/// Most states differ little from those before them, so each is compressed by what it has in common
/// with the first of its group: two frames are enough to read any of them.
constexpr std::size_t states_of_group = 16;

/// Bytes of a state, which is read at once.
constexpr std::size_t max_state = std::size_t{256} << 20U;

/// That an index was made by this version of libetl: another one may compute tables otherwise.
constexpr std::string_view version_section = "tables of " ETL_VERSION;

/// Its content, which changes with the sections that there are, and with how they are computed.
constexpr std::byte sections_version{3};

constexpr std::string_view levels_section = "tracks";

std::string levels_block(std::size_t number) {
    return std::string(levels_section) + '.' + std::to_string(number);
}

/// Bytes of a table that is kept: an index is small.
constexpr std::size_t max_kept_table = std::size_t{4} << 20U;
constexpr int kept_level = 3; // of zstd

constexpr std::size_t head_size = 24, entry_size = 40;

/// Where the frame of a state is, and that of the first of its group.
struct Entry {
    Cut cut;
    std::uint64_t offset = 0, size = 0; // of the frame, behind the entries
    std::uint64_t content_size = 0;     // of the state
};

template <typename T, std::size_t (*release)(T*)>
struct Release {
    void operator()(T* object) const noexcept { release(object); }
};

using Compression = std::unique_ptr<ZSTD_CCtx, Release<ZSTD_CCtx, ZSTD_freeCCtx>>;
using Decompression = std::unique_ptr<ZSTD_DCtx, Release<ZSTD_DCtx, ZSTD_freeDCtx>>;

constexpr int window_log = 28; // the first of a group, and the state: at most twice max_state

std::vector<std::byte> content_of(TableState state) {
    Archive archive;
    visit(archive, state);
    return archive.take();
}

} // namespace

struct StateWriter::State {
    Compression compression{ZSTD_createCCtx()};
    std::vector<Entry> entries;
    std::vector<std::byte> first; // of the group
    std::vector<std::byte> frames;
};

StateWriter::StateWriter() : state_(std::make_unique<State>()) {}

StateWriter::~StateWriter() = default;
StateWriter::StateWriter(StateWriter&&) noexcept = default;
StateWriter& StateWriter::operator=(StateWriter&&) noexcept = default;

bool StateWriter::is_empty() const noexcept {
    return state_->entries.empty();
}

void StateWriter::add(const Cut& cut, TableState state) {
    std::vector<std::byte> content = content_of(std::move(state));
    if (content.size() > max_state || !state_->compression) {
        return; // a window that begins here begins with the state before
    }
    ZSTD_CCtx* const with = state_->compression.get();
    ZSTD_CCtx_reset(with, ZSTD_reset_session_and_parameters);
    ZSTD_CCtx_setParameter(with, ZSTD_c_compressionLevel, 1);
    const bool is_first = state_->entries.size() % states_of_group == 0;
    if (!is_first) {
        ZSTD_CCtx_refPrefix(with, state_->first.data(), state_->first.size());
    }
    const std::size_t begin = state_->frames.size();
    state_->frames.resize(begin + ZSTD_compressBound(content.size()));
    const std::size_t size =
        ZSTD_compress2(with, state_->frames.data() + begin, state_->frames.size() - begin,
                       content.data(), content.size());
    state_->frames.resize(ZSTD_isError(size) != 0 ? begin : begin + size);
    if (ZSTD_isError(size) != 0) {
        return;
    }
    state_->entries.push_back(
        {.cut = cut, .offset = begin, .size = size, .content_size = content.size()});
    if (is_first) {
        state_->first = std::move(content);
    }
}

std::vector<std::byte> StateWriter::take() {
    ByteWriter to;
    to.text8(state_signature).u32(state_version).u32(0).u64(state_->entries.size());
    for (const Entry& entry : state_->entries) {
        to.u64(static_cast<std::uint64_t>(entry.cut.time.ticks));
        to.u64(static_cast<std::uint64_t>(entry.cut.raw));
        to.u64(entry.offset).u64(entry.size).u64(entry.content_size);
    }
    to.bytes(state_->frames);
    return to.take();
}

namespace {

Entry read_entry(Bytes entries, std::uint64_t number) {
    Cursor from(entries.subspan(static_cast<std::size_t>(number) * entry_size, entry_size));
    Entry entry;
    entry.cut.time = {static_cast<std::int64_t>(from.u64("time"))};
    entry.cut.raw = static_cast<std::int64_t>(from.u64("raw time"));
    entry.offset = from.u64("offset");
    entry.size = from.u64("size");
    entry.content_size = from.u64("size of the state");
    return entry;
}

/// The content of a frame; empty: it is damaged.
std::vector<std::byte> unpack(ZSTD_DCtx* with, Bytes frames, const Entry& entry, Bytes prefix) {
    if (with == nullptr || entry.content_size > max_state || entry.offset > frames.size() ||
        entry.size > frames.size() - entry.offset) {
        return {};
    }
    ZSTD_DCtx_reset(with, ZSTD_reset_session_and_parameters);
    ZSTD_DCtx_setParameter(with, ZSTD_d_windowLogMax, window_log);
    if (!prefix.empty()) {
        ZSTD_DCtx_refPrefix(with, prefix.data(), prefix.size());
    }
    std::vector<std::byte> content(static_cast<std::size_t>(entry.content_size));
    const std::size_t size =
        ZSTD_decompressDCtx(with, content.data(), content.size(),
                            frames.data() + static_cast<std::size_t>(entry.offset),
                            static_cast<std::size_t>(entry.size));
    return ZSTD_isError(size) == 0 && size == content.size() ? content : std::vector<std::byte>();
}

} // namespace

Result<StateAt> find_state(Bytes section, std::int64_t time) {
    Cursor from(section);
    if (as_text(from.bytes("signature", state_signature.size())) != state_signature) {
        return fail(ErrorCode::malformed, "not the states of a table");
    }
    const std::uint32_t version = from.u32("version");
    from.u32("reserved");
    const std::uint64_t count = from.u64("number of states");
    if (!from || count > (section.size() - head_size) / entry_size) {
        return fail(ErrorCode::malformed, "number of states");
    }
    if (version != state_version) {
        return fail(ErrorCode::unsupported, "version of the states", {}, state_version, version);
    }
    const Bytes entries = section.subspan(head_size, static_cast<std::size_t>(count) * entry_size);
    const Bytes frames = section.subspan(head_size + entries.size());
    std::uint64_t number = count; // of the last at or before the time
    for (std::uint64_t from_here = 0, left = count; left > 0;) {
        const std::uint64_t half = left / 2;
        if (read_entry(entries, from_here + half).cut.raw <= time) {
            number = from_here + half;
            from_here += half + 1;
            left -= half + 1;
        } else {
            left = half;
        }
    }
    if (number == count) {
        return fail(ErrorCode::not_found, "no state before this time");
    }
    const Decompression with(ZSTD_createDCtx());
    const std::uint64_t first = number - number % states_of_group;
    std::vector<std::byte> content = unpack(with.get(), frames, read_entry(entries, first), {});
    const Entry entry = read_entry(entries, number);
    if (number != first && !content.empty()) {
        content = unpack(with.get(), frames, entry, content);
    }
    Archive archive{Bytes(content)};
    StateAt found{.cut = entry.cut, .state = {}};
    visit(archive, found.state);
    if (content.empty() || !archive.is_complete()) {
        return fail(ErrorCode::malformed, "state of a table");
    }
    return found;
}

// Sections of an index.

namespace {

std::string section_of(const TableForm& form) {
    return "state." + std::string(form.state);
}

/// One form for each state, the first that has it: of the state that `tracks` and `slowest` share,
/// `tracks`, which records levels on the way.
std::vector<const TableForm*> forms_with_states(const dataset::Dataset& traces) {
    std::vector<const TableForm*> forms;
    for (const TableForm* const form : table_forms()) {
        const auto has_same = [&](const TableForm* one) { return one->state == form->state; };
        if (!form->state.empty() && has_usual_states(traces, *form) &&
            std::ranges::none_of(forms, has_same)) {
            forms.push_back(form);
        }
    }
    return forms;
}

/// Whether the place of each event depends on the buffers around it alone, and all are of one
/// machine and boot.
bool can_be_divided(const dataset::Dataset& traces, std::size_t number) {
    const trace::Reader& reader = *traces.readers()[number];
    return traces.options().order == trace::Order::time &&
           gather::Scopes({&traces.readers()[number], 1}).all().size() == 1 &&
           reader.is_in_one_go();
}

} // namespace

bool has_usual_states(const dataset::Dataset& traces, const TableForm& form) {
    const dataset::Options& options = traces.options();
    return options.pointer_size == 0 && options.code_page == nullptr &&
           (!form.needs_schemas() || !gather::has_schema_files(options.schemas));
}

namespace {

std::string table_section_of(const TableForm& form) {
    return "table." + std::string(form.kind->name) + "." + std::string(form.by);
}

/// Forms whose tables an index contains.
std::vector<const TableForm*> kept_forms(const dataset::Dataset& traces) {
    std::vector<const TableForm*> forms;
    std::ranges::copy_if(table_forms(), std::back_inserter(forms), [&](const TableForm* form) {
        return !form->kept_as.empty() && form->kept_as == form->by &&
               has_usual_states(traces, *form);
    });
    return forms;
}

/// Analyzers of forms, and what a pass needs to know of them.
struct Jobs {
    std::vector<std::unique_ptr<Analyzer>> analyzers;
    std::vector<Job> list;

    /// `trace` has one scope, whose events all events are: so tables can take sums of them.
    PassOptions& add(const TableForm& form, const dataset::Context& context, std::uint32_t trace,
                     const TableOptions& options = {}) {
        analyzers.push_back(form.make(options));
        PassOptions pass;
        const std::uint32_t scope = context.facts->number_of(trace);
        pass.scope = scope != context.facts->none ? std::optional(scope) : std::nullopt;
        pass.facts = context.facts;
        pass.schemas = context.schemas;
        list.push_back({analyzers.back().get(), std::move(pass)});
        return list.back().options;
    }
};

} // namespace

std::expected<std::vector<trace::IndexSection>, TraceError>
sections_of(dataset::Dataset& traces, std::size_t number, const StateOptions& options) {
    std::vector<trace::IndexSection> sections;
    sections.push_back({std::string(version_section), std::vector<std::byte>{sections_version}});
    if (!can_be_divided(traces, number)) {
        return sections;
    }
    // No state depends on stacks.
    const auto context = traces.context({.schemas = gather::SchemaScope::everything,
                                         .facts = facts::Scope::everything,
                                         .stacks = {.from = Filetime{}, .to = Filetime{}}});
    if (!context) {
        return std::unexpected(context.error());
    }
    const std::vector<const TableForm*> forms = forms_with_states(traces);
    const std::vector<const TableForm*> kept =
        options.has_tables ? kept_forms(traces) : std::vector<const TableForm*>();
    const trace::Reader& reader = *traces.readers()[number];
    const std::uint32_t trace = reader.info().file;
    Jobs of_states, of_tables;
    TrackRecorder recorder(traces.options().worker_threads());
    for (const TableForm* const form : forms) {
        TableOptions recording;
        recording.tracks.recorder = &recorder; // of the form that has one
        of_states.add(*form, *context, trace, recording);
    }
    for (const TableForm* const form : kept) {
        place_in(traces, number, std::numeric_limits<std::int64_t>::min(), *form,
                 of_tables.add(*form, *context, trace));
    }
    std::vector<StateWriter> writers(forms.size());
    const auto source = traces.open_window(number, {}, {.is_silent = true});
    if (!source) {
        return std::unexpected(source.error());
    }
    auto result = run_states(**source, reader.info(), of_states.list, of_tables.list,
                             {options.spacing, traces.options().worker_threads(), options.progress},
                             [&](const Cut& cut, std::vector<TableState> states) {
                                 for (std::size_t i = 0; i < forms.size(); ++i) {
                                     states[i].table = forms[i]->kind->name;
                                     states[i].by = forms[i]->by;
                                     writers[i].add(cut, std::move(states[i]));
                                 }
                             });
    if (!result) {
        return std::unexpected(TraceError{result.error(), reader.info().name, {}});
    }
    sections.push_back({std::string(counts_section), encode(result->counts)});
    for (std::size_t i = 0; i < forms.size(); ++i) {
        if (!writers[i].is_empty()) {
            sections.push_back({section_of(*forms[i]), writers[i].take()});
        }
    }
    EncodedLevels levels = recorder.take();
    if (!levels.head.empty()) {
        sections.push_back({std::string(levels_section), std::move(levels.head)});
    }
    for (std::size_t i = 0; i < levels.blocks.size(); ++i) {
        sections.push_back({levels_block(i), std::move(levels.blocks[i])});
    }
    for (std::size_t i = 0; i < kept.size(); ++i) {
        PartFile file{.table = std::string(kept[i]->kind->name), .by = std::string(kept[i]->by)};
        file.traces.push_back(std::move(result->parts[i]));
        if (const auto content = encode(file); content.size() <= max_kept_table) {
            sections.push_back({table_section_of(*kept[i]), packed(content, kept_level)});
        }
    }
    return sections;
}

namespace {

/// The options with which kept tables are made.
bool are_usual(const TableOptions& options) {
    const TableOptions usual;
    const StackFilter& stacks = options.stacks;
    return options.slices == usual.slices && !options.excludes_interrupts &&
           options.bucket_factor == usual.bucket_factor && options.has_process_ids &&
           !options.has_image_paths && options.per_kind == usual.per_kind &&
           options.source.empty() && stacks.threads.empty() && stacks.processes.empty() &&
           stacks.functions.empty() && stacks.events.empty() && stacks.hooks.empty();
}

} // namespace

namespace {

/// The rows with the columns of a form that has fewer of them. False: it has others.
bool leave_columns(TablePart& part, const TableForm& form) {
    std::vector<std::size_t> places;
    std::vector<std::string> names;
    for (const Column& column : empty_table(form).columns) {
        const auto found = std::ranges::find(part.columns, column.name);
        if (found == part.columns.end()) {
            return false;
        }
        places.push_back(static_cast<std::size_t>(found - part.columns.begin()));
        names.emplace_back(column.name);
    }
    for (Row& row : part.rows) {
        if (row.cells.size() != part.columns.size()) {
            return false;
        }
        std::vector<Cell> cells;
        std::ranges::transform(places, std::back_inserter(cells),
                               [&](std::size_t place) { return std::move(row.cells[place]); });
        row.cells = std::move(cells);
    }
    part.columns = std::move(names);
    return true;
}

} // namespace

bool has_sections(const trace::TraceIndex& index) {
    const auto found =
        index.sections ? index.sections->find(version_section) : Result<Bytes>(Bytes{});
    return found && found->size() == 1 && found->front() == sections_version;
}

namespace {

/// The form whose table an index has for another one; null: none.
const TableForm* kept_form_of(const TableForm& form) {
    return form.kept_as.empty() ? nullptr : find_table(form.kind->name, form.kept_as);
}

/// The content of its section; empty: the index has none.
Bytes kept_in(const trace::TraceIndex& index, const TableForm& kept) {
    const auto section =
        has_sections(index) ? index.sections->find(table_section_of(kept)) : Result<Bytes>(Bytes{});
    return section.value_or(Bytes{});
}

} // namespace

Result<TrackLevels> levels_in(const trace::TraceIndex& index) {
    const auto head =
        has_sections(index) ? index.sections->find(levels_section) : Result<Bytes>(Bytes{});
    if (!head || head->empty()) {
        return fail(ErrorCode::not_found, "the index has no levels of tracks");
    }
    return TrackLevels::open(*head, [&index](std::uint32_t block) {
        return index.sections->find(levels_block(block)).value_or(Bytes{});
    });
}

bool has_table(const trace::TraceIndex& index, const TableForm& form) {
    const TableForm* const kept = kept_form_of(form);
    return kept != nullptr && !kept_in(index, *kept).empty();
}

std::optional<Table> kept_table(dataset::Dataset& traces, const TableForm& form,
                                const TableOptions& options) {
    const TableForm* const kept = kept_form_of(form);
    if (kept == nullptr || !are_usual(options) || traces.readers().size() != 1 ||
        !traces.is_indexed() || !has_usual_states(traces, form)) {
        return std::nullopt;
    }
    auto file =
        parse_part_file(unpacked(kept_in(*traces.indexes().front(), *kept), max_kept_table));
    if (!file || file->table != kept->kind->name || file->by != kept->by ||
        file->traces.size() != 1 || !leave_columns(file->traces.front(), form)) {
        return std::nullopt;
    }
    auto table = combine(form, options, file->traces);
    return table ? std::optional(*std::move(table)) : std::nullopt;
}

std::optional<StateAt> state_before(const trace::TraceIndex& index, const TableForm& form,
                                    std::int64_t time) {
    if (form.state.empty() || index.sections == nullptr) {
        return std::nullopt;
    }
    const auto section = index.sections->find(section_of(form));
    if (!section || section->empty()) {
        return std::nullopt;
    }
    auto found = find_state(*section, time);
    return found ? std::optional(*std::move(found)) : std::nullopt;
}

} // namespace etl::analysis
