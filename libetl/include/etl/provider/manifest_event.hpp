// Events of manifests: a descriptor and the bytes of a payload. What headers made by
// `etl schema header` stand on. One thread. Header-only. docs/providers.md#manifests
#pragma once

#include <etl/format/limits.hpp>
#include <etl/provider/provider.hpp>
#include <etl/provider/value_types.hpp>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <span>
#include <type_traits>

namespace etl::provider {

/// One event with its payload, ready to be written.
class Event {
public:
    const Guid& provider() const noexcept { return provider_; }

    const EventDescriptor& descriptor() const noexcept { return descriptor_; }

    Bytes payload() const noexcept { return payload_.view(); }

    /// The event as a record, which points into this object. An event that is too large is found by
    /// format::encode (limit).
    format::EventRecord record(const EventContext& stamp) const& noexcept {
        return record_of(provider_, descriptor_, stamp, payload_.view());
    }

    format::EventRecord record(const EventContext& stamp) const&& = delete;

    /// Becomes an event without payload, and gives the place for one. Keeps its memory.
    ByteWriter& begin(const Guid& provider, const EventDescriptor& descriptor) noexcept {
        provider_ = provider;
        descriptor_ = descriptor;
        payload_.clear();
        return payload_;
    }

private:
    Guid provider_;
    EventDescriptor descriptor_;
    ByteWriter payload_;
};

/// Writes values as the code that Windows' message compiler generates does: packed, text with its
/// terminator unless its length is told elsewhere. docs/format/decoding.md#types
class PayloadWriter {
public:
    explicit PayloadWriter(ByteWriter& to) noexcept : to_(&to) {}

    /// Numbers, GUIDs and the types of value_types.hpp, as wide as they are.
    template <typename T>
        requires requires(ByteWriter& to, const T& value) { append_to(to, value); }
    PayloadWriter& value(const T& value) {
        append_to(*to_, value);
        return *this;
    }

    /// A number, boolean or enumeration as wide as T.
    template <typename T, typename From>
    PayloadWriter& value_as(From value) {
        return this->value(static_cast<T>(value));
    }

    /// Text up to its first NUL, and a NUL.
    PayloadWriter& terminated(std::u16string_view text) {
        append_to(*to_, text.substr(0, text.find(u'\0')));
        to_->u16(0);
        return *this;
    }

    PayloadWriter& terminated(std::string_view text) {
        to_->zero_terminated8(text.substr(0, text.find('\0')));
        return *this;
    }

    /// A u16 with the number of bytes, and the text or data.
    PayloadWriter& counted(std::u16string_view text) {
        to_->u16(static_cast<std::uint16_t>(2 * text.size()));
        append_to(*to_, text);
        return *this;
    }

    PayloadWriter& counted(std::string_view text) {
        to_->u16(static_cast<std::uint16_t>(text.size())).text8(text);
        return *this;
    }

    PayloadWriter& counted(Bytes data) {
        to_->u16(static_cast<std::uint16_t>(data.size())).bytes(data);
        return *this;
    }

    /// Data up to the end of the payload.
    PayloadWriter& rest(Bytes data) {
        to_->bytes(data);
        return *this;
    }

    /// Text or data of a length that is told elsewhere: cut, or filled up with zeros.
    PayloadWriter& sized(std::u16string_view text, std::size_t units) {
        append_to(*to_, text.substr(0, units));
        to_->fill(2 * (units - std::min(units, text.size())));
        return *this;
    }

    PayloadWriter& sized(std::string_view text, std::size_t bytes) {
        return sized(std::as_bytes(std::span(text)), bytes);
    }

    PayloadWriter& sized(Bytes data, std::size_t bytes) {
        to_->bytes(clamped(data, 0, bytes));
        to_->fill(bytes - std::min(bytes, data.size()));
        return *this;
    }

    /// `count` elements, each written by `write`; those that `values` lacks are empty.
    template <typename T, std::size_t Extent, typename Write>
    PayloadWriter& each(std::span<const T, Extent> values, std::size_t count, Write write) {
        for (std::size_t i = 0; i < count; ++i) {
            write(i < values.size() ? values[i] : std::remove_cv_t<T>{});
        }
        return *this;
    }

private:
    ByteWriter* to_;
};

/// What a field of type T tells as length or count of the fields that it is for: the largest of
/// theirs, as far as T and the payload of an event can hold it.
template <typename T>
constexpr std::size_t length_for(std::initializer_list<std::size_t> sizes) noexcept {
    static_assert(std::is_integral_v<T>);
    constexpr auto most = std::min<std::uint64_t>(
        static_cast<std::uint64_t>(std::numeric_limits<T>::max()), limits::payload_bytes + 1);
    return std::min(std::max(sizes), static_cast<std::size_t>(most));
}

/// The size of the largest of `values`.
template <typename T, std::size_t Extent>
constexpr std::size_t max_size(std::span<const T, Extent> values) noexcept {
    std::size_t size = 0;
    for (const T& value : values) {
        size = std::max(size, value.size());
    }
    return size;
}

} // namespace etl::provider
