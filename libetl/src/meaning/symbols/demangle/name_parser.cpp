#include "symbols/demangle/name_parser.hpp"

#include "base/text.hpp"
#include "symbols/demangle/name_node.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <string>

namespace etl::symbols {

NameNode* NameArena::sequence(std::initializer_list<const NameNode*> items) {
    NodeList list(*this);
    for (const NameNode* item : items) {
        list.append(item);
    }
    return list.finish("");
}

std::string_view NameArena::join(std::initializer_list<std::string_view> parts) {
    std::size_t size = 0;
    for (const std::string_view part : parts) {
        size += part.size();
    }
    char* const text = allocator().allocate_object<char>(size);
    char* end = text;
    for (const std::string_view part : parts) {
        if (!part.empty()) { // memcpy must not get null pointers
            std::memcpy(end, part.data(), part.size());
            end += part.size();
        }
    }
    return {text, size};
}

namespace {

constexpr std::array<std::string_view, 4> access_texts{"private: ", "protected: ", "public: ", ""};
constexpr std::size_t global_access = 3;

} // namespace

const NameNode* NameParser::whole() {
    if (!takes('.')) {
        return symbol();
    }
    const NameNode* described = type();
    return described == nullptr ? nullptr : descriptor(described, "`RTTI Type Descriptor Name'");
}

const NameNode* NameParser::symbol() {
    const Level level(depth_);
    if (level.is_too_deep() || !takes('?')) {
        return nullptr;
    }
    if (rest_.starts_with("?@")) {
        return hashed_name();
    }
    if (takes("?_R0")) {
        return type_descriptor();
    }
    const Leaf first = leaf();
    if (first.node == nullptr || first.kind == OperatorKind::string) {
        return first.node;
    }
    const bool is_structor =
        first.kind == OperatorKind::constructor || first.kind == OperatorKind::destructor;
    const NameNode* name = first.kind == OperatorKind::initializer
                               ? first.node
                               : scopes(first.node, is_structor ? first.open : nullptr);
    const NameNode* symbol =
        name == nullptr ? nullptr : encoding(name, is_structor ? nullptr : first.open);
    return first.open != nullptr && first.open->first == nullptr ? nullptr : symbol;
}

NameNode* NameParser::finished(SymbolParts parts) {
    parts.is_outermost = depth_ == 1;
    return arena_->symbol(parts);
}

// `?@`, the hash of a name that was too long, `@`. Of its tables, only the locator has a name.
const NameNode* NameParser::hashed_name() {
    const std::size_t end = rest_.find('@', 2);
    if (end == std::string_view::npos || end == 2) {
        return nullptr;
    }
    const std::string_view name = rest_.substr(0, end + 1);
    rest_.remove_prefix(name.size());
    return arena_->text(arena_->join({"?", name, takes("??_R4@") ? "??_R4@" : ""}));
}

// Extern "C", managed code, ARM64EC.
bool NameParser::take_marks(SymbolParts& parts) {
    while (takes("$$")) {
        const char mark = take();
        if (mark == 'J') {
            parts.is_extern_c = true;
            take();
        } else if (mark != 'F' && mark != 'H' && mark != 'h') {
            return false;
        }
    }
    return true;
}

// What follows a name: the kind of the symbol, and its type.
NameNode* NameParser::encoding(const NameNode* name, NameNode* conversion) {
    SymbolParts parts{.name = name};
    if (!take_marks(parts)) {
        return nullptr;
    }
    const char code = take();
    switch (code) {
    case '0':
    case '1':
    case '2':
        return variable(name, access_texts[static_cast<std::size_t>(code - '0')], "static ");
    case '3':
    case '4':
        return variable(name, "", "");
    case '5':
        return guard(name);
    case '6':
    case '7':
        return table(name);
    case '8':
        return finished(parts);
    case '9':
        parts.is_extern_c = true;
        return finished(parts);
    case '$':
        return peek() == 'B' ? virtual_call(name) : thunk(name, conversion);
    default:
        return function_by_code(code, parts, conversion);
    }
}

// Eight letters for each access: plain, static, virtual, thunk, each near and far.
NameNode* NameParser::function_by_code(char code, SymbolParts parts, NameNode* conversion) {
    if (code < 'A' || code > 'Z') {
        return nullptr;
    }
    const auto index = static_cast<std::size_t>(code - 'A');
    const std::size_t kind = index % 8 / 2;
    parts.access = access_texts[index / 8];
    if (index / 8 == global_access) {
        return function_symbol(parts, false, conversion);
    }
    parts.member = kind == 0 ? "" : kind == 1 ? "static " : "virtual ";
    parts.is_thunk = kind == 3;
    if (parts.is_thunk) {
        parts.suffix = numbers("`adjustor{", 1, "}'");
        if (parts.suffix.empty()) {
            return nullptr;
        }
    }
    return function_symbol(parts, kind != 1, conversion);
}

NameNode* NameParser::function_symbol(SymbolParts parts, bool has_this, NameNode* conversion) {
    const NameNode* signature = function(has_this);
    if (signature == nullptr) {
        return nullptr;
    }
    if (conversion != nullptr) {
        conversion->first = signature->first;
    }
    parts.type = signature;
    return finished(parts);
}

NameNode* NameParser::variable(const NameNode* name, std::string_view access,
                               std::string_view member) {
    NameNode* type_of = type();
    if (type_of == nullptr) {
        return nullptr;
    }
    extended_qualifiers(); // of a pointer: its type has them as well
    const auto storage = storage_class();
    if (!storage || (storage->is_of_member && type_name() == nullptr)) {
        return nullptr;
    }
    if (type_of->kind != NodeKind::pointer) { // of a pointer: those of what it points to, once more
        type_of->qualifiers |= storage->qualifiers;
    }
    return finished({.access = access, .member = member, .name = name, .type = type_of});
}

// `6B@`, or the base classes to whose part of the object the table belongs.
NameNode* NameParser::table(const NameNode* name) {
    const auto storage = storage_class();
    if (!storage || storage->is_of_member) {
        return nullptr;
    }
    NodeList text(*arena_);
    if ((storage->qualifiers & is_const) != 0) {
        text.append(arena_->text("const "));
    }
    text.append(name);
    if (!takes('@')) {
        NodeList bases(*arena_);
        do {
            const NameNode* base = type_name();
            if (base == nullptr) {
                return nullptr;
            }
            bases.append(arena_->sequence({arena_->text("`"), base, arena_->text("'")}));
        } while (!takes('@') && !rest_.empty());
        text.append(arena_->text("{for "));
        text.append(bases.finish("s "));
        text.append(arena_->text("}"));
    }
    return finished({.name = text.finish("")});
}

NameNode* NameParser::guard(const NameNode* name) {
    if (rest_.empty() || peek() == '@') {
        return finished({.name = name});
    }
    const std::string_view bit = numbers("{", 1, "}");
    return bit.empty() ? nullptr : finished({.name = name, .suffix = bit});
}

// `$B`: calls the function at an offset in the table of virtual functions.
NameNode* NameParser::virtual_call(const NameNode* name) {
    take();
    const std::string_view slot = numbers("{", 1, ", {flat}}");
    if (slot.empty() || !takes('A')) {
        return nullptr;
    }
    const auto convention = calling_convention();
    if (!convention) {
        return nullptr;
    }
    const NameNode* type = arena_->node({.kind = NodeKind::function, .text = *convention});
    return finished({.name = name, .suffix = slot, .type = type, .is_thunk = true});
}

// `$0` to `$5` and `$R0` to `$R5`: virtual functions of virtual base classes.
NameNode* NameParser::thunk(const NameNode* name, NameNode* conversion) {
    const bool is_extended = takes('R');
    const char code = take();
    if (code < '0' || code > '5') {
        return nullptr;
    }
    const SymbolParts parts{.access = access_texts[static_cast<std::size_t>(code - '0') / 2],
                            .member = "virtual ",
                            .name = name,
                            .suffix = is_extended ? numbers("`vtordispex{", 4, "}'")
                                                  : numbers("`vtordisp{", 2, "}'"),
                            .is_thunk = true};
    return parts.suffix.empty() ? nullptr : function_symbol(parts, true, conversion);
}

const NameNode* NameParser::type_descriptor() {
    const NameNode* described = type();
    return described == nullptr || !takes("@8") ? nullptr
                                                : descriptor(described, "`RTTI Type Descriptor'");
}

NameNode* NameParser::descriptor(const NameNode* type, std::string_view kind) {
    const bool is_pointer = type->kind == NodeKind::pointer;
    return arena_->sequence({type, arena_->text(is_pointer ? "" : " "), arena_->text(kind)});
}

namespace {

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

// Whether the text after a `?` is a number and another `?`.
bool is_local_scope(std::string_view rest) noexcept {
    if (rest.empty()) {
        return false;
    }
    if (is_digit(rest.front())) {
        return rest.substr(1).starts_with('?');
    }
    const std::size_t end = std::min(rest.find_first_not_of("ABCDEFGHIJKLMNOP"), rest.size());
    return rest.substr(end).starts_with("@?");
}

} // namespace

void NameParser::RememberedNames::add(std::string_view text, const NameNode* node) noexcept {
    const auto end = texts.begin() + static_cast<std::ptrdiff_t>(count);
    if (count < nodes.size() && std::find(texts.begin(), end, text) == end) {
        texts[count] = text;
        nodes[count++] = node;
    }
}

void NameParser::RememberedTypes::add(const NameNode* node) noexcept {
    if (count < nodes.size()) {
        nodes[count++] = node;
    }
}

NameParser::Leaf NameParser::leaf() {
    if (takes("?$")) {
        return template_instance();
    }
    if (takes('?')) {
        return special_leaf();
    }
    return {.node = is_digit(peek()) ? referenced_name() : identifier()};
}

NameParser::Leaf NameParser::special_leaf() {
    const OperatorCode code = take_operator(rest_);
    switch (code.kind) {
    case OperatorKind::none:
        return {};
    case OperatorKind::plain:
        return {.node = arena_->text(code.text)};
    case OperatorKind::constructor:
    case OperatorKind::destructor:
    case OperatorKind::conversion: {
        const bool is_structor = code.kind != OperatorKind::conversion;
        NameNode* node = arena_->node(
            {.kind = is_structor ? NodeKind::structor : NodeKind::conversion, .text = code.text});
        return {.node = node, .kind = code.kind, .open = node};
    }
    case OperatorKind::literal:
    case OperatorKind::returning:
        return joined_leaf(code);
    case OperatorKind::string:
        return {.node = string_literal(), .kind = code.kind};
    case OperatorKind::rtti:
        return rtti_leaf();
    case OperatorKind::initializer:
        return initializer_leaf(code.text);
    }
    return {};
}

// A literal operator and its suffix; `udt returning' and an operator.
NameParser::Leaf NameParser::joined_leaf(const OperatorCode& code) {
    if (code.kind == OperatorKind::literal) {
        const NameNode* suffix = identifier();
        return {.node = suffix == nullptr ? nullptr
                                          : arena_->text(arena_->join({code.text, suffix->text}))};
    }
    const OperatorCode returned = take_operator(rest_);
    return {.node = returned.kind == OperatorKind::plain
                        ? arena_->text(arena_->join({code.text, returned.text}))
                        : nullptr};
}

NameParser::Leaf NameParser::rtti_leaf() {
    switch (take()) {
    case '1': {
        const std::string_view text = numbers("`RTTI Base Class Descriptor at (", 4, ")'");
        return {.node = text.empty() ? nullptr : arena_->text(text)};
    }
    case '2':
        return {.node = arena_->text("`RTTI Base Class Array'")};
    case '3':
        return {.node = arena_->text("`RTTI Class Hierarchy Descriptor'")};
    case '4':
        return {.node = arena_->text("`RTTI Complete Object Locator'")};
    default:
        return {};
    }
}

// The function that initializes or destroys a variable: all of its name, with the scopes.
NameParser::Leaf NameParser::initializer_leaf(std::string_view text) {
    const bool is_symbol = peek() == '?' && !rest_.starts_with("?$");
    const NameNode* variable = nullptr;
    if (is_symbol) {
        variable = symbol();
        if (variable == nullptr || !takes('@')) {
            return {};
        }
        takes('@');
    } else {
        const Leaf first = leaf();
        variable =
            first.node == nullptr || first.open != nullptr ? nullptr : scopes(first.node, nullptr);
    }
    return {.node = variable == nullptr
                        ? nullptr
                        : arena_->sequence({arena_->text(text), arena_->text(is_symbol ? "`" : "'"),
                                            variable, arena_->text("''")}),
            .kind = OperatorKind::initializer};
}

// `?$`: the name of a template and its arguments, in which digits refer to their own parts.
NameParser::Leaf NameParser::template_instance() {
    const Level level(depth_);
    if (level.is_too_deep()) {
        return {};
    }
    const References outer = references_;
    references_ = {};
    Leaf made = takes('?') ? special_leaf() : Leaf{.node = identifier()};
    const NameNode* arguments = made.node == nullptr ? nullptr : template_arguments();
    references_ = outer;
    if (arguments == nullptr) {
        return {};
    }
    made.node = arena_->node({.kind = NodeKind::instance, .first = made.node, .second = arguments});
    return made;
}

const NameNode* NameParser::remembered_instance() {
    const std::string_view start = rest_;
    takes("?$");
    const Leaf made = template_instance();
    if (made.node == nullptr || made.open != nullptr) { // which only symbols can have
        return nullptr;
    }
    references_.names.add(start.substr(0, start.size() - rest_.size()), made.node);
    return made.node;
}

const NameNode* NameParser::identifier() {
    const std::size_t end = rest_.find('@');
    if (end == 0 || end == std::string_view::npos) {
        return nullptr;
    }
    const NameNode* made = arena_->text(rest_.substr(0, end));
    references_.names.add(made->text, made);
    rest_.remove_prefix(end + 1);
    return made;
}

const NameNode* NameParser::referenced_name() {
    const auto index = static_cast<std::size_t>(take() - '0');
    return index < references_.names.count ? references_.names.nodes[index] : nullptr;
}

const NameNode* NameParser::scope_part() {
    if (is_digit(peek())) {
        return referenced_name();
    }
    if (rest_.starts_with("?$")) {
        return remembered_instance();
    }
    if (rest_.starts_with("?A")) {
        return is_local_scope(rest_.substr(1)) ? local_scope() : anonymous_namespace();
    }
    if (takes("?Q")) {
        return interface_scope();
    }
    if (rest_.starts_with('?')) {
        return is_local_scope(rest_.substr(1)) ? local_scope() : nullptr;
    }
    return identifier();
}

// The interface that a member of a class implements.
const NameNode* NameParser::interface_scope() {
    const NameNode* name = identifier();
    return name == nullptr ? nullptr
                           : arena_->sequence({arena_->text("["), name, arena_->text("]")});
}

const NameNode* NameParser::anonymous_namespace() {
    const std::size_t end = rest_.find('@');
    if (end == std::string_view::npos) {
        return nullptr;
    }
    const NameNode* made = arena_->text("`anonymous namespace'");
    references_.names.add(rest_.substr(0, end), made);
    rest_.remove_prefix(end + 1);
    return made;
}

// `?2?` and a function: the second block in it.
const NameNode* NameParser::local_scope() {
    take();
    const std::string_view block = numbers("'::`", 1, "'");
    if (block.empty() || !takes('?')) {
        return nullptr;
    }
    const NameNode* function = symbol();
    return function == nullptr
               ? nullptr
               : arena_->sequence({arena_->text("`"), function, arena_->text(block)});
}

// The scopes of a name from the inside out, up to `@`. The innermost is the class of a structor.
const NameNode* NameParser::scopes(const NameNode* leaf, NameNode* open) {
    const Level level(depth_);
    if (level.is_too_deep()) {
        return nullptr;
    }
    const NameNode* outermost = arena_->node({.kind = NodeKind::cell, .first = leaf});
    while (!takes('@')) {
        const NameNode* part = scope_part();
        if (part == nullptr) {
            return nullptr;
        }
        if (open != nullptr && open->first == nullptr) {
            open->first = part;
        }
        outermost = arena_->node({.kind = NodeKind::cell, .first = part, .next = outermost});
    }
    return open != nullptr && open->first == nullptr
               ? nullptr
               : arena_->node({.kind = NodeKind::list, .text = "::", .first = outermost});
}

const NameNode* NameParser::type_name() {
    const NameNode* leaf = scope_part();
    return leaf == nullptr ? nullptr : scopes(leaf, nullptr);
}

// A digit for 1 to 10, or hexadecimal digits from A on, up to `@`. A `?` before them negates.
std::optional<NameParser::Number> NameParser::number() {
    Number value{.is_negative = takes('?')};
    if (peek() >= '0' && peek() <= '9') {
        value.magnitude = static_cast<std::uint64_t>(take() - '0') + 1;
        return value;
    }
    while (!takes('@')) {
        const char digit = take();
        if (digit < 'A' || digit > 'P' || value.magnitude >> 60U != 0) {
            return std::nullopt;
        }
        value.magnitude = value.magnitude << 4U | static_cast<std::uint64_t>(digit - 'A');
    }
    return value;
}

std::string_view NameParser::text_of(Number value) {
    char digits[20];
    const char* end = std::to_chars(digits, digits + sizeof digits, value.magnitude).ptr;
    return arena_->join({value.is_negative && value.magnitude != 0 ? "-" : "", {digits, end}});
}

// Numbers between two texts. Empty if one is damaged. Offsets are of 32 bits: PPPPPPPM is -4.
std::string_view NameParser::numbers(std::string_view before, std::size_t count,
                                     std::string_view after) {
    std::string_view text = before;
    for (std::size_t i = 0; i < count; ++i) {
        auto value = number();
        if (!value) {
            return {};
        }
        if (value->magnitude >> 31U == 1 && !value->is_negative) {
            value = {.magnitude = (std::uint64_t{1} << 32U) - value->magnitude,
                     .is_negative = true};
        }
        text = arena_->join({text, i == 0 ? "" : ", ", text_of(*value)});
    }
    return arena_->join({text, after});
}

bool NameParser::takes(char c) noexcept {
    if (!rest_.starts_with(c)) {
        return false;
    }
    rest_.remove_prefix(1);
    return true;
}

bool NameParser::takes(std::string_view text) noexcept {
    if (!rest_.starts_with(text)) {
        return false;
    }
    rest_.remove_prefix(text.size());
    return true;
}

// A zero at the end, which no code is.
char NameParser::take() noexcept {
    const char c = peek();
    rest_.remove_prefix(rest_.empty() ? 0 : 1);
    return c;
}

namespace {

using TypeTable = std::array<std::string_view, 26>; // by letter; empty: not a type of this table

constexpr TypeTable basic_types{"",
                                "",
                                "signed char",
                                "char",
                                "unsigned char",
                                "short",
                                "unsigned short",
                                "int",
                                "unsigned int",
                                "long",
                                "unsigned long",
                                "",
                                "float",
                                "double",
                                "long double",
                                "",
                                "",
                                "",
                                "",
                                "",
                                "",
                                "",
                                "",
                                "void",
                                "",
                                ""};

// After `_`.
constexpr TypeTable extended_types{"",
                                   "",
                                   "",
                                   "__int8",
                                   "unsigned __int8",
                                   "__int16",
                                   "unsigned __int16",
                                   "__int32",
                                   "unsigned __int32",
                                   "__int64",
                                   "unsigned __int64",
                                   "__int128",
                                   "unsigned __int128",
                                   "bool",
                                   "",
                                   "auto",
                                   "char8_t",
                                   "",
                                   "char16_t",
                                   "decltype(auto)",
                                   "char32_t",
                                   "",
                                   "wchar_t",
                                   "",
                                   "",
                                   ""};

std::string_view type_at(const TypeTable& table, char c) noexcept {
    return c >= 'A' && c <= 'Z' ? table[static_cast<std::size_t>(c - 'A')] : std::string_view{};
}

} // namespace

NameNode* NameParser::type() {
    const Level level(depth_);
    if (level.is_too_deep()) {
        return nullptr;
    }
    const char code = take();
    switch (code) {
    case '?':
        return qualified_type();
    case '$':
        return special_type();
    case '_':
        return extended_type();
    case 'A':
        return pointer("&", 0);
    case 'B':
        return pointer("&", is_volatile);
    case 'P':
    case 'Q':
    case 'R':
    case 'S': // is_const and is_volatile have these bits
        return pointer("*", static_cast<std::uint8_t>(code - 'P'));
    case 'T':
    case 'U':
    case 'V':
        return tagged(code == 'T' ? "union " : code == 'U' ? "struct " : "class ");
    case 'W':
        return enumeration();
    case 'Y':
        return array();
    default:
        break;
    }
    const std::string_view name = type_at(basic_types, code);
    return name.empty() ? nullptr : arena_->text(name);
}

NameNode* NameParser::extended_type() {
    const std::string_view name = type_at(extended_types, take());
    return name.empty() ? nullptr : arena_->text(name);
}

// After `$`: forms that came later.
NameNode* NameParser::special_type() {
    if (!takes('$')) {
        return nullptr;
    }
    switch (take()) {
    case 'A':
        return takes('6') ? function(false) : takes("8@@") ? function(true) : nullptr;
    case 'B':
        return type();
    case 'C': {
        const auto storage = storage_class();
        NameNode* made = storage && !storage->is_of_member ? type() : nullptr;
        if (made != nullptr) {
            made->qualifiers |= storage->qualifiers;
        }
        return made;
    }
    case 'Q':
        return pointer("&&", 0);
    case 'R':
        return pointer("&&", is_volatile);
    case 'T':
        return arena_->text("std::nullptr_t");
    case 'Y':
        return alias();
    default:
        return nullptr;
    }
}

// After `?`: a type returned by value with its qualifiers, or a placeholder such as `<auto>`.
NameNode* NameParser::qualified_type() {
    if (peek() == '<' || (peek() >= '0' && peek() <= '9')) {
        return alias();
    }
    const auto storage = storage_class();
    NameNode* made = storage && !storage->is_of_member ? type() : nullptr;
    if (made != nullptr) {
        made->qualifiers |= storage->qualifiers;
    }
    return made;
}

// A digit for the type of the values comes first.
NameNode* NameParser::enumeration() {
    const char underlying = take();
    return underlying >= '0' && underlying <= '7' ? tagged("enum ") : nullptr;
}

// A name without a tag, as a node that can have qualifiers.
NameNode* NameParser::alias() {
    const NameNode* name = type_name();
    return name == nullptr ? nullptr : arena_->node({.kind = NodeKind::tagged, .first = name});
}

NameNode* NameParser::tagged(std::string_view tag) {
    const NameNode* name = type_name();
    return name == nullptr ? nullptr
                           : arena_->node({.kind = NodeKind::tagged, .text = tag, .first = name});
}

NameNode* NameParser::pointer(std::string_view op, std::uint8_t qualifiers) {
    NameNode* made =
        arena_->node({.kind = NodeKind::pointer, .qualifiers = qualifiers, .text = op});
    if (takes('6')) {
        made->first = function(false);
        return made->first == nullptr ? nullptr : made;
    }
    if (takes('8')) {
        made->second = type_name();
        made->first = made->second == nullptr ? nullptr : function(true);
        return made->first == nullptr ? nullptr : made;
    }
    made->qualifiers |= extended_qualifiers();
    const auto storage = storage_class();
    if (!storage) {
        return nullptr;
    }
    if (storage->is_of_member) {
        made->second = type_name();
        if (made->second == nullptr) {
            return nullptr;
        }
    }
    NameNode* target = type();
    if (target == nullptr) {
        return nullptr;
    }
    target->qualifiers |= storage->qualifiers;
    made->first = target;
    return made;
}

// `Y`, the number of dimensions, their sizes, the type of the elements.
NameNode* NameParser::array() {
    const auto dimensions = number();
    if (!dimensions || dimensions->is_negative || dimensions->magnitude == 0 ||
        dimensions->magnitude > rest_.size()) {
        return nullptr;
    }
    NodeList bounds(*arena_);
    for (std::uint64_t i = 0; i < dimensions->magnitude; ++i) {
        const auto bound = number();
        if (!bound || bound->is_negative) {
            return nullptr;
        }
        bounds.append(arena_->text(bound->magnitude == 0 ? "" : text_of(*bound)));
    }
    const NameNode* element = type();
    return element == nullptr
               ? nullptr
               : arena_->node(
                     {.kind = NodeKind::array, .first = element, .second = bounds.finish("][")});
}

std::uint8_t NameParser::extended_qualifiers() {
    std::uint8_t qualifiers = 0;
    while (true) {
        if (takes('I')) {
            qualifiers |= is_restrict;
        } else if (takes('F')) {
            qualifiers |= is_unaligned;
        } else if (!takes('E')) { // __ptr64, which is not written
            return qualifiers;
        }
    }
}

std::optional<NameParser::Storage> NameParser::storage_class() {
    const char code = take();
    if (code >= 'A' && code <= 'D') { // is_const and is_volatile have these bits
        return Storage{.qualifiers = static_cast<std::uint8_t>(code - 'A')};
    }
    if (code >= 'Q' && code <= 'T') {
        return Storage{.qualifiers = static_cast<std::uint8_t>(code - 'Q'), .is_of_member = true};
    }
    return std::nullopt;
}

// The qualifiers of `this`, the calling convention, the returned type, the parameters.
NameNode* NameParser::function(bool has_this) {
    std::uint8_t qualifiers = 0;
    if (has_this) {
        qualifiers = extended_qualifiers();
        if (takes('G')) {
            qualifiers |= is_lvalue;
        } else if (takes('H')) {
            qualifiers |= is_rvalue;
        }
        const auto storage = storage_class();
        if (!storage || storage->is_of_member) {
            return nullptr;
        }
        qualifiers |= storage->qualifiers;
    }
    const auto convention = calling_convention();
    if (!convention) {
        return nullptr;
    }
    const NameNode* returned = nullptr;
    if (!takes('@')) { // structors return nothing
        returned = type();
        if (returned == nullptr) {
            return nullptr;
        }
    }
    const NameNode* taken = parameters();
    if (taken == nullptr) {
        return nullptr;
    }
    if (takes("_E")) {
        qualifiers |= is_noexcept;
    } else if (!takes('Z')) {
        return nullptr;
    }
    return arena_->node({.kind = NodeKind::function,
                         .qualifiers = qualifiers,
                         .text = *convention,
                         .first = returned,
                         .second = taken});
}

NameNode* NameParser::parameters() {
    NodeList list(*arena_);
    if (takes('X')) {
        list.append(arena_->text("void"));
        return list.finish(", ");
    }
    while (!takes('@')) {
        if (takes('Z')) {
            list.append(arena_->text("..."));
            break;
        }
        if (peek() >= '0' && peek() <= '9') {
            const auto index = static_cast<std::size_t>(take() - '0');
            if (index >= references_.parameters.count) {
                return nullptr;
            }
            list.append(references_.parameters.nodes[index]);
            continue;
        }
        const std::size_t before = rest_.size();
        NameNode* made = type();
        if (made == nullptr) {
            return nullptr;
        }
        if (before - rest_.size() > 1) {
            references_.parameters.add(made);
        }
        list.append(made);
    }
    return list.finish(", ");
}

std::optional<std::string_view> NameParser::calling_convention() {
    switch (take()) {
    case 'A':
    case 'B':
        return "__cdecl";
    case 'C':
    case 'D':
        return "__pascal";
    case 'E':
    case 'F':
        return "__thiscall";
    case 'G':
    case 'H':
        return "__stdcall";
    case 'I':
    case 'J':
        return "__fastcall";
    case 'M':
    case 'N':
        return "__clrcall";
    case 'O':
    case 'P':
        return "__eabi";
    case 'Q':
        return "__vectorcall";
    case 'S':
        return "__attribute__((__swiftcall__))";
    case 'W':
        return "__attribute__((__swiftasynccall__))";
    case 'w':
        return "__regcall";
    default:
        return std::nullopt;
    }
}

NameNode* NameParser::template_arguments() {
    NodeList list(*arena_);
    while (!takes('@')) {
        // Empty packs, and the end of a pack before another argument.
        if (takes("$$V") || takes("$$$V") || takes("$$Z") || takes("$S")) {
            continue;
        }
        const NameNode* made = template_argument();
        if (made == nullptr) {
            return nullptr;
        }
        list.append(made);
    }
    return list.finish(", ");
}

const NameNode* NameParser::template_argument() {
    RememberedTypes& known = references_.arguments;
    if (peek() >= '0' && peek() <= '9') {
        const auto index = static_cast<std::size_t>(take() - '0');
        return index < known.count ? known.nodes[index] : nullptr;
    }
    const std::size_t before = rest_.size();
    const bool is_constant = rest_.starts_with('$') && !rest_.starts_with("$$");
    if (is_constant) {
        take();
    }
    const NameNode* made = is_constant ? constant() : type();
    if (made != nullptr && before - rest_.size() > 1) {
        known.add(made);
    }
    return made;
}

// After `$`: an argument that is not a type.
const NameNode* NameParser::constant() {
    const Level level(depth_);
    if (level.is_too_deep()) {
        return nullptr;
    }
    const char code = take();
    switch (code) {
    case '0': {
        const auto value = number();
        return value ? arena_->text(text_of(*value)) : nullptr;
    }
    case '1': {
        const NameNode* target = symbol();
        return target == nullptr ? nullptr : arena_->sequence({arena_->text("&"), target});
    }
    case '2':
        return object_constant();
    case '3':
        return array_constant();
    case 'A':
    case 'B':
        return floating_constant(code == 'B');
    case 'C':
        return element_constant();
    case 'D':
        return numbered_parameter("`template-parameter-");
    case 'E':
        return symbol();
    case 'F':
    case 'G':
        return member_constant(false, static_cast<std::size_t>(code - 'F') + 2);
    case 'H':
    case 'I':
    case 'J':
        return member_constant(true, static_cast<std::size_t>(code - 'H') + 1);
    case 'M':
        return auto_constant();
    case 'Q':
        return numbered_parameter("`non-type-template-parameter-");
    default:
        return nullptr;
    }
}

// Of a parameter declared as auto, the type comes first.
const NameNode* NameParser::auto_constant() {
    if (type() == nullptr) {
        return nullptr;
    }
    takes('$');
    return constant();
}

NameNode* NameParser::numbered_parameter(std::string_view kind) {
    const std::string_view text = numbers(kind, 1, "'");
    return text.empty() ? nullptr : arena_->text(text);
}

// A pointer to a member of a class with several or virtual base classes: function and offsets.
NameNode* NameParser::member_constant(bool has_symbol, std::size_t numbers) {
    NodeList list(*arena_);
    if (has_symbol && peek() == '?') { // a null pointer has none
        const NameNode* target = symbol();
        if (target == nullptr) {
            return nullptr;
        }
        list.append(target);
    }
    for (std::size_t i = 0; i < numbers; ++i) {
        const auto value = number();
        if (!value) {
            return nullptr;
        }
        list.append(arena_->text(text_of(*value)));
    }
    return arena_->sequence({arena_->text("{"), list.finish(", "), arena_->text("}")});
}

// The bits of the number.
NameNode* NameParser::floating_constant(bool is_double) {
    const auto bits = number();
    if (!bits || bits->is_negative || (!is_double && bits->magnitude >> 32U != 0)) {
        return nullptr;
    }
    std::string text;
    if (is_double) {
        append_float(text, std::bit_cast<double>(bits->magnitude));
    } else {
        append_float(text, std::bit_cast<float>(static_cast<std::uint32_t>(bits->magnitude)));
    }
    return arena_->text(arena_->join({text}));
}

// The address of an element: that of the array, `0` and the index for each dimension, `@`.
NameNode* NameParser::element_constant() {
    const NameNode* target = takes('1') ? symbol() : nullptr;
    if (target == nullptr) {
        return nullptr;
    }
    NodeList text(*arena_);
    text.append(arena_->text("&"));
    text.append(target);
    while (!takes('@')) {
        const std::string_view index = takes('0') ? numbers("[", 1, "]") : std::string_view{};
        if (index.empty()) {
            return nullptr;
        }
        text.append(arena_->text(index));
    }
    return text.finish("");
}

// An object of a class: its type, the types and values of its members, `@`.
NameNode* NameParser::object_constant() {
    const NameNode* class_type = type();
    if (class_type == nullptr) {
        return nullptr;
    }
    NodeList members(*arena_);
    while (!takes('@')) {
        const bool has_own_type = peek() == '2' || peek() == '3';
        const NameNode* member = has_own_type || type() != nullptr ? constant() : nullptr;
        if (member == nullptr) {
            return nullptr;
        }
        members.append(member);
    }
    return arena_->sequence(
        {class_type, arena_->text("{"), members.finish(", "), arena_->text("}")});
}

// The type of the elements; each followed by `@`; `@`.
NameNode* NameParser::array_constant() {
    if (type() == nullptr) {
        return nullptr;
    }
    NodeList elements(*arena_);
    while (!takes('@')) {
        const NameNode* element = constant();
        if (element == nullptr || !takes('@')) {
            return nullptr;
        }
        elements.append(element);
    }
    return arena_->sequence({arena_->text("{"), elements.finish(", "), arena_->text("}")});
}

namespace {

// A name contains at most the first 32 units of a literal.
constexpr std::size_t stored_bytes = 128;

struct LiteralBytes {
    std::array<std::uint8_t, stored_bytes> bytes{};
    std::size_t count = 0;

    // The unit at `index`, of 1, 2, or 4 bytes.
    std::uint32_t unit(std::size_t index, std::size_t width, bool is_big_endian) const noexcept {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < width; ++i) {
            const std::size_t at = is_big_endian ? i : width - 1 - i;
            value = value << 8U | bytes[index * width + at];
        }
        return value;
    }
};

// Takes a byte: itself, `?` and a digit or a letter for frequent ones, `?$` and two hexadecimal
// digits from A on for the rest.
bool take_byte(std::string_view& rest, std::uint8_t& byte) noexcept {
    if (!rest.starts_with('?')) {
        byte = static_cast<std::uint8_t>(rest.front());
        rest.remove_prefix(1);
        return true;
    }
    if (rest.size() < 2) {
        return false;
    }
    const char code = rest[1];
    const bool is_pair = code == '$';
    if (code >= '0' && code <= '9') {
        byte = static_cast<std::uint8_t>(",/\\:. \n\t'-"[code - '0']);
    } else if ((code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z')) {
        byte = static_cast<std::uint8_t>(static_cast<unsigned char>(code) + 0x80U);
    } else if (is_pair && rest.size() >= 4 && rest[2] >= 'A' && rest[2] <= 'P' && rest[3] >= 'A' &&
               rest[3] <= 'P') {
        byte = static_cast<std::uint8_t>((rest[2] - 'A') * 16 + (rest[3] - 'A'));
    } else {
        return false;
    }
    rest.remove_prefix(is_pair ? 4 : 2);
    return true;
}

// Whether the bytes are units of this width: their upper halves are mostly zero. Names do not
// distinguish char16_t and char32_t from char.
bool appears_to_have(std::size_t width, const LiteralBytes& text, std::uint64_t size) noexcept {
    if (size % width != 0 || text.count < width) {
        return false;
    }
    std::size_t small = 0;
    const std::size_t units = text.count / width;
    for (std::size_t i = 0; i < units; ++i) {
        small += text.unit(i, width, false) >> (width * 4) == 0 ? 1U : 0U;
    }
    const bool is_complete = text.count == size;
    return small * 4 >= units * 3 && (!is_complete || text.unit(units - 1, width, false) == 0);
}

void append_upper_hex(std::string& to, std::uint32_t byte) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    to += digits[byte >> 4U];
    to += digits[byte & 15U];
}

void append_hex_unit(std::string& to, std::uint32_t unit) {
    to += "\\x";
    const unsigned size = unit > 0xFFFF ? 4 : unit > 0xFF ? 2 : 1;
    for (unsigned i = size; i > 0; --i) {
        append_upper_hex(to, unit >> (8 * (i - 1)) & 0xFFU);
    }
}

// As in the source of a program.
void append_unit(std::string& to, std::uint32_t unit) {
    static constexpr std::string_view plain("\0\a\b\t\n\v\f\r\"'\\", 11);
    static constexpr std::string_view letters = "0abtnvfr\"'\\";
    const std::size_t at =
        unit < 0x7F ? plain.find(static_cast<char>(unit)) : std::string_view::npos;
    if (at != std::string_view::npos) {
        to += '\\';
        to += letters[at];
    } else if (unit >= 0x20 && unit < 0x7F) {
        to += static_cast<char>(unit);
    } else {
        append_hex_unit(to, unit);
    }
}

std::string text_of_literal(const LiteralBytes& literal, std::uint64_t size, bool is_wide) {
    const std::size_t width = is_wide                             ? 2
                              : appears_to_have(4, literal, size) ? 4
                              : appears_to_have(2, literal, size) ? 2
                                                                  : 1;
    std::string text = is_wide ? "L\"" : width == 4 ? "U\"" : width == 2 ? "u\"" : "\"";
    const bool is_complete = literal.count >= size;
    const std::size_t units = literal.count / width;
    for (std::size_t i = 0; i < units; ++i) {
        const std::uint32_t unit = literal.unit(i, width, is_wide);
        if (i + 1 < units || !is_complete || unit != 0) { // the terminator
            append_unit(text, unit);
        }
    }
    text += is_complete ? "\"" : "\"...";
    return text;
}

} // namespace

// After `??_C`: `@_0` of bytes or `@_1` of wchar_t, the size in bytes, a checksum, the bytes.
const NameNode* NameParser::string_literal() {
    const bool is_wide = rest_.starts_with("@_1");
    if (!takes("@_0") && !takes("@_1")) {
        return nullptr;
    }
    const auto size = number();
    const std::size_t checksum = rest_.find('@');
    if (!size || size->is_negative || checksum == std::string_view::npos) {
        return nullptr;
    }
    rest_.remove_prefix(checksum + 1);
    LiteralBytes literal;
    for (; !takes('@'); ++literal.count) {
        const bool is_full = literal.count == literal.bytes.size();
        if (rest_.empty() || is_full || !take_byte(rest_, literal.bytes[literal.count])) {
            return nullptr;
        }
    }
    return arena_->text(arena_->join({text_of_literal(literal, size->magnitude, is_wide)}));
}

} // namespace etl::symbols
