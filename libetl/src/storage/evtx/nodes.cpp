#include "evtx/nodes.hpp"

#include "base/cursor.hpp"
#include "evtx/limits.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace etl::evtx {

namespace {

// The entities that XML predefines.

/// The one character of an entity, as UTF-16LE; empty: unknown.
Bytes character_of_entity(Bytes name) noexcept {
    struct Entity {
        std::string_view name;
        std::array<std::byte, 2> unit;
    };

    static constexpr std::array<Entity, 5> entities{{{"lt", {std::byte{'<'}}},
                                                     {"gt", {std::byte{'>'}}},
                                                     {"amp", {std::byte{'&'}}},
                                                     {"quot", {std::byte{'"'}}},
                                                     {"apos", {std::byte{'\''}}}}};
    for (const Entity& entity : entities) {
        if (equals(name, entity.name)) {
            return entity.unit;
        }
    }
    return {};
}

constexpr std::size_t definition_head_size = 24; // next u32, GUID, size u32

} // namespace

bool equals(Bytes units, std::string_view ascii) noexcept {
    if (units.size() != ascii.size() * 2) {
        return false;
    }
    for (std::size_t i = 0; i < ascii.size(); ++i) {
        if (units[2 * i] != static_cast<std::byte>(ascii[i]) || units[2 * i + 1] != std::byte{0}) {
            return false;
        }
    }
    return true;
}

/// One record. Offsets are those of its chunk.
class NodeReader::Walk {
public:
    Walk(const Record& record, NullParts null_parts, std::vector<Node>& nodes,
         std::vector<Value>& values)
        : chunk_(record.chunk), where_(FileOffset{record.where.value - record_offset(record)}),
          shows_null_(null_parts == NullParts::shown), nodes_(nodes), values_(values) {}

    Result<void> run(const Record& record) {
        fragment({.at = record.body, .end = std::size_t{record.body} + record.size});
        if (failed_) {
            return std::unexpected(error_);
        }
        if (open_ != 0) {
            return fail(ErrorCode::truncated, "element of an event", record.where);
        }
        return {};
    }

private:
    /// A fragment of binary XML. In a template definition: the values that fill it in, as a part of
    /// values_, which grows meanwhile.
    struct Fragment {
        std::size_t at = 0, end = 0;
        std::size_t first_value = 0, values = 0;
        bool in_template = false;
        std::size_t depth = 0;      // of templates
        std::uint32_t instance = 0; // of the template
    };

    static std::uint64_t record_offset(const Record& record) noexcept {
        return record.body - record_header_size;
    }

    void lose(ErrorCode code, const char* what, std::size_t at) {
        if (!failed_) {
            failed_ = true;
            error_ = {code, what, where_ + at, 0, 0, 0};
        }
    }

    template <typename T>
    T take(Fragment& in, const char* what) {
        if (in.at > in.end || in.end - in.at < sizeof(T)) {
            lose(ErrorCode::truncated, what, in.at);
            in.at = in.end;
            return T{};
        }
        const T value = load_le<T>(chunk_.data() + in.at);
        in.at += sizeof(T);
        return value;
    }

    Bytes take_bytes(Fragment& in, std::size_t size, const char* what) {
        if (in.at > in.end || in.end - in.at < size) {
            lose(ErrorCode::truncated, what, in.at);
            in.at = in.end;
            return {};
        }
        const Bytes bytes = chunk_.subspan(in.at, size);
        in.at += size;
        return bytes;
    }

    Bytes take_text(Fragment& in) {
        const auto units = take<std::uint16_t>(in, "size of a text");
        return take_bytes(in, std::size_t{units} * 2, "text");
    }

    /// A name: in place at its first use, else anywhere in the chunk.
    Bytes name(Fragment& in) {
        const auto offset = take<std::uint32_t>(in, "offset of a name");
        Fragment there{.at = offset, .end = offset == in.at ? in.end : chunk_.size()};
        take<std::uint32_t>(there, "name");
        take<std::uint16_t>(there, "hash of a name");
        const Bytes text = take_text(there);
        take<std::uint16_t>(there, "end of a name");
        if (offset == in.at) {
            in.at = there.at;
        }
        return text;
    }

    void add(const Node& node, std::size_t at) {
        if (nodes_.size() == limits::nodes) {
            return lose(ErrorCode::limit, "nodes of an event", at);
        }
        nodes_.push_back(node);
    }

    Token peek(const Fragment& in) const noexcept {
        return in.at < in.end ? token_of(std::to_integer<std::uint8_t>(chunk_[in.at]))
                              : Token::end_of_fragment;
    }

    void count_token(std::size_t at) {
        if (++tokens_ > limits::tokens) {
            lose(ErrorCode::limit, "tokens of an event", at);
        }
    }

    void fragment(Fragment in) {
        while (!failed_ && in.at < in.end) {
            const std::size_t begin = in.at;
            count_token(begin);
            const auto byte = take<std::uint8_t>(in, "token");
            switch (token_of(byte)) {
            case Token::end_of_fragment:
                return;
            case Token::fragment_header:
                take_bytes(in, 3, "header of a fragment");
                break;
            case Token::template_instance:
                template_instance(in);
                break;
            case Token::open_element:
                element(in, (byte & more_bit) != 0);
                break;
            case Token::close_start:
                break;
            case Token::close_empty:
            case Token::end_element:
                end_element(begin);
                break;
            case Token::cdata:
            case Token::text:
            case Token::character:
            case Token::entity:
            case Token::substitution:
            case Token::optional_substitution:
                value(in, token_of(byte), NodeKind::value);
                break;
            case Token::instruction:
                name(in);
                break;
            case Token::instruction_data:
                take_text(in);
                break;
            case Token::attribute:
                lose(ErrorCode::malformed, "attribute outside the start of an element", begin);
                break;
            }
        }
    }

    // Offset fields are in the order of the file: size of the element, then its name.
    void element(Fragment& in, bool has_attributes) {
        const std::size_t begin = in.at;
        const auto dependency =
            in.in_template ? take<std::uint16_t>(in, "dependency of an element") : no_dependency;
        const auto size = take<std::uint32_t>(in, "size of an element");
        // The root depends on the payload, but is there without one.
        if (open_ != 0 && dependency != no_dependency && is_null(in, dependency) && !shows_null_) {
            take_bytes(in, size, "element");
            return;
        }
        if (open_ == limits::xml_depth) {
            return lose(ErrorCode::limit, "nesting of an event", begin);
        }
        ++open_;
        add({.kind = NodeKind::element, .name = name(in)}, begin);
        if (has_attributes) {
            take<std::uint32_t>(in, "size of attributes");
            while (!failed_ && peek(in) == Token::attribute) {
                attribute(in);
            }
        }
    }

    void end_element(std::size_t at) {
        if (open_ == 0) {
            return lose(ErrorCode::malformed, "end of an element that was not opened", at);
        }
        --open_;
        add({.kind = NodeKind::end}, at);
    }

    void attribute(Fragment& in) {
        const std::size_t begin = in.at;
        ++in.at; // token
        const std::size_t node = nodes_.size();
        add({.kind = NodeKind::attribute, .name = name(in)}, begin);
        bool is_left_out = false;
        while (!failed_ && is_value(peek(in))) {
            const auto token = token_of(take<std::uint8_t>(in, "value of an attribute"));
            const std::size_t before = nodes_.size();
            value(in, token, NodeKind::attribute_value);
            is_left_out = token == Token::optional_substitution && before == nodes_.size();
        }
        if (is_left_out && nodes_.size() == node + 1) {
            nodes_.pop_back();
        }
    }

    void value(Fragment& in, Token token, NodeKind kind) {
        const std::size_t begin = in.at;
        if (token == Token::substitution || token == Token::optional_substitution) {
            return substitution(in, token, kind);
        }
        if (token == Token::text && take<std::uint8_t>(in, "type of a text") !=
                                        static_cast<std::uint8_t>(ValueType::string)) {
            return lose(ErrorCode::unsupported, "type of a text", begin);
        }
        const Bytes text = token == Token::character ? take_bytes(in, 2, "character")
                           : token == Token::entity  ? character_of_entity(name(in))
                                                     : take_text(in);
        if (token == Token::entity && text.empty()) {
            return lose(ErrorCode::malformed, "entity of an event", begin);
        }
        add({.kind = kind, .value = {ValueType::string, false, text}}, begin);
    }

    bool is_null(const Fragment& in, std::size_t index) {
        return index >= in.values || values_[in.first_value + index].is_null();
    }

    void substitution(Fragment& in, Token token, NodeKind kind) {
        const std::size_t begin = in.at;
        const auto index = take<std::uint16_t>(in, "index of a value");
        const auto type = take<std::uint8_t>(in, "type of a value");
        // Windows leaves out values at the end.
        const bool is_left_out = !in.in_template || index >= in.values;
        const Value value = is_left_out ? Value{} : values_[in.first_value + index];
        if (value.is_null() && !(shows_null_ && in.in_template) &&
            (is_left_out || token == Token::optional_substitution)) {
            return;
        }
        if (value.type != ValueType::xml || value.is_array) {
            return add({.kind = kind,
                        .value = value,
                        .from = {.instance = in.instance,
                                 .values = static_cast<std::uint32_t>(in.values),
                                 .index = index,
                                 .type = ValueType{static_cast<std::uint8_t>(type & ~array_bit)},
                                 .is_array = (type & array_bit) != 0}},
                       begin);
        }
        if (kind != NodeKind::value) {
            return lose(ErrorCode::malformed, "elements in an attribute", begin);
        }
        if (in.depth == limits::template_depth) {
            return lose(ErrorCode::limit, "nesting of templates", begin);
        }
        const auto at = static_cast<std::size_t>(value.data.data() - chunk_.data());
        nested({.at = at, .end = at + value.data.size(), .depth = in.depth + 1});
    }

    /// A fragment with elements that are complete.
    void nested(const Fragment& in) {
        const std::size_t open = open_;
        fragment(in);
        if (open_ != open) {
            lose(ErrorCode::malformed, "element of a fragment", in.at);
        }
    }

    void template_instance(Fragment& in) {
        const std::size_t begin = in.at;
        take<std::uint8_t>(in, "template instance");
        take<std::uint32_t>(in, "ID of a template");
        const auto offset = take<std::uint32_t>(in, "offset of a template");
        const bool is_here = offset == in.at;
        Fragment definition{.at = offset, .end = is_here ? in.end : chunk_.size()};
        take_bytes(definition, definition_head_size - 4, "definition of a template");
        const auto size = take<std::uint32_t>(definition, "size of a template");
        const std::size_t body = definition.at;
        take_bytes(definition, size, "template");
        if (is_here) {
            in.at = definition.at;
        }
        const std::size_t first_value = values_.size();
        read_values(in);
        if (!failed_ && in.depth == limits::template_depth) {
            lose(ErrorCode::limit, "nesting of templates", begin);
        }
        if (!failed_) {
            nested({.at = body,
                    .end = body + size,
                    .first_value = first_value,
                    .values = values_.size() - first_value,
                    .in_template = true,
                    .depth = in.depth + 1,
                    .instance = ++instances_});
        }
        values_.resize(first_value);
    }

    void read_values(Fragment& in) {
        const auto count = take<std::uint32_t>(in, "number of values");
        if (failed_ || (in.end - in.at) / 4 < count) {
            return lose(ErrorCode::truncated, "values of a template", in.at);
        }
        Fragment heads{.at = in.at, .end = in.at + std::size_t{count} * 4};
        in.at = heads.end;
        for (std::uint32_t i = 0; i < count && !failed_; ++i) {
            count_token(heads.at);
            const auto size = take<std::uint16_t>(heads, "size of a value");
            const auto type = take<std::uint8_t>(heads, "type of a value");
            take<std::uint8_t>(heads, "value");
            values_.push_back({ValueType{static_cast<std::uint8_t>(type & ~array_bit)},
                               (type & array_bit) != 0, take_bytes(in, size, "value")});
        }
    }

    Bytes chunk_;
    FileOffset where_; // of the chunk
    bool shows_null_;
    std::vector<Node>& nodes_;
    std::vector<Value>& values_;
    std::size_t open_ = 0;
    std::size_t tokens_ = 0;
    std::uint32_t instances_ = 0;
    bool failed_ = false;
    Error error_{};
};

Result<std::span<const Node>> NodeReader::read(const Record& record) {
    nodes_.clear();
    values_.clear();
    if (!has_range(record.chunk, record.body, record.size) || record.body < record_header_size) {
        return fail(ErrorCode::truncated, "record of an event log", record.where);
    }
    if (const auto walked = Walk(record, null_parts_, nodes_, values_).run(record); !walked) {
        return std::unexpected(walked.error());
    }
    return std::span<const Node>(nodes_);
}

} // namespace etl::evtx
