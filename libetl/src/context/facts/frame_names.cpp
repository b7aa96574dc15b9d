#include "facts/frame_names.hpp"

#include "base/file_name.hpp"
#include "base/text.hpp"

namespace etl::facts {

namespace {

/// The last component of a path of Windows or Linux, or of a URL.
std::string_view file_of(std::string_view path) noexcept {
    return file_name_of(path.substr(0, path.find_first_of("?#")));
}

/// The arguments of a signature, `(int32)` of `instance void  (int32)`. A result that is a function
/// pointer has parentheses of its own.
std::string_view arguments_of(std::string_view signature) noexcept {
    const std::size_t end = signature.find_last_of(')');
    std::size_t depth = 0;
    for (std::size_t i = end == std::string_view::npos ? 0 : end; i > 0; --i) {
        const std::size_t at = i - 1;
        if (signature[at] == ')') {
            ++depth;
        } else if (signature[at] == '(') {
            if (depth == 0) {
                return signature.substr(at, end + 1 - at);
            }
            --depth;
        }
    }
    return {};
}

void append_name_in_module(std::string& to, const Method& method) {
    if (!method.type.empty()) {
        to.append(method.type).push_back('.');
    }
    to.append(method.name).append(arguments_of(method.signature));
    if (method.line != 0) {
        to.push_back(':');
        append_decimal(to, method.line);
    }
}

} // namespace

/// What an address belongs to: a method, else an image.
struct FrameNames::Found {
    std::optional<Method> method;
    std::optional<Image> image;
    std::optional<Symbol> symbol; // of the image
    std::uint64_t offset = 0;

    std::string_view module() const noexcept {
        return method ? file_of(method->module) : image ? image->name() : std::string_view();
    }

    void append_function(std::string& to) const {
        if (method) {
            append_name_in_module(to, *method);
        } else if (symbol) {
            to.append(symbol->name);
        }
    }
};

void append_method_name(std::string& to, const Method& method) {
    if (const std::string_view module = file_of(method.module); !module.empty()) {
        to.append(module).push_back('!');
    }
    append_name_in_module(to, method);
}

bool FrameNames::append(std::string& to, const Facts& facts, const CodeAddress& code) const {
    const Found found = look_up(facts, code);
    if (!found.method && !found.image) {
        return false;
    }
    if (const std::string_view module = found.module(); !module.empty()) {
        to.append(module).push_back('!');
    }
    found.append_function(to);
    if (!found.method && !found.symbol) {
        append_hex(to, found.offset);
    } else if (found.offset != 0) {
        to.push_back('+');
        append_hex(to, found.offset);
    }
    return true;
}

std::optional<FrameName> FrameNames::find(const Facts& facts, const CodeAddress& code) const {
    const Found found = look_up(facts, code);
    if (!found.method && !found.image) {
        return std::nullopt;
    }
    FrameName name{.module = std::string(found.module()), .function = {}, .offset = found.offset};
    found.append_function(name.function);
    return name;
}

FrameNames::Found FrameNames::look_up(const Facts& facts, const CodeAddress& code) const {
    Found found;
    const std::uint64_t before = code.address - (code.is_return_address ? 1 : 0);
    found.method = facts.method(code.process, before, code.time);
    const bool is_inside = found.method && code.address - found.method->start < found.method->size;
    if (code.is_return_address && !is_inside) { // within a method, no other one begins
        const auto next = facts.method(code.process, code.address, code.time);
        found.method = next && next->start == code.address ? next : found.method;
    }
    if (found.method && !found.method->name.empty()) {
        found.offset = code.address - found.method->start;
        return found;
    }
    found.method.reset();
    found.image = facts.image(code.process, before, code.time);
    if (!found.image && code.is_return_address) {
        found.image = facts.image(code.process, code.address, code.time);
    }
    if (!found.image || found.image->path.empty()) {
        found.image.reset();
        return found;
    }
    found.offset = code.address - found.image->base;
    if (symbols_ != nullptr) {
        find_symbol(found, before - found.image->base, code.is_return_address);
    }
    return found;
}

// The first byte of a function is no return address into it, but an interrupted instruction.
void FrameNames::find_symbol(Found& found, std::uint64_t before, bool is_return_address) const {
    const std::uint64_t rva = found.offset;
    found.symbol = symbols_->find(*found.image, rva);
    if (is_return_address && !(found.symbol && found.symbol->start == rva)) {
        found.symbol = symbols_->find(*found.image, before);
    }
    if (found.symbol && found.symbol->start <= rva) {
        found.offset = rva - found.symbol->start;
    } else {
        found.symbol.reset();
    }
}

} // namespace etl::facts
