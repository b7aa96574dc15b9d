#include "columns/builder.hpp"

#include "base/text.hpp"
#include "columns/array_builder.hpp"
#include "columns/conversion.hpp"
#include "columns/layout.hpp"
#include "columns/limits.hpp"
#include "decode/decode_note.hpp"
#include "decode/decoder.hpp"
#include "decode/field_walker.hpp"
#include "decode/json_value.hpp"
#include "flow/event.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace etl::columns {

// Columns and dictionaries of a batch in the making.

/// The texts of a label column in one batch.
class Labels {
public:
    /// A text that probably comes again: it is compared, not looked up.
    struct Recent {
        std::uint32_t batch = 0; // 0: none
        std::int32_t number = 0;
        std::string_view text{};
    };

    std::int32_t number_of(std::string_view text, Recent& recent) {
        if (recent.batch != batch_ || recent.text != text) {
            const auto next = static_cast<std::int32_t>(numbers_.size());
            const auto [known, is_new] = numbers_.try_emplace(std::string(text), next);
            if (is_new) {
                texts_.add_text([&](std::string& to) { to.append(text); });
            }
            recent = {batch_, known->second, known->first};
        }
        return recent.number;
    }

    /// Most labels repeat the one before.
    std::int32_t number_of(std::string_view text) { return number_of(text, last_); }

    Array take() {
        numbers_.clear();
        ++batch_;
        return texts_.take();
    }

private:
    std::unordered_map<std::string, std::int32_t> numbers_;
    ArrayBuilder texts_{Type::text};
    std::uint32_t batch_ = 1;
    Recent last_;
};

/// A column in the making. Rows that have no value are added as nulls when a later row has one, or
/// at the end: most columns of many kinds are null in most rows.
struct Filling {
    ArrayBuilder values; // of lists: the elements
    bool is_list = false;
    bool is_open = false; // the current row has a list
    std::vector<std::int32_t> offsets{};
    std::vector<bool> is_null{}; // of lists, by row
    std::size_t nulls = 0;
    std::unique_ptr<Labels> labels{}; // of the type label

    void start() {
        offsets.assign(is_list ? 1 : 0, 0);
        is_null.clear();
        nulls = 0;
    }

    /// Returns where to add a value of a row.
    ArrayBuilder& at(std::size_t row) {
        if (!is_list) {
            values.pad(row);
        }
        return values;
    }

    void add_label(std::size_t row, std::string_view text) { at(row).add(labels->number_of(text)); }

    void add_label(std::size_t row, std::string_view text, Labels::Recent& recent) {
        at(row).add(labels->number_of(text, recent));
    }

    void open_list(std::size_t row) {
        pad_lists(row);
        is_open = true;
    }

    void close_list() {
        if (std::exchange(is_open, false)) {
            is_null.push_back(false);
            offsets.push_back(static_cast<std::int32_t>(values.size()));
        }
    }

    Array take(std::size_t rows) {
        if (!is_list) {
            values.pad(rows);
            return take_values();
        }
        pad_lists(rows);
        Array lists{.size = rows, .nulls = nulls, .validity = {}, .offsets = std::move(offsets)};
        if (nulls > 0) {
            lists.validity.assign((rows + 7) / 8, 0);
            for (std::size_t i = 0; i < rows; ++i) {
                std::uint8_t& byte = lists.validity[i / 8];
                byte = static_cast<std::uint8_t>(byte | (is_null[i] ? 0U : 1U) << i % 8);
            }
        }
        lists.elements = std::make_unique<Array>(take_values());
        start();
        return lists;
    }

private:
    Array take_values() {
        Array taken = values.take();
        if (labels) {
            taken.dictionary = std::make_unique<Array>(labels->take());
        }
        return taken;
    }

    void pad_lists(std::size_t rows) {
        const std::size_t missing = rows - is_null.size();
        nulls += missing;
        is_null.insert(is_null.end(), missing, true);
        offsets.insert(offsets.end(), missing, static_cast<std::int32_t>(values.size()));
    }
};

// The origin columns after the first ones.

/// Returns the origin columns whose values depend on the kind and the trace of an event alone.
std::span<const Origin> shared_origin(bool has_details) noexcept;

/// Adds the details among them to a row of a layout with details.
void add_shared_details(const decode::DecodedEvent& event, Converter& convert,
                        std::span<Filling> fillings, std::size_t row);

/// Adds the other details of an event to a row of a layout with details. `walked`: after its
/// fields; null: the event has no schema.
void add_details(const decode::DecodedEvent& event, const decode::FieldWalker* walked,
                 Converter& convert, std::span<Filling> fillings, std::size_t row);

using decode::DecodedEvent;
using decode::FieldWalker;

namespace {

class Row {
public:
    Row(Converter& convert, std::span<Filling> fillings, std::size_t row)
        : convert_(&convert), fillings_(fillings), row_(row) {}

    template <typename T>
    void number(Origin origin, T value) {
        at(origin).values.add(value);
    }

    /// Null if empty.
    void label(Origin origin, std::string_view text) {
        if (!text.empty()) {
            at(origin).add_label(row_, text);
        }
    }

    /// Null if empty.
    void guid(Origin origin, Bytes bytes) {
        if (!bytes.empty()) {
            convert_->add(Conversion::guid, {.bytes = bytes, .form = decode::Form::guid},
                          at(origin).at(row_));
        }
    }

    void binary(Origin origin, Bytes bytes) { at(origin).at(row_).add_bytes(bytes); }

private:
    Filling& at(Origin origin) { return fillings_[static_cast<std::size_t>(origin)]; }

    Converter* convert_;
    std::span<Filling> fillings_;
    std::size_t row_;
};

/// How the payload contradicts its schema, as `decode_error` in docs/output.md; empty: it does not.
std::string error_of(const DecodedEvent& event, const FieldWalker* walked) {
    if (!event.kind->problem.empty()) {
        return event.kind->problem;
    }
    if (event.problem != nullptr) {
        return event.problem;
    }
    if (walked != nullptr && walked->failed()) {
        return event.kind->schema->fields[walked->failed_field()].name + ": " + walked->problem();
    }
    return {};
}

void add_name(Row& row, std::string_view name) {
    if (is_valid_utf8(name)) {
        return row.label(Origin::file, name);
    }
    std::string text;
    append_utf8(text, std::as_bytes(std::span(name)));
    row.label(Origin::file, text);
}

} // namespace

std::span<const Origin> shared_origin(bool has_details) noexcept {
    static constexpr std::array columns = {
        Origin::provider, Origin::event, // of all layouts
        Origin::file,     Origin::provider_guid, Origin::id,   Origin::version, Origin::channel,
        Origin::level,    Origin::opcode,        Origin::task, Origin::keyword, Origin::source};
    return std::span(columns).first(has_details ? columns.size() : 2);
}

void add_shared_details(const DecodedEvent& event, Converter& convert, std::span<Filling> fillings,
                        std::size_t row) {
    Row to(convert, fillings, row);
    const flow::EventHeader& header = event.header;
    add_name(to, event.event->trace().name);
    to.guid(Origin::provider_guid, header.provider.bytes);
    to.number(Origin::id, header.id);
    to.number(Origin::version, header.version);
    to.number(Origin::channel, header.channel);
    to.number(Origin::level, header.level);
    to.number(Origin::opcode, header.opcode);
    to.number(Origin::task, header.task);
    to.number(Origin::keyword, header.keyword);
    to.label(Origin::source, name(event.kind->decoded_by));
}

void add_details(const DecodedEvent& event, const FieldWalker* walked, Converter& convert,
                 std::span<Filling> fillings, std::size_t row) {
    Row to(convert, fillings, row);
    const flow::EventHeader& header = event.header;
    to.guid(Origin::activity_id,
            header.activity.is_zero() ? Bytes() : Bytes(header.activity.bytes));
    to.guid(Origin::related_activity_id, event.items.related_activity);
    const std::string error = error_of(event, walked);
    to.label(Origin::decode_error, error);
    if (has_decode_note(event, walked)) [[unlikely]] {
        std::string note;
        append_decode_note(note, event, walked);
        to.label(Origin::decode_note, note);
    }
    if (walked == nullptr || !error.empty()) {
        to.binary(Origin::payload, header.payload);
    }
}

using decode::FieldWalker;
using decode::Step;

namespace {

constexpr std::uint32_t no_column = 0xFFFFFFFF;

/// Where the values of a field go.
struct Target {
    std::uint32_t column = no_column;
    Conversion how = Conversion::none;
    bool is_folded = false;
};

/// A kind of event.
struct KnownKind {
    bool is_known = false;
    std::vector<Target> targets;                                // by field
    std::vector<std::uint32_t> list_columns;                    // of arrays, by the ranges below
    std::vector<std::pair<std::uint32_t, std::uint32_t>> lists; // by field: part of list_columns
    std::vector<std::uint32_t> structures;                      // arrays of them: their fields
    Labels::Recent provider{}, event{};                         // names
};

/// The last row whose kind or trace differs from those of the row before. Rows after it have the
/// same values in the columns of shared_origin(), which are added at the end.
struct SharedOrigin {
    const flow::TraceInfo* trace = nullptr; // null: no row
    std::uint32_t kind = 0;
    std::size_t row = 0;
};

bool is_list_of_structures(const decode::PlannedField& field) noexcept {
    return field.shape == decode::Shape::structure &&
           field.count.kind != schema::Extent::Kind::natural;
}

/// Appends the value, array, or structure that begins with the current step, as `view` does.
/// Returns when it ends.
void append_folded(std::string& to, FieldWalker& walker, const schema::EventSchema& schema,
                   Step step, const decode::DisplayOptions& display) {
    std::vector<bool> structs; // which brackets are open
    bool is_first = true;
    for (;; step = walker.next()) {
        const bool is_begin = step == Step::array_begin || step == Step::struct_begin;
        if (is_begin || step == Step::value) {
            if (!structs.empty()) {
                to.append(std::exchange(is_first, false) ? "" : ", ");
                if (structs.back()) {
                    to.append(schema.fields[walker.field()].name).push_back('=');
                }
            }
            if (is_begin) {
                structs.push_back(step == Step::struct_begin);
                to.push_back(structs.back() ? '{' : '[');
                is_first = true;
            } else {
                decode::append_display(to, walker.value(), display);
            }
        } else if (!structs.empty()) {
            to.push_back(structs.back() ? '}' : ']');
            structs.pop_back();
            is_first = false;
        }
        if (structs.empty()) {
            return;
        }
    }
}

} // namespace

struct Builder::State {
    State(const Layout& from, std::size_t max, SpareMemory* spare)
        : layout(from), max_rows(std::clamp<std::size_t>(max, 1, limits::batch_rows)) {
        for (const BatchColumn& column : layout.columns()) {
            Filling& filling = fillings.emplace_back();
            filling.values =
                ArrayBuilder(column.type, spare, layout.options().repeats && !column.is_list);
            filling.is_list = column.is_list;
            if (column.type == Type::label) {
                filling.labels = std::make_unique<Labels>();
            }
            filling.start();
        }
    }

    KnownKind& kind_of(const decode::DecodedEvent& event, std::uint32_t of_generation);
    void place(const decode::EventKind& kind, KnownKind& known) const;
    void add_origin(const decode::DecodedEvent& event);
    bool shares_origin(const decode::DecodedEvent& event) const noexcept;
    void add_shared_origin(const decode::DecodedEvent& event, KnownKind& kind,
                           std::string_view provider, std::string_view name);
    void end_shared_origin();
    void add_fields(const decode::DecodedEvent& event, const KnownKind& kind);
    void open_lists(const KnownKind& kind, std::uint32_t field);
    void close_lists(const KnownKind& kind);
    void add_value(const Target& target, const decode::Value& value);
    void add_folded(const decode::DecodedEvent& event, const Target& target, Step step);

    Layout layout;
    std::size_t max_rows;
    std::vector<Filling> fillings; // by column
    std::vector<KnownKind> kinds;  // by number
    std::uint32_t generation = 0;
    std::size_t rows = 0;
    SharedOrigin shared;
    FieldWalker walker;
    Converter convert;
    const CodePage* code_page = nullptr;
    std::string label;
};

KnownKind& Builder::State::kind_of(const decode::DecodedEvent& event, std::uint32_t of_generation) {
    if (generation != of_generation) {
        end_shared_origin();
        generation = of_generation;
        kinds.clear();
    }
    const std::uint32_t number = event.kind->number;
    if (number >= kinds.size()) {
        kinds.resize(number + std::size_t{1});
    }
    KnownKind& known = kinds[number];
    if (!known.is_known) [[unlikely]] {
        place(*event.kind, known);
    }
    return known;
}

void Builder::State::place(const decode::EventKind& kind, KnownKind& known) const {
    known.is_known = true;
    const auto& fields = kind.plan.fields();
    known.targets.assign(fields.size(), {});
    known.lists.assign(fields.size(), {});
    const std::vector<Leaf> leaves = leaves_of(kind, layout.options());
    for (const Leaf& leaf : leaves) {
        const std::uint32_t* const column = layout.find(leaf);
        if (column == nullptr) {
            continue;
        }
        const BatchColumn& to = layout.columns()[*column];
        known.targets[leaf.field] = {
            *column,
            leaf.is_folded ? Conversion::text : conversion_of(fields[leaf.field].form, to.type),
            leaf.is_folded};
    }
    const auto columns_of = [&](std::uint32_t field) -> std::span<const std::uint32_t> {
        const auto leaf = std::ranges::find_if(
            leaves, [&](const Leaf& of) { return of.field > field && !of.is_folded; });
        const bool is_member = leaf != leaves.end() && leaf->field <= field + fields[field].members;
        return is_member ? layout.columns_of(leaf->column.structures)
                         : std::span<const std::uint32_t>();
    };
    for (std::uint32_t i = 0; i < fields.size(); ++i) {
        const auto begin = static_cast<std::uint32_t>(known.list_columns.size());
        const auto structures =
            is_list_of_structures(fields[i]) ? columns_of(i) : std::span<const std::uint32_t>();
        if (!structures.empty()) {
            known.list_columns.insert(known.list_columns.end(), structures.begin(),
                                      structures.end());
            known.structures.push_back(i);
        } else if (fields[i].count.kind != schema::Extent::Kind::natural) {
            const std::size_t end = std::min(i + std::size_t{1} + fields[i].members, fields.size());
            for (std::size_t member = i; member < end; ++member) {
                const Target& target = known.targets[member];
                if (target.column != no_column && fillings[target.column].is_list) {
                    known.list_columns.push_back(target.column);
                }
            }
        }
        known.lists[i] = {begin, static_cast<std::uint32_t>(known.list_columns.size())};
    }
}

void Builder::State::add_origin(const decode::DecodedEvent& event) {
    const auto filling = [&](Origin origin) -> Filling& {
        return fillings[static_cast<std::size_t>(origin)];
    };
    const auto add_id = [&](Origin origin, std::uint32_t id) {
        if (id != flow::no_id) {
            filling(origin).at(rows).add(id);
        }
    };
    if (const auto time = flow::wall_time(*event.event)) {
        convert.add_time(*time, filling(Origin::time).at(rows));
    }
    add_id(Origin::pid, event.header.process_id);
    add_id(Origin::tid, event.header.thread_id);
    filling(Origin::cpu).values.add(event.event->buffer->processor);
}

bool Builder::State::shares_origin(const decode::DecodedEvent& event) const noexcept {
    return shared.trace == &event.event->trace() && shared.kind == event.kind->number;
}

/// Also finds how values of this kind and trace are displayed.
void Builder::State::add_shared_origin(const decode::DecodedEvent& event, KnownKind& kind,
                                       std::string_view provider, std::string_view name) {
    shared = {&event.event->trace(), event.kind->number, rows};
    convert.display = decode::options_for({.code_page = code_page}, event);
    if (convert.json_texts) {
        convert.display.parameters = nullptr;
    }
    convert.clock = &event.event->trace().clock;
    const bool has_details = layout.options().details;
    const auto add_name = [&](Origin origin, std::string_view text, Labels::Recent& recent) {
        if (!text.empty() || !has_details) {
            fillings[static_cast<std::size_t>(origin)].add_label(rows, text, recent);
        }
    };
    add_name(Origin::provider, provider, kind.provider);
    add_name(Origin::event, name, kind.event);
    if (has_details) {
        add_shared_details(event, convert, fillings, rows);
    }
}

void Builder::State::end_shared_origin() {
    if (std::exchange(shared.trace, nullptr) == nullptr) {
        return;
    }
    for (const Origin origin : shared_origin(layout.options().details)) {
        ArrayBuilder& values = fillings[static_cast<std::size_t>(origin)].values;
        if (values.size() > shared.row) {
            values.repeat(rows);
        }
    }
}

void Builder::State::open_lists(const KnownKind& kind, std::uint32_t field) {
    const auto [begin, end] = kind.lists[field];
    for (std::uint32_t i = begin; i < end; ++i) {
        fillings[kind.list_columns[i]].open_list(rows);
    }
}

/// Structures have all of the members: one that ended early, or of a kind of event that defines
/// fewer, lacks some.
void Builder::State::close_lists(const KnownKind& kind) {
    for (const std::uint32_t field : kind.structures) {
        const auto [begin, end] = kind.lists[field];
        const auto columns = std::span(kind.list_columns).subspan(begin, end - begin);
        std::size_t elements = 0;
        for (const std::uint32_t column : columns) {
            elements = std::max(elements, fillings[column].values.size());
        }
        for (const std::uint32_t column : columns) {
            fillings[column].values.pad(elements);
        }
    }
    for (const std::uint32_t list : kind.list_columns) {
        fillings[list].close_list();
    }
}

void Builder::State::add_value(const Target& target, const decode::Value& value) {
    if (target.column == no_column) {
        return;
    }
    Filling& filling = fillings[target.column];
    if (target.how == Conversion::label) {
        label.clear();
        decode::append_enumeration(label, value);
        return filling.add_label(rows, label);
    }
    convert.add(target.how, value, filling.at(rows));
}

void Builder::State::add_folded(const decode::DecodedEvent& event, const Target& target,
                                Step step) {
    fillings[target.column].at(rows).add_text([&](std::string& to) {
        append_folded(to, walker, *event.kind->schema, step, convert.display);
    });
}

void Builder::State::add_fields(const decode::DecodedEvent& event, const KnownKind& kind) {
    const decode::PlannedField* const planned = event.kind->plan.fields().data();
    walker.start(event.kind->plan, event.body);
    for (Step step = Step::value; step != Step::end;) {
        walker.take_plain([&](std::uint32_t field, Bytes bytes) {
            const Target& target = kind.targets[field];
            if (is_copy(target.how)) {
                return copy(target.how, bytes, fillings[target.column].at(rows));
            }
            const decode::PlannedField& of = planned[field];
            add_value(target, {bytes, of.form, of.error_space, of.hidden, of.map});
        });
        step = walker.next();
        if (step == Step::value) {
            add_value(kind.targets[walker.field()], walker.value());
        } else if (step == Step::array_begin || step == Step::struct_begin) {
            const Target& target = kind.targets[walker.field()];
            if (target.is_folded) {
                add_folded(event, target, step);
            } else if (step == Step::array_begin) {
                open_lists(kind, walker.field());
            }
        }
    }
}

Builder::Builder(const Layout& layout, std::size_t rows, const CodePage* code_page,
                 SpareMemory* spare)
    : state_(std::make_unique<State>(layout, rows, spare)) {
    state_->code_page = code_page;
    state_->convert.json_texts = layout.options().json_texts;
}

Builder::~Builder() = default;

bool Builder::add(const decode::DecodedEvent& event, std::uint32_t generation,
                  std::string_view provider, std::string_view name, std::string_view message) {
    State& state = *state_;
    KnownKind& kind = state.kind_of(event, generation);
    if (!state.shares_origin(event)) {
        state.end_shared_origin();
        state.add_shared_origin(event, kind, provider, name);
    }
    state.add_origin(event);
    if (state.layout.options().messages && !message.empty()) {
        state.fillings[state.layout.own_columns() - 1]
            .at(state.rows)
            .add_text([&](std::string& to) { to.append(message); });
    }
    const bool has_schema = event.kind->schema != nullptr;
    if (has_schema) {
        state.add_fields(event, kind);
    }
    if (state.layout.options().details) {
        add_details(event, has_schema ? &state.walker : nullptr, state.convert, state.fillings,
                    state.rows);
    }
    state.close_lists(kind);
    ++state.rows;
    return event.kind->problem.empty() && event.problem == nullptr &&
           !(has_schema && state.walker.failed());
}

std::size_t Builder::rows() const noexcept {
    return state_->rows;
}

bool Builder::is_full() const noexcept {
    constexpr std::size_t rows_per_check = 64;
    return state_->rows >= state_->max_rows ||
           (state_->rows % rows_per_check == 0 &&
            std::ranges::any_of(state_->fillings, [](const Filling& filling) {
                return filling.values.bytes() >= limits::column_bytes;
            }));
}

Batch Builder::take() {
    State& state = *state_;
    state.end_shared_origin();
    Batch batch{.rows = std::exchange(state.rows, 0), .columns = {}};
    for (Filling& filling : state.fillings) {
        batch.columns.push_back(filling.take(batch.rows));
    }
    return batch;
}

std::uint64_t Builder::unrepresentable() const noexcept {
    return state_->convert.unrepresentable;
}

std::uint64_t Builder::unset_times() const noexcept {
    return state_->convert.unset;
}

const std::vector<BatchColumn>& Builder::columns() const noexcept {
    return state_->layout.columns();
}

} // namespace etl::columns
