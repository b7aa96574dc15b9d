// Text on its way to an output, in large pieces. Private to profiles.
#pragma once

#include "base/output.hpp"

#include <optional>
#include <string>
#include <utility>

namespace etl::profiles {

/// After an error, what is appended is dropped.
class Batches {
public:
    explicit Batches(Output& output) : output_(&output) {}

    /// What was not written yet; append to it.
    std::string& text() noexcept { return text_; }

    /// Writes the text if there is enough of it.
    void write_batch() {
        if (text_.size() >= batch) {
            flush();
        }
    }

    void flush() {
        if (!text_.empty() && !error_) {
            if (const auto written = output_->write(text_); !written) {
                error_ = written.error();
            }
        }
        text_.clear();
    }

    const Error* error() const noexcept { return error_ ? &*error_ : nullptr; }

private:
    static constexpr std::size_t batch = 1U << 18U;

    Output* output_;
    std::string text_;
    std::optional<Error> error_;
};

} // namespace etl::profiles
