// Output interface, implemented by files, pipes, and strings.
#pragma once

#include <etl/error.hpp>

#include <string>
#include <string_view>

namespace etl {

class Output {
public:
    virtual ~Output() = default;
    /// Writes all of `bytes` or fails. Errors: io_failure.
    virtual Result<void> write(std::string_view bytes) = 0;
};

/// Collects the output in a string.
class StringOutput final : public Output {
public:
    Result<void> write(std::string_view bytes) override {
        text_.append(bytes);
        return {};
    }

    const std::string& text() const noexcept { return text_; }

private:
    std::string text_;
};

/// Discards the output; counts its bytes.
class NullOutput final : public Output {
public:
    Result<void> write(std::string_view bytes) override {
        bytes_ += bytes.size();
        return {};
    }

    std::uint64_t bytes() const noexcept { return bytes_; }

private:
    std::uint64_t bytes_ = 0;
};

} // namespace etl
