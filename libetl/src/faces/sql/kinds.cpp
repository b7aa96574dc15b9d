#include "sql/kinds.hpp"

#include "base/text.hpp"
#include "decode/decoder.hpp"
#include "flow/event.hpp"
#include "sql/event_plan.hpp"

#include <algorithm>
#include <array>
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
        const std::string name = name_of(event);
        std::optional<Found> found;
        if (kind.schema != nullptr) {
            found = {name,
                     kind.provider,
                     kind.event,
                     event.header.provider,
                     event.header.id,
                     event.header.version,
                     fields_of(kind)};
        }
        const std::scoped_lock lock(mutex_);
        add_head(to_lower_ascii(name), HookHead::of(*event.event));
        if (!found || all_.contains(*found)) {
            return;
        }
        if (all_.size() < limits::query_kinds) {
            all_.insert(*std::move(found));
        } else {
            ++omitted_;
        }
    }

    const std::set<Found>& all() const noexcept { return all_; }

    /// The heads of the events of a table, by its name in lowercase; none: not all are known.
    std::optional<std::set<HookHead>> heads_of(const std::string& lower_name) const {
        const auto found = heads_.find(lower_name);
        return has_all_heads_ && found != heads_.end() ? std::optional(found->second)
                                                       : std::nullopt;
    }

    /// There are more heads than those that were added.
    void omit_heads() noexcept { has_all_heads_ = false; }

    std::size_t omitted() const noexcept { return omitted_; }

private:
    void add_head(std::string lower_name, HookHead head) {
        has_all_heads_ = has_all_heads_ && head_count_ < limits::query_kinds;
        if (has_all_heads_ && heads_[std::move(lower_name)].insert(head).second) {
            ++head_count_;
        }
    }

    std::mutex mutex_;
    std::set<Found> all_;
    std::map<std::string, std::set<HookHead>> heads_; // by name, lowercase
    std::size_t head_count_ = 0;
    bool has_all_heads_ = true;
    std::size_t omitted_ = 0;
};

/// Whether events of these kinds share a table and its columns.
bool are_alike(std::span<const decode::EventKind* const> kinds) {
    return !kinds.empty() && std::ranges::all_of(kinds, [&](const decode::EventKind* kind) {
        const decode::EventKind& first = *kinds.front();
        return kind == &first || (kind->schema != nullptr && first.schema != nullptr &&
                                  kind->provider == first.provider && kind->event == first.event &&
                                  fields_of(*kind) == fields_of(first));
    });
}

/// What one thread has seen in one trace.
class Seen {
public:
    explicit Seen(const schema::SchemasByTrace& schemas) : decoder_(schemas) {}

    /// Returns the event if its kind, or its head, is new.
    const decode::DecodedEvent* find_new(const flow::Event& event) {
        if (!format::has_hook(event.kind)) {
            return find_new_kind(event);
        }
        const Head head{HookHead::of(event), event.size, event.buffer->merged_input};
        Known& known = heads_[head.place(heads_.size())];
        const bool is_known = known.head == head;
        if (is_known && known.decides) {
            return nullptr;
        }
        if (!is_known) {
            known = {head, are_alike(decoder_.possible_kinds(event))};
        }
        return find_new_kind(event);
    }

    /// Whether there were more heads than limits::query_kinds, of which the others are not new.
    bool omits_heads() const noexcept { return omits_heads_; }

private:
    /// What identifies the kind of a kernel event, unless its payload decides as well.
    struct Head {
        HookHead hook{};
        std::uint32_t size = 0; // 0: none
        std::uint16_t merged_input = 0;

        /// Returns a place among `count`, a power of two.
        std::size_t place(std::size_t count) const noexcept {
            const std::uint64_t bits = hook.bytes ^ std::uint64_t{size} << 32U ^ merged_input;
            return (bits * 0x9E3779B97F4A7C15U >> 32U) & (count - 1);
        }

        bool operator==(const Head&) const = default;
    };

    struct Known {
        Head head{};
        bool decides = false; // in which table and columns the event is
    };

    const decode::DecodedEvent* find_new_kind(const flow::Event& event) {
        const decode::DecodedEvent& decoded = decoder_.decode(event);
        if (generation_ != decoder_.generation()) {
            generation_ = decoder_.generation();
            kinds_.clear();
            head_count_ = 0;
        }
        const std::uint32_t number = decoded.kind->number;
        if (number >= kinds_.size()) {
            kinds_.resize(number + std::size_t{1});
        }
        std::set<HookHead>& heads = kinds_[number];
        const HookHead head = HookHead::of(event);
        if (heads.contains(head)) {
            return nullptr;
        }
        if (head_count_ >= limits::query_kinds) {
            omits_heads_ = true;
            if (!heads.empty()) {
                return nullptr;
            }
        }
        heads.insert(head);
        ++head_count_;
        return &decoded;
    }

    decode::Decoder decoder_;
    std::uint32_t generation_ = 0;
    std::vector<std::set<HookHead>> kinds_; // the heads that were seen, by number
    std::size_t head_count_ = 0;            // in kinds_
    bool omits_heads_ = false;
    std::array<Known, 1024> heads_{}; // those that were seen last
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

HookHead HookHead::of(const flow::Event& event) noexcept {
    using namespace format::system_record;
    static_assert(hook_id.offset + sizeof(std::uint16_t) == sizeof bytes);
    constexpr std::uint64_t of_size = std::uint64_t{0xFFFF} << (8 * size_.offset);
    return format::has_hook(event.kind) ? HookHead{load_le<std::uint64_t>(event.record) & ~of_size}
                                        : HookHead{};
}

Kinds find_kinds(gather::Readers readers, const schema::SchemasByTrace& schemas, unsigned threads) {
    Collected collected;
    for (const auto& reader : readers) {
        std::vector<std::unique_ptr<Seen>> seen(threads);
        reader->for_each_buffer(
            threads, [&](unsigned worker, const trace::BufferEntry&, flow::Run events) {
                if (seen[worker] == nullptr) {
                    seen[worker] = std::make_unique<Seen>(schemas);
                }
                for (const flow::Event& event : events) {
                    if (const auto* const decoded = seen[worker]->find_new(event)) {
                        collected.add(*decoded);
                    }
                }
            });
        if (std::ranges::any_of(seen, [](const auto& one) { return one && one->omits_heads(); })) {
            collected.omit_heads();
        }
    }
    std::map<std::string, Kind> by_name; // lowercase: SQLite ignores case
    for (const Found& found : collected.all()) {
        const std::string lower_name = to_lower_ascii(found.name);
        Kind& kind = by_name[lower_name];
        if (kind.name.empty()) {
            kind.name = found.name;
            kind.heads = collected.heads_of(lower_name);
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
