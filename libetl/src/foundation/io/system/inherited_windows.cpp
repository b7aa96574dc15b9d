#include "io/inherit_rights.hpp"
#include "io/system/inherited.hpp"
#include "io/system/system.hpp"

#include <mutex>

namespace etl::io {

namespace {

struct Current {
    std::mutex mutex;
    std::optional<std::filesystem::file_time_type> time;
};

Current& current() noexcept {
    static Current instance;
    return instance;
}

} // namespace

// Who may read a new file is up to its directory.
void inherit_rights(std::span<const std::string> inputs, Inherit what) {
    std::optional<std::filesystem::file_time_type> time;
    if (what == Inherit::copied_rights && inputs.size() == 1) {
        std::error_code code;
        const auto found = std::filesystem::last_write_time(to_path(inputs.front()), code);
        time = code ? std::nullopt : std::optional(found);
    }
    const std::scoped_lock lock(current().mutex);
    current().time = time;
}

struct InheritedRights::State {};

InheritedRights::InheritedRights(std::span<const std::string> /*inputs*/) {}

InheritedRights::~InheritedRights() = default;

std::optional<Inherited> inherited() {
    return std::nullopt;
}

void inherit(int /*descriptor*/, const Inherited& /*from*/) noexcept {}

void inherit_time(const std::filesystem::path& file) {
    const std::scoped_lock lock(current().mutex);
    if (current().time) {
        std::error_code ignored;
        std::filesystem::last_write_time(file, *current().time, ignored);
    }
}

} // namespace etl::io
