// A decorated name as a graph of nodes: back references share them. The nodes of a name are in one
// arena, and their texts are parts of the decorated name, literals, or in the arena as well.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory_resource>
#include <string_view>

namespace etl::symbols {

enum class NodeKind : std::uint8_t {
    text,       // `text`
    list,       // the cells from `first` on, with `text` between them
    cell,       // the item `first`; `next`
    instance,   // the template `first` with the arguments `second`
    structor,   // the class `first` after `text`
    conversion, // operator to the type `first`
    tagged,     // the type named `first` with the tag `text`
    pointer,    // the operator `text` to the type `first`, a member of the class `second` or null
    function,   // convention `text`, returns `first` or nothing, takes `second`
    array,      // of `first`, with the bounds `text`
    symbol,     // `symbol`
};

// Bits of NameNode::qualifiers.
enum Qualifier : std::uint8_t {
    is_const = 1,
    is_volatile = 2,
    is_restrict = 4,
    is_unaligned = 8,
    is_lvalue = 16,
    is_rvalue = 32,
    is_noexcept = 64,
};

struct NameNode;

/// A function, a variable, or a table.
struct SymbolParts {
    std::string_view access = {};
    std::string_view member = {};
    const NameNode* name = nullptr;
    std::string_view suffix = {};   // of the name
    const NameNode* type = nullptr; // null: none was recorded
    bool is_thunk = false;
    bool is_extern_c = false;
    bool is_outermost = false; // not part of another name
};

struct NameNode {
    NodeKind kind = NodeKind::text;
    std::uint8_t qualifiers = 0;
    std::string_view text = {};
    const NameNode* first = nullptr;
    const NameNode* second = nullptr;
    const NameNode* next = nullptr;
    const SymbolParts* symbol = nullptr;
};

class NameArena {
public:
    NameNode* node(const NameNode& value) { return allocator().new_object<NameNode>(value); }

    NameNode* text(std::string_view value) { return node({.text = value}); }

    NameNode* symbol(const SymbolParts& value) {
        return node(
            {.kind = NodeKind::symbol, .symbol = allocator().new_object<SymbolParts>(value)});
    }

    /// Returns a node that writes the items one after the other.
    NameNode* sequence(std::initializer_list<const NameNode*> items);

    /// Returns a copy of the parts, joined.
    std::string_view join(std::initializer_list<std::string_view> parts);

private:
    std::pmr::polymorphic_allocator<> allocator() { return &memory_; }

    // Enough for most names, so that they need no allocation.
    std::array<std::byte, 8192> first_;
    std::pmr::monotonic_buffer_resource memory_{first_.data(), first_.size()};
};

/// Builds a list in order.
class NodeList {
public:
    explicit NodeList(NameArena& arena) : arena_(&arena) {}

    void append(const NameNode* item) {
        NameNode* cell = arena_->node({.kind = NodeKind::cell, .first = item});
        (last_ == nullptr ? first_ : last_->next) = cell;
        last_ = cell;
    }

    NameNode* finish(std::string_view separator) {
        return arena_->node({.kind = NodeKind::list, .text = separator, .first = first_});
    }

private:
    NameArena* arena_;
    const NameNode* first_ = nullptr;
    NameNode* last_ = nullptr;
};

} // namespace etl::symbols
