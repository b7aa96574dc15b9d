#include "decode/plan.hpp"

#include "decode/limits.hpp"
#include "decode/messages/special_text.hpp"
#include "format/limits.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace etl::decode {

namespace {

using schema::Extent;
using schema::Field;
using schema::InType;
using schema::OutType;

std::uint32_t fixed_length(const PlannedField& field) noexcept {
    constexpr std::uint64_t max = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(
        std::min(std::uint64_t{field.length.value} * field.unit, max));
}

// Bytes that one element takes at least; of a terminated text at the very end not even the
// terminator is there.
std::uint32_t least_bytes(const PlannedField& field) noexcept {
    switch (field.shape) {
    case Shape::fixed:
        return field.size;
    case Shape::terminated:
        return field.unit;
    case Shape::counted:
    case Shape::counted_big_endian:
        return 2;
    case Shape::counted32:
    case Shape::wbem_sid:
        return 4;
    case Shape::sid:
        return 8;
    case Shape::sized:
        return field.length.kind == Extent::Kind::fixed ? fixed_length(field) : 0;
    case Shape::empty:
    case Shape::rest:
    case Shape::structure:
    case Shape::unknown:
        break;
    }
    return 0;
}

// Other texts are not: what is invalid in them is shown as U+FFFD.
bool is_checked(const PlannedField& field) noexcept {
    const Form form = field.form;
    const std::size_t fixed = field.shape == Shape::fixed ? field.size : 0;
    const bool is_counted =
        field.shape == Shape::counted || field.shape == Shape::counted_big_endian;
    return form == Form::filetime || form == Form::systemtime || form == Form::socket_address ||
           (form == Form::ipv4 && fixed != ipv4_size) ||
           (form == Form::ipv6 && fixed != ipv6_size) || (form == Form::text16 && is_counted);
}

/// Compiles field after field; knows the structures that are open.
class Compiler {
public:
    Compiler(const schema::EventSchema& schema, unsigned pointer_size,
             std::vector<PlannedField>& to)
        : schema_(schema), pointer_size_(pointer_size), to_(to) {}

    void run() {
        to_.reserve(schema_.fields.size());
        for (const Field& field : schema_.fields) {
            close_structures();
            add(field);
        }
        close_structures();
    }

private:
    struct Open {
        std::size_t index;
        std::size_t end;
    };

    void add(const Field& field) {
        PlannedField planned;
        planned.shape = shape_of(field);
        planned.form = schema::form_of(field.in_type, field.out_type, pointer_size_);
        planned.error_space = schema::fixed_size(field.in_type, pointer_size_) > 0
                                  ? schema::error_space_of(field.out_type)
                                  : ErrorSpace::none;
        planned.hidden = field.out_type == OutType::no_print;
        planned.is_pointer = field.in_type == InType::pointer;
        planned.size = schema::wire_size(field.in_type, pointer_size_);
        planned.unit = schema::unit_size(planned.form);
        planned.members = planned.shape == Shape::structure ? field.members : std::uint16_t{0};
        planned.count = resolved(field.count);
        planned.length = resolved(field.length);
        planned.least_bytes = least_bytes(planned);
        if (field.map < schema_.maps.size() && is_integer(planned.form)) {
            planned.map = schema_.maps[field.map].get();
        }
        const bool one_number =
            planned.shape == Shape::fixed && field.count.kind == Extent::Kind::natural;
        if (field.referenced && one_number && planned.size <= 8 && slots_ < Plan::slots) {
            planned.slot = slots_++;
        }
        planned.is_checked = is_checked(planned);
        planned.plain = one_number && planned.slot == PlannedField::no_slot && !planned.is_checked;
        to_.push_back(planned);
        if (planned.shape == Shape::structure) {
            open_structure(planned.members);
        }
    }

    // Members must lie inside the structure around them, and not too deep.
    void open_structure(std::size_t members) {
        const std::size_t index = to_.size() - 1;
        const std::size_t around = depth_ > 0 ? open_[depth_ - 1].end : schema_.fields.size();
        const std::size_t end = index + 1 + members;
        if (end > around || depth_ == open_.size()) {
            to_[index].shape = Shape::unknown;
            to_[index].members = static_cast<std::uint16_t>(std::min(end, around) - index - 1);
            return;
        }
        open_[depth_++] = {index, end};
    }

    // What a structure takes at least is what its members take.
    void close_structures() {
        while (depth_ > 0 && open_[depth_ - 1].end == to_.size()) {
            const Open& done = open_[--depth_];
            constexpr std::uint64_t max = std::numeric_limits<std::uint32_t>::max();
            std::uint64_t sum = 0;
            for (std::size_t i = done.index + 1; i < done.end; i += 1U + to_[i].members) {
                sum += at_least(to_[i]);
            }
            to_[done.index].least_bytes = static_cast<std::uint32_t>(std::min(sum, max));
        }
    }

    // A whole field, all elements.
    static std::uint64_t at_least(const PlannedField& field) noexcept {
        switch (field.count.kind) {
        case Extent::Kind::natural:
            return field.shape == Shape::terminated ? 0 : field.least_bytes;
        case Extent::Kind::prefixed:
            return 2;
        case Extent::Kind::fixed:
        case Extent::Kind::field:
        case Extent::Kind::rest:
        case Extent::Kind::unknown:
            break;
        }
        return 0;
    }

    // Turns a field number into the slot of its value.
    Extent resolved(const Extent& extent) const noexcept {
        if (extent.kind != Extent::Kind::field) {
            return extent;
        }
        if (extent.value >= to_.size() || to_[extent.value].slot == PlannedField::no_slot) {
            return {Extent::Kind::unknown, extent.value};
        }
        return {Extent::Kind::field, to_[extent.value].slot};
    }

    const schema::EventSchema& schema_;
    unsigned pointer_size_;
    std::vector<PlannedField>& to_;
    std::array<Open, format::max_struct_depth> open_{};
    std::size_t depth_ = 0;
    std::uint16_t slots_ = 0;
};

/// What the fields before one add up to, where that is the same for every payload.
struct Sizes {
    std::uint64_t bytes = 0;
    std::uint64_t values = 0;
    std::uint64_t element_size = 0; // of an array to the end, which must be the last
};

// Bytes of one element that are known without looking at it.
std::optional<std::uint64_t> plain_size(const PlannedField& field) noexcept {
    const bool is_plain = field.shape == Shape::fixed ||
                          (field.shape == Shape::sized && field.length.kind == Extent::Kind::fixed);
    return is_plain ? std::optional<std::uint64_t>(field.least_bytes) : std::nullopt;
}

// False: the size differs from payload to payload.
bool add_plain_field(Sizes& sizes, const PlannedField& field) noexcept {
    if (field.shape == Shape::structure && field.count.kind == Extent::Kind::natural) {
        return true; // its members follow
    }
    const auto one = plain_size(field);
    if (!one || sizes.element_size != 0) {
        return false;
    }
    if (field.count.kind == Extent::Kind::rest && *one > 0) {
        sizes.element_size = *one;
        return true;
    }
    if (field.count.kind != Extent::Kind::natural && field.count.kind != Extent::Kind::fixed) {
        return false;
    }
    const std::uint64_t count = field.count.kind == Extent::Kind::fixed ? field.count.value : 1;
    sizes.values += count;
    sizes.bytes += count * *one;
    return sizes.values <= limits::values_per_event / 4 &&
           sizes.bytes <= format::limits::payload_bytes;
}

// What manifests exported from Windows call them; they lack the length.
bool may_be_physical_address(std::string_view name) noexcept {
    constexpr std::string_view words[] = {"mac", "bssid", "localaddr", "peeraddr"};
    return std::ranges::any_of(words, [&](std::string_view word) {
        return !std::ranges::search(name, word, {}, [](char c) {
                    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
                }).empty();
    });
}

// Binary without a length extends to the end of the payload if it is the last field and the only
// one of its kind. docs/format/decoding.md#unmeasured
void find_unmeasured(const schema::EventSchema& schema, std::vector<PlannedField>& fields) {
    const auto has_no_length = [&](std::size_t i) {
        return fields[i].shape == Shape::rest && schema.fields[i].in_type == InType::binary;
    };
    const std::size_t count = fields.size();
    std::size_t first = 0;
    while (first < count && !has_no_length(first)) {
        ++first;
    }
    if (first + 1 >= count) {
        return;
    }
    std::uint16_t unmeasured = 0;
    std::optional<Sizes> measured = Sizes{};
    for (std::size_t i = count; i-- > first;) {
        PlannedField& field = fields[i];
        if (!has_no_length(i)) {
            if (measured && !add_plain_field(*measured, field)) {
                measured.reset();
            }
            continue;
        }
        field.is_unmeasured = true;
        field.may_be_physical_address = may_be_physical_address(schema.fields[i].name);
        field.unmeasured_fields = ++unmeasured;
        if (measured && measured->element_size == 0) {
            field.measured_bytes = static_cast<std::uint32_t>(measured->bytes);
        }
    }
}

bool is_pointer_sized(const Field& field) noexcept {
    return field.in_type == InType::pointer || field.in_type == InType::pointer_sized ||
           field.in_type == InType::wbem_sid;
}

} // namespace

Plan Plan::compile(const schema::EventSchema& schema, unsigned pointer_size) {
    Plan plan;
    Compiler(schema, pointer_size, plan.fields_).run();
    find_unmeasured(schema, plan.fields_);
    Sizes sizes;
    plan.has_plain_size_ = std::ranges::all_of(
        plan.fields_, [&](const PlannedField& field) { return add_plain_field(sizes, field); });
    if (plan.has_plain_size_) {
        plan.size_ = static_cast<std::uint32_t>(sizes.bytes);
        plan.element_size_ = static_cast<std::uint32_t>(sizes.element_size);
    }
    plan.depends_on_pointer_size_ = std::ranges::any_of(schema.fields, is_pointer_sized);
    return plan;
}

} // namespace etl::decode
