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

// After `$`: an argument that is not a type.
const NameNode* NameParser::constant() {
    const Level level(depth_);
    if (level.is_too_deep()) {
        return nullptr;
    }
    switch (take()) {
    case '0': {
        const auto value = number();
        return value ? arena_->text(text_of(*value)) : nullptr;
    }
    case '1': {
        const NameNode* target = symbol();
        return target == nullptr ? nullptr : arena_->sequence({arena_->text("&"), target});
    }
    case 'D': {
        const std::string_view text = numbers("`template-parameter-", 1, "'");
        return text.empty() ? nullptr : arena_->text(text);
    }
    case 'Q': {
        const std::string_view text = numbers("`non-type-template-parameter-", 1, "'");
        return text.empty() ? nullptr : arena_->text(text);
    }
    case 'E':
        return symbol();
    case 'F':
        return member_constant(false, 2);
    case 'G':
        return member_constant(false, 3);
    case 'H':
        return member_constant(true, 1);
    case 'I':
        return member_constant(true, 2);
    case 'J':
        return member_constant(true, 3);
    case 'M': { // of a parameter declared as auto: its type comes first
        if (type() == nullptr) {
            return nullptr;
        }
        takes('$');
        return constant();
    }
    default:
        return nullptr;
    }
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

} // namespace etl::symbols
