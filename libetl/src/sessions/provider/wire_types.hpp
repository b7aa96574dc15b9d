// Specializations of Wire: numbers, text, binary data, times, and wrappers that determine how a
// value is displayed. Header-only; thread-safe. docs/providers.md#types
#pragma once

#include "provider/wire.hpp"

namespace etl::provider {

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
        : bytes(std::as_bytes(std::span(std::ranges::data(range), std::ranges::size(range)))) {}
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

template <typename Duration>
struct Wire<std::chrono::time_point<std::chrono::system_clock, Duration>> : Scalar<In::filetime> {
    static void write(ByteWriter& to,
                      std::chrono::time_point<std::chrono::system_clock, Duration> time) {
        append_to(to, to_filetime(time));
    }
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
struct Wire<T> : ArrayOf<std::remove_cv_t<std::ranges::range_value_t<const T>>> {};

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
