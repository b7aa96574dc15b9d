#include "anonymize/names/units.hpp"

#include "base/layout.hpp"

namespace etl::anonymize {

std::u16string folded(Text text) {
    std::u16string lower(text);
    for (char16_t& c : lower) {
        c = folded(c);
    }
    return lower;
}

void load_units(Bytes bytes, UnitSize size, std::u16string& to) {
    if (size == UnitSize::one) {
        to.resize(bytes.size());
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            to[i] = std::to_integer<char16_t>(bytes[i]);
        }
        return;
    }
    to.resize(bytes.size() / 2);
    for (std::size_t i = 0; i < to.size(); ++i) {
        to[i] = load_le<char16_t>(bytes.data() + 2 * i);
    }
}

void store_units(Text units, UnitSize size, MutableBytes to) noexcept {
    for (std::size_t i = 0; i < units.size(); ++i) {
        if (size == UnitSize::one) {
            to[i] = static_cast<std::byte>(units[i]);
        } else {
            store_le(to.data() + 2 * i, units[i]);
        }
    }
}

} // namespace etl::anonymize
