// Formats of 16-bit units. Property: text is looked at no further than a precision allows, and what
// is cut off for want of room is the beginning of the whole.
#include <etl/compat/windows.h>

#include "base/cursor.hpp"
#include "fuzz/require.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

using namespace etl;
using fuzz::require;

namespace {

constexpr std::size_t max_units = 2000;

/// Into all the room it needs, and into little.
template <typename... Arguments>
void print(std::size_t room, const std::u16string& format, Arguments... arguments) {
    std::vector<char16_t> whole(8 * max_units), part(room);
    const int length =
        etl_compat_swprintf(whole.data(), whole.size(), format.c_str(), arguments...);
    require(length >= 0 && whole[static_cast<std::size_t>(length)] == 0);
    const int cut = etl_compat_swprintf(part.data(), room, format.c_str(), arguments...);
    const bool fits = static_cast<std::size_t>(length) < room;
    require(room == 0 ? cut == -1 : cut == (fits ? length : -1));
    if (room != 0) {
        const std::size_t shown = std::min(static_cast<std::size_t>(length), room - 1);
        require(std::equal(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(shown),
                           whole.begin()));
        require(part[shown] == 0);
    }
}

template <std::size_t count>
char16_t one_of(Cursor& in, const char16_t (&units)[count]) {
    return units[in.u8("choice") % (count - 1)];
}

std::u16string number(unsigned value) {
    const std::string digits = std::to_string(value);
    return {digits.begin(), digits.end()};
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Cursor in(std::as_bytes(std::span(data, size)));
    const std::size_t room = in.u8("room");
    const char16_t kind = one_of(in, u"dixXuosScCfgp%");
    constexpr std::array<std::u16string_view, 10> sizes{u"",  u"h",   u"hh",  u"l", u"ll",
                                                        u"w", u"I64", u"I32", u"I", u"z"};
    const std::u16string_view length = sizes[in.u8("size") % sizes.size()];
    std::u16string format = u"%";
    for (unsigned flags = in.u8("flags"); flags != 0; flags &= flags - 1) {
        format += u"-+ #0-+ "[static_cast<unsigned>(std::countr_zero(flags))];
    }
    const int width = static_cast<std::int16_t>(in.u16("width")) % static_cast<int>(max_units);
    const unsigned precision = in.u16("precision") % max_units;
    const Bytes rest = in.bytes("text", in.left());
    format += u"*." + number(precision);
    format += length;
    format += kind;

    // As much text as may be looked at, without a terminator.
    const std::vector<char> narrow(precision, rest.empty() ? 'n' : std::to_integer<char>(rest[0]));
    std::vector<char16_t> wide(precision, u'\u20ac');
    for (std::size_t i = 0; i + 1 < rest.size() && i / 2 < wide.size(); i += 2) {
        wide[i / 2] = load_le<std::uint16_t>(rest.data() + i);
    }
    const bool is_text = kind == u's' || kind == u'S';
    const bool is_narrow =
        length == u"h" || length == u"hh" || (kind == u'S' && length != u"l" && length != u"w");
    if (kind == u'f' || kind == u'g') {
        print(room, format, width, 1.5 * static_cast<double>(rest.size()));
    } else if (is_text && is_narrow) {
        print(room, format, width, narrow.data());
    } else if (is_text) {
        print(room, format, width, wide.data());
    } else {
        print(room, format, width, ~0ULL - rest.size());
    }

    // Text with signs of its own that take no arguments.
    std::u16string plain(wide.begin(), wide.end());
    std::erase_if(plain, [](char16_t unit) {
        return unit == 0 || std::u16string_view(u"*diuxXoeEfFgGpcCsS").contains(unit) ||
               (unit >= u'0' && unit <= u'9');
    });
    print(room, plain);
    return 0;
}
