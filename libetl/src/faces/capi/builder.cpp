#include <etl/wire.hpp>

#include "capi/building.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>

using namespace etl;
using namespace etl::capi;
using provider::SelfDescribingEvent;

namespace {

using Item = etl_builder::Item;

constexpr const char* elements_are_structures = "elements of an array of structures are structures";

template <typename Call>
void build(etl_builder& builder, Call&& call) noexcept {
    try {
        call();
    } catch (...) {
        builder.problem = "memory was exhausted while fields were added";
    }
}

/// Whether the next item would be an element of an array.
bool is_in_array(const etl_builder& builder) noexcept {
    return !builder.open.empty() &&
           builder.items[builder.open.back()].kind == Item::Kind::begin_array;
}

void begin(etl_builder& builder, Item::Kind kind, const char* name) {
    if (is_in_array(builder)) {
        if (kind != Item::Kind::begin) {
            builder.problem = elements_are_structures;
        }
        ++builder.items[builder.open.back()].elements;
    }
    builder.open.push_back(builder.items.size());
    builder.items.push_back({.kind = kind, .name = std::string(view_of(name))});
}

/// `value` is copied.
template <typename T>
void add(etl_builder* builder, const char* name, T value) noexcept {
    build(*builder, [&] {
        if (is_in_array(*builder)) {
            builder->problem = elements_are_structures;
        }
        builder->items.push_back(
            {.add = [name = std::string(view_of(name)),
                     value = std::move(value)](SelfDescribingEvent& to) { to.add(name, value); }});
    });
}

/// Adds an integer, or a list of integers, as one of the four sizes.
template <typename Small, typename Integer>
void add_narrowed(etl_builder* builder, const char* name, std::span<const Integer> values,
                  bool is_array) noexcept {
    build(*builder, [&] {
        std::vector<Small> narrowed;
        for (const Integer value : values) {
            if (!std::in_range<Small>(value)) {
                builder->problem = "an integer is out of the range of its field";
            }
            narrowed.push_back(static_cast<Small>(value));
        }
        if (is_array) {
            add(builder, name, std::move(narrowed));
        } else {
            add(builder, name, narrowed.front());
        }
    });
}

template <typename I8, typename I16, typename I32, typename I64>
void add_integers(etl_builder* builder, const char* name, std::span<const I64> values,
                  unsigned bytes, bool is_array) noexcept {
    switch (bytes) {
    case 1:
        return add_narrowed<I8>(builder, name, values, is_array);
    case 2:
        return add_narrowed<I16>(builder, name, values, is_array);
    case 4:
        return add_narrowed<I32>(builder, name, values, is_array);
    case 8:
        return add_narrowed<I64>(builder, name, values, is_array);
    default:
        builder->problem = "an integer has 1, 2, 4, or 8 bytes";
    }
}

void add_signed(etl_builder* builder, const char* name, std::span<const std::int64_t> values,
                unsigned bytes, bool is_array) noexcept {
    add_integers<std::int8_t, std::int16_t, std::int32_t>(builder, name, values, bytes, is_array);
}

void add_unsigned(etl_builder* builder, const char* name, std::span<const std::uint64_t> values,
                  unsigned bytes, bool is_array) noexcept {
    add_integers<std::uint8_t, std::uint16_t, std::uint32_t>(builder, name, values, bytes,
                                                             is_array);
}

/// Adds items up to the end of the structure that is open, or of all.
void replay(SelfDescribingEvent& to, std::span<const Item>& rest) {
    while (!rest.empty()) {
        const Item& item = rest.front();
        rest = rest.subspan(1);
        if (item.kind == Item::Kind::end) {
            return;
        }
        if (item.kind == Item::Kind::value) {
            item.add(to);
            continue;
        }
        if (item.kind == Item::Kind::begin_array) {
            std::size_t added = 0;
            to.add_structs(item.name, item.elements,
                           [&](SelfDescribingEvent& members, std::size_t) {
                               rest = rest.subspan(1); // where the element begins
                               replay(members, rest);
                               ++added;
                           });
            if (added < item.elements) { // which `omitted` counts
                return;
            }
            rest = rest.subspan(1); // its end
            continue;
        }
        bool is_added = false;
        to.add_struct(item.name, [&](SelfDescribingEvent& members) {
            is_added = true;
            replay(members, rest);
        });
        if (!is_added) { // nested too deep, which `omitted` counts
            return;
        }
    }
}

} // namespace

namespace etl::capi {

std::expected<etl_record, etl_error> read_record(const etl_record* given) {
    if (given == nullptr) {
        return etl_record ETL_RECORD_INIT;
    }
    return read_sized(given);
}

format::EventRecord record_of(const etl_record& record) noexcept {
    return {.process_id = record.process_id,
            .thread_id = record.thread_id,
            .time = record.time,
            .provider = guid_of(record.provider),
            .descriptor = {.id = record.id,
                           .version = record.version,
                           .channel = record.channel,
                           .level = record.level,
                           .opcode = record.opcode,
                           .task = record.task,
                           .keyword = record.keyword},
            .activity = guid_of(record.activity),
            .payload = bytes_of(record.payload, record.payload_size)};
}

std::expected<format::EventRecord, etl_error> record_of(etl_builder& builder,
                                                        const etl_record& context) {
    if (builder.problem != nullptr) {
        return failed(ETL_INVALID_ARGUMENT, builder.problem);
    }
    if (!builder.open.empty()) {
        return failed(ETL_INVALID_ARGUMENT, "a structure is open: call etl_builder_end_struct");
    }
    builder.event.clear();
    std::span<const Item> rest = builder.items;
    replay(builder.event, rest);
    if (builder.event.omitted() > 0) {
        return failed(ETL_LIMIT,
                      "more than 127 members, structures nested too deep, or elements of "
                      "an array with different members");
    }
    return builder.event.record({.time = context.time,
                                 .process_id = context.process_id,
                                 .thread_id = context.thread_id,
                                 .activity = guid_of(context.activity)});
}

} // namespace etl::capi

etl_status etl_builder_create(const char* provider, const char* event,
                              const etl_builder_options* given, etl_builder** builder,
                              etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        *builder = nullptr;
        const auto options = read_sized(given);
        if (!options) {
            return std::unexpected(options.error());
        }
        if (view_of(provider).empty() || view_of(event).empty()) {
            return failed(ETL_INVALID_ARGUMENT, "a provider and an event have names");
        }
        provider::ProviderOptions identity;
        if (options->guid != nullptr) {
            identity.guid = guid_of(*options->guid);
        }
        if (options->group != nullptr) {
            identity.group = guid_of(*options->group);
        }
        constexpr std::uint8_t verbose = 5;
        const provider::EventOptions how{.level = options->level != 0 ? options->level : verbose,
                                         .opcode = options->opcode,
                                         .keyword = options->keyword,
                                         .id = options->id,
                                         .version = options->version,
                                         .task = options->task};
        auto of = std::make_unique<const provider::Provider>(provider, identity);
        const provider::Provider& kept = *of;
        *builder = new etl_builder{.provider = std::move(of),
                                   .event = SelfDescribingEvent(kept, event, how)};
        return ETL_OK;
    });
}

void etl_builder_free(etl_builder* builder) {
    delete builder;
}

void etl_builder_clear(etl_builder* builder) {
    builder->items.clear();
    builder->open.clear();
    builder->problem = nullptr;
}

void etl_builder_add_bool(etl_builder* builder, const char* name, bool value) {
    add(builder, name, value);
}

void etl_builder_add_signed(etl_builder* builder, const char* name, int64_t value, unsigned bytes) {
    add_signed(builder, name, {&value, 1}, bytes, false);
}

void etl_builder_add_unsigned(etl_builder* builder, const char* name, uint64_t value,
                              unsigned bytes) {
    add_unsigned(builder, name, {&value, 1}, bytes, false);
}

void etl_builder_add_double(etl_builder* builder, const char* name, double value) {
    add(builder, name, value);
}

void etl_builder_add_text(etl_builder* builder, const char* name, const char* value) {
    build(*builder, [&] { add(builder, name, std::string(view_of(value))); });
}

void etl_builder_add_bytes(etl_builder* builder, const char* name, const void* data, size_t size) {
    build(*builder, [&] {
        const Bytes bytes = bytes_of(data, size);
        add(builder, name, std::vector<std::byte>(bytes.begin(), bytes.end()));
    });
}

void etl_builder_add_guid(etl_builder* builder, const char* name, const etl_guid* value) {
    add(builder, name, guid_of(*value));
}

void etl_builder_add_time(etl_builder* builder, const char* name, int64_t value) {
    add(builder, name, Filetime{value});
}

void etl_builder_add_pointer(etl_builder* builder, const char* name, uint64_t value) {
    add(builder, name, provider::Pointer{value});
}

void etl_builder_add_signed_array(etl_builder* builder, const char* name, const int64_t* values,
                                  size_t count, unsigned bytes) {
    add_signed(builder, name, {values, count}, bytes, true);
}

void etl_builder_add_unsigned_array(etl_builder* builder, const char* name, const uint64_t* values,
                                    size_t count, unsigned bytes) {
    add_unsigned(builder, name, {values, count}, bytes, true);
}

void etl_builder_add_double_array(etl_builder* builder, const char* name, const double* values,
                                  size_t count) {
    build(*builder, [&] { add(builder, name, std::vector<double>(values, values + count)); });
}

void etl_builder_add_text_array(etl_builder* builder, const char* name, const char* const* values,
                                size_t count) {
    build(*builder, [&] { add(builder, name, list_of(values, count)); });
}

void etl_builder_add_bool_array(etl_builder* builder, const char* name, const bool* values,
                                size_t count) {
    build(*builder, [&] { add(builder, name, std::vector<bool>(values, values + count)); });
}

void etl_builder_add_guid_array(etl_builder* builder, const char* name, const etl_guid* values,
                                size_t count) {
    build(*builder, [&] {
        std::vector<Guid> guids;
        std::transform(values, values + count, std::back_inserter(guids),
                       [](const etl_guid& value) { return guid_of(value); });
        add(builder, name, std::move(guids));
    });
}

void etl_builder_add_time_array(etl_builder* builder, const char* name, const int64_t* values,
                                size_t count) {
    build(*builder, [&] {
        std::vector<Filetime> times;
        std::transform(values, values + count, std::back_inserter(times),
                       [](std::int64_t ticks) { return Filetime{ticks}; });
        add(builder, name, std::move(times));
    });
}

void etl_builder_begin_struct(etl_builder* builder, const char* name) {
    build(*builder, [&] { begin(*builder, Item::Kind::begin, name); });
}

void etl_builder_begin_struct_array(etl_builder* builder, const char* name) {
    build(*builder, [&] { begin(*builder, Item::Kind::begin_array, name); });
}

void etl_builder_end_struct(etl_builder* builder) {
    build(*builder, [&] {
        if (builder->open.empty()) {
            builder->problem = "etl_builder_end_struct without a structure";
            return;
        }
        const Item& ended = builder->items[builder->open.back()];
        if (ended.kind == Item::Kind::begin_array && ended.elements == 0) {
            builder->problem = "an array of structures has at least one element";
        }
        builder->items.push_back({.kind = Item::Kind::end});
        builder->open.pop_back();
    });
}
