// Providers by Windows' names, for tests: a registration that keeps what its callback is told, a
// filter, and ids of what was written.
#pragma once

#include <etl/guid.hpp>

#include "tests/unit/faces/compat/c_records.hpp"
#include "tests/unit/faces/compat/c_session.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace etl::test {

using namespace etl::literals;

inline constexpr GUID other_provider = {
    0x66666666, 0x7777, 0x8888, {0x99, 0x99, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA}};
inline constexpr GUID some_group = {
    0xBBBBBBBB, 0xCCCC, 0xDDDD, {0xEE, 0xEE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}};
inline constexpr GUID some_source = {0x50, 0x51, 0x52, {1, 2, 3, 4, 5, 6, 7, 8}};
inline constexpr GUID some_activity = {0xAC, 0x71, 0x01, {8, 7, 6, 5, 4, 3, 2, 1}};
inline constexpr Guid some_source_guid = "00000050-0051-0052-0102-030405060708"_guid;
inline constexpr Guid some_activity_guid = "000000ac-0071-0001-0807-060504030201"_guid;

constexpr EVENT_DESCRIPTOR event_of(USHORT id, UCHAR level, ULONGLONG keyword = 1) {
    return {id, 0, 0, level, 0, 0, keyword};
}

/// One call of an enable callback.
struct Notice {
    GUID source{};
    ULONG is_enabled = 99;
    UCHAR level = 0;
    ULONGLONG any = 0, all = 0;
    ULONG filter_type = 0;
    ULONGLONG session_bit = 0;
    std::string filter;
};

/// A registration that keeps what its callback is told. Callbacks come from any thread.
class Provider {
public:
    explicit Provider(const GUID& guid = some_provider) {
        EXPECT_EQ(EventRegister(&guid, on_enable, this, &handle_), 0U);
    }

    Provider(const Provider&) = delete;
    Provider& operator=(const Provider&) = delete;

    ~Provider() { EventUnregister(handle_); }

    REGHANDLE handle() const { return handle_; }

    /// The latest notice once there are `count`; waits for it up to 10 s.
    Notice notice(std::size_t count) {
        for (int i = 0; i < 1000; ++i) {
            {
                const std::lock_guard lock(mutex_);
                if (notices_.size() >= count) {
                    return notices_[count - 1];
                }
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        ADD_FAILURE() << "no notice";
        return {};
    }

    ULONG write(const EVENT_DESCRIPTOR& event) const {
        return EventWrite(handle_, &event, 0, nullptr);
    }

private:
    static VOID on_enable(LPCGUID source, ULONG is_enabled, UCHAR level, ULONGLONG any,
                          ULONGLONG all, PEVENT_FILTER_DESCRIPTOR filter, PVOID context) {
        auto& self = *static_cast<Provider*>(context);
        Notice notice{*source, is_enabled, level, any, all, 0, 0, {}};
        if (filter != nullptr) {
            const auto* data = reinterpret_cast<const char*>(static_cast<ULONG_PTR>(filter->Ptr));
            EVENT_FILTER_HEADER header{};
            std::memcpy(&header, data, sizeof header);
            notice.filter_type = filter->Type;
            notice.session_bit = header.InstanceId;
            notice.filter.assign(data + sizeof header, filter->Size - sizeof header);
        }
        const std::lock_guard lock(self.mutex_);
        self.notices_.push_back(notice);
    }

    REGHANDLE handle_ = 0;
    std::mutex mutex_;
    std::vector<Notice> notices_;
};

/// A schematized filter, as a controller passes it.
struct SchematizedFilter {
    struct {
        EVENT_FILTER_HEADER header{};
        char text[8] = "schema!";
    } data;

    EVENT_FILTER_DESCRIPTOR descriptor{};

    SchematizedFilter() {
        data.header.Size = sizeof data;
        descriptor.Ptr = reinterpret_cast<ULONG_PTR>(&data);
        descriptor.Size = sizeof data;
        descriptor.Type = EVENT_FILTER_TYPE_SCHEMATIZED;
    }
};

inline std::vector<int> ids_in(const std::string& path) {
    std::vector<int> ids;
    for (const Record& record : records_of(path)) {
        ids.push_back(record.header.id);
    }
    return ids;
}

} // namespace etl::test
