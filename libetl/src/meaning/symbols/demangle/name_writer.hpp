// Writes the nodes of a name as text. A declaration surrounds what it declares: the part of a type
// before the name is written by left(), the part after it by right().
#pragma once

#include "symbols/demangle.hpp"
#include "symbols/demangle/name_node.hpp"

#include <string>

namespace etl::symbols {

class NameWriter {
public:
    NameWriter(std::string& to, const DemangleStyle& style) : to_(&to), style_(&style) {}

    /// Returns false if the text or its nesting exceeds the limits.
    bool write(const NameNode& node);

private:
    void whole(const NameNode* node);
    void left(const NameNode* node);
    void right(const NameNode* node);
    void list(const NameNode& node);
    void instance(const NameNode& node);
    void function_left(const NameNode& node);
    void own_qualifiers(const NameNode& node);
    void pointer_left(const NameNode& node);
    void symbol(const SymbolParts& parts, const DemangleStyle& style);
    void function_symbol(const SymbolParts& parts, const DemangleStyle& style);
    void parameters(const NameNode& function);
    void qualifiers(std::uint8_t bits, std::string_view before);
    void space();
    void put(std::string_view text);

    std::string* to_;
    const DemangleStyle* style_;
    unsigned depth_ = 0;
    bool is_exceeded_ = false;
};

} // namespace etl::symbols
