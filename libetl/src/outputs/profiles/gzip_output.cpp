#include "profiles/gzip_output.hpp"

#include <array>
#include <limits>
#include <new>
#include <zlib.h>

namespace etl::profiles {

struct GzipOutput::State {
    z_stream stream{};
    std::array<char, std::size_t{1} << 16U> packed{};
};

GzipOutput::GzipOutput(Output& to) : to_(&to), state_(std::make_unique<State>()) {
    constexpr int gzip = 16 + MAX_WBITS;
    constexpr int memory = 8; // the default of zlib
    if (::deflateInit2(&state_->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip, memory,
                       Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::bad_alloc(); // the parameters are valid
    }
}

GzipOutput::~GzipOutput() {
    ::deflateEnd(&state_->stream);
}

Result<void> GzipOutput::write(std::string_view bytes) {
    constexpr std::size_t max = std::numeric_limits<uInt>::max();
    while (!bytes.empty()) {
        const std::string_view part = bytes.substr(0, max);
        bytes.remove_prefix(part.size());
        // zlib does not write to its input; its interface is older than const.
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast,cppcoreguidelines-pro-type-const-cast)
        state_->stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));
        state_->stream.avail_in = static_cast<uInt>(part.size());
        if (auto written = deflate(Z_NO_FLUSH); !written) {
            return written;
        }
    }
    return {};
}

Result<void> GzipOutput::finish() {
    state_->stream.avail_in = 0;
    return deflate(Z_FINISH);
}

Result<void> GzipOutput::deflate(int flush) {
    auto& packed = state_->packed;
    do {
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
        state_->stream.next_out = reinterpret_cast<Bytef*>(packed.data());
        state_->stream.avail_out = static_cast<uInt>(packed.size());
        ::deflate(&state_->stream, flush);
        const std::size_t size = packed.size() - state_->stream.avail_out;
        if (size != 0) {
            if (auto written = to_->write({packed.data(), size}); !written) {
                return written;
            }
        }
    } while (state_->stream.avail_out == 0);
    return {};
}

} // namespace etl::profiles
