#include "symbols/store/pointer_file.hpp"

#include "base/text.hpp"
#include "io/input_file.hpp"
#include "symbols/limits.hpp"

namespace etl::symbols {

namespace {

PointerFile refuse(std::string problem) {
    return {std::nullopt, std::move(problem)};
}

} // namespace

PointerFile read_pointer_file(const std::string& path) {
    const auto file = io::InputFile::map(path);
    if (!file) {
        return refuse(describe(file.error()));
    }
    if ((*file)->bytes().size() > limits::pointer_file_bytes) {
        return refuse("too long for a path");
    }
    std::string_view text = as_text((*file)->bytes());
    text = text.substr(0, text.find_first_of(std::string_view("\r\n\0", 3)));
    if (to_lower_ascii(text.substr(0, 4)) == "msg:") {
        return refuse("the store refuses the file: " + std::string(text.substr(4)));
    }
    if (to_lower_ascii(text.substr(0, 5)) == "path:") {
        text.remove_prefix(5);
    }
    return text.empty() ? refuse("contains no path") : PointerFile{std::string(text), {}};
}

} // namespace etl::symbols
