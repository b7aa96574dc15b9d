#include "codec/huffman_code.hpp"

#include <algorithm>
#include <compare>
#include <span>

namespace etl::codec::huffman {

namespace {

struct Leaf {
    std::uint32_t count;
    std::uint16_t symbol;

    constexpr auto operator<=>(const Leaf&) const = default;
};

/// Depths of the leaves of the Huffman tree over `leaves`, which are sorted by count and at least
/// two. Of equal weights, leaves come before inner nodes and older ones before newer ones.
std::array<std::uint32_t, symbols> depths(std::span<const Leaf> leaves) {
    struct Node {
        std::uint64_t weight;
        std::size_t parent;
    };

    const std::size_t leaf_count = leaves.size();
    std::array<Node, 2 * symbols> nodes{};
    for (std::size_t i = 0; i < leaf_count; ++i) {
        nodes[i].weight = leaves[i].count;
    }
    // Both the leaves and the inner nodes behind them ascend by weight, so the lightest is one of
    // two.
    std::size_t leaf = 0;
    std::size_t inner = leaf_count;
    const std::size_t root = 2 * leaf_count - 2;
    for (std::size_t made = leaf_count; made <= root; ++made) {
        for (int child = 0; child < 2; ++child) {
            const bool from_leaves =
                leaf < leaf_count && (inner == made || nodes[leaf].weight <= nodes[inner].weight);
            Node& lightest = nodes[from_leaves ? leaf++ : inner++];
            lightest.parent = made;
            nodes[made].weight += lightest.weight;
        }
    }
    std::array<std::uint32_t, 2 * symbols> depth{};
    for (std::size_t i = root; i-- > 0;) {
        depth[i] = depth[nodes[i].parent] + 1;
    }
    std::array<std::uint32_t, symbols> result{};
    std::copy_n(depth.begin(), leaf_count, result.begin());
    return result;
}

} // namespace

CodeLengths code_lengths(const Counts& counts) {
    std::array<Leaf, symbols> all{};
    std::size_t used = 0;
    for (std::size_t symbol = 0; symbol < symbols; ++symbol) {
        if (counts[symbol] != 0) {
            all[used++] = {counts[symbol], static_cast<std::uint16_t>(symbol)};
        }
    }
    for (std::uint16_t symbol = 0; used < 2; ++symbol) {
        if (counts[symbol] == 0) {
            all[used++] = {1, symbol};
        }
    }
    const std::span leaves(all.data(), used);
    CodeLengths lengths{};
    for (;;) {
        std::ranges::sort(leaves);
        const auto depth = depths(leaves);
        if (*std::max_element(depth.begin(), depth.end()) <= max_bits) {
            for (std::size_t i = 0; i < used; ++i) {
                lengths[leaves[i].symbol] = static_cast<std::uint8_t>(depth[i]);
            }
            return lengths;
        }
        // Flatter counts make a flatter tree. At the latest when all are 1 no code is longer than 9
        // bits.
        for (Leaf& leaf : leaves) {
            leaf.count = leaf.count / 2 + 1;
        }
    }
}

Codes codes(const CodeLengths& lengths) noexcept {
    Codes result{};
    std::uint32_t next = 0;
    for (unsigned bits = 1; bits <= max_bits; ++bits) {
        for (std::size_t symbol = 0; symbol < symbols; ++symbol) {
            if (lengths[symbol] == bits) {
                result[symbol] = static_cast<std::uint16_t>(next++);
            }
        }
        next <<= 1U;
    }
    return result;
}

bool Decoder::build(const CodeLengths& lengths) noexcept {
    count_ = {};
    for (const std::uint8_t bits : lengths) {
        ++count_[bits];
    }
    count_[0] = 0;
    std::array<std::uint32_t, max_bits + 1> place{};
    std::uint32_t code = 0;
    std::uint32_t sorted = 0;
    for (unsigned bits = 1; bits <= max_bits; ++bits) {
        code <<= 1U;
        first_code_[bits] = code;
        first_place_[bits] = place[bits] = sorted;
        code += count_[bits];
        sorted += count_[bits];
        if (code > 1U << bits) {
            return false;
        }
    }
    for (std::size_t symbol = 0; symbol < symbols; ++symbol) {
        if (lengths[symbol] != 0) {
            sorted_[place[lengths[symbol]]++] = static_cast<std::uint16_t>(symbol);
        }
    }
    short_codes_.fill({0, 0});
    auto* to = short_codes_.data();
    for (unsigned bits = 1; bits <= short_bits; ++bits) {
        for (std::uint32_t i = 0; i < count_[bits]; ++i) {
            const Symbol symbol{sorted_[first_place_[bits] + i], static_cast<std::uint8_t>(bits)};
            to = std::fill_n(to, std::size_t{1} << (short_bits - bits), symbol);
        }
    }
    return true;
}

Decoder::Symbol Decoder::find_long(std::uint32_t next) const noexcept {
    for (unsigned bits = short_bits + 1; bits <= max_bits; ++bits) {
        const std::uint32_t nth = (next >> (max_bits - bits)) - first_code_[bits];
        if (nth < count_[bits]) {
            return {sorted_[first_place_[bits] + nth], static_cast<std::uint8_t>(bits)};
        }
    }
    return {0, 0};
}

} // namespace etl::codec::huffman
