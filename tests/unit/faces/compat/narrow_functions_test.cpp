// Functions that end in A: names as 8-bit text (UTF-8), in and out. docs/compat.md#controllers
#include "tests/unit/faces/compat/c_records.hpp"
#include "tests/unit/faces/compat/c_session.hpp"

#include <gtest/gtest.h>

#include <array>

namespace etl::test::narrow_functions_test {
namespace {

using namespace etl::literals;

/// A session that StartTraceA started, until the test is over.
class NarrowSession {
public:
    NarrowSession(std::string name, ULONG mode, const std::string& file) : name_(std::move(name)) {
        PropertyBlock block;
        block->LogFileMode = mode;
        if (!file.empty()) {
            block.narrow_file(file);
        }
        EXPECT_EQ(StartTraceA(&handle_, name_.c_str(), block.get()), 0U);
        EXPECT_EQ(block.narrow_logger_name(), name_);
    }

    NarrowSession(const NarrowSession&) = delete;
    NarrowSession& operator=(const NarrowSession&) = delete;

    ~NarrowSession() {
        PropertyBlock block;
        StopTraceA(handle_, nullptr, block.get());
    }

    TRACEHANDLE handle() const { return handle_; }

    const char* name() const { return name_.c_str(); }

    void write_message(USHORT number) const {
        EXPECT_EQ(TraceMessage(handle_, 0, nullptr, number, nullptr), 0U);
    }

private:
    std::string name_;
    TRACEHANDLE handle_ = 0;
};

std::vector<int> numbers_in(const std::string& path) {
    std::vector<int> numbers;
    for (const Record& record : records_of(path)) {
        numbers.push_back(record.header.id);
    }
    return numbers;
}

TEST(QueryTraceA_, ReturnsCountersAndBothNames) {
    const Folder folder;
    const std::string path = folder / "caf\u00e9.etl";
    const NarrowSession session("Caf\u00e9", EVENT_TRACE_FILE_MODE_SEQUENTIAL, path);
    PropertyBlock block;
    block.narrow_file("");
    ASSERT_EQ(QueryTraceA(0, "CAF\u00c9", block.get()), 0U); // whatever the case
    EXPECT_EQ(block.narrow_logger_name(), "Caf\u00e9");
    EXPECT_EQ(block.narrow_file_name(), path);
    EXPECT_EQ(block->Wnode.HistoricalContext, session.handle());
    EXPECT_EQ(block->BufferSize, 64U);
    EXPECT_EQ(block->BuffersWritten, 1U);
    EXPECT_EQ(block->EventsLost, 0U);
    EXPECT_EQ(QueryTraceA(0, "nosuch", block.get()), ULONG{ERROR_WMI_INSTANCE_NOT_FOUND});
    EXPECT_EQ(QueryTraceA(0, nullptr, block.get()), ULONG{ERROR_INVALID_PARAMETER});
}

TEST(QueryTraceA_, SaysThatANameDoesNotFit) {
    const Folder folder;
    const std::string path = folder / "a.etl";
    const NarrowSession session("T1", EVENT_TRACE_FILE_MODE_SEQUENTIAL, path);
    constexpr ULONG names_at = sizeof(EVENT_TRACE_PROPERTIES);
    PropertyBlock block(names_at + 3 + path.size()); // no terminator
    block->LoggerNameOffset = names_at;
    block->LogFileNameOffset = names_at + 3;
    EXPECT_EQ(QueryTraceA(session.handle(), nullptr, block.get()), ULONG{ERROR_MORE_DATA});
    EXPECT_EQ(block.narrow_logger_name(), "T1");
    PropertyBlock exact(names_at + 3 + path.size() + 1);
    exact->LoggerNameOffset = names_at;
    exact->LogFileNameOffset = names_at + 3;
    EXPECT_EQ(QueryTraceA(session.handle(), nullptr, exact.get()), 0U);
    EXPECT_EQ(exact.narrow_file_name(), path);
}

TEST(UpdateTraceA_, GoesOnInTheFileThatIsNamed) {
    const Folder folder;
    {
        const NarrowSession session("T1", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "first.etl");
        session.write_message(1);
        PropertyBlock block;
        block.narrow_file(folder / "second.etl");
        ASSERT_EQ(UpdateTraceA(0, session.name(), block.get()), 0U);
        EXPECT_EQ(block.narrow_file_name(), folder / "second.etl");
        session.write_message(2);
        EXPECT_EQ(UpdateTraceA(0, session.name(), block.get()), ULONG{ERROR_BAD_PATHNAME})
            << "the file of now";
    }
    EXPECT_EQ(numbers_in(folder / "first.etl"), std::vector{1});
    EXPECT_EQ(numbers_in(folder / "second.etl"), std::vector{2});
}

TEST(UpdateTraceA_, ChangesTimerAndRealTimeAndLeavesTheRest) {
    const NarrowSession session("T1", EVENT_TRACE_REAL_TIME_MODE, "");
    PropertyBlock block;
    block->LogFileMode = EVENT_TRACE_REAL_TIME_MODE;
    block->FlushTimer = 7;
    block->BufferSize = 1024;
    ASSERT_EQ(UpdateTraceA(session.handle(), nullptr, block.get()), 0U);
    EXPECT_EQ(block->FlushTimer, 7U);
    EXPECT_EQ(block->BufferSize, 64U);
}

TEST(FlushTraceA_, PutsWhatWasWrittenIntoTheFile) {
    const Folder folder;
    const NarrowSession session("T1", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "a.etl");
    session.write_message(1);
    EXPECT_TRUE(numbers_in(folder / "a.etl").empty());
    PropertyBlock block;
    ASSERT_EQ(FlushTraceA(session.handle(), nullptr, block.get()), 0U);
    EXPECT_EQ(block->BuffersWritten, 2U);
    EXPECT_EQ(numbers_in(folder / "a.etl"), std::vector{1});
}

TEST(FlushTraceA_, PutsARingIntoTheFileThatIsNamed) {
    const Folder folder;
    const NarrowSession session("Ring", EVENT_TRACE_BUFFERING_MODE, "");
    session.write_message(1);
    PropertyBlock unnamed;
    EXPECT_EQ(FlushTraceA(0, "Ring", unnamed.get()), ULONG{ERROR_BAD_PATHNAME});
    PropertyBlock named;
    named.narrow_file(folder / "ring.etl");
    EXPECT_EQ(FlushTraceA(0, "Ring", named.get()), 0U);
    EXPECT_EQ(numbers_in(folder / "ring.etl"), std::vector{1});
}

TEST(QueryAllTracesA_, ReturnsEverySessionWithItsNames) {
    const Folder folder;
    const NarrowSession one("One", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "one.etl");
    const NarrowSession two("Tw\u00f6", EVENT_TRACE_REAL_TIME_MODE, "");
    std::array<PropertyBlock, 2> blocks;
    std::array<EVENT_TRACE_PROPERTIES*, 2> pointers{};
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        blocks[i].narrow_file("");
        pointers[i] = blocks[i].get();
    }
    ULONG count = 0;
    EXPECT_EQ(QueryAllTracesA(pointers.data(), 1, &count), ULONG{ERROR_MORE_DATA});
    EXPECT_EQ(count, 2U);
    EXPECT_EQ(QueryAllTracesA(pointers.data(), 2, &count), 0U);
    EXPECT_EQ(count, 2U);
    EXPECT_EQ(blocks[0].narrow_logger_name(), "One");
    EXPECT_EQ(blocks[0].narrow_file_name(), folder / "one.etl");
    EXPECT_EQ(blocks[0]->Wnode.HistoricalContext, one.handle());
    EXPECT_EQ(blocks[1].narrow_logger_name(), "Tw\u00f6");
    EXPECT_EQ(blocks[1].narrow_file_name(), "");
    EXPECT_EQ(blocks[1]->LogFileMode, ULONG{EVENT_TRACE_REAL_TIME_MODE});
    EXPECT_EQ(QueryAllTracesA(pointers.data(), 0, &count), ULONG{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(QueryAllTracesA(nullptr, 2, &count), ULONG{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(QueryAllTracesA(pointers.data(), 2, nullptr), ULONG{ERROR_INVALID_PARAMETER});
}

struct Requests {
    std::vector<ULONG> codes;
    TRACEHANDLE session = 0;
    UCHAR level = 0;
    ULONG flags = 0;

    static ULONG WINAPI on_request(WMIDPREQUESTCODE request, PVOID context, ULONG*, PVOID buffer) {
        auto& self = *static_cast<Requests*>(context);
        self.codes.push_back(request);
        self.session = GetTraceLoggerHandle(buffer);
        self.level = GetTraceEnableLevel(self.session);
        self.flags = GetTraceEnableFlags(self.session);
        return ERROR_SUCCESS;
    }
};

TEST(RegisterTraceGuidsA_, IsToldOfAnEarlierEnablementAndRegistersItsClasses) {
    const Folder folder;
    constexpr GUID event_class = {1, 2, 3, {4, 5, 6, 7, 8, 9, 10, 11}};
    {
        const NarrowSession session("T1", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "a.etl");
        ASSERT_EQ(EnableTrace(TRUE, 0x21, 4, &some_provider, session.handle()), 0U);
        Requests requests;
        TRACE_GUID_REGISTRATION classes[] = {{&event_class, nullptr}};
        TRACEHANDLE registration = 0;
        ASSERT_EQ(RegisterTraceGuidsA(Requests::on_request, &requests, &some_provider, 1, classes,
                                      "image.dll", "MofResource", &registration),
                  0U);
        EXPECT_NE(registration, 0U);
        EXPECT_EQ(requests.codes, std::vector<ULONG>{WMI_ENABLE_EVENTS});
        EXPECT_EQ(requests.level, 4);
        EXPECT_EQ(requests.flags, 0x21U);
        ASSERT_NE(classes[0].RegHandle, nullptr);
        EVENT_INSTANCE_INFO instance{};
        EXPECT_EQ(CreateTraceInstanceId(classes[0].RegHandle, &instance), 0U);
        EVENT_INSTANCE_HEADER header{};
        header.Size = sizeof header;
        header.Flags = WNODE_FLAG_TRACED_GUID;
        EXPECT_EQ(TraceEventInstance(requests.session, &header, &instance, nullptr), 0U);
        EXPECT_EQ(UnregisterTraceGuids(registration), 0U);
    }
    const auto records = records_of(folder / "a.etl");
    ASSERT_EQ(records.size(), 1U);
    EXPECT_EQ(records[0].header.provider, "00000001-0002-0003-0405-060708090a0b"_guid)
        << "the class, not the provider";
}

TEST(RegisterTraceGuidsA_, RefusesWhatIsMissing) {
    TRACEHANDLE registration = 1;
    EXPECT_EQ(RegisterTraceGuidsA(nullptr, nullptr, &some_provider, 0, nullptr, nullptr, nullptr,
                                  &registration),
              ULONG{ERROR_INVALID_PARAMETER});
    Requests requests;
    EXPECT_EQ(RegisterTraceGuidsA(Requests::on_request, &requests, nullptr, 0, nullptr, nullptr,
                                  nullptr, &registration),
              ULONG{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(RegisterTraceGuidsA(Requests::on_request, &requests, &some_provider, 0, nullptr,
                                  nullptr, nullptr, nullptr),
              ULONG{ERROR_INVALID_PARAMETER});
}

} // namespace
} // namespace etl::test::narrow_functions_test
