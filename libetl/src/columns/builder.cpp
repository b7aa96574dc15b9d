#include <etl/columns/builder.hpp>
#include <etl/columns/limits.hpp>
#include <etl/decode/field_walker.hpp>

#include "columns/conversion.hpp"
#include "columns/filling.hpp"

#include <algorithm>
#include <utility>

namespace etl::columns {

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
    std::int32_t provider = -1, event = -1;                     // labels of this batch
    std::uint64_t batch = 0;                                    // in which they are valid
};

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
    State(const Layout& from, std::size_t most)
        : layout(from), most_rows(std::clamp<std::size_t>(most, 1, limits::batch_rows)) {
        for (const Column& column : layout.columns()) {
            Filling& filling = fillings.emplace_back();
            filling.values = ArrayBuilder(column.type);
            filling.is_list = column.is_list;
            filling.start();
        }
    }

    KnownKind& kind_of(const decode::DecodedEvent& event, std::uint32_t of_generation);
    void place(const decode::EventKind& kind, KnownKind& known) const;
    void add_origin(const decode::DecodedEvent& event, KnownKind& kind, std::string_view provider,
                    std::string_view name);
    void add_fields(const decode::DecodedEvent& event, const KnownKind& kind);
    void open_lists(const KnownKind& kind, std::uint32_t field);
    void add_value(const Target& target, const decode::Value& value);
    void add_folded(const decode::DecodedEvent& event, const Target& target, Step step);

    Layout layout;
    std::size_t most_rows;
    std::vector<Filling> fillings; // by column
    std::vector<KnownKind> kinds;  // by number
    std::uint32_t generation = 0;
    std::size_t rows = 0;
    std::uint64_t batch = 1; // number of the current one
    Labels providers, events;
    FieldWalker walker;
    Converter convert;
};

KnownKind& Builder::State::kind_of(const decode::DecodedEvent& event, std::uint32_t of_generation) {
    if (generation != of_generation) {
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
    const std::vector<Leaf> leaves = leaves_of(kind);
    for (const Leaf& leaf : leaves) {
        const std::uint32_t* const column = layout.find(leaf);
        if (column == nullptr) {
            continue;
        }
        const Column& to = layout.columns()[*column];
        known.targets[leaf.field] = {
            *column,
            leaf.is_folded ? Conversion::text : conversion_of(fields[leaf.field].form, to.type),
            leaf.is_folded};
    }
    for (std::uint32_t i = 0; i < fields.size(); ++i) {
        const auto begin = static_cast<std::uint32_t>(known.list_columns.size());
        if (fields[i].count.kind != schema::Extent::Kind::natural) {
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

void Builder::State::add_origin(const decode::DecodedEvent& event, KnownKind& kind,
                                std::string_view provider, std::string_view name) {
    const auto column = [&](Origin origin) -> ArrayBuilder& {
        return fillings[static_cast<std::size_t>(origin)].values;
    };
    const auto add_id = [&](Origin origin, std::uint32_t id) {
        id != flow::no_id ? column(origin).add(id) : column(origin).add_null();
    };
    if (kind.batch != batch) {
        kind.batch = batch;
        kind.provider = providers.number_of(provider);
        kind.event = events.number_of(name);
    }
    convert.add_time(event.event->time(), column(Origin::time));
    add_id(Origin::pid, event.header.process_id);
    add_id(Origin::tid, event.header.thread_id);
    column(Origin::cpu).add(event.event->buffer->processor);
    column(Origin::provider).add(kind.provider);
    column(Origin::event).add(kind.event);
}

void Builder::State::open_lists(const KnownKind& kind, std::uint32_t field) {
    const auto [begin, end] = kind.lists[field];
    for (std::uint32_t i = begin; i < end; ++i) {
        fillings[kind.list_columns[i]].open_list(rows);
    }
}

void Builder::State::add_value(const Target& target, const decode::Value& value) {
    if (target.column != no_column) {
        convert.add(target.how, value, fillings[target.column].at(rows));
    }
}

void Builder::State::add_folded(const decode::DecodedEvent& event, const Target& target,
                                Step step) {
    fillings[target.column].at(rows).add_text([&](std::string& to) {
        append_folded(to, walker, *event.kind->schema, step, convert.display);
    });
}

void Builder::State::add_fields(const decode::DecodedEvent& event, const KnownKind& kind) {
    convert.display = decode::options_for({}, event);
    convert.clock = &event.event->trace().clock;
    const decode::PlannedField* const planned = event.kind->plan.fields().data();
    walker.start(event.kind->plan, event.body);
    for (Step step = Step::value; step != Step::end;) {
        walker.take_plain([&](std::uint32_t field, Bytes bytes) {
            const decode::PlannedField& of = planned[field];
            add_value(kind.targets[field], {bytes, of.form, of.error_space, of.hidden, of.map});
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

Builder::Builder(const Layout& layout, std::size_t rows)
    : state_(std::make_unique<State>(layout, rows)) {}

Builder::~Builder() = default;

void Builder::add(const decode::DecodedEvent& event, std::uint32_t generation,
                  std::string_view provider, std::string_view name) {
    State& state = *state_;
    KnownKind& kind = state.kind_of(event, generation);
    state.add_origin(event, kind, provider, name);
    if (event.kind->schema != nullptr) {
        state.add_fields(event, kind);
    }
    for (const std::uint32_t list : kind.list_columns) {
        state.fillings[list].close_list();
    }
    ++state.rows;
}

std::size_t Builder::rows() const noexcept {
    return state_->rows;
}

bool Builder::is_full() const noexcept {
    constexpr std::size_t rows_per_check = 64;
    return state_->rows >= state_->most_rows ||
           (state_->rows % rows_per_check == 0 &&
            std::ranges::any_of(state_->fillings, [](const Filling& filling) {
                return filling.values.bytes() >= limits::column_bytes;
            }));
}

Batch Builder::take() {
    State& state = *state_;
    Batch batch{.rows = std::exchange(state.rows, 0), .columns = {}};
    for (Filling& filling : state.fillings) {
        batch.columns.push_back(filling.take(batch.rows));
    }
    const auto add_dictionary = [&](Origin origin, Labels& labels) {
        batch.columns[static_cast<std::size_t>(origin)].dictionary =
            std::make_unique<Array>(labels.take());
    };
    add_dictionary(Origin::provider, state.providers);
    add_dictionary(Origin::event, state.events);
    ++state.batch;
    return batch;
}

std::uint64_t Builder::unrepresentable() const noexcept {
    return state_->convert.unrepresentable;
}

const std::vector<Column>& Builder::columns() const noexcept {
    return state_->layout.columns();
}

} // namespace etl::columns
