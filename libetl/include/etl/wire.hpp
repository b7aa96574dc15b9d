// Representation of C++ values in TraceLogging events: in type, out type, and bytes. Shared by
// events built at run time and at compile time. Header-only; thread-safe. docs/providers.md#types,
// docs/format/decoding.md#tracelogging
//
// To log a structure as a value, name its members:
//     struct Order { std::uint32_t id; double price; };
//     template <>
//     struct etl::provider::Wire<Order>
//         : etl::provider::Structure<Order, etl::provider::Member<"Id", &Order::id>,
//                                    etl::provider::Member<"Price", &Order::price>> {};
#pragma once

#include <etl/byte_writer.hpp>
#include <etl/field_types.hpp>
#include <etl/record.hpp>
#include <etl/time.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace etl::provider {

/// A port number in native byte order.
struct Port {
    std::uint16_t value = 0;
};

/// The four bytes of an IPv4 address in network byte order.
struct Ipv4 {
    std::array<std::uint8_t, 4> bytes{};
};

struct Ipv6 {
    std::array<std::uint8_t, 16> bytes{};
};

/// SYSTEMTIME.
struct SystemTime {
    std::uint16_t year = 0, month = 0, day_of_week = 0, day = 0;
    std::uint16_t hour = 0, minute = 0, second = 0, milliseconds = 0;
};

/// A security identifier. S-1-5-32-544 is Sid(5, 32, 544).
class Sid {
public:
    static constexpr std::size_t max_subauthorities = 15;

    /// S-1-0-0, the Nobody SID.
    Sid() noexcept : Sid(0, 0) {}

    template <std::integral... Subauthority>
    explicit Sid(std::uint64_t authority, Subauthority... subauthorities) noexcept {
        static_assert(sizeof...(Subauthority) <= max_subauthorities);
        bytes_[0] = std::byte{1};
        bytes_[1] = static_cast<std::byte>(sizeof...(Subauthority));
        for (std::size_t i = 0; i < 6; ++i) { // 48 bits, big-endian
            bytes_[7 - i] = static_cast<std::byte>((authority >> (8 * i)) & 0xFFU);
        }
        (append(static_cast<std::uint32_t>(subauthorities)), ...);
    }

    /// Creates a SID from its binary form; empty if `bytes` is not a SID.
    static std::optional<Sid> from_bytes(Bytes bytes) noexcept {
        if (bytes.size() < head_size) {
            return std::nullopt;
        }
        const auto count = std::to_integer<std::size_t>(bytes[1]);
        if (count > max_subauthorities || bytes.size() != head_size + 4 * count) {
            return std::nullopt;
        }
        Sid sid;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            sid.bytes_[i] = bytes[i];
        }
        sid.size_ = bytes.size();
        return sid;
    }

    Bytes bytes() const noexcept { return Bytes(bytes_).first(size_); }

private:
    static constexpr std::size_t head_size = 8;

    void append(std::uint32_t subauthority) noexcept {
        store_le<std::uint32_t>(bytes_.data() + size_, subauthority);
        size_ += 4;
    }

    std::array<std::byte, head_size + 4 * max_subauthorities> bytes_{};
    std::size_t size_ = head_size;
};

/// A time of std::chrono::system_clock, of any resolution; recognized without <chrono>: no other
/// standard clock has to_time_t.
template <typename T>
concept SystemClockTime = requires(T time) {
    T::clock::to_time_t(typename T::clock::time_point{});
    T::period::num;
    time.time_since_epoch().count();
};

/// Converts a system_clock time to FILETIME, rounded down to 100 ns.
template <SystemClockTime T>
constexpr Filetime to_filetime(T time) {
    constexpr auto divisor = [](std::int64_t a, std::int64_t b) {
        while (b != 0) {
            a = std::exchange(b, a % b);
        }
        return a;
    }(T::period::num * Filetime::per_second, T::period::den);
    constexpr std::int64_t factor = T::period::num * Filetime::per_second / divisor;
    constexpr std::int64_t counts = T::period::den / divisor;
    using Product = decltype(time.time_since_epoch().count() * std::int64_t{1});
    const Product product = time.time_since_epoch().count() * static_cast<Product>(factor);
    const auto ticks = static_cast<std::int64_t>(product / static_cast<Product>(counts));
    const bool is_above = static_cast<Product>(ticks * counts) > product; // cut toward zero
    return {Filetime::unix_epoch + (is_above ? ticks - 1 : ticks)};
}

inline void append_to(ByteWriter& to, Port port) {
    to.u8(static_cast<std::uint8_t>(port.value >> 8U)).u8(static_cast<std::uint8_t>(port.value));
}

inline void append_to(ByteWriter& to, const Ipv4& address) {
    to.bytes(std::as_bytes(std::span(address.bytes)));
}

inline void append_to(ByteWriter& to, const Ipv6& address) {
    to.bytes(std::as_bytes(std::span(address.bytes)));
}

inline void append_to(ByteWriter& to, const SystemTime& time) {
    to.u16(time.year).u16(time.month).u16(time.day_of_week).u16(time.day);
    to.u16(time.hour).u16(time.minute).u16(time.second).u16(time.milliseconds);
}

inline void append_to(ByteWriter& to, const Sid& sid) {
    to.bytes(sid.bytes());
}

inline void append_to(ByteWriter& to, Filetime time) {
    to.value(time.ticks);
}

inline void append_to(ByteWriter& to, const Guid& guid) {
    to.guid(guid);
}

/// Appends UTF-16 units, in a single copy on little-endian machines.
inline void append_to(ByteWriter& to, std::u16string_view text) {
    if constexpr (std::endian::native == std::endian::little) {
        to.bytes(std::as_bytes(std::span(text)));
    } else {
        to.text16(text);
    }
}

template <typename Number>
    requires std::integral<Number> || std::same_as<Number, float> || std::same_as<Number, double>
void append_to(ByteWriter& to, Number number) {
    to.value(number);
}

/// A string literal as a template argument.
template <std::size_t Size>
struct FixedString {
    consteval FixedString(const char (&literal)[Size]) { // NOLINT(google-explicit-constructor)
        for (std::size_t i = 0; i < Size; ++i) {
            text[i] = literal[i];
        }
    }

    constexpr std::string_view view() const noexcept {
        const std::string_view all(text, Size);
        return all.substr(0, all.find('\0'));
    }

    char text[Size]{};
};

/// TraceLogging out types, which have different numbers from TDH's.
enum class Out : std::uint8_t {
    none = 0,
    no_print = 1,
    string = 2,
    boolean = 3,
    hex = 4,
    pid = 5,
    tid = 6,
    port = 7,
    ipv4 = 8,
    ipv6 = 9,
    socket_address = 10,
    xml = 11,
    json = 12,
    win32_error = 13,
    ntstatus = 14,
    hresult = 15,
    filetime = 16,
    as_signed = 17,
    as_unsigned = 18,
    utf8 = 35,
    pkcs7 = 36,
    code_pointer = 37,
    date_time_utc = 38,
};

/// TraceLogging in types: those of manifests, null to counted_binary.
using In = format::InType;

/// The representation of a field of type T. Specializations derive from Scalar, ArrayOf, or
/// Structure and define `static void write(ByteWriter&, const T&)`.
template <typename T>
struct Wire;

/// Types that have a Wire specialization.
template <typename T>
concept Loggable = requires { Wire<T>::in; };

namespace wire {

inline constexpr std::uint8_t fixed_count = 0x20, variable_count = 0x40, custom_count = 0x60;
inline constexpr std::uint8_t more = 0x80;
inline constexpr std::uint32_t max_members = 127;

template <typename To>
constexpr void write_u16(To& to, std::size_t value) {
    to.u8(static_cast<std::uint8_t>(value & 0xFFU));
    to.u8(static_cast<std::uint8_t>((value >> 8U) & 0xFFU));
}

/// Writes UTF-8 up to the first NUL, and a NUL.
template <typename To>
constexpr void write_name(To& to, std::string_view name) {
    for (const char c : name.substr(0, name.find('\0'))) {
        to.u8(static_cast<std::uint8_t>(c));
    }
    to.u8(0);
}

/// Writes 28 bits, seven per byte, high bits first, without trailing zeros.
template <typename To>
constexpr void write_tag(To& to, std::uint32_t tag) {
    constexpr std::uint32_t behind_first = 0x001FFFFF;
    while ((tag & behind_first) != 0) {
        to.u8(static_cast<std::uint8_t>(more | ((tag >> 21U) & 0x7FU)));
        tag <<= 7U;
    }
    to.u8(static_cast<std::uint8_t>((tag >> 21U) & 0x7FU));
}

/// Writes the name, in byte (including count bits), out byte, and tag of a field.
template <typename To>
constexpr void write_head(To& to, std::string_view name, std::uint8_t in, std::uint8_t out,
                          std::uint32_t tag) {
    write_name(to, name);
    const bool has_out = out != 0 || tag != 0;
    to.u8(static_cast<std::uint8_t>(in | (has_out ? more : 0U)));
    if (has_out) {
        to.u8(static_cast<std::uint8_t>(out | (tag != 0 ? more : 0U)));
    }
    if (tag != 0) {
        write_tag(to, tag);
    }
}

/// Writes the definition of a field of type T, including members of structures.
template <Loggable T, typename To>
constexpr void define(To& to, std::string_view name, std::uint32_t tag) {
    static_assert(Wire<T>::depth <= format::max_struct_depth, "structures are nested too deep");
    constexpr auto in =
        static_cast<std::uint8_t>(static_cast<unsigned>(Wire<T>::in) | Wire<T>::count_bits);
    write_head(to, name, in, static_cast<std::uint8_t>(Wire<T>::out), tag);
    if constexpr (Wire<T>::count_bits == fixed_count) {
        write_u16(to, Wire<T>::fixed_size);
    }
    Wire<T>::define_members(to);
}

inline void write_counted(ByteWriter& to, std::string_view text) {
    to.u16(static_cast<std::uint16_t>(text.size())).text8(text);
}

inline void write_counted(ByteWriter& to, std::u16string_view text) {
    to.u16(static_cast<std::uint16_t>(2 * text.size()));
    append_to(to, text);
}

inline void write_counted(ByteWriter& to, Bytes bytes) {
    to.u16(static_cast<std::uint16_t>(bytes.size())).bytes(bytes);
}

// Readers stop at the first terminator, so text after a NUL is not written.
inline void write_terminated(ByteWriter& to, std::string_view text) {
    to.zero_terminated8(text.substr(0, text.find('\0')));
}

inline void write_terminated(ByteWriter& to, std::u16string_view text) {
    append_to(to, text.substr(0, text.find(u'\0')));
    to.u16(0);
}

/// UTF-8: anything convertible to std::string_view; null pointers are empty.
template <typename T>
concept Text8 = std::convertible_to<const T&, std::string_view> ||
                std::convertible_to<const T&, std::u8string_view>;

template <typename T>
concept Text16 = std::convertible_to<const T&, std::u16string_view>;

template <typename T>
constexpr bool is_null(const T& text) noexcept {
    if constexpr (std::is_pointer_v<T>) {
        return text == nullptr;
    } else {
        return false;
    }
}

inline std::string_view as_chars(std::u8string_view text) noexcept {
    // char may alias any object.
    return {reinterpret_cast<const char*>(text.data()), // NOLINT(*-reinterpret-cast)
            text.size()};
}

/// Character arrays end at their first NUL or at the end of the array.
template <Text8 T>
std::string_view view_of(const T& text) noexcept {
    if (is_null(text)) {
        return {};
    }
    if constexpr (std::is_array_v<T>) {
        const std::basic_string_view all(&text[0], std::extent_v<T>);
        const auto cut = all.substr(0, all.find(typename decltype(all)::value_type{}));
        return view_of(cut);
    } else if constexpr (std::convertible_to<const T&, std::string_view>) {
        return text;
    } else {
        return as_chars(text);
    }
}

template <Text16 T>
std::u16string_view view_of(const T& text) noexcept {
    if constexpr (std::is_array_v<T>) {
        const std::u16string_view all(&text[0], std::extent_v<T>);
        return all.substr(0, all.find(u'\0'));
    } else {
        return is_null(text) ? std::u16string_view() : std::u16string_view(text);
    }
}

/// Binary data: contiguous std::byte.
template <typename T>
concept ByteRange = requires(const T& range) {
    requires std::same_as<std::remove_cv_t<std::remove_pointer_t<decltype(std::data(range))>>,
                          std::byte>;
    { std::size(range) } -> std::convertible_to<std::size_t>;
};

/// The elements of a range that knows its size.
template <typename T>
    requires requires(const T& range) {
        std::size(range);
        std::begin(range);
    }
using ElementOf = std::iter_value_t<decltype(std::begin(std::declval<const T&>()))>;

/// Array elements: not arrays, and not null.
template <typename T>
concept Element = Loggable<T> && Wire<T>::count_bits == 0 && Wire<T>::in != In::null;

template <typename T>
concept Sequence = !Text8<T> && !Text16<T> && !ByteRange<T> && Element<ElementOf<T>>;

template <typename T>
concept Number = std::integral<T> && !std::same_as<T, wchar_t> && !std::same_as<T, char8_t> &&
                 !std::same_as<T, char32_t>;

constexpr In in_of_integer(std::size_t size, bool is_signed) noexcept {
    const auto smallest = static_cast<std::uint8_t>(is_signed ? In::int8 : In::uint8);
    const std::uint8_t step = size == 1 ? 0 : size == 2 ? 2 : size == 4 ? 4 : 6;
    return static_cast<In>(smallest + step);
}

} // namespace wire

/// A single value with fixed in and out types.
template <In in_type, Out out_type = Out::none>
struct Scalar {
    static constexpr In in = in_type;
    static constexpr Out out = out_type;
    static constexpr std::uint8_t count_bits = 0;
    static constexpr std::uint16_t fixed_size = 0;
    static constexpr std::uint32_t depth = 0;

    template <typename To>
    static constexpr void define_members(To&) {}
};

/// An array of `Count` elements or, if 0, with the count stored in the event.
template <wire::Element Element, std::size_t Count = 0>
struct ArrayOf {
    static_assert(Count <= std::numeric_limits<std::uint16_t>::max());

    // In::binary is for single values only.
    static constexpr In in =
        Wire<Element>::in == In::binary ? In::counted_binary : Wire<Element>::in;
    static constexpr Out out = Wire<Element>::out;
    static constexpr std::uint8_t count_bits =
        Count == 0 ? wire::variable_count : wire::fixed_count;
    static constexpr std::uint16_t fixed_size = Count;
    static constexpr std::uint32_t depth = Wire<Element>::depth;

    template <typename To>
    static constexpr void define_members(To& to) {
        Wire<Element>::define_members(to);
    }

    template <typename Range>
    static void write(ByteWriter& to, const Range& range) {
        if constexpr (Count == 0) {
            to.u16(static_cast<std::uint16_t>(std::size(range)));
        }
        for (const auto& element : range) {
            Wire<Element>::write(to, element);
        }
    }
};

/// A member of a structure: its name, and a pointer to member or accessor function.
template <FixedString Name, auto Access, std::uint32_t Tag = 0>
struct Member {
    static constexpr std::string_view name = Name.view();
    static constexpr std::uint32_t tag = Tag;

    template <typename T>
    static decltype(auto) get(const T& value) {
        if constexpr (std::is_member_object_pointer_v<decltype(Access)>) {
            return (value.*Access);
        } else if constexpr (std::is_member_function_pointer_v<decltype(Access)>) {
            return (value.*Access)();
        } else {
            return Access(value);
        }
    }

    template <typename T>
    using Type = std::remove_cvref_t<std::invoke_result_t<decltype(Access), const T&>>;

    template <typename T>
    static void write(ByteWriter& to, const T& value) {
        Wire<Type<T>>::write(to, get(value));
    }
};

/// A structure T, defined by its members.
template <typename T, typename... Members>
struct Structure {
    static_assert(sizeof...(Members) > 0, "a structure without members");
    static_assert(sizeof...(Members) <= wire::max_members, "too many members");

    static constexpr In in = In::structure;
    static constexpr Out out = static_cast<Out>(sizeof...(Members));
    static constexpr std::uint8_t count_bits = 0;
    static constexpr std::uint16_t fixed_size = 0;
    static constexpr std::uint32_t depth = [] {
        std::uint32_t deepest = 0;
        for (const std::uint32_t member : {Wire<typename Members::template Type<T>>::depth...}) {
            deepest = member > deepest ? member : deepest;
        }
        return deepest + 1;
    }();

    template <typename To>
    static constexpr void define_members(To& to) {
        (wire::define<typename Members::template Type<T>>(to, Members::name, Members::tag), ...);
    }

    static void write(ByteWriter& to, const T& value) { (Members::write(to, value), ...); }
};

// Specializations of Wire: numbers, text, binary data, times, and wrappers that determine how a
// value is displayed. Header-only; thread-safe. docs/providers.md#types

/// A value with an explicit out type: As<Out::pid, std::uint32_t>{4}.
template <Out how, typename T>
struct As {
    T value;
};

/// Returns an As<how, T> with T deduced from the argument.
template <Out how, typename T>
As<how, std::decay_t<T>> as(const T& value) {
    return {value};
}

using ProcessId = As<Out::pid, std::uint32_t>;
using ThreadId = As<Out::tid, std::uint32_t>;
using Win32Error = As<Out::win32_error, std::uint32_t>;
using NtStatus = As<Out::ntstatus, std::uint32_t>;

struct HResult {
    std::uint32_t value = 0;
};

/// A number in hexadecimal notation.
template <wire::Number T>
struct Hex {
    T value;
};

template <typename T>
Hex(T) -> Hex<T>;

/// A four-byte Boolean, BOOL on Windows.
struct Bool32 {
    bool value = false;
};

/// An address in the logging program.
struct Pointer {
    std::uint64_t value = 0;
};

/// A code address.
struct CodePointer {
    std::uint64_t value = 0;
};

/// A SOCKADDR in its memory layout.
struct SocketAddress {
    Bytes bytes;
};

/// Bytes of any type, including those other than std::byte: Binary(text), Binary(vector_of_uint8).
struct Binary {
    Bytes bytes;

    Binary() = default;

    template <std::ranges::contiguous_range Range>
        requires std::ranges::sized_range<Range> &&
                 (sizeof(std::ranges::range_value_t<Range>) == 1) &&
                 (std::ranges::borrowed_range<Range> || std::is_lvalue_reference_v<Range>)
    explicit Binary(Range&& range) noexcept
        : bytes(std::as_bytes(std::span(std::ranges::data(range), std::size(range)))) {}
};

/// 8-bit text in the code page of the machine, which the event does not record.
struct Ansi {
    std::string_view text;
};

/// NUL-terminated rather than length-prefixed text: std::string_view, std::u16string_view, or Ansi.
/// Text after an embedded NUL is lost.
template <typename View>
struct Terminated {
    View text;
};

/// XML or JSON text.
template <typename View>
struct Xml {
    View text;
};

template <typename View>
struct Json {
    View text;
};

Terminated(const char*) -> Terminated<std::string_view>;
Terminated(const std::string&) -> Terminated<std::string_view>;
Terminated(const char16_t*) -> Terminated<std::u16string_view>;
Terminated(const std::u16string&) -> Terminated<std::u16string_view>;
template <typename View>
Terminated(View) -> Terminated<View>;

Xml(const char*) -> Xml<std::string_view>;
Xml(const std::string&) -> Xml<std::string_view>;
Xml(const char16_t*) -> Xml<std::u16string_view>;
Xml(const std::u16string&) -> Xml<std::u16string_view>;
template <typename View>
Xml(View) -> Xml<View>;

Json(const char*) -> Json<std::string_view>;
Json(const std::string&) -> Json<std::string_view>;
Json(const char16_t*) -> Json<std::u16string_view>;
Json(const std::u16string&) -> Json<std::u16string_view>;
template <typename View>
Json(View) -> Json<View>;

template <>
struct Wire<std::nullptr_t> : Scalar<In::null> {
    static void write(ByteWriter&, std::nullptr_t) {}
};

template <wire::Number T>
struct Wire<T> : Scalar<wire::in_of_integer(sizeof(T), std::is_signed_v<T>)> {
    static void write(ByteWriter& to, T value) { to.value(value); }
};

template <>
struct Wire<bool> : Scalar<In::uint8, Out::boolean> {
    static void write(ByteWriter& to, bool value) { to.u8(value ? 1 : 0); }
};

template <>
struct Wire<char> : Scalar<In::int8, Out::string> {
    static void write(ByteWriter& to, char value) { to.value(value); }
};

template <>
struct Wire<char16_t> : Scalar<In::uint16, Out::string> {
    static void write(ByteWriter& to, char16_t value) { to.u16(value); }
};

template <typename T>
    requires std::is_enum_v<T>
struct Wire<T> : Wire<std::underlying_type_t<T>> {
    static void write(ByteWriter& to, T value) {
        Wire<std::underlying_type_t<T>>::write(to, static_cast<std::underlying_type_t<T>>(value));
    }
};

template <>
struct Wire<float> : Scalar<In::float32> {
    static void write(ByteWriter& to, float value) { to.value(value); }
};

template <>
struct Wire<double> : Scalar<In::float64> {
    static void write(ByteWriter& to, double value) { to.value(value); }
};

/// Values written by append_to.
template <typename T, In in_type, Out out_type = Out::none>
struct Appended : Scalar<in_type, out_type> {
    static void write(ByteWriter& to, const T& value) { append_to(to, value); }
};

template <>
struct Wire<Guid> : Appended<Guid, In::guid> {};

template <>
struct Wire<Filetime> : Appended<Filetime, In::filetime> {};

template <>
struct Wire<SystemTime> : Appended<SystemTime, In::systemtime> {};

template <>
struct Wire<Sid> : Appended<Sid, In::sid> {};

template <>
struct Wire<Port> : Appended<Port, In::uint16, Out::port> {};

template <>
struct Wire<Ipv4> : Appended<Ipv4, In::uint32, Out::ipv4> {};

template <SystemClockTime T>
struct Wire<T> : Scalar<In::filetime> {
    static void write(ByteWriter& to, T time) { append_to(to, to_filetime(time)); }
};

template <>
struct Wire<Ipv6> : Scalar<In::binary, Out::ipv6> {
    static void write(ByteWriter& to, const Ipv6& address) {
        wire::write_counted(to, std::as_bytes(std::span(address.bytes)));
    }
};

template <wire::ByteRange T>
struct Wire<T> : Scalar<In::binary> {
    static void write(ByteWriter& to, const T& bytes) { wire::write_counted(to, Bytes(bytes)); }
};

template <>
struct Wire<Binary> : Scalar<In::binary> {
    static void write(ByteWriter& to, const Binary& binary) {
        wire::write_counted(to, binary.bytes);
    }
};

template <>
struct Wire<SocketAddress> : Scalar<In::binary, Out::socket_address> {
    static void write(ByteWriter& to, const SocketAddress& address) {
        wire::write_counted(to, address.bytes);
    }
};

template <>
struct Wire<HResult> : Scalar<In::int32, Out::hresult> {
    static void write(ByteWriter& to, HResult result) { to.u32(result.value); }
};

template <>
struct Wire<Bool32> : Scalar<In::boolean> {
    static void write(ByteWriter& to, Bool32 boolean) { to.u32(boolean.value ? 1 : 0); }
};

template <>
struct Wire<Pointer> : Scalar<In::pointer> {
    static void write(ByteWriter& to, Pointer pointer) { to.u64(pointer.value); }
};

template <>
struct Wire<CodePointer> : Scalar<In::hex_int64, Out::code_pointer> {
    static void write(ByteWriter& to, CodePointer pointer) { to.u64(pointer.value); }
};

/// Logs the pointer itself, not the object. Wide-character text is not supported.
template <typename T>
    requires(!wire::Text8<T*> && !wire::Text16<T*> && !std::same_as<std::remove_cv_t<T>, wchar_t> &&
             !std::same_as<std::remove_cv_t<T>, char32_t>)
struct Wire<T*> : Scalar<In::hex_int64> {
    static void write(ByteWriter& to, T* pointer) {
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
        to.u64(reinterpret_cast<std::uintptr_t>(pointer));
    }
};

template <typename T>
struct Wire<Hex<T>> : Scalar<sizeof(T) == 8   ? In::hex_int64
                             : sizeof(T) == 4 ? In::hex_int32
                                              : wire::in_of_integer(sizeof(T), std::is_signed_v<T>),
                             sizeof(T) < 4 ? Out::hex : Out::none> {
    static void write(ByteWriter& to, Hex<T> hex) { to.value(hex.value); }
};

template <Out how, typename T>
struct Wire<As<how, T>> : Wire<T> {
    static_assert(Wire<T>::in != In::structure);
    static constexpr Out out = how;

    static void write(ByteWriter& to, const As<how, T>& as) { Wire<T>::write(to, as.value); }
};

template <wire::Text8 T>
struct Wire<T> : Scalar<In::counted_ansi_string, Out::utf8> {
    static void write(ByteWriter& to, const T& text) {
        wire::write_counted(to, wire::view_of(text));
    }
};

template <wire::Text16 T>
struct Wire<T> : Scalar<In::counted_unicode_string> {
    static void write(ByteWriter& to, const T& text) {
        wire::write_counted(to, wire::view_of(text));
    }
};

template <>
struct Wire<Ansi> : Scalar<In::counted_ansi_string> {
    static void write(ByteWriter& to, Ansi ansi) { wire::write_counted(to, ansi.text); }
};

template <>
struct Wire<Terminated<std::string_view>> : Scalar<In::ansi_string, Out::utf8> {
    static void write(ByteWriter& to, Terminated<std::string_view> value) {
        wire::write_terminated(to, value.text);
    }
};

template <>
struct Wire<Terminated<std::u16string_view>> : Scalar<In::unicode_string> {
    static void write(ByteWriter& to, Terminated<std::u16string_view> value) {
        wire::write_terminated(to, value.text);
    }
};

template <>
struct Wire<Terminated<Ansi>> : Scalar<In::ansi_string> {
    static void write(ByteWriter& to, Terminated<Ansi> value) {
        wire::write_terminated(to, value.text.text);
    }
};

/// Text with a specific out type.
template <typename View, Out out_type>
struct MarkedText
    : Scalar<wire::Text16<View> ? In::counted_unicode_string : In::counted_ansi_string, out_type> {
};

template <typename View>
struct Wire<Xml<View>> : MarkedText<View, Out::xml> {
    static void write(ByteWriter& to, const Xml<View>& xml) { wire::write_counted(to, xml.text); }
};

template <typename View>
struct Wire<Json<View>> : MarkedText<View, Out::json> {
    static void write(ByteWriter& to, const Json<View>& json) {
        wire::write_counted(to, json.text);
    }
};

template <wire::Sequence T>
struct Wire<T> : ArrayOf<wire::ElementOf<T>> {};

template <typename Element, std::size_t Count>
    requires wire::Sequence<std::array<Element, Count>>
struct Wire<std::array<Element, Count>> : ArrayOf<Element, Count> {
    static_assert(Count > 0);
};

template <typename Element, std::size_t Count>
    requires wire::Sequence<Element[Count]>
struct Wire<Element[Count]> : ArrayOf<std::remove_cv_t<Element>, Count> {};

template <typename Element, std::size_t Count>
    requires(Count != std::dynamic_extent && wire::Sequence<std::span<Element, Count>>)
struct Wire<std::span<Element, Count>> : ArrayOf<std::remove_cv_t<Element>, Count> {
    static_assert(Count > 0);
};

} // namespace etl::provider
