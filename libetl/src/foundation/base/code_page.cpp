#include "base/code_page.hpp"

#include "base/code_points.hpp"
#include "base/text.hpp"
#include "base/text_blocks.hpp"

#include <unicode/ucnv.h>
#include <unicode/uvernum.h>

#include <algorithm>
#include <charconv>

namespace etl {

namespace {

constexpr unsigned utf8_number = 65001;
constexpr std::size_t lead_block = 256;

struct Named {
    unsigned number;
    const char* name;
};

// Pages that ICU does not know by their number.
constexpr Named named_pages[] = {
    {20932, "euc-jp"},      {20936, "gb2312"},      {20949, "euc-kr"},     {28591, "iso-8859-1"},
    {28592, "iso-8859-2"},  {28593, "iso-8859-3"},  {28594, "iso-8859-4"}, {28595, "iso-8859-5"},
    {28596, "iso-8859-6"},  {28597, "iso-8859-7"},  {28598, "iso-8859-8"}, {28599, "iso-8859-9"},
    {28603, "iso-8859-13"}, {28605, "iso-8859-15"}, {51932, "euc-jp"},     {51936, "gb2312"},
    {51949, "euc-kr"}};

struct Closer {
    void operator()(UConverter* converter) const noexcept { ucnv_close(converter); }
};

using ConverterHandle = std::unique_ptr<UConverter, Closer>;

ConverterHandle clone(const UConverter* converter) noexcept {
    UErrorCode status = U_ZERO_ERROR;
#if U_ICU_VERSION_MAJOR_NUM >= 71
    return ConverterHandle(ucnv_clone(converter, &status));
#else
    return ConverterHandle(ucnv_safeClone(converter, nullptr, nullptr, &status));
#endif
}

std::unexpected<Error> unknown(std::uint64_t number) {
    return fail(ErrorCode::unsupported, "code page", {}, 0, number);
}

std::unexpected<Error> unknown_name() {
    return fail(ErrorCode::unsupported, "code page of this name");
}

// Stateless, and each character of one byte or more.
bool is_plain(UConverterType type) noexcept {
    return type == UCNV_SBCS || type == UCNV_DBCS || type == UCNV_MBCS || type == UCNV_LATIN_1 ||
           type == UCNV_US_ASCII || type == UCNV_UTF8;
}

// The one UTF-16 unit that a character of one or two bytes stands for; U+FFFD when there is none
// or more than one.
char16_t unit_of(UConverter* converter, std::string_view character) noexcept {
    std::array<UChar, 4> units{};
    UErrorCode status = U_ZERO_ERROR;
    const std::int32_t count =
        ucnv_toUChars(converter, units.data(), static_cast<std::int32_t>(units.size()),
                      character.data(), static_cast<std::int32_t>(character.size()), &status);
    return U_SUCCESS(status) && count == 1 ? units[0] : static_cast<char16_t>(replacement);
}

// 1253 of `cp1253` and `windows-1253`; 0: something else.
unsigned number_in(std::string_view name) noexcept {
    for (const std::string_view prefix : {"cp", "windows-", "ms"}) {
        if (name.size() > prefix.size() &&
            equals_ignoring_case(name.substr(0, prefix.size()), prefix)) {
            name.remove_prefix(prefix.size());
            break;
        }
    }
    unsigned number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    return error == std::errc{} && end == name.data() + name.size() ? number : 0;
}

} // namespace

struct CodePage::Converter {
    ConverterHandle icu;
};

CodePage::CodePage() = default;
CodePage::~CodePage() = default;

Result<std::shared_ptr<const CodePage>> CodePage::open(unsigned number) {
    if (number == utf8_number) {
        std::shared_ptr<CodePage> page(new CodePage);
        page->kind_ = Kind::utf8;
        return page;
    }
    const auto* const known = std::ranges::find(named_pages, number, &Named::number);
    auto page =
        open_converter(known != std::end(named_pages) ? std::string(known->name)
                                                      : "windows-" + std::to_string(number));
    return page ? page : unknown(number);
}

Result<std::shared_ptr<const CodePage>> CodePage::open(std::string_view name) {
    if (const unsigned number = number_in(name); number != 0) {
        return open(number);
    }
    if (equals_ignoring_case(name, "utf-8") || equals_ignoring_case(name, "utf8")) {
        return open(utf8_number);
    }
    // ICU looks for files of names that it does not know.
    const auto is_harmless = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               c == '-' || c == '_' || c == ':';
    };
    if (name.empty() || name.size() >= UCNV_MAX_CONVERTER_NAME_LENGTH ||
        !std::ranges::all_of(name, is_harmless)) {
        return unknown_name();
    }
    return open_converter(std::string(name));
}

Result<std::shared_ptr<const CodePage>> CodePage::open_converter(const std::string& name) {
    UErrorCode status = U_ZERO_ERROR;
    ConverterHandle icu(ucnv_open(name.c_str(), &status));
    if (U_FAILURE(status) || !is_plain(ucnv_getType(icu.get())) ||
        unit_of(icu.get(), "A") != u'A') {
        return unknown_name();
    }
    std::shared_ptr<CodePage> page(new CodePage);
    page->converter_ = std::make_unique<Converter>(Converter{std::move(icu)});
    page->kind_ = page->fill_table() ? Kind::table : Kind::converter;
    return page;
}

// False: there are characters that no table of pairs can hold.
bool CodePage::fill_table() {
    UConverter* const icu = converter_->icu.get();
    if (ucnv_getMaxCharSize(icu) > 2) {
        return false;
    }
    UErrorCode status = U_ZERO_ERROR;
    std::array<UBool, 256> is_lead{};
    ucnv_getStarters(icu, is_lead.data(), &status); // fails, and leaves zeros, for pages without
    std::uint8_t blocks = 0;
    for (unsigned byte = 0; byte < 256; ++byte) {
        const std::array<char, 1> single{static_cast<char>(byte)};
        singles_[byte] = unit_of(icu, {single.data(), 1});
        // ICU turns three controls around in pages that come from IBM; Windows gives the C1
        // controls where a page has holes.
        if (byte < 0x80 || (byte < 0xA0 && singles_[byte] == replacement)) {
            singles_[byte] = static_cast<char16_t>(byte);
        }
        if (byte < 0x80 || is_lead[byte] == 0) {
            continue;
        }
        leads_[byte] = ++blocks;
        for (unsigned second = 0; second < lead_block; ++second) {
            const std::array<char, 2> pair{static_cast<char>(byte), static_cast<char>(second)};
            pairs_.push_back(unit_of(icu, {pair.data(), 2}));
        }
    }
    return true;
}

void CodePage::append(std::string& to, Bytes text) const {
    switch (kind_) {
    case Kind::utf8:
        return append_utf8(to, text);
    case Kind::table:
        return append_by_table(to, text);
    case Kind::converter:
        return append_by_converter(to, text);
    }
}

void CodePage::append_by_table(std::string& to, Bytes text) const {
    constexpr std::size_t max_per_byte = 3;
    const std::size_t plain = ascii_run(text);
    to.append(as_text(text.first(plain)));
    text = text.subspan(plain);
    append_at_most(to, text.size() * max_per_byte, [&](char* out) {
        for (std::size_t i = 0; i < text.size(); ++i) {
            const auto byte = std::to_integer<std::size_t>(text[i]);
            char16_t unit = singles_[byte];
            if (leads_[byte] != 0) {
                unit = static_cast<char16_t>(replacement);
                if (i + 1 < text.size()) {
                    const auto second = std::to_integer<std::size_t>(text[i + 1]);
                    unit = pairs_[(leads_[byte] - 1U) * lead_block + second];
                    // An ASCII character is not swallowed by a lead byte that it does not fit.
                    i += unit != replacement || second >= 0x80 ? 1U : 0U;
                }
            }
            out = put_code_point(out, unit);
        }
        return out;
    });
}

void CodePage::append_by_converter(std::string& to, Bytes text) const {
    const std::size_t plain = ascii_run(text);
    to.append(as_text(text.first(plain)));
    const std::string_view left = as_text(text.subspan(plain));
    const ConverterHandle icu = left.empty() ? nullptr : clone(converter_->icu.get());
    if (icu == nullptr) {
        return;
    }
    const char* at = left.data();
    const char* const end = at + left.size();
    while (at != end) {
        UErrorCode status = U_ZERO_ERROR;
        const UChar32 value = ucnv_getNextUChar(icu.get(), &at, end, &status);
        if (status == U_INDEX_OUTOFBOUNDS_ERROR) {
            break;
        }
        append_code_point(to, U_SUCCESS(status) ? static_cast<std::uint32_t>(value) : replacement);
    }
}

void append_narrow(std::string& to, Bytes text, const CodePage* page) {
    if (page != nullptr) {
        page->append(to, text);
    } else {
        append_ansi(to, text);
    }
}

} // namespace etl
