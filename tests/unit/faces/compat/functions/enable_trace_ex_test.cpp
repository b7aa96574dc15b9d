// EnableTraceEx. docs/compat.md#controllers
#include "tests/unit/faces/compat/c_provider.hpp"
#include "tests/unit/faces/compat/c_session.hpp"

#include <gtest/gtest.h>

namespace etl::test::enable_trace_ex_test {
namespace {

TEST(EnableTraceEx_, TellsTheProviderAllThatItIsGiven) {
    const CSession session;
    Provider provider;
    SchematizedFilter filter;
    ASSERT_EQ(EnableTraceEx(&some_provider, &some_source, session.handle(), 1, 3, 0x30, 0x10, 0,
                            &filter.descriptor),
              0U);
    const Notice on = provider.notice(1);
    EXPECT_EQ(on.source, some_source);
    EXPECT_EQ(on.is_enabled, 1U);
    EXPECT_EQ(on.level, 3);
    EXPECT_EQ(on.any, 0x30U);
    EXPECT_EQ(on.all, 0x10U);
    EXPECT_EQ(on.filter_type, ULONG{EVENT_FILTER_TYPE_SCHEMATIZED});
    EXPECT_STREQ(on.filter.c_str(), "schema!");
    ASSERT_EQ(EnableTraceEx(&some_provider, nullptr, session.handle(), 0, 0, 0, 0, 0, nullptr), 0U);
    const Notice off = provider.notice(2);
    EXPECT_EQ(off.source, GUID{});
    EXPECT_EQ(off.is_enabled, 0U);
    EXPECT_EQ(EventProviderEnabled(provider.handle(), 1, 0x10), FALSE);
}

TEST(EnableTraceEx_, LetsPassWhatLevelKeywordsAndPropertySay) {
    const Folder folder;
    {
        const CSession session(u"T1", EVENT_TRACE_FILE_MODE_SEQUENTIAL, folder / "a.etl");
        const Provider provider;
        EXPECT_EQ(provider.write(event_of(1, 1)), 0U); // not enabled yet
        ASSERT_EQ(EnableTraceEx(&some_provider, nullptr, session.handle(), 1, 3, 0x30, 0x10,
                                EVENT_ENABLE_PROPERTY_IGNORE_KEYWORD_0, nullptr),
                  0U);
        EXPECT_EQ(provider.write(event_of(2, 3, 0x10)), 0U);
        EXPECT_EQ(provider.write(event_of(3, 4, 0x10)), 0U); // level
        EXPECT_EQ(provider.write(event_of(4, 3, 0x20)), 0U); // match all
        EXPECT_EQ(provider.write(event_of(5, 3, 0x01)), 0U); // match any
        EXPECT_EQ(provider.write(event_of(6, 3, 0)), 0U);    // property
        ASSERT_EQ(EnableTraceEx(&some_provider, nullptr, session.handle(), 1, 5, 0, 0, 0, nullptr),
                  0U);
        EXPECT_EQ(provider.write(event_of(7, 4, 0x40)), 0U); // all of it was replaced
        EXPECT_EQ(provider.write(event_of(8, 5, 0)), 0U);
        ASSERT_EQ(EnableTraceEx(&some_provider, nullptr, session.handle(), 0, 0, 0, 0, 0, nullptr),
                  0U);
        EXPECT_EQ(provider.write(event_of(9, 1)), 0U);
    }
    EXPECT_EQ(ids_in(folder / "a.etl"), (std::vector{2, 7, 8}));
}

TEST(EnableTraceEx_, RefusesWhatEnableTraceEx2Refuses) {
    const CSession session;
    const TRACEHANDLE handle = session.handle();
    constexpr ULONG refused = ERROR_INVALID_PARAMETER;
    EXPECT_EQ(EnableTraceEx(nullptr, nullptr, handle, 1, 4, 0, 0, 0, nullptr), refused);
    EXPECT_EQ(EnableTraceEx(&some_provider, nullptr, 0, 1, 4, 0, 0, 0, nullptr), refused);
    EXPECT_EQ(EnableTraceEx(&some_provider, nullptr, 0x7777, 1, 4, 0, 0, 0, nullptr), refused);
    EXPECT_EQ(EnableTraceEx(&some_provider, nullptr, handle, 3, 4, 0, 0, 0, nullptr), refused);
    SchematizedFilter filter;
    filter.descriptor.Ptr = 0;
    EXPECT_EQ(EnableTraceEx(&some_provider, nullptr, handle, 1, 4, 0, 0, 0, &filter.descriptor),
              refused);
}

} // namespace
} // namespace etl::test::enable_trace_ex_test
