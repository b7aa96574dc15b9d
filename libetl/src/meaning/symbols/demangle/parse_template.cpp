#include "symbols/demangle/name_parser.hpp"

namespace etl::symbols {

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

} // namespace etl::symbols
