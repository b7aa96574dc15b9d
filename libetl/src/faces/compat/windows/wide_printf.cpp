// printf for formats of 16-bit units, as Windows' C library reads them: numbers are made one by one
// by the system's printf, text here. docs/compat.md#windows
#include "base/text.hpp"
#include "compat/c_values.hpp"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace etl::compat {

namespace {

// The formats of Windows' printf in parts. docs/compat.md#windows

/// In place of a width or a precision: it is an argument of printf.
constexpr int taken_from_argument = -1;

/// More than that nobody pads a number; what a hostile format asks for is bounded.
constexpr int max_padding = 0x10000;

/// One conversion: `%-8.*I64x` in parts.
struct FormatConversion {
    enum class Size : unsigned char { usual, h, hh, l, w, wide_64 };

    std::string flags;            // of "-+ #0"
    int width = 0;                // or taken_from_argument
    std::optional<int> precision; // or taken_from_argument; negative: none
    Size size = Size::usual;
    char16_t kind = 0; // 0: the format ended

    bool is_left() const noexcept { return flags.contains('-'); }

    bool is_64_bit() const noexcept { return size == Size::wide_64; }
};

/// Takes a format apart from front to back.
class FormatScanner {
public:
    explicit FormatScanner(std::u16string_view format) noexcept : rest_(format) {}

    bool is_at_end() const noexcept { return rest_.empty(); }

    /// Text up to the next conversion.
    std::u16string_view text() noexcept;

    /// Behind text(), unless at the end.
    FormatConversion conversion();

private:
    char16_t next() noexcept;
    bool take(std::u16string_view word) noexcept;
    int number() noexcept;
    FormatConversion::Size size() noexcept;

    std::u16string_view rest_;
};

std::u16string_view FormatScanner::text() noexcept {
    const std::size_t length = std::min(rest_.find(u'%'), rest_.size());
    const auto found = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return found;
}

FormatConversion FormatScanner::conversion() {
    FormatConversion found;
    rest_.remove_prefix(1);
    while (!rest_.empty() && std::u16string_view(u"-+ #0").contains(rest_.front())) {
        const char flag = static_cast<char>(next());
        if (!found.flags.contains(flag)) {
            found.flags.push_back(flag);
        }
    }
    found.width = number();
    if (take(u".")) {
        found.precision = number();
    }
    found.size = size();
    found.kind = next();
    return found;
}

char16_t FormatScanner::next() noexcept {
    if (rest_.empty()) {
        return 0;
    }
    const char16_t unit = rest_.front();
    rest_.remove_prefix(1);
    return unit;
}

bool FormatScanner::take(std::u16string_view word) noexcept {
    if (!rest_.starts_with(word)) {
        return false;
    }
    rest_.remove_prefix(word.size());
    return true;
}

int FormatScanner::number() noexcept {
    if (take(u"*")) {
        return taken_from_argument;
    }
    int value = 0;
    while (!rest_.empty() && rest_.front() >= u'0' && rest_.front() <= u'9') {
        value = std::min(value * 10 + (next() - u'0'), max_padding);
    }
    return value;
}

FormatConversion::Size FormatScanner::size() noexcept {
    using Size = FormatConversion::Size;

    struct Word {
        std::u16string_view text;
        Size size;
    };

    constexpr std::array words{
        Word{u"I64", Size::wide_64}, Word{u"I32", Size::usual}, Word{u"I", Size::wide_64},
        Word{u"hh", Size::hh},       Word{u"h", Size::h},       Word{u"ll", Size::wide_64},
        Word{u"l", Size::l},         Word{u"j", Size::wide_64}, Word{u"z", Size::wide_64},
        Word{u"t", Size::wide_64},   Word{u"w", Size::w},       Word{u"L", Size::usual}};
    for (const Word& word : words) {
        if (take(word.text)) {
            return word.size;
        }
    }
    return Size::usual;
}

/// What is printed, and the arguments that are left.
class Printer {
public:
    explicit Printer(va_list list) noexcept { va_copy(list_, list); }

    Printer(const Printer&) = delete;
    Printer& operator=(const Printer&) = delete;

    ~Printer() { va_end(list_); }

    std::u16string run(std::u16string_view format) {
        FormatScanner scanner(format);
        while (!scanner.is_at_end()) {
            out_ += scanner.text();
            if (!scanner.is_at_end()) {
                print(scanner.conversion());
            }
        }
        return std::move(out_);
    }

private:
    /// Numbers that are arguments.
    void settle_stars(FormatConversion& conversion) {
        if (conversion.width == taken_from_argument) {
            const int given = va_arg(list_, int);
            if (given < 0 && !conversion.is_left()) {
                conversion.flags.push_back('-');
            }
            conversion.width = given < -max_padding ? max_padding : std::abs(given);
        }
        conversion.width = std::min(conversion.width, max_padding);
        if (conversion.precision == taken_from_argument) {
            conversion.precision = va_arg(list_, int);
        }
        if (conversion.precision.value_or(0) < 0) {
            conversion.precision.reset();
        }
        if (conversion.precision) {
            conversion.precision = std::min(*conversion.precision, max_padding);
        }
    }

    void print(FormatConversion conversion) {
        settle_stars(conversion);
        switch (conversion.kind) {
        case u'd':
        case u'i':
            return print_signed(conversion);
        case u'u':
        case u'x':
        case u'X':
        case u'o':
            return print_unsigned(conversion);
        case u'e':
        case u'E':
        case u'f':
        case u'F':
        case u'g':
        case u'G':
            return print_number(conversion, "", va_arg(list_, double));
        case u'p':
            return print_pointer(conversion);
        case u'c':
        case u'C':
            return print_unit(conversion);
        case u's':
        case u'S':
            return print_text(conversion);
        default:
            out_.push_back(conversion.kind != 0 ? conversion.kind : u'%');
        }
    }

    template <typename T>
    void print_number(const FormatConversion& conversion, std::string_view size, T value) {
        std::string format = "%" + conversion.flags;
        if (conversion.width != 0) {
            format += std::to_string(conversion.width);
        }
        if (conversion.precision) {
            format += '.' + std::to_string(*conversion.precision);
        }
        format += size;
        format.push_back(static_cast<char>(conversion.kind));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        const int length = std::snprintf(nullptr, 0, format.c_str(), value);
        if (length <= 0) {
            return;
        }
        std::string shown(static_cast<std::size_t>(length), '\0');
        std::snprintf(shown.data(), shown.size() + 1, format.c_str(), value);
#pragma GCC diagnostic pop
        out_.append(shown.begin(), shown.end()); // nothing but ASCII
    }

    // `long` has 32 bits there, and int and ULONG in its place here.
    void print_signed(const FormatConversion& conversion) {
        if (conversion.is_64_bit()) {
            return print_number(conversion, "ll", va_arg(list_, long long));
        }
        int value = va_arg(list_, int);
        if (conversion.size == FormatConversion::Size::h) {
            value = static_cast<short>(value);
        } else if (conversion.size == FormatConversion::Size::hh) {
            value = (value & 0x7F) - (value & 0x80); // a signed char
        }
        print_number(conversion, "", value);
    }

    void print_unsigned(const FormatConversion& conversion) {
        if (conversion.is_64_bit()) {
            return print_number(conversion, "ll", va_arg(list_, unsigned long long));
        }
        unsigned value = va_arg(list_, unsigned);
        if (conversion.size == FormatConversion::Size::h) {
            value = static_cast<unsigned short>(value);
        } else if (conversion.size == FormatConversion::Size::hh) {
            value = static_cast<unsigned char>(value);
        }
        print_number(conversion, "", value);
    }

    void print_pointer(FormatConversion conversion) {
        constexpr int digits = 2 * sizeof(void*);
        const auto address =
            reinterpret_cast<std::uintptr_t>(va_arg(list_, void*)); // NOLINT(*-reinterpret-cast)
        conversion.kind = u'X';
        conversion.precision = digits;
        std::erase(conversion.flags, '0');
        print_number(conversion, "ll", static_cast<unsigned long long>(address));
    }

    /// %c and %s are as wide as the format, %C and %S are not; h and l say which.
    static bool is_narrow(const FormatConversion& conversion, char16_t narrow_kind) noexcept {
        using Size = FormatConversion::Size;
        return conversion.size == Size::h || conversion.size == Size::hh ||
               (conversion.kind == narrow_kind && conversion.size != Size::l &&
                conversion.size != Size::w);
    }

    void print_unit(const FormatConversion& conversion) {
        const int value = va_arg(list_, int);
        const char16_t unit = is_narrow(conversion, u'C') ? static_cast<unsigned char>(value)
                                                          : static_cast<char16_t>(value);
        pad(conversion, {&unit, 1});
    }

    /// A precision says how much is looked at, at most: there need not be a terminator.
    void print_text(const FormatConversion& conversion) {
        const auto max = conversion.precision ? static_cast<std::size_t>(*conversion.precision)
                                              : std::numeric_limits<std::size_t>::max();
        if (is_narrow(conversion, u'S')) {
            const char* text = va_arg(list_, const char*);
            text = text != nullptr ? text : "(null)";
            return pad(conversion, to_utf16({text, length_within(text, max).value_or(max)}));
        }
        const WCHAR* text = va_arg(list_, const WCHAR*);
        text = text != nullptr ? text : u"(null)";
        pad(conversion, {text, length_within(text, max).value_or(max)});
    }

    void pad(const FormatConversion& conversion, std::u16string_view text) {
        const auto width = static_cast<std::size_t>(conversion.width);
        const std::size_t blanks = width > text.size() ? width - text.size() : 0;
        if (!conversion.is_left()) {
            out_.append(blanks, u' ');
        }
        out_ += text;
        if (conversion.is_left()) {
            out_.append(blanks, u' ');
        }
    }

    va_list list_;
    std::u16string out_;
};

} // namespace

} // namespace etl::compat

namespace compat = etl::compat;

extern "C" {

int etl_compat_vfwprintf(FILE* to, const WCHAR* format, va_list list) {
    return compat::guarded<int>(
        [&] {
            const std::u16string units = compat::Printer(list).run(format);
            const std::string text = compat::to_utf8(units);
            const std::size_t written = std::fwrite(text.data(), 1, text.size(), to);
            return written == text.size() ? static_cast<int>(units.size()) : -1;
        },
        -1);
}

int etl_compat_wprintf(const WCHAR* format, ...) {
    va_list list;
    va_start(list, format);
    const int written = etl_compat_vfwprintf(stdout, format, list);
    va_end(list);
    return written;
}

int etl_compat_fwprintf(FILE* to, const WCHAR* format, ...) {
    va_list list;
    va_start(list, format);
    const int written = etl_compat_vfwprintf(to, format, list);
    va_end(list);
    return written;
}

int etl_compat_vswprintf(WCHAR* to, size_t room, const WCHAR* format, va_list list) {
    if (room == 0) {
        return -1;
    }
    *to = 0;
    return compat::guarded<int>(
        [&] {
            const std::u16string text = compat::Printer(list).run(format);
            const std::size_t length = std::min(text.size(), room - 1);
            *std::copy_n(text.data(), length, to) = 0;
            return length == text.size() ? static_cast<int>(length) : -1;
        },
        -1);
}

int etl_compat_swprintf(WCHAR* to, size_t room, const WCHAR* format, ...) {
    va_list list;
    va_start(list, format);
    const int written = etl_compat_vswprintf(to, room, format, list);
    va_end(list);
    return written;
}

} // extern "C"
