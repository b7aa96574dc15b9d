#include "sql/kinds.hpp"

#include "base/text.hpp"
#include "decode/decoder.hpp"
#include "decode/kind_numbers.hpp"
#include "sql/event_plan.hpp"

#include <algorithm>
#include <map>
#include <mutex>

namespace etl::sql {

using decode::Form;
using match::Expression;

namespace {

/// One layout of events, in an order that does not depend on threads.
struct Found {
    std::string name; // of the table
    std::optional<std::string> provider, event;
    Guid provider_guid;
    std::uint16_t id = 0;
    std::uint8_t version = 0;
    std::vector<Kind::Field> fields;

    auto operator<=>(const Found&) const = default;
};

/// The type that the JSON value of a field has (docs/output.md#values).
std::string_view type_of(const decode::PlannedField& field) noexcept {
    const Form form = field.form;
    if (field.count.kind != schema::Extent::Kind::natural ||
        field.shape == decode::Shape::structure) {
        return "json";
    }
    if (field.map != nullptr) {
        return "text";
    }
    if (schema::is_hex(form)) {
        return "hex";
    }
    const bool is_number = schema::is_integer(form) || form == Form::port || form == Form::ticks;
    return form == Form::uint64                                 ? "unsigned"
           : is_number                                          ? "integer"
           : form == Form::boolean                              ? "boolean"
           : form == Form::float32 || form == Form::float64     ? "real"
           : form == Form::null                                 ? "any"
           : form == Form::filetime || form == Form::systemtime ? "time"
                                                                : "text";
}

/// How a filter compares a field exactly, or at least as widely as SQLite compares its JSON value.
Comparison comparison_of(const decode::PlannedField& field, std::string_view type) noexcept {
    const Form form = field.form;
    const bool is_single =
        type != "json" && field.map == nullptr && field.error_space == decode::ErrorSpace::none;
    if (!is_single || schema::is_hex(form)) {
        return Comparison::none;
    }
    if (schema::is_integer(form) || form == Form::boolean) {
        return Comparison::number;
    }
    if (form == Form::text16 || form == Form::text8 || form == Form::utf8) {
        return Comparison::text;
    }
    return form == Form::guid ? Comparison::guid : Comparison::none;
}

std::vector<Kind::Field> fields_of(const decode::EventKind& kind) {
    std::vector<Kind::Field> fields;
    const auto& planned = kind.plan.fields();
    const std::vector<std::string> names = schema::unique_names(*kind.schema);
    for (std::size_t i = 0; i < planned.size() && i < names.size(); i += planned[i].members + 1U) {
        const std::string_view type = type_of(planned[i]);
        fields.push_back({names[i], type, comparison_of(planned[i], type)});
    }
    return fields;
}

/// Of the table: events without a schema are in it as well, if others have one.
std::string name_of(const decode::DecodedEvent& event) {
    const decode::EventKind& kind = *event.kind;
    const flow::EventHeader& header = event.header;
    const std::string name = kind.provider.value_or(to_string(header.provider)) + "/";
    return name + kind.event.value_or("EventID(" + std::to_string(header.id) + ")");
}

/// Collects from all threads.
class Collected {
public:
    void add(const decode::DecodedEvent& event) {
        const decode::EventKind& kind = *event.kind;
        if (kind.schema == nullptr) {
            return;
        }
        Found found{name_of(event),  kind.provider,        kind.event,     event.header.provider,
                    event.header.id, event.header.version, fields_of(kind)};
        const std::scoped_lock lock(mutex_);
        if (all_.contains(found)) {
            return;
        }
        if (all_.size() < limits::query_kinds) {
            all_.insert(std::move(found));
        } else {
            ++omitted_;
        }
    }

    const std::set<Found>& all() const noexcept { return all_; }

    std::size_t omitted() const noexcept { return omitted_; }

private:
    std::mutex mutex_;
    std::set<Found> all_;
    std::size_t omitted_ = 0;
};

/// Whether events of these kinds share a table and its columns.
bool are_alike(const decode::EventKind& a, const decode::EventKind& b) {
    return &a == &b || (a.schema != nullptr && b.schema != nullptr && a.provider == b.provider &&
                        a.event == b.event && fields_of(a) == fields_of(b));
}

/// What one thread has seen in one trace.
class Seen {
public:
    Seen(const schema::SchemasByTrace& schemas, Collected& to) : decoder_(schemas), to_(&to) {}

    /// Returns false if an event with the same header can belong to another table, or have other
    /// columns.
    bool add(const flow::Event& event) {
        std::optional<bool>* const decides = decides_.find(event);
        if (decides != nullptr && *decides == true) {
            return true;
        }
        if (decides != nullptr && !*decides) {
            *decides = is_decided(event);
        }
        add_decoded(event);
        return decides != nullptr && **decides;
    }

private:
    void add_decoded(const flow::Event& event) {
        const decode::DecodedEvent& decoded = decoder_.decode(event);
        if (generation_ != decoder_.generation()) {
            generation_ = decoder_.generation();
            is_added_.clear();
        }
        const std::uint32_t kind = decoded.kind->number;
        if (kind >= is_added_.size()) {
            is_added_.resize(kind + std::size_t{1});
        }
        if (!is_added_[kind]) {
            is_added_[kind] = true;
            to_->add(decoded);
        }
    }

    /// Whether the header decides in which table an event is, and which columns it has.
    bool is_decided(const flow::Event& event) {
        const decode::EventKind* first = nullptr;
        bool is_decided = true;
        decoder_.show_kinds(event, [&](const decode::DecodedEvent& decoded) {
            first = first == nullptr ? decoded.kind : first;
            is_decided = is_decided && are_alike(*first, *decoded.kind);
        });
        return is_decided;
    }

    decode::Decoder decoder_;
    Collected* to_;
    decode::ByKind<std::optional<bool>> decides_; // none: not seen yet
    std::uint32_t generation_ = 0;
    std::vector<bool> is_added_; // by the decoder's number of the kind
};

/// The type of a column whose events differ.
std::string_view common_type(std::string_view one, std::string_view other) noexcept {
    const auto are = [&](std::string_view a, std::string_view b) {
        return (one == a && other == b) || (one == b && other == a);
    };
    return one == other                 ? one
           : are("hex", "text")         ? "text"
           : are("integer", "unsigned") ? "unsigned"
                                        : "any";
}

/// Of all events.
void collect_all(trace::Reader& reader, const schema::SchemasByTrace& schemas, unsigned threads,
                 Collected& to) {
    std::vector<std::unique_ptr<Seen>> seen(threads);
    reader.for_each_buffer(threads,
                           [&](unsigned worker, const trace::BufferEntry&, flow::Run events) {
                               if (seen[worker] == nullptr) {
                                   seen[worker] = std::make_unique<Seen>(schemas, to);
                               }
                               for (const flow::Event& event : events) {
                                   seen[worker]->add(event);
                               }
                           });
}

/// The same; false: nothing, because the index does not know the kinds, or most buffers have to be
/// read.
bool collect_indexed(dataset::Dataset& traces, std::size_t number,
                     const schema::SchemasByTrace& schemas, Collected& to) {
    Seen seen(schemas, to);
    const auto undecided =
        traces.buffers_of_kinds(number, [&](const flow::Event& event) { return !seen.add(event); });
    if (!undecided) {
        return false;
    }
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < undecided->size(); ++i) {
        if ((*undecided)[i]) {
            numbers.push_back(i);
        }
    }
    if (numbers.size() > undecided->size() / 2) {
        return false;
    }
    traces.readers()[number]->show_buffers(std::move(numbers),
                                           [&](const trace::BufferContent& buffer) {
                                               for (const flow::Event& event : buffer.events) {
                                                   seen.add(event);
                                               }
                                           });
    return true;
}

void add(Kind& kind, const Found& found) {
    kind.variants.insert({found.provider_guid, found.id});
    for (const Kind::Field& field : found.fields) {
        const auto known = std::ranges::find(kind.fields, field.name, &Kind::Field::name);
        if (known == kind.fields.end()) {
            if (kind.fields.size() < limits::query_fields) {
                kind.fields.push_back(field);
            }
            continue;
        }
        known->type = common_type(known->type, field.type);
        known->comparison =
            known->comparison == field.comparison ? field.comparison : Comparison::none;
    }
}

} // namespace

Kinds find_kinds(dataset::Dataset& traces, const schema::SchemasByTrace& schemas,
                 unsigned threads) {
    Collected collected;
    for (std::size_t i = 0; i < traces.readers().size(); ++i) {
        if (!collect_indexed(traces, i, schemas, collected)) {
            collect_all(*traces.readers()[i], schemas, threads, collected);
        }
    }
    std::map<std::string, Kind> by_name; // lowercase: SQLite ignores case
    for (const Found& found : collected.all()) {
        Kind& kind = by_name[to_lower_ascii(found.name)];
        if (kind.name.empty()) {
            kind.name = found.name;
            kind.provider = found.provider;
            kind.event = found.event;
        }
        add(kind, found);
    }
    Kinds kinds{.list = {}, .omitted = collected.omitted()};
    for (auto& [lower, kind] : by_name) {
        kinds.list.push_back(std::move(kind));
    }
    return kinds;
}

Expression condition_of(const Kind& kind) {
    std::vector<Expression> variants;
    for (const Kind::Variant& variant : kind.variants) {
        std::vector<Expression> tests;
        tests.push_back(Expression::make_test("provider_guid", match::Operator::equal,
                                              {to_string(variant.provider_guid)}));
        tests.push_back(
            Expression::make_test("id", match::Operator::equal, {std::to_string(variant.id)}));
        variants.push_back(Expression::all_of(std::move(tests)));
    }
    std::vector<Expression> all;
    all.push_back(Expression::any_of(std::move(variants)));
    if (kind.provider) {
        all.push_back(exact_test("provider", *kind.provider));
    }
    if (kind.event) {
        all.push_back(exact_test("event", *kind.event));
    } else {
        Expression none{.kind = Expression::Kind::none, .parts = {}, .test = {}};
        none.parts.push_back(Expression::make_test("event", match::Operator::has, {}));
        all.push_back(std::move(none));
    }
    return Expression::all_of(std::move(all));
}

} // namespace etl::sql
