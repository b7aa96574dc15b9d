// Parses a decorated name of MSVC into nodes. Each function takes what it parses from the front of
// the text and returns null if that is damaged.
#pragma once

#include "symbols/demangle/name_node.hpp"
#include "symbols/demangle/operators.hpp"
#include "symbols/limits.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace etl::symbols {

class NameParser {
public:
    NameParser(std::string_view decorated, NameArena& arena) : rest_(decorated), arena_(&arena) {}

    /// Parses a symbol, which begins with `?`, or the name in a type descriptor: `.` and a type.
    const NameNode* whole();

    /// Returns what was not parsed.
    std::string_view rest() const noexcept { return rest_; }

private:
    // What a digit may refer to. Names have their text in decorated form: equal ones share a digit.
    struct RememberedNames {
        std::array<std::string_view, 10> texts;
        std::array<const NameNode*, 10> nodes;
        std::size_t count = 0;

        void add(std::string_view text, const NameNode* node) noexcept;
    };

    struct RememberedTypes {
        std::array<const NameNode*, 10> nodes;
        std::size_t count = 0;

        void add(const NameNode* node) noexcept;
    };

    // A template has a scope of its own.
    struct References {
        RememberedNames names;
        RememberedTypes parameters;
        RememberedTypes arguments;
    };

    // The first part of a symbol's name. `open` is a node in it that needs the class (structors) or
    // the type (conversions), which follow later.
    struct Leaf {
        const NameNode* node = nullptr;
        OperatorKind kind = OperatorKind::none;
        NameNode* open = nullptr;
    };

    struct Number {
        std::uint64_t magnitude = 0;
        bool is_negative = false;
    };

    struct Storage {
        std::uint8_t qualifiers = 0;
        bool is_of_member = false; // the class follows
    };

    class Level {
    public:
        explicit Level(unsigned& depth) noexcept : depth_(&depth) { ++depth; }

        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

        ~Level() { --*depth_; }

        bool is_too_deep() const noexcept { return *depth_ > limits::demangle_depth; }

    private:
        unsigned* depth_;
    };

    // Symbols
    const NameNode* symbol();
    const NameNode* hashed_name();
    NameNode* finished(SymbolParts parts);
    NameNode* encoding(const NameNode* name, NameNode* conversion);
    NameNode* function_by_code(char code, SymbolParts parts, NameNode* conversion);
    bool take_marks(SymbolParts& parts);
    NameNode* variable(const NameNode* name, std::string_view access, std::string_view member);
    NameNode* table(const NameNode* name);
    NameNode* guard(const NameNode* name);
    const NameNode* type_descriptor();
    NameNode* descriptor(const NameNode* type, std::string_view kind);
    NameNode* virtual_call(const NameNode* name);
    NameNode* thunk(const NameNode* name, NameNode* conversion);
    NameNode* function_symbol(SymbolParts parts, bool has_this, NameNode* conversion);

    // Names
    Leaf leaf();
    Leaf special_leaf();
    Leaf joined_leaf(const OperatorCode& code);
    Leaf rtti_leaf();
    Leaf initializer_leaf(std::string_view text);
    Leaf template_instance();
    const NameNode* remembered_instance();
    const NameNode* scope_part();
    const NameNode* interface_scope();
    const NameNode* anonymous_namespace();
    const NameNode* local_scope();
    const NameNode* identifier();
    const NameNode* referenced_name();
    const NameNode* scopes(const NameNode* leaf, NameNode* open);
    const NameNode* type_name();

    // The text of a literal
    const NameNode* string_literal();

    // Types
    NameNode* type();
    NameNode* extended_type();
    NameNode* special_type();
    NameNode* qualified_type();
    NameNode* enumeration();
    NameNode* alias();
    NameNode* tagged(std::string_view tag);
    NameNode* pointer(std::string_view op, std::uint8_t qualifiers);
    NameNode* array();
    NameNode* function(bool has_this);
    NameNode* parameters();
    std::uint8_t extended_qualifiers();
    std::optional<std::string_view> calling_convention();
    std::optional<Storage> storage_class();

    // Template arguments
    NameNode* template_arguments();
    const NameNode* template_argument();
    const NameNode* constant();
    const NameNode* auto_constant();
    NameNode* member_constant(bool has_symbol, std::size_t numbers);
    NameNode* numbered_parameter(std::string_view kind);
    NameNode* floating_constant(bool is_double);
    NameNode* element_constant();
    NameNode* object_constant();
    NameNode* array_constant();

    std::optional<Number> number();
    std::string_view text_of(Number value);
    std::string_view numbers(std::string_view before, std::size_t count, std::string_view after);
    bool takes(char c) noexcept;
    bool takes(std::string_view text) noexcept;

    char peek() const noexcept { return rest_.empty() ? '\0' : rest_.front(); }

    char take() noexcept;

    std::string_view rest_;
    NameArena* arena_;
    References references_;
    unsigned depth_ = 0;
};

} // namespace etl::symbols
