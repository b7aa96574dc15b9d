#include "symbols/pdb/publics.hpp"

#include "base/text.hpp"
#include "symbols/limits.hpp"
#include "symbols/pdb/records.hpp"
#include "symbols/source.hpp"

#include <algorithm>
#include <tuple>

namespace etl::symbols {

namespace {

constexpr std::size_t public_fields = 14; // size, kind, flags, offset, section

// Returns the last component of `ns::Class::name<...>`, without template arguments.
std::string_view simple_name(std::string_view name) noexcept {
    name = name.substr(0, name.find('<', 1));
    const std::size_t colon = name.rfind("::");
    return colon == name.npos ? name : name.substr(colon + 2);
}

// `?name@...`, `??$name@...`, `_name`, `_name@8`, `@name@8`, `name`; `??0` to `??_G` before a
// class.
bool is_decorated(std::string_view linkage, std::string_view simple) noexcept {
    if (simple == "`scalar deleting destructor'") {
        return linkage.starts_with("??_G");
    }
    if (simple.starts_with('~')) {
        return linkage.starts_with("??1");
    }
    constexpr std::size_t max_prefix = 4;
    const std::size_t at =
        simple.empty() ? linkage.npos : linkage.substr(0, max_prefix + simple.size()).find(simple);
    if (at == linkage.npos) {
        return false;
    }
    const std::size_t end = at + simple.size();
    return end == linkage.size() || linkage[end] == '@';
}

} // namespace

Publics::Publics(const StreamFile& file, const DebugInfo& info)
    : file_(&file), stream_(info.records) {
    constexpr std::size_t header_size = 28;
    std::vector<std::byte> index_scratch;
    std::vector<std::byte> scratch;
    const Bytes index = file.part(
        info.publics, 0, static_cast<std::size_t>(file.size_of(info.publics)), index_scratch);
    if (index.size() < header_size) {
        return;
    }
    // After a hash table, the offsets of all records in the order of their addresses.
    const auto hash_bytes = load_le<std::uint32_t>(index.data());
    const auto map_bytes = load_le<std::uint32_t>(index.data() + 4);
    const Bytes map = clamped(clamped(index, header_size), hash_bytes, map_bytes);
    symbols_.reserve(map.size() / 4);
    for (std::size_t at = 0; has_range(map, at, 4); at += 4) {
        add(load_le<std::uint32_t>(map.data() + at), info, scratch);
    }
    if (!std::ranges::is_sorted(symbols_, {}, &PublicSymbol::rva)) {
        std::ranges::stable_sort(symbols_, {}, &PublicSymbol::rva);
    }
    index_ = decltype(index_)(symbols_);
}

void Publics::add(std::uint32_t record, const DebugInfo& info, std::vector<std::byte>& scratch) {
    const Bytes fields = file_->part(stream_, record, public_fields, scratch);
    if (fields.empty() || static_cast<SymbolKind>(load_le<std::uint16_t>(fields.data() + 2)) !=
                              SymbolKind::public_symbol) {
        return;
    }
    constexpr std::uint32_t is_code = 1;
    constexpr std::uint32_t is_function = 2;
    const auto flags = load_le<std::uint32_t>(fields.data() + 4);
    const auto rva = info.addresses.rva_of(load_le<std::uint16_t>(fields.data() + 12),
                                           load_le<std::uint32_t>(fields.data() + 8));
    // The compiler of native images names nothing but methods, with or without these flags.
    const bool is_native_image = info.addresses.is_from_section_map();
    if (rva && (is_native_image || (flags & (is_code | is_function)) != 0)) {
        symbols_.push_back({*rva, record});
    }
}

std::span<const PublicSymbol> Publics::at(std::uint32_t rva) const noexcept {
    const PublicSymbol* const last = nearest(rva);
    const PublicSymbol* const before = rva == 0 ? nullptr : nearest(rva - 1);
    const PublicSymbol* const first = before == nullptr ? symbols_.data() : before + 1;
    return last == nullptr ? std::span<const PublicSymbol>{} : std::span(first, last + 1);
}

const PublicSymbol* Publics::nearest(std::uint32_t rva) const noexcept {
    return index_.find(symbols_, rva);
}

std::string_view Publics::name_of(const PublicSymbol& symbol,
                                  std::vector<std::byte>& scratch) const {
    const Bytes size = file_->part(stream_, symbol.record, 2, scratch);
    const std::size_t bytes = size.empty() ? 0 : 2UL + load_le<std::uint16_t>(size.data());
    const std::string_view text =
        as_text(clamped(file_->part(stream_, symbol.record, bytes, scratch), public_fields));
    return text.substr(0, text.find('\0'));
}

std::string_view Publics::text(PublicName name, std::vector<std::byte>& scratch) const {
    return as_text(file_->part(stream_, name.offset, name.size, scratch));
}

PublicName Publics::best(std::span<const PublicSymbol> symbols, std::string_view procedure,
                         NameScratch& scratch) const {
    const std::string_view simple = simple_name(procedure);
    const auto rank = [&](std::string_view name) {
        return std::tuple(!is_decorated(name, simple), name.size(), name);
    };
    std::string_view best;
    PublicName result;
    const auto some = symbols.first(std::min(symbols.size(), limits::names_at_address));
    for (const PublicSymbol& symbol : some) {
        const std::string_view name = name_of(symbol, scratch.next);
        if (!name.empty() && (best.empty() || rank(name) < rank(best))) {
            best = name;
            std::swap(scratch.best, scratch.next);
            result = {symbol.record + static_cast<std::uint32_t>(public_fields),
                      static_cast<std::uint32_t>(name.size())};
        }
    }
    return result;
}

} // namespace etl::symbols
