// Any bytes as a symbol file of any kind. Beyond "does not crash": inlined functions come first,
// every level of detail finds the same function, and texts can be read.
#include "fuzz/require.hpp"
#include "symbols/limits.hpp"
#include "symbols/symbol_file.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace etl;

std::size_t letters_in(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return c >= 'A'; }));
}

void resolve(symbols::Resolver& resolver, std::uint32_t rva) {
    const auto function = resolver.resolve(rva, symbols::Detail::function);
    fuzz::require(function.size() <= 1);
    const bool is_known = !function.empty();
    const std::string name(is_known ? function[0].function : std::string_view{});
    const auto linkage = resolver.resolve(rva, symbols::Detail::linkage);
    fuzz::require(linkage.size() == (is_known ? 1U : 0U));
    fuzz::require(!is_known || linkage[0].function == name);
    fuzz::require(!is_known ||
                  letters_in(linkage[0].linkage_name) <= linkage[0].linkage_name.size());
    const auto frames = resolver.resolve(rva);
    fuzz::require(frames.size() <= symbols::limits::inline_depth + 1);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        fuzz::require(frames[i].is_inlined == (i + 1 < frames.size()));
        fuzz::require(letters_in(frames[i].function) <= frames[i].function.size());
        fuzz::require(letters_in(frames[i].file) <= frames[i].file.size());
    }
    fuzz::require(!is_known || (!frames.empty() && frames.back().function == name));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes input = std::as_bytes(std::span(data, size));
    if (input.size() > (1U << 20U)) {
        return 0;
    }
    const auto file = symbols::SymbolFile::open(
        io::InputFile::from_memory({input.begin(), input.end()}, "input"));
    if (!file) {
        fuzz::require(file.error().what[0] != '\0');
        return 0;
    }
    symbols::Resolver resolver(*file);
    for (std::uint32_t rva = 0x1000; rva < 0x1200; rva += 7) {
        resolve(resolver, rva);
    }
    for (const std::uint32_t rva : {0U, 0x5004U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
        resolve(resolver, rva);
    }
    for (std::uint32_t token = 0x06000001; token < 0x06000008; ++token) {
        for (const std::uint32_t offset : {0U, 3U, 9U, 300U}) {
            const auto line = (*file)->managed_line(token, offset);
            fuzz::require(!line ||
                          (line->line != 0 && letters_in(line->file) <= line->file.size()));
        }
    }
    return 0;
}
