// Numbers of few bits, packed from the lowest bit on. Private to columnfiles.
#pragma once

#include <cstdint>
#include <string>

namespace etl::columnfiles {

class BitPacker {
public:
    explicit BitPacker(std::string& to) : to_(&to) {}

    /// `width`: 0 to 64; higher bits of the value are 0.
    void add(std::uint64_t value, unsigned width) {
        bits_ |= value << used_;
        if (used_ + width < 64) {
            used_ += width;
            return;
        }
        flush(64);
        bits_ = used_ == 0 ? 0 : value >> (64 - used_);
        used_ = used_ + width - 64;
    }

    /// Completes the last byte with zeros.
    void end() {
        flush(used_);
        bits_ = 0;
        used_ = 0;
    }

private:
    void flush(unsigned bits) {
        for (unsigned i = 0; i < bits; i += 8) {
            to_->push_back(static_cast<char>(bits_ >> i));
        }
    }

    std::string* to_;
    std::uint64_t bits_ = 0;
    unsigned used_ = 0; // 0 to 63
};

} // namespace etl::columnfiles
