#include "symbols/demangle/name_node.hpp"

#include <cstring>

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

} // namespace etl::symbols
