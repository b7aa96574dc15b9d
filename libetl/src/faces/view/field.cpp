#include <etl/field.hpp>

#include "decode/display_value.hpp"
#include "decode/value.hpp"
#include "view/field_table.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

namespace etl::inline view {

using decode::Form;
using decode::Value;

namespace {

using Kind = FieldTable::Kind;

/// `what` continues a sentence: `expected a number`.
std::unexpected<Error> wrong_type(const char* what) {
    return fail(ErrorCode::invalid_option, what);
}

using Node = FieldTable::Node;

/// Returns the node with a name between two nodes of one structure; `last` if there is none.
const Node* find_member(const FieldTable& table, const Node* first, const Node* last,
                        std::string_view name) noexcept {
    while (first < last && table.name(*first) != name) {
        first += first->span;
    }
    return first;
}

const Node* find_place(const Node* first, const Node* last, std::size_t index) noexcept {
    for (; first < last && index > 0; --index) {
        first += first->span;
    }
    return first;
}

std::size_t count_places(const Node* first, const Node* last) noexcept {
    std::size_t count = 0;
    for (; first < last; first += first->span) {
        ++count;
    }
    return count;
}

/// Whether node holds an array of values: its elements can be counted without a walk.
bool holds_values(const Node& node) noexcept {
    return node.kind == Kind::array && node.span > 1 && (&node + 1)->kind == Kind::value;
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

/// Puts a table's nodes into one text.
class FieldText {
public:
    FieldText(std::string& to, const FieldTable& table)
        : to_(to), table_(table), options_(decode::options_for({}, table.event())) {}

    /// Without recursion: ends_ says which brackets are open.
    void append(const Node* first) {
        const Node* const last = first + first->span;
        for (const Node* at = first; at < last; ++at) {
            close(at);
            begin(*at);
            if (at->kind == Kind::value) {
                decode::append_display(to_, table_.value(*at), options_);
            } else {
                to_.push_back(at->kind == Kind::array ? '[' : '{');
                ends_[depth_++] = {at + at->span, at->kind};
                is_first_ = true;
            }
        }
        close(last);
    }

private:
    struct Open {
        const Node* end = nullptr;
        Kind kind = Kind::value;
    };

    void close(const Node* at) {
        while (depth_ > 0 && ends_[depth_ - 1].end == at) {
            to_.push_back(ends_[--depth_].kind == Kind::array ? ']' : '}');
            is_first_ = false;
        }
    }

    void begin(const Node& node) {
        if (depth_ == 0) {
            return;
        }
        if (!std::exchange(is_first_, false)) {
            to_.append(", ");
        }
        if (ends_[depth_ - 1].kind == Kind::structure) {
            to_.append(table_.name(node)).push_back('=');
        }
    }

    std::string& to_;
    const FieldTable& table_;
    decode::DisplayOptions options_;
    std::array<Open, 2UL * format::max_struct_depth + 1> ends_{};
    std::size_t depth_ = 0;
    bool is_first_ = true;
};

} // namespace

Value Access::value(const Field& field) noexcept {
    return field.is_value() ? field.table_->value(*field.node_) : Value{};
}

std::string_view Field::name() const noexcept {
    return table_ == nullptr ? std::string_view{} : table_->name(*node_);
}

std::string Field::text() const {
    std::string text;
    append_text(text);
    return text;
}

void Field::append_text(std::string& to) const {
    if (table_ != nullptr) {
        FieldText(to, *table_).append(node_);
    }
}

Field Field::operator[](std::string_view member) const noexcept {
    if (!is_struct()) {
        return {};
    }
    const Node* const last = node_ + node_->span;
    const Node* const found = find_member(*table_, node_ + 1, last, member);
    return found < last ? Field(*table_, found) : Field();
}

Field Field::operator[](std::size_t index) const noexcept {
    if (table_ == nullptr) {
        return {};
    }
    if (holds_values(*node_)) {
        return index < size() ? Field(*table_, node_ + 1 + index) : Field();
    }
    const Node* const last = node_ + node_->span;
    const Node* const found = find_place(node_ + 1, last, index);
    return found < last ? Field(*table_, found) : Field();
}

std::size_t Field::size() const noexcept {
    if (table_ == nullptr) {
        return 0;
    }
    return holds_values(*node_) ? node_->span - 1U : count_places(node_ + 1, node_ + node_->span);
}

Fields::Fields(const FieldTable& table) noexcept
    : table_(&table), first_(table.begin()), last_(table.end()) {}

std::size_t Fields::size() const noexcept {
    return count_places(first_, last_);
}

Field Fields::operator[](std::string_view name) const noexcept {
    const Node* const found = find_member(*table_, first_, last_, name);
    return found < last_ ? Field(*table_, found) : Field();
}

Field Fields::operator[](std::size_t index) const noexcept {
    const Node* const found = find_place(first_, last_, index);
    return found < last_ ? Field(*table_, found) : Field();
}

std::unexpected<Error> Field::missing() {
    return fail(ErrorCode::not_found, "a field of this name");
}

std::unexpected<Error> Field::too_large() {
    return fail(ErrorCode::limit, "the value of the field exceeds this type");
}

Result<FieldNumber> Field::number() const {
    if (table_ == nullptr) {
        return missing();
    }
    const std::optional<FieldNumber> number = number_of(Access::value(*this));
    return number ? Result<FieldNumber>(*number)
                  : Result<FieldNumber>(wrong_type("expected an integer"));
}

Result<double> Field::floating() const {
    const Value value = Access::value(*this);
    if (value.form == Form::float32 && value.bytes.size() == 4) {
        return std::bit_cast<float>(load_le<std::uint32_t>(value.bytes.data()));
    }
    if (value.form == Form::float64 && value.bytes.size() == 8) {
        return std::bit_cast<double>(load_le<std::uint64_t>(value.bytes.data()));
    }
    const Result<FieldNumber> found = number();
    if (!found) {
        return table_ == nullptr ? missing() : wrong_type("expected a number");
    }
    return found->is_negative ? static_cast<double>(static_cast<std::int64_t>(found->bits))
                              : static_cast<double>(found->bits);
}

Result<Guid> Field::guid() const {
    const Value value = Access::value(*this);
    if (value.form != Form::guid || value.bytes.size() != sizeof(Guid)) {
        return table_ == nullptr ? missing() : wrong_type("expected a GUID");
    }
    Guid guid;
    std::ranges::copy(value.bytes, guid.bytes.begin());
    return guid;
}

Result<Filetime> Field::time() const {
    const Value value = Access::value(*this);
    if (value.form == Form::filetime && value.bytes.size() == 8) {
        return Filetime{load_le<std::int64_t>(value.bytes.data())};
    }
    if (value.form == Form::ticks && value.bytes.size() == 8) {
        return table_->event().event->trace().clock.to_filetime(
            load_le<std::int64_t>(value.bytes.data()));
    }
    if (value.form == Form::systemtime && value.bytes.size() == 16) {
        const auto time = decode::systemtime_of(value);
        return time ? Result<Filetime>(*time) : wrong_type("expected a time");
    }
    return table_ == nullptr ? missing() : wrong_type("expected a time");
}

Result<Bytes> Field::bytes() const {
    if (!is_value()) {
        return table_ == nullptr ? missing() : wrong_type("expected a single value");
    }
    return Access::value(*this).bytes;
}

} // namespace etl::inline view
