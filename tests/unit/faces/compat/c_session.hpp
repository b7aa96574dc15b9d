// Sessions by Windows' names, for tests: a block of properties with names behind it, a session that
// is stopped when the test is over, files in a folder of the test's own.
#pragma once

#include <etl/compat/evntcons.h>

#include "base/text.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace etl::test {

/// Of the object alone, and goes with it.
class Folder {
public:
    Folder()
        : path_(std::filesystem::path(testing::TempDir()) /
                ("etl-compat-" + std::to_string(::getpid()) + '-' + std::to_string(++count))) {
        std::filesystem::create_directories(path_);
    }

    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    std::string operator/(std::string_view name) const { return (path_ / name).string(); }

private:
    static inline std::atomic<int> count{0};
    std::filesystem::path path_;
};

/// EVENT_TRACE_PROPERTIES with room for names. Exactly as large as it says.
class PropertyBlock {
public:
    static constexpr std::size_t usual_size = sizeof(EVENT_TRACE_PROPERTIES) + 0x90 + 8192;

    explicit PropertyBlock(std::size_t size = usual_size) : memory_(std::max(size, min) / 8 + 1) {
        fixed().Wnode.BufferSize = static_cast<ULONG>(size);
        fixed().Wnode.Flags = WNODE_FLAG_TRACED_GUID;
        fixed().Wnode.ClientContext = 1;
        fixed().BufferSize = 64;
        fixed().LoggerNameOffset = 0x78;
    }

    EVENT_TRACE_PROPERTIES& fixed() {
        return *reinterpret_cast<EVENT_TRACE_PROPERTIES*>(memory_.data());
    }

    EVENT_TRACE_PROPERTIES* operator->() { return &fixed(); }

    EVENT_TRACE_PROPERTIES* get() { return &fixed(); }

    std::byte* at(std::size_t offset) {
        return reinterpret_cast<std::byte*>(memory_.data()) + offset;
    }

    /// Puts a file's name at `offset` as far as there is room.
    PropertyBlock& file(std::string_view name,
                        ULONG offset = sizeof(EVENT_TRACE_PROPERTIES) + 2048) {
        fixed().LogFileNameOffset = offset;
        const std::u16string wide = to_utf16(name);
        const std::size_t bytes = (wide.size() + 1) * sizeof(WCHAR);
        const std::size_t size = fixed().Wnode.BufferSize;
        if (offset < size) {
            std::memcpy(at(offset), wide.c_str(), std::min(bytes, size - offset));
        }
        return *this;
    }

    /// The same for functions that end in A.
    PropertyBlock& narrow_file(std::string_view name,
                               ULONG offset = sizeof(EVENT_TRACE_PROPERTIES) + 2048) {
        fixed().LogFileNameOffset = offset;
        std::memcpy(at(offset), std::string(name).c_str(), name.size() + 1);
        return *this;
    }

    std::string narrow_text_at(ULONG offset) { return reinterpret_cast<const char*>(at(offset)); }

    std::string narrow_logger_name() { return narrow_text_at(fixed().LoggerNameOffset); }

    std::string narrow_file_name() { return narrow_text_at(fixed().LogFileNameOffset); }

    std::u16string text_at(ULONG offset) { return reinterpret_cast<const WCHAR*>(at(offset)); }

    std::u16string logger_name() { return text_at(fixed().LoggerNameOffset); }

    std::u16string file_name() { return text_at(fixed().LogFileNameOffset); }

private:
    static constexpr std::size_t min = sizeof(EVENT_TRACE_PROPERTIES_V2);

    std::vector<ULONGLONG> memory_; // aligned as the structure is
};

/// Runs until the test is over.
class CSession {
public:
    explicit CSession(std::u16string name = u"T1", ULONG mode = EVENT_TRACE_REAL_TIME_MODE,
                      std::string_view file = {})
        : name_(std::move(name)) {
        PropertyBlock properties;
        properties->LogFileMode = mode;
        if (!file.empty()) {
            properties.file(file);
        }
        start(properties);
    }

    CSession(std::u16string name, PropertyBlock& properties) : name_(std::move(name)) {
        start(properties);
    }

    CSession(const CSession&) = delete;
    CSession& operator=(const CSession&) = delete;

    ~CSession() { stop(); }

    ULONG status() const { return status_; }

    TRACEHANDLE handle() const { return handle_; }

    ULONG stop() {
        PropertyBlock properties;
        return handle_ == 0 ? ULONG{ERROR_SUCCESS}
                            : ControlTraceW(std::exchange(handle_, 0), nullptr, properties.get(),
                                            EVENT_TRACE_CONTROL_STOP);
    }

private:
    void start(PropertyBlock& properties) {
        status_ = StartTraceW(&handle_, name_.c_str(), properties.get());
    }

    std::u16string name_;
    TRACEHANDLE handle_ = 0;
    ULONG status_ = 0;
};

inline constexpr GUID some_provider = {
    0x11111111, 0x2222, 0x3333, {0x44, 0x44, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55}};

} // namespace etl::test
