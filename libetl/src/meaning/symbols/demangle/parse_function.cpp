#include "symbols/demangle/name_parser.hpp"

namespace etl::symbols {

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

} // namespace etl::symbols
