// Conversions between types of C and of C++, and structures that grow. Private to capi.
#pragma once

#include <etl/guid.hpp>

#include "capi/errors.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace etl::capi {

inline etl_text text_of(std::string_view text) noexcept {
    return {text.data() != nullptr ? text.data() : "", text.size()};
}

inline etl_bytes bytes_of(Bytes bytes) noexcept {
    static constexpr std::byte none{};
    return {bytes.data() != nullptr ? bytes.data() : &none, bytes.size()};
}

inline Bytes bytes_of(const void* data, std::size_t size) noexcept {
    return {static_cast<const std::byte*>(data), data != nullptr ? size : 0};
}

inline etl_guid guid_of(const Guid& guid) noexcept {
    etl_guid result{};
    std::memcpy(result.bytes, guid.bytes.data(), sizeof result.bytes);
    return result;
}

inline Guid guid_of(const etl_guid& guid) noexcept {
    Guid result;
    std::memcpy(result.bytes.data(), guid.bytes, sizeof guid.bytes);
    return result;
}

/// Null is empty.
inline std::string_view view_of(const char* text) noexcept {
    return text != nullptr ? std::string_view(text) : std::string_view();
}

inline std::vector<std::string> list_of(const char* const* texts, std::size_t count) {
    std::vector<std::string> list;
    for (std::size_t i = 0; texts != nullptr && i < count; ++i) {
        list.emplace_back(view_of(texts[i]));
    }
    return list;
}

/// Structures of the interface: their first member is the size that the caller knows.
template <typename T>
concept Sized = std::is_trivially_copyable_v<T> && requires(T value) { value.struct_size; };

/// Reads a structure of a caller that may know fewer members, or more. Null is the default: zeros.
template <Sized T>
std::expected<T, etl_error> read_sized(const T* given) {
    T known{};
    if (given == nullptr) {
        return known;
    }
    const std::size_t size = given->struct_size;
    if (size < sizeof(std::size_t)) {
        return failed(ETL_INVALID_ARGUMENT, "struct_size is not set");
    }
    const auto* const bytes = static_cast<const unsigned char*>(static_cast<const void*>(given));
    std::memcpy(&known, bytes, std::min(size, sizeof known));
    const bool asks_for_more =
        size > sizeof known &&
        std::ranges::any_of(std::span(bytes + sizeof known, size - sizeof known),
                            [](unsigned char byte) { return byte != 0; });
    if (asks_for_more) {
        return failed(ETL_UNSUPPORTED, "an option that this version of the library does not have");
    }
    return known;
}

/// Fills as much of a structure as the caller knows.
template <Sized T>
Outcome write_sized(T* to, T value) {
    const std::size_t size = to->struct_size;
    if (size < sizeof(std::size_t)) {
        return failed(ETL_INVALID_ARGUMENT, "struct_size is not set");
    }
    value.struct_size = size;
    std::memcpy(static_cast<void*>(to), &value, std::min(size, sizeof value));
    return ETL_OK;
}

} // namespace etl::capi
