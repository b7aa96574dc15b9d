// What tests of whole sessions share: a folder of their own, a provider that counts, what a file
// holds afterwards.
#pragma once

#include <etl/guid.hpp>
#include <etl/session.hpp>

#include "format/event_header.hpp"
#include "format/known_guids.hpp"
#include "format/records.hpp"
#include "io/input_file.hpp"
#include "tests/support/traces/written.hpp"
#include "tests/unit/sessions/session/guids.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

namespace etl::session {

/// A folder for the files of one test, gone with it.
class TestFolder {
public:
    TestFolder()
        : path_(std::filesystem::temp_directory_path() /
                ("etl-session-" + std::to_string(::getpid()) + "-" + std::to_string(next_++))) {
        std::filesystem::create_directories(path_);
    }

    TestFolder(const TestFolder&) = delete;
    TestFolder& operator=(const TestFolder&) = delete;

    ~TestFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    std::string operator/(const std::string& name) const { return (path_ / name).string(); }

    std::vector<std::string> names() const {
        std::set<std::string> sorted;
        for (const auto& entry : std::filesystem::directory_iterator(path_)) {
            sorted.insert(entry.path().filename().string());
        }
        return {sorted.begin(), sorted.end()};
    }

private:
    static inline std::atomic<unsigned> next_{0};
    std::filesystem::path path_;
};

/// What is in a file on the disk, as a reader and `etl check` see it.
inline test::Written written_to(const std::string& path) {
    auto file = io::InputFile::map(path);
    if (!file) {
        test::Written nothing;
        nothing.error = file.error();
        return nothing;
    }
    const Bytes bytes = (*file)->bytes();
    return test::read_written({bytes.begin(), bytes.end()});
}

/// Whether a record is one of those about enabled providers, which each file contains.
inline bool is_enablement(Bytes record) {
    using format::event_record::provider_id;
    return record.size() > format::event_record::size &&
           load_le<Guid>(record.data() + provider_id.offset) == format::kernel_event_tracing_guid;
}

/// What programs wrote.
template <typename Content>
Content without_enablements(Content content) {
    for (auto& [processor, records] : content.streams) {
        std::erase_if(records, [](const auto& record) { return is_enablement(record); });
    }
    std::erase_if(content.streams, [](const auto& stream) { return stream.second.empty(); });
    return content;
}

/// Numbers that write_number wrote, in the order of the file.
inline std::vector<std::uint32_t> numbers_in(const test::Written& written) {
    constexpr std::size_t header_size = 0x50;
    std::vector<std::uint32_t> numbers;
    for (const auto& [processor, records] : written.streams) {
        for (const test::Image& record : records) {
            if (record.size() >= header_size + 4 && !is_enablement(record)) {
                std::uint32_t number = 0;
                std::memcpy(&number, record.data() + record.size() - 8, 4);
                numbers.push_back(number);
            }
        }
    }
    return numbers;
}

inline WriteResult write_number(const Registration& provider, std::uint32_t number,
                                std::size_t size = 8) {
    static constexpr format::EventDescriptor counted{.id = 1, .level = 4, .keyword = 1};
    std::vector<std::byte> payload(size);
    std::memcpy(payload.data() + size - 8, &number, 4);
    const std::array parts{Bytes(payload)};
    return provider.write(counted, parts);
}

/// The result of a call that may fail, as the name of its status.
template <typename T>
std::string said(const Outcome<T>& outcome) {
    return std::string(name(outcome ? Status::success : outcome.error().status));
}

/// Calls of `watch` that tests look at.
class SeenEvents {
public:
    SessionObserver watch() {
        return [this](const SessionEvent& event) {
            const std::lock_guard lock(mutex_);
            events_.push_back(event);
        };
    }

    std::size_t count(SessionEvent::Kind kind) const {
        const std::lock_guard lock(mutex_);
        return static_cast<std::size_t>(std::ranges::count(events_, kind, &SessionEvent::kind));
    }

    std::optional<SessionEvent> last(SessionEvent::Kind kind) const {
        const std::lock_guard lock(mutex_);
        for (auto at = events_.rbegin(); at != events_.rend(); ++at) {
            if (at->kind == kind) {
                return *at;
            }
        }
        return std::nullopt;
    }

private:
    mutable std::mutex mutex_;
    std::vector<SessionEvent> events_;
};

} // namespace etl::session
