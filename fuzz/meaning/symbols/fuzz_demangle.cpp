// Any bytes as a decorated name of MSVC or Rust. Beyond "does not crash": the text is within its
// limit and the same each time, the style does not decide whether a name is damaged for want of
// space, and fewer parts are not longer.
#include "base/text.hpp"
#include "fuzz/require.hpp"
#include "symbols/demangle.hpp"
#include "symbols/limits.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    const std::string_view text = as_text(std::as_bytes(std::span(data, size)));
    const std::string_view stripped = symbols::strip_c_decoration(text);
    fuzz::require(text.find(stripped) != std::string_view::npos);

    const auto full = symbols::demangle(text);
    const auto name = symbols::demangle(text, symbols::name_style);
    fuzz::require(full == symbols::demangle(text));
    if (full) {
        fuzz::require(!full->empty() &&
                      full->size() <= symbols::limits::demangled_bytes + text.size() + 3);
        fuzz::require(name.has_value() && !name->empty() && name->size() <= full->size());
    }
    return 0;
}
