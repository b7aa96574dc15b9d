// The writers of the formats, and what they share. Private to profiles.
#pragma once

#include "analysis/activity.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "profiles/profile.hpp"

#include <optional>
#include <string>
#include <utility>

namespace etl::profiles {

// The writers of the formats.

std::unique_ptr<ProfileWriter> make_pprof(Output& output, ProfileOptions options);
std::unique_ptr<ProfileWriter> make_speedscope(Output& output, ProfileOptions options);
std::unique_ptr<ProfileWriter> make_chrome(Output& output, ProfileOptions options);
std::unique_ptr<ProfileWriter> make_firefox(Output& output, ProfileOptions options);
std::unique_ptr<ProfileWriter> make_perfetto(Output& output, ProfileOptions options);

// Text on its way to an output, in large pieces.

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

// Names of threads and processes as text.

/// `kettle.exe`; `process 100` if its name is unknown; `unknown process`.
inline std::string process_name(const analysis::Owner& owner) {
    if (owner.name) {
        return *owner.name;
    }
    return owner.pid ? "process " + std::to_string(*owner.pid) : std::string("unknown process");
}

/// `kettle.exe (100) thread 104 main`; `DPC`.
inline std::string thread_title(const analysis::ActivityContext& context, analysis::ThreadRow row) {
    const analysis::ActivityThread& thread = (*context.threads)[row];
    const analysis::Owner& owner = context.owner_of(thread);
    std::string title = process_name(owner);
    if (owner.pid && owner.name) {
        title += " (" + std::to_string(*owner.pid) + ")";
    }
    if (thread.id) {
        title += " thread " + std::to_string(*thread.id);
    }
    if (!thread.name.empty()) {
        title += ' ' + thread.name;
    }
    return title;
}

} // namespace etl::profiles
