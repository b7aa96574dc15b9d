// Fixed structures on disk: one constexpr table of fields, shared by reader and writer.
// Little-endian on every machine, any alignment. The length of a structure is checked once;
// afterwards the span has a fixed extent, and a field outside it does not compile.
#pragma once

#include <etl/bytes.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <type_traits>

namespace etl {

/// A field of type T at `offset` of its structure.
template <typename T>
struct LayoutField {
    using type = T;
    std::size_t offset;
};

/// Loads one field of a structure whose extent has been checked.
template <auto field, std::size_t N>
    requires(N != std::dynamic_extent)
constexpr auto load(std::span<const std::byte, N> bytes) noexcept {
    using T = typename decltype(field)::type;
    static_assert(field.offset + sizeof(T) <= N, "field lies outside its structure");
    return load_le<T>(bytes.data() + field.offset);
}

/// Stores one field of a structure.
template <auto field, std::size_t N>
    requires(N != std::dynamic_extent)
constexpr void store(std::span<std::byte, N> bytes, typename decltype(field)::type value) noexcept {
    using T = typename decltype(field)::type;
    static_assert(field.offset + sizeof(T) <= N, "field lies outside its structure");
    store_le<T>(bytes.data() + field.offset, value);
}

/// Returns whether the fields, in this order, cover 0 to size without gaps or overlaps.
template <std::size_t size, typename... T>
consteval bool tiles(LayoutField<T>... fields) {
    std::size_t at = 0;
    const bool in_order = ((fields.offset == at ? (at += sizeof(T), true) : false) && ... && true);
    return in_order && at == size;
}

} // namespace etl
