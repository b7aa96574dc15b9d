#include "codec/huffman_code.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace etl::codec::huffman {

namespace {

/// A symbol that occurs.
struct Leaf {
    std::uint32_t count;
    std::uint32_t symbol;
};

/// Sorts by count, a byte of it at a time, and keeps the order of equals.
void sort_by_count(std::span<Leaf> leaves) noexcept {
    std::array<Leaf, symbols> sorted;
    std::uint32_t all_bits = 0;
    for (const Leaf& leaf : leaves) {
        all_bits |= leaf.count;
    }
    for (unsigned shift = 0; shift < 32 && all_bits >> shift != 0; shift += 8) {
        std::array<std::uint32_t, 257> places{}; // of each byte, one place on
        for (const Leaf& leaf : leaves) {
            ++places[(leaf.count >> shift & 0xFFU) + 1];
        }
        std::partial_sum(places.begin(), places.end(), places.begin());
        for (const Leaf& leaf : leaves) {
            sorted[places[leaf.count >> shift & 0xFFU]++] = leaf;
        }
        std::copy_n(sorted.begin(), leaves.size(), leaves.begin());
    }
}

using Depths = std::array<std::uint16_t, 2 * symbols>;

/// Depths of the leaves of the Huffman tree over `leaves`, which are sorted and at least two. Of
/// equal weights, leaves come before inner nodes and older ones before newer ones.
void find_depths(std::span<const Leaf> leaves, Depths& depths) noexcept {
    std::array<std::uint64_t, symbols> weights; // of the inner nodes; they ascend as leaves do
    Depths& parents = depths;                   // first; nodes are leaves, then inner nodes
    const std::size_t leaf_count = leaves.size();
    const std::size_t inner_count = leaf_count - 1;
    std::size_t leaf = 0;
    std::size_t inner = 0;
    for (std::size_t made = 0; made < inner_count; ++made) {
        weights[made] = 0;
        for (int child = 0; child < 2; ++child) {
            // The lightest node is one of two.
            const bool from_leaves =
                leaf < leaf_count && (inner == made || leaves[leaf].count <= weights[inner]);
            weights[made] += from_leaves ? leaves[leaf].count : weights[inner];
            parents[from_leaves ? leaf++ : leaf_count + inner++] =
                static_cast<std::uint16_t>(leaf_count + made);
        }
    }
    const std::size_t root = leaf_count + inner_count - 1;
    depths[root] = 0;
    for (std::size_t i = root; i-- > 0;) {
        depths[i] = static_cast<std::uint16_t>(depths[parents[i]] + 1);
    }
}

std::uint64_t cost(const Counts& counts, const CodeLengths& lengths) noexcept {
    std::uint64_t bits = 0;
    for (std::size_t symbol = 0; symbol < symbols; ++symbol) {
        bits += std::uint64_t{counts[symbol]} * lengths[symbol];
    }
    return bits;
}

} // namespace

CodeLengths code_lengths(const Counts& counts) noexcept {
    std::array<Leaf, symbols> all; // the first `used` of them
    std::size_t used = 0;
    for (std::uint32_t symbol = 0; symbol < symbols; ++symbol) {
        all[used] = {counts[symbol], symbol};
        used += counts[symbol] != 0 ? 1U : 0U;
    }
    for (std::uint32_t symbol = 0; used < 2; ++symbol) {
        if (counts[symbol] == 0) {
            all[used++] = {1, symbol};
        }
    }
    const std::span leaves(all.data(), used);
    Depths depths;
    for (bool flattened = false;; flattened = true) {
        sort_by_count(leaves);
        find_depths(leaves, depths);
        if (*std::max_element(depths.begin(), depths.begin() + static_cast<std::ptrdiff_t>(used)) <=
            max_bits) {
            CodeLengths lengths{};
            for (std::size_t i = 0; i < used; ++i) {
                lengths[leaves[i].symbol] = static_cast<std::uint8_t>(depths[i]);
            }
            CodeLengths flat;
            flat.fill(flat_bits);
            return flattened && cost(counts, flat) < cost(counts, lengths) ? flat : lengths;
        }
        // Flatter counts make a flatter tree. At the latest when all are 1 no code is longer than 9
        // bits.
        for (Leaf& leaf : leaves) {
            leaf.count = leaf.count / 2 + 1;
        }
    }
}

Codes codes(const CodeLengths& lengths) noexcept {
    std::array<std::uint32_t, max_bits + 1> next{}; // code of each length
    for (const std::uint8_t bits : lengths) {
        ++next[bits];
    }
    std::uint32_t code = 0;
    next[0] = 0;
    for (unsigned bits = 1; bits <= max_bits; ++bits) {
        code <<= 1U;
        code += std::exchange(next[bits], code);
    }
    Codes result{};
    for (std::size_t symbol = 0; symbol < symbols; ++symbol) {
        if (lengths[symbol] != 0) {
            result[symbol] = static_cast<std::uint16_t>(next[lengths[symbol]]++);
        }
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
