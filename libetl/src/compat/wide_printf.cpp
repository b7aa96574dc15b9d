// printf for formats of 16-bit units, as Windows' C library reads them: conversions are made one by
// one by the system's printf. docs/compat.md#windows
#include <etl/base/text.hpp>

#include "compat/c_values.hpp"

#include <array>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace etl::compat {

namespace {

/// One conversion: `%-8.*I64x` in parts.
struct Conversion {
    std::string flags; // with width and precision; stars stay
    std::string size;  // "h", "l", "ll", "z", ...
    char kind = 0;     // 0: the format ended
    int stars = 0;
};

class Scanner {
public:
    explicit Scanner(std::u16string_view format) noexcept : rest_(format) {}

    bool at_end() const noexcept { return rest_.empty(); }

    /// Text up to the next conversion.
    std::u16string_view text() noexcept {
        const std::size_t length = std::min(rest_.find(u'%'), rest_.size());
        const auto found = rest_.substr(0, length);
        rest_.remove_prefix(length);
        return found;
    }

    /// Behind text(), unless at the end.
    Conversion conversion() {
        Conversion found;
        rest_.remove_prefix(1);
        while (!rest_.empty() && std::u16string_view(u"-+ #0123456789.*").contains(rest_.front())) {
            found.stars += rest_.front() == u'*' ? 1 : 0;
            found.flags.push_back(next());
        }
        read_size(found.size);
        found.kind = next();
        return found;
    }

private:
    char next() noexcept {
        if (rest_.empty()) {
            return 0;
        }
        const char16_t unit = rest_.front();
        rest_.remove_prefix(1);
        return unit < 0x80 ? static_cast<char>(unit) : '?';
    }

    bool take(std::u16string_view word) noexcept {
        if (!rest_.starts_with(word)) {
            return false;
        }
        rest_.remove_prefix(word.size());
        return true;
    }

    void read_size(std::string& size) {
        if (take(u"I64")) {
            size = "ll";
        } else if (take(u"I32")) {
            size.clear();
        } else if (take(u"I")) {
            size = "z";
        }
        while (!rest_.empty() && std::u16string_view(u"hljztLw").contains(rest_.front())) {
            size.push_back(next());
        }
    }

    std::u16string_view rest_;
};

/// What is printed, and the arguments that are left.
class Printer {
public:
    explicit Printer(va_list list) noexcept { va_copy(list_, list); }

    Printer(const Printer&) = delete;
    Printer& operator=(const Printer&) = delete;

    ~Printer() { va_end(list_); }

    std::string run(std::u16string_view format) {
        Scanner scanner(format);
        while (!scanner.at_end()) {
            out_ += to_utf8(scanner.text());
            if (!scanner.at_end()) {
                print(scanner.conversion());
            }
        }
        return std::move(out_);
    }

private:
    template <typename T>
    void print_as(const Conversion& conversion, std::string_view size, T value) {
        std::string format = "%" + conversion.flags;
        format += size;
        format.push_back(conversion.kind);
        std::array<char, 512> shown{}; // wider ones are cut
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        std::snprintf(shown.data(), shown.size(), format.c_str(), value);
#pragma GCC diagnostic pop
        out_ += shown.data();
    }

    /// Widths that are arguments become digits.
    void settle_stars(Conversion& conversion) {
        for (; conversion.stars > 0; --conversion.stars) {
            const std::size_t at = conversion.flags.find('*');
            conversion.flags.replace(at, 1, std::to_string(va_arg(list_, int)));
        }
    }

    void print(Conversion conversion) {
        settle_stars(conversion);
        switch (conversion.kind) {
        case 'd':
        case 'i':
            return print_signed(conversion);
        case 'u':
        case 'x':
        case 'X':
        case 'o':
            return print_unsigned(conversion);
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
            return print_as(conversion, "", va_arg(list_, double));
        case 'p':
            return print_pointer();
        case 'c':
        case 'C':
            return append_code_point(out_, static_cast<std::uint32_t>(va_arg(list_, int)));
        case 's':
        case 'S':
            return print_text(conversion);
        default:
            out_.push_back(conversion.kind != 0 ? conversion.kind : '%');
        }
    }

    // `long` has 32 bits there, and int and ULONG in its place here.
    static bool is_64_bit(const Conversion& conversion) noexcept {
        return conversion.size == "ll" || conversion.size == "z" || conversion.size == "j" ||
               conversion.size == "t";
    }

    void print_signed(const Conversion& conversion) {
        if (is_64_bit(conversion)) {
            print_as(conversion, "ll", va_arg(list_, long long));
        } else {
            print_as(conversion, "", va_arg(list_, int));
        }
    }

    void print_unsigned(const Conversion& conversion) {
        if (is_64_bit(conversion)) {
            print_as(conversion, "ll", va_arg(list_, unsigned long long));
        } else {
            print_as(conversion, "", va_arg(list_, unsigned));
        }
    }

    void print_pointer() {
        const auto address =
            reinterpret_cast<std::uintptr_t>(va_arg(list_, void*)); // NOLINT(*-reinterpret-cast)
        print_as({.flags = "016", .kind = 'X'}, "ll", static_cast<unsigned long long>(address));
    }

    /// %s is as wide as the format, %S is not; h and l say which.
    void print_text(Conversion conversion) {
        const bool is_narrow =
            conversion.size == "h" ||
            (conversion.kind == 'S' && conversion.size != "l" && conversion.size != "w");
        std::string text;
        if (is_narrow) {
            const char* narrow = va_arg(list_, const char*);
            text = narrow != nullptr ? narrow : "(null)";
        } else {
            const WCHAR* wide = va_arg(list_, const WCHAR*);
            text = wide != nullptr ? to_utf8(std::u16string_view(wide)) : "(null)";
        }
        if (conversion.flags.empty()) {
            out_ += text;
            return;
        }
        conversion.kind = 's';
        print_as(conversion, "", text.c_str());
    }

    va_list list_;
    std::string out_;
};

} // namespace

} // namespace etl::compat

namespace compat = etl::compat;

extern "C" {

int etl_compat_vfwprintf(FILE* to, const WCHAR* format, va_list list) {
    const std::string text = compat::Printer(list).run(format);
    const std::size_t written = std::fwrite(text.data(), 1, text.size(), to);
    return written == text.size() ? static_cast<int>(written) : -1;
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
    const std::u16string text = etl::to_utf16(compat::Printer(list).run(format));
    if (room == 0) {
        return -1;
    }
    const std::size_t length = std::min(text.size(), room - 1);
    *std::copy_n(text.data(), length, to) = 0;
    return length == text.size() ? static_cast<int>(length) : -1;
}

int etl_compat_swprintf(WCHAR* to, size_t room, const WCHAR* format, ...) {
    va_list list;
    va_start(list, format);
    const int written = etl_compat_vswprintf(to, room, format, list);
    va_end(list);
    return written;
}

} // extern "C"
