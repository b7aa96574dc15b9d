#include "write/given_members.hpp"

#include <etl/base/hex_pairs.hpp>

#include "write/member_values.hpp"

namespace lines {

using etl::encode::Given;

std::optional<std::uint64_t> whole(const Given& given) noexcept {
    if (given.kind == Given::Kind::integer) {
        return static_cast<std::uint64_t>(given.integer);
    }
    if (given.kind == Given::Kind::unsigned_integer) {
        return given.unsigned_integer;
    }
    return given.kind == Given::Kind::text ? parse_bits(given.text) : std::nullopt;
}

std::optional<std::string_view> text(const Given& given) noexcept {
    return given.kind == Given::Kind::text ? std::optional(given.text) : std::nullopt;
}

std::optional<etl::Guid> guid(const Given& given) noexcept {
    return given.kind == Given::Kind::text ? etl::parse_guid(given.text) : std::nullopt;
}

std::span<const Given> member(std::span<const Given> object, std::string_view name) noexcept {
    for (etl::encode::GivenList at(object); !at.empty(); at.pop_front()) {
        if (at.front().front().name == name) {
            return at.front();
        }
    }
    return {};
}

bool read_hex(std::string_view digits, std::vector<std::byte>& to) {
    to.resize(digits.size() / 2);
    return etl::put_bytes_of_hex(to.data(), digits) != nullptr || digits.empty();
}

} // namespace lines
