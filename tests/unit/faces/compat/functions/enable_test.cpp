// The rows of the table of enabling that are about handles, versions and descriptors of the C form.
// The others: tests/unit/session. docs/sessions.md#enabling
#include "tests/unit/faces/compat/c_session.hpp"

#include <gtest/gtest.h>

#include <array>

namespace etl::test::enable_test {
namespace {

constexpr ULONG refused = ERROR_INVALID_PARAMETER;

class EnableTraceEx2_ : public testing::Test {
protected:
    ULONG enable(ULONG code = EVENT_CONTROL_CODE_ENABLE_PROVIDER,
                 ENABLE_TRACE_PARAMETERS* parameters = nullptr) const {
        return EnableTraceEx2(session.handle(), &some_provider, code, TRACE_LEVEL_INFORMATION, 0, 0,
                              0, parameters);
    }

    ULONG enable(EVENT_FILTER_DESCRIPTOR* filters, ULONG count) const {
        ENABLE_TRACE_PARAMETERS parameters{};
        parameters.Version = ENABLE_TRACE_PARAMETERS_VERSION_2;
        parameters.EnableFilterDesc = filters;
        parameters.FilterDescCount = count;
        return enable(EVENT_CONTROL_CODE_ENABLE_PROVIDER, &parameters);
    }

    static EVENT_FILTER_DESCRIPTOR filter(ULONG type, const void* data, std::size_t size) {
        EVENT_FILTER_DESCRIPTOR made{};
        made.Ptr = reinterpret_cast<ULONG_PTR>(data);
        made.Size = static_cast<ULONG>(size);
        made.Type = type;
        return made;
    }

    const CSession session;
    std::array<std::byte, 8192> data{};
};

TEST_F(EnableTraceEx2_, RefusesNoSession) { // V193
    EXPECT_EQ(EnableTraceEx2(0, &some_provider, 1, 4, 0, 0, 0, nullptr), refused);
    EXPECT_EQ(EnableTraceEx2(0x7777, &some_provider, 1, 4, 0, 0, 0, nullptr), refused);
}

TEST_F(EnableTraceEx2_, RefusesNoProvider) { // V194
    EXPECT_EQ(EnableTraceEx2(session.handle(), nullptr, 1, 4, 0, 0, 0, nullptr), refused);
}

TEST_F(EnableTraceEx2_, RefusesUnknownControlCodes) { // V195
    EXPECT_EQ(enable(3), refused);
}

TEST_F(EnableTraceEx2_, TakesProvidersThatAreNotRegistered) { // V196
    EXPECT_EQ(enable(), 0U);
}

TEST_F(EnableTraceEx2_, DisablesAndCapturesWhatIsNotEnabledWithoutAWord) {
    EXPECT_EQ(enable(EVENT_CONTROL_CODE_DISABLE_PROVIDER), 0U);
    EXPECT_EQ(enable(EVENT_CONTROL_CODE_CAPTURE_STATE), 0U);
}

TEST_F(EnableTraceEx2_, RefusesUnknownVersions) {
    ENABLE_TRACE_PARAMETERS parameters{};
    EXPECT_EQ(enable(1, &parameters), refused);
    parameters.Version = 3;
    EXPECT_EQ(enable(1, &parameters), refused);
    parameters.Version = ENABLE_TRACE_PARAMETERS_VERSION;
    EXPECT_EQ(enable(1, &parameters), 0U);
}

TEST_F(EnableTraceEx2_, RefusesTheSameFilterTwice) { // V203
    const ULONG pid = GetCurrentProcessId();
    std::array two{filter(EVENT_FILTER_TYPE_PID, &pid, sizeof pid),
                   filter(EVENT_FILTER_TYPE_PID, &pid, sizeof pid)};
    EXPECT_EQ(enable(two.data(), 2), refused);
    EXPECT_EQ(enable(two.data(), 1), 0U);
}

TEST_F(EnableTraceEx2_, RefusesMoreThanEightProcesses) { // V204
    auto nine = filter(EVENT_FILTER_TYPE_PID, data.data(), 9 * sizeof(ULONG));
    EXPECT_EQ(enable(&nine, 1), refused);
}

TEST_F(EnableTraceEx2_, RefusesMoreThanSixtyFourEventIds) { // V205
    EVENT_FILTER_EVENT_ID header{};
    header.FilterIn = TRUE;
    header.Count = 65;
    std::memcpy(data.data(), &header, sizeof header);
    auto many = filter(EVENT_FILTER_TYPE_EVENT_ID, data.data(), 4 + 65 * sizeof(USHORT));
    EXPECT_EQ(enable(&many, 1), refused);
}

TEST_F(EnableTraceEx2_, RefusesSchematizedDataOf1025Bytes) { // V206
    auto large = filter(EVENT_FILTER_TYPE_SCHEMATIZED, data.data(), 1025);
    EXPECT_EQ(enable(&large, 1), refused);
}

TEST_F(EnableTraceEx2_, RefusesPayloadFiltersOf4097Bytes) { // V207
    auto large = filter(EVENT_FILTER_TYPE_PAYLOAD, data.data(), 4097);
    EXPECT_EQ(enable(&large, 1), refused);
}

TEST_F(EnableTraceEx2_, RefusesFourteenFilters) { // V208
    std::array<EVENT_FILTER_DESCRIPTOR, 14> many{};
    EXPECT_EQ(enable(many.data(), 14), refused);
}

TEST_F(EnableTraceEx2_, TakesNoFiltersAsNone) { // V209
    EXPECT_EQ(enable(nullptr, 0), 0U);
}

TEST_F(EnableTraceEx2_, RefusesFiltersWithoutAPlace) {
    EXPECT_EQ(enable(nullptr, 1), refused);
    auto placeless = filter(EVENT_FILTER_TYPE_PID, nullptr, 4);
    EXPECT_EQ(enable(&placeless, 1), refused);
}

TEST_F(EnableTraceEx2_, ShowsUpInEnumerations) {
    ASSERT_EQ(EnableTraceEx2(session.handle(), &some_provider, 1, 3, 0x10, 0x30, 0, nullptr), 0U);
    std::array<GUID, 4> guids{};
    ULONG size = 0;
    ASSERT_EQ(
        EnumerateTraceGuidsEx(TraceGuidQueryList, nullptr, 0, guids.data(), sizeof guids, &size),
        0U);
    ASSERT_EQ(size, sizeof(GUID));
    EXPECT_EQ(guids[0], some_provider);

    GUID asked = some_provider;
    EXPECT_EQ(EnumerateTraceGuidsEx(TraceGuidQueryInfo, &asked, sizeof asked, nullptr, 0, &size),
              ULONG{ERROR_INSUFFICIENT_BUFFER});

    struct {
        TRACE_GUID_INFO info;
        TRACE_PROVIDER_INSTANCE_INFO instance;
        TRACE_ENABLE_INFO enabled;
    } answer{};

    ASSERT_EQ(size, sizeof answer);
    ASSERT_EQ(EnumerateTraceGuidsEx(TraceGuidQueryInfo, &asked, sizeof asked, &answer,
                                    sizeof answer, &size),
              0U);
    EXPECT_EQ(answer.info.InstanceCount, 1U);
    EXPECT_EQ(answer.instance.NextOffset, 0U);
    EXPECT_EQ(answer.instance.EnableCount, 1U);
    EXPECT_EQ(answer.instance.Pid, 0U);
    EXPECT_EQ(answer.instance.Flags, ULONG{TRACE_PROVIDER_FLAG_PRE_ENABLE});
    EXPECT_EQ(answer.enabled.Level, 3);
    EXPECT_EQ(answer.enabled.MatchAnyKeyword, 0x10U);
    EXPECT_EQ(answer.enabled.MatchAllKeyword, 0x30U);
    EXPECT_EQ(answer.enabled.LoggerId, session.handle());
}

TEST(TraceInformation, TellsVersionAndMostSessionsAndNothingElse) {
    TRACE_VERSION_INFO version{};
    ULONG size = 0;
    EXPECT_EQ(TraceQueryInformation(0, TraceVersionInfo, &version, sizeof version, &size), 0U);
    EXPECT_EQ(version.EtwTraceProcessingVersion, 1U);
    ULONG max = 0;
    EXPECT_EQ(TraceQueryInformation(0, TraceMaxLoggersQuery, &max, sizeof max, &size), 0U);
    EXPECT_EQ(max, 64U);
    EXPECT_EQ(TraceQueryInformation(0, TracePmcEventListInfo, &max, sizeof max, &size),
              ULONG{ERROR_NOT_SUPPORTED});
}

TEST(TraceInformation, KeepsProvidersFromGroups) {
    const CSession session;
    GUID one = some_provider;
    EXPECT_EQ(TraceSetInformation(session.handle(), TraceSetDisallowList, &one, sizeof one), 0U);
    GUID listed{};
    ULONG needed = 0;
    EXPECT_EQ(TraceQueryInformation(session.handle(), TraceDisallowListQuery, &listed,
                                    sizeof listed, &needed),
              0U);
    EXPECT_EQ(std::memcmp(&listed, &one, sizeof one), 0);
    EXPECT_EQ(needed, sizeof listed);
    EXPECT_EQ(TraceQueryInformation(session.handle(), TraceDisallowListQuery, &listed, 15, &needed),
              ULONG{ERROR_INSUFFICIENT_BUFFER});
    EXPECT_EQ(TraceQueryInformation(0, TraceDisallowListQuery, &listed, sizeof listed, &needed),
              ULONG{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(TraceSetInformation(session.handle(), TraceSetDisallowList, &one, 15),
              ULONG{ERROR_INCORRECT_SIZE});
    EXPECT_EQ(TraceSetInformation(session.handle(), TraceStackTracingInfo, &one, sizeof one),
              ULONG{ERROR_NOT_SUPPORTED});
}

} // namespace
} // namespace etl::test::enable_test
