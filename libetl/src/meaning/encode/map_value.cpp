#include "encode/map_value.hpp"

#include "encode/numbers.hpp"

namespace etl::encode {

namespace {

constexpr std::string_view joint = " | ";

/// A text of bits, taken apart from the front.
class Bits {
public:
    Bits(const schema::ValueMap& map, std::string_view text) noexcept : map_(map), left_(text) {}

    std::optional<std::uint64_t> read() noexcept {
        while (!is_done_) {
            if (!take_entry() && !take_number()) {
                return std::nullopt;
            }
        }
        return value_;
    }

private:
    // Entries are written in their order, so that the search goes on where it was; the order of
    // people is another one.
    bool take_entry() noexcept {
        const std::size_t count = map_.entries.size();
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t at = next_ + i < count ? next_ + i : next_ + i - count;
            const auto& [mask, text] = map_.entries[at];
            if (take(text)) {
                value_ |= mask;
                next_ = at + 1 < count ? at + 1 : 0;
                return true;
            }
        }
        return false;
    }

    bool take_number() noexcept {
        const std::string_view text = left_.substr(0, left_.find(joint));
        const auto number = read_whole(text);
        if (!number || number->is_negative) {
            return false;
        }
        value_ |= number->bits;
        return take(text);
    }

    // What is taken reaches to a joint, or to the end.
    bool take(std::string_view text) noexcept {
        if (!left_.starts_with(text)) {
            return false;
        }
        const std::string_view behind = left_.substr(text.size());
        if (!behind.empty() && !behind.starts_with(joint)) {
            return false;
        }
        is_done_ = behind.empty();
        left_ = is_done_ ? behind : behind.substr(joint.size());
        return true;
    }

    const schema::ValueMap& map_;
    std::string_view left_;
    std::uint64_t value_ = 0;
    std::size_t next_ = 0;
    bool is_done_ = false;
};

} // namespace

std::optional<std::uint64_t> map_value(const schema::ValueMap& map,
                                       std::string_view text) noexcept {
    for (const auto& [value, known] : map.entries) {
        if (known == text) {
            return value;
        }
    }
    return map.kind == schema::ValueMap::Kind::bits ? Bits(map, text).read() : std::nullopt;
}

} // namespace etl::encode
