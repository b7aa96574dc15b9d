// Compression of many small blocks with one context. Private to columnfiles.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct ZSTD_CCtx_s;

namespace etl::columnfiles {

class Zstd {
public:
    Zstd();
    ~Zstd();

    /// Appends a frame. Returns its size.
    std::size_t append(std::string& to, std::string_view bytes);

    /// Returns a frame. Valid until the next call.
    std::string_view compress(std::string_view bytes);

    Zstd(const Zstd&) = delete;
    Zstd& operator=(const Zstd&) = delete;

private:
    ZSTD_CCtx_s* context_;
    std::string frame_;
};

} // namespace etl::columnfiles
