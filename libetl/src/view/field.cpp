#include <etl/decode/display_value.hpp>
#include <etl/decode/value.hpp>
#include <etl/view/field.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

namespace etl::inline view {

using decode::Form;
using decode::Value;

namespace {

using Kind = FieldTable::Kind;

std::unexpected<Error> wrong_type() {
    return fail(ErrorCode::invalid_option, "the field holds nothing that this type can");
}

/// The member with a name among the nodes from `first` on; `last` if there is none.
std::uint32_t find_member(const FieldTable& table, std::uint32_t first, std::uint32_t last,
                          std::string_view name) noexcept {
    while (first < last && table.name(table.node(first)) != name) {
        first = table.node(first).next;
    }
    return first;
}

std::uint32_t find_place(const FieldTable& table, std::uint32_t first, std::uint32_t last,
                         std::size_t index) noexcept {
    for (; first < last && index > 0; --index) {
        first = table.node(first).next;
    }
    return first;
}

std::size_t count_places(const FieldTable& table, std::uint32_t first,
                         std::uint32_t last) noexcept {
    std::size_t count = 0;
    for (; first < last; first = table.node(first).next) {
        ++count;
    }
    return count;
}

/// Elements of an array are all of one kind.
bool holds_values(const FieldTable& table, std::uint32_t array) noexcept {
    const FieldTable::Node& node = table.node(array);
    return node.kind == Kind::array && node.next > array + 1 &&
           table.node(array + 1).kind == Kind::value;
}

std::uint64_t little_endian(Bytes bytes) noexcept {
    std::uint64_t number = 0;
    for (std::size_t i = std::min<std::size_t>(bytes.size(), 8); i > 0; --i) {
        number = number << 8U | std::to_integer<std::uint64_t>(bytes[i - 1]);
    }
    return number;
}

std::optional<FieldNumber> number_of(const Value& value) noexcept {
    if (schema::is_signed(value.form)) {
        const std::int64_t number = decode::signed_of(value);
        return FieldNumber{static_cast<std::uint64_t>(number), number < 0};
    }
    if (schema::is_integer(value.form)) {
        return FieldNumber{decode::bits_of(value), false};
    }
    if (value.form == Form::boolean) {
        const auto is_set = [](std::byte byte) { return byte != std::byte{}; };
        return FieldNumber{std::ranges::any_of(value.bytes, is_set) ? 1U : 0U, false};
    }
    if (value.form == Form::port && value.bytes.size() == 2) {
        return FieldNumber{std::byteswap(load_le<std::uint16_t>(value.bytes.data())), false};
    }
    if (value.form == Form::char8 || value.form == Form::char16 || value.form == Form::ticks) {
        return FieldNumber{little_endian(value.bytes), false};
    }
    return std::nullopt;
}

/// SYSTEMTIME: year, month, day of the week, day, hour, minute, second, milliseconds.
Filetime time_of_systemtime(Bytes bytes) noexcept {
    const auto part = [&](std::size_t number) {
        return load_le<std::uint16_t>(bytes.data() + 2 * number);
    };
    return from_civil({.year = part(0),
                       .month = part(1),
                       .day = part(3),
                       .hour = part(4),
                       .minute = part(5),
                       .second = part(6),
                       .fraction = part(7) * 10'000U});
}

/// Puts a table's nodes into one text.
class FieldText {
public:
    FieldText(std::string& to, const FieldTable& table)
        : to_(to), table_(table), options_(decode::options_for({}, table.event())) {}

    /// Without recursion: ends_ says which brackets are open.
    void append(std::uint32_t first) {
        const std::uint32_t last = table_.node(first).next;
        for (std::uint32_t at = first; at < last; ++at) {
            close(at);
            begin(at);
            const FieldTable::Node& node = table_.node(at);
            if (node.kind == Kind::value) {
                decode::append_display(to_, table_.value(node), options_);
            } else {
                to_.push_back(node.kind == Kind::array ? '[' : '{');
                ends_[depth_++] = {node.next, node.kind};
                is_first_ = true;
            }
        }
        close(last);
    }

private:
    struct Open {
        std::uint32_t end = 0;
        Kind kind = Kind::value;
    };

    void close(std::uint32_t at) {
        while (depth_ > 0 && ends_[depth_ - 1].end == at) {
            to_.push_back(ends_[--depth_].kind == Kind::array ? ']' : '}');
            is_first_ = false;
        }
    }

    void begin(std::uint32_t at) {
        if (depth_ == 0) {
            return;
        }
        if (!std::exchange(is_first_, false)) {
            to_.append(", ");
        }
        if (ends_[depth_ - 1].kind == Kind::structure) {
            to_.append(table_.name(table_.node(at))).push_back('=');
        }
    }

    std::string& to_;
    const FieldTable& table_;
    decode::DisplayOptions options_;
    std::array<Open, 2UL * limits::struct_depth + 1> ends_{};
    std::size_t depth_ = 0;
    bool is_first_ = true;
};

} // namespace

std::string Field::text() const {
    std::string text;
    append_text(text);
    return text;
}

void Field::append_text(std::string& to) const {
    if (table_ != nullptr) {
        FieldText(to, *table_).append(number_);
    }
}

Field Field::operator[](std::string_view member) const noexcept {
    if (!is_struct()) {
        return {};
    }
    const std::uint32_t place = find_member(*table_, number_ + 1, behind(), member);
    return place < behind() ? Field(*table_, place) : Field();
}

Field Field::operator[](std::size_t index) const noexcept {
    if (table_ == nullptr) {
        return {};
    }
    if (holds_values(*table_, number_)) {
        return index < size() ? Field(*table_, static_cast<std::uint32_t>(number_ + 1 + index))
                              : Field();
    }
    const std::uint32_t place = find_place(*table_, number_ + 1, behind(), index);
    return place < behind() ? Field(*table_, place) : Field();
}

std::size_t Field::size() const noexcept {
    if (table_ == nullptr) {
        return 0;
    }
    return holds_values(*table_, number_) ? behind() - number_ - 1
                                          : count_places(*table_, number_ + 1, behind());
}

std::size_t Fields::size() const noexcept {
    return count_places(*table_, 0, table_->size());
}

Field Fields::operator[](std::string_view name) const noexcept {
    const std::uint32_t place = find_member(*table_, 0, table_->size(), name);
    return place < table_->size() ? Field(*table_, place) : Field();
}

Field Fields::operator[](std::size_t index) const noexcept {
    const std::uint32_t place = find_place(*table_, 0, table_->size(), index);
    return place < table_->size() ? Field(*table_, place) : Field();
}

std::unexpected<Error> Field::missing() {
    return fail(ErrorCode::not_found, "a field of this name");
}

std::unexpected<Error> Field::too_large() {
    return fail(ErrorCode::limit, "the number of the field is beyond this type");
}

Result<FieldNumber> Field::number() const {
    if (table_ == nullptr) {
        return missing();
    }
    const std::optional<FieldNumber> number = number_of(value());
    return number ? Result<FieldNumber>(*number) : Result<FieldNumber>(wrong_type());
}

Result<double> Field::floating() const {
    const Value value = this->value();
    if (value.form == Form::float32 && value.bytes.size() == 4) {
        return std::bit_cast<float>(load_le<std::uint32_t>(value.bytes.data()));
    }
    if (value.form == Form::float64 && value.bytes.size() == 8) {
        return std::bit_cast<double>(load_le<std::uint64_t>(value.bytes.data()));
    }
    const Result<FieldNumber> found = number();
    if (!found) {
        return std::unexpected(found.error());
    }
    return found->is_negative ? static_cast<double>(static_cast<std::int64_t>(found->bits))
                              : static_cast<double>(found->bits);
}

Result<Guid> Field::guid() const {
    const Value value = this->value();
    if (value.form != Form::guid || value.bytes.size() != sizeof(Guid)) {
        return table_ == nullptr ? missing() : wrong_type();
    }
    Guid guid;
    std::ranges::copy(value.bytes, guid.bytes.begin());
    return guid;
}

Result<Filetime> Field::time() const {
    const Value value = this->value();
    if (value.form == Form::filetime && value.bytes.size() == 8) {
        return Filetime{load_le<std::int64_t>(value.bytes.data())};
    }
    if (value.form == Form::ticks && value.bytes.size() == 8) {
        return table_->event().event->trace().clock.to_filetime(
            load_le<std::int64_t>(value.bytes.data()));
    }
    if (value.form == Form::systemtime && value.bytes.size() == 16) {
        return time_of_systemtime(value.bytes);
    }
    return table_ == nullptr ? missing() : wrong_type();
}

Result<Bytes> Field::bytes() const {
    if (!is_value()) {
        return table_ == nullptr ? missing() : wrong_type();
    }
    return value().bytes;
}

} // namespace etl::inline view
