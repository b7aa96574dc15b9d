#include <etl/base/text.hpp>
#include <etl/facts/frame_names.hpp>

namespace etl::facts {

namespace {

/// The last component of a path of Windows or Linux, or of a URL.
std::string_view file_of(std::string_view path) noexcept {
    path = path.substr(0, path.find_first_of("?#"));
    return path.substr(path.find_last_of("\\/") + 1);
}

/// The arguments of a signature, `(int32)` of `instance void  (int32)`. A result that is a function
/// pointer has parentheses of its own.
std::string_view arguments_of(std::string_view signature) noexcept {
    const std::size_t end = signature.find_last_of(')');
    std::size_t depth = 0;
    for (std::size_t i = end; i != std::string_view::npos && i-- > 0;) {
        if (signature[i] == ')') {
            ++depth;
        } else if (signature[i] == '(' && depth-- == 0) {
            return signature.substr(i, end + 1 - i);
        }
    }
    return {};
}

void append_offset(std::string& to, std::uint64_t offset) {
    if (offset != 0) {
        to.push_back('+');
        append_hex(to, offset);
    }
}

} // namespace

void append_method_name(std::string& to, const Method& method) {
    if (const std::string_view module = file_of(method.module); !module.empty()) {
        to.append(module).push_back('!');
    }
    if (!method.type.empty()) {
        to.append(method.type).push_back('.');
    }
    to.append(method.name).append(arguments_of(method.signature));
    if (method.line != 0) {
        to.push_back(':');
        append_decimal(to, method.line);
    }
}

bool FrameNames::append(std::string& to, const Facts& facts, const CodeAddress& code) const {
    return append_method(to, facts, code) || append_image(to, facts, code);
}

bool FrameNames::append_method(std::string& to, const Facts& facts, const CodeAddress& code) const {
    auto method = facts.method(code.process, code.address, code.time);
    const bool is_start = method && method->start == code.address;
    if (code.is_return_address && !is_start) {
        method = facts.method(code.process, code.address - 1, code.time);
    }
    if (!method || method->name.empty()) {
        return false;
    }
    append_method_name(to, *method);
    append_offset(to, code.address - method->start);
    return true;
}

bool FrameNames::append_image(std::string& to, const Facts& facts, const CodeAddress& code) const {
    const std::uint64_t before = code.address - (code.is_return_address ? 1 : 0);
    auto image = facts.image(code.process, before, code.time);
    if (!image && code.is_return_address) {
        image = facts.image(code.process, code.address, code.time);
    }
    if (!image || image->path.empty()) {
        return false;
    }
    to.append(image->name()).push_back('!');
    const std::uint64_t rva = code.address - image->base;
    auto symbol = symbols_ != nullptr ? symbols_->find(*image, rva) : std::nullopt;
    const bool is_start = symbol && symbol->start == rva;
    if (symbols_ != nullptr && code.is_return_address && !is_start) {
        symbol = symbols_->find(*image, before - image->base);
    }
    if (symbol && symbol->start <= rva) {
        to.append(symbol->name);
        append_offset(to, rva - symbol->start);
    } else {
        append_hex(to, rva);
    }
    return true;
}

} // namespace etl::facts
