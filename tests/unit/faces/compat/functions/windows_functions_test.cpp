// The few functions of windows.h: text of 16-bit units, times, errors of a thread.
// docs/compat.md#windows
#include <etl/compat/evntcons.h>
#include <etl/compat/strsafe.h>

#include <gtest/gtest.h>

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace etl::test::windows_functions_test {
namespace {

template <typename... Arguments>
std::u16string printed(const char16_t* format, Arguments... arguments) {
    char16_t text[256];
    EXPECT_GE(etl_compat_swprintf(text, 256, format, arguments...), 0);
    return text;
}

TEST(WidePrintf, ReadsFormatsAsWindowsDoes) {
    EXPECT_EQ(printed(u"plain \u00e4 100%%"), u"plain \u00e4 100%");
    EXPECT_EQ(printed(u"%s|%S|%hs|%ls", u"wide", "narrow", "narrow", u"wide"),
              u"wide|narrow|narrow|wide");
    EXPECT_EQ(printed(u"%lu %ld %x %04X", ULONG{7}, LONG{-7}, 255U, 255U), u"7 -7 ff 00FF");
    EXPECT_EQ(
        printed(u"%I64u %I64x %llu", ULONGLONG{1} << 40U, ULONGLONG{1} << 40U, ULONGLONG{1} << 40U),
        u"1099511627776 10000000000 1099511627776");
    EXPECT_EQ(printed(u"%5d|%-5d|%*d|%.*s", 42, 42, 4, 42, 2, u"abc"), u"   42|42   |  42|ab");
    EXPECT_EQ(printed(u"%c%.2f %p", u'x', 0.5, static_cast<void*>(nullptr)),
              u"x0.50 0000000000000000");
    EXPECT_EQ(printed(u"%s", static_cast<const char16_t*>(nullptr)), u"(null)");
    EXPECT_EQ(printed(u"ends in %"), u"ends in %");
}

TEST(WidePrintf, LooksAtNoMoreTextThanAPrecisionSays) {
    // Exactly as large, and without terminators.
    const std::vector<char16_t> wide{u'\u00e4', u'\u20ac', u'c'};
    const std::vector<char> narrow{'a', 'b', 'c'};
    EXPECT_EQ(printed(u"%.*s|%.3s", 3, wide.data(), wide.data()), u"\u00e4\u20acc|\u00e4\u20acc");
    EXPECT_EQ(
        printed(u"%.2s|%5.1s|%-3.1s|%.0s", wide.data(), wide.data(), wide.data(), wide.data()),
        u"\u00e4\u20ac|    \u00e4|\u00e4  |");
    EXPECT_EQ(printed(u"%.3hs|%.1S", narrow.data(), narrow.data()), u"abc|a");
}

TEST(WidePrintf, PadsTextItself) {
    const std::u16string text(2000, u'\u20ac');
    std::vector<char16_t> shown(3000);
    ASSERT_EQ(etl_compat_swprintf(shown.data(), shown.size(), u"%-2001s|", text.c_str()), 2002);
    EXPECT_EQ(std::u16string(shown.data()), text + u" |");
    EXPECT_EQ(printed(u"%5c|%-3c|%hc", u'x', u'\u20ac', 'n'), u"    x|\u20ac  |n");
    EXPECT_EQ(printed(u"%*d|%.*s", -4, 7, -1, u"all"), u"7   |all");
}

TEST(WidePrintf, NarrowsShortNumbers) {
    EXPECT_EQ(printed(u"%hd %hu %hhd %hhx", 0x18000, 0x1FFFFU, 0x180, 0x1FFU),
              u"-32768 65535 -128 ff");
}

TEST(WidePrintf, SaysWhenThereIsNoRoom) {
    char16_t text[4];
    EXPECT_EQ(etl_compat_swprintf(text, 4, u"%d", 12345), -1);
    EXPECT_EQ(std::u16string(text), u"123");
    EXPECT_EQ(StringCchPrintfW(text, 4, u"%d", 123), S_OK);
    EXPECT_EQ(StringCchPrintfW(text, 4, u"%d", 1234), STRSAFE_E_INSUFFICIENT_BUFFER);
    EXPECT_EQ(StringCchPrintfW(text, 0, u"%d", 1), STRSAFE_E_INVALID_PARAMETER);
    char narrow[4];
    EXPECT_EQ(StringCchPrintfA(narrow, 0, "%d", 1), STRSAFE_E_INVALID_PARAMETER);
}

TEST(WideText, IsCopiedWithinItsRoom) {
    char16_t text[4] = u"abc";
    EXPECT_EQ(StringCbCopyW(text, sizeof text, u"de"), S_OK);
    EXPECT_EQ(std::u16string(text), u"de");
    EXPECT_EQ(StringCchCatW(text, 4, u"fg"), STRSAFE_E_INSUFFICIENT_BUFFER);
    EXPECT_EQ(std::u16string(text), u"def");
    EXPECT_EQ(StringCchCopyW(text, 0, u"x"), STRSAFE_E_INVALID_PARAMETER);
    EXPECT_NE(wcscpy_s(text, 4, u"too long"), 0);
    EXPECT_EQ(text[0], 0);
    EXPECT_EQ(wcslen(u"four"), 4U);
    EXPECT_EQ(_wcsicmp(u"Session", u"sESSION"), 0);
    EXPECT_LT(_wcsicmp(u"a", u"B"), 0);
}

TEST(WideText, IsComparedAndCopied) {
    EXPECT_EQ(wcscmp(u"same", u"same"), 0);
    EXPECT_LT(wcscmp(u"B", u"a"), 0);
    EXPECT_GT(wcscmp(u"longer", u"long"), 0);
    char16_t text[8] = u"";
    EXPECT_EQ(wcscpy(text, u"abc"), text);
    EXPECT_EQ(std::u16string(text), u"abc");
    EXPECT_EQ(wcscat_s(text, 8, u"defg"), 0);
    EXPECT_EQ(std::u16string(text), u"abcdefg");
    EXPECT_EQ(wcscat_s(text, 8, u"h"), 34);
    EXPECT_EQ(text[0], 0) << "empty where there is no space";
}

TEST(NarrowText, IsCopiedWithinItsSpace) {
    char text[6] = "abc";
    EXPECT_EQ(StringCchCopyA(text, sizeof text, "de"), S_OK);
    EXPECT_STREQ(text, "de");
    EXPECT_EQ(StringCchCatA(text, sizeof text, "fgh"), S_OK);
    EXPECT_STREQ(text, "defgh");
    EXPECT_EQ(StringCchCatA(text, sizeof text, "i"), STRSAFE_E_INSUFFICIENT_BUFFER);
    EXPECT_STREQ(text, "defgh");
    EXPECT_EQ(StringCbCopyA(text, 3, "xyz"), STRSAFE_E_INSUFFICIENT_BUFFER);
    EXPECT_STREQ(text, "xy");
    EXPECT_EQ(StringCbCopyA(text, 0, "x"), STRSAFE_E_INVALID_PARAMETER);
    EXPECT_EQ(StringCchCopyA(nullptr, 3, "x"), STRSAFE_E_INVALID_PARAMETER);
}

std::string content_of(std::FILE* file) {
    std::string text;
    std::rewind(file);
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) {
        text.push_back(static_cast<char>(c));
    }
    return text;
}

int print_to(std::FILE* file, const char16_t* format, ...) {
    va_list list;
    va_start(list, format);
    const int written = etl_compat_vfwprintf(file, format, list);
    va_end(list);
    return written;
}

int print_into(char16_t* text, std::size_t size, const char16_t* format, ...) {
    va_list list;
    va_start(list, format);
    const int written = etl_compat_vswprintf(text, size, format, list);
    va_end(list);
    return written;
}

TEST(WidePrintf, WritesFilesAsUtf8) {
    std::FILE* const file = std::tmpfile();
    ASSERT_NE(file, nullptr);
    EXPECT_EQ(fwprintf(file, u"%s=%lu\n", u"\u20ac", ULONG{7}), 4);
    EXPECT_EQ(print_to(file, u"%hs %d", "narrow", 8), 8);
    EXPECT_EQ(content_of(file), "\u20ac=7\nnarrow 8");
    std::fclose(file);
}

TEST(WidePrintf, TakesAList) {
    char16_t text[6];
    EXPECT_EQ(print_into(text, 6, u"%d-%s", 12, u"ab"), 5);
    EXPECT_EQ(std::u16string(text), u"12-ab");
    EXPECT_EQ(print_into(text, 6, u"%d", 123456), -1);
    EXPECT_EQ(std::u16string(text), u"12345");
}

std::int64_t ticks_of(const FILETIME& time) {
    return static_cast<std::int64_t>(ULONGLONG{time.dwHighDateTime} << 32U | time.dwLowDateTime);
}

TEST(Times, GoOnTogether) {
    LARGE_INTEGER frequency{};
    LARGE_INTEGER before{};
    LARGE_INTEGER after{};
    ASSERT_TRUE(QueryPerformanceFrequency(&frequency));
    EXPECT_EQ(frequency.QuadPart, 10'000'000);
    FILETIME then{};
    FILETIME now{};
    GetSystemTimePreciseAsFileTime(&then);
    const ULONGLONG tick = GetTickCount64();
    ASSERT_TRUE(QueryPerformanceCounter(&before));
    Sleep(20);
    ASSERT_TRUE(QueryPerformanceCounter(&after));
    GetSystemTimeAsFileTime(&now);
    EXPECT_GE(after.QuadPart - before.QuadPart, 20 * 10'000);
    EXPECT_GE(GetTickCount64() - tick, 19U);
    EXPECT_LE(GetTickCount() - static_cast<DWORD>(tick), 60'000U) << "the low 32 bits";
    EXPECT_GT(ticks_of(now), ticks_of(then));
}

TEST(Times, AreLocalByTheBiasOfTheZone) {
    const SYSTEMTIME noon{2024, 5, 5, 17, 12, 0, 0, 0};
    TIME_ZONE_INFORMATION zone{};
    zone.Bias = -90; // minutes from local time to UTC
    SYSTEMTIME local{};
    ASSERT_TRUE(SystemTimeToTzSpecificLocalTime(&zone, &noon, &local));
    EXPECT_EQ(local.wHour, 13);
    EXPECT_EQ(local.wMinute, 30);
    SYSTEMTIME here{};
    ASSERT_TRUE(SystemTimeToTzSpecificLocalTime(nullptr, &noon, &here));
    FILETIME utc{};
    FILETIME moved{};
    SYSTEMTIME shown{};
    ASSERT_TRUE(SystemTimeToFileTime(&noon, &utc));
    ASSERT_TRUE(FileTimeToLocalFileTime(&utc, &moved));
    ASSERT_TRUE(FileTimeToSystemTime(&moved, &shown));
    EXPECT_EQ(std::memcmp(&here, &shown, sizeof shown), 0) << "one zone for both";
    const SYSTEMTIME bad{2024, 13, 0, 1, 0, 0, 0, 0};
    EXPECT_FALSE(SystemTimeToTzSpecificLocalTime(&zone, &bad, &local));
    EXPECT_EQ(GetLastError(), ULONG{ERROR_INVALID_PARAMETER});
}

TEST(EventDescriptors, AreSetAndReadMemberByMember) {
    EVENT_DESCRIPTOR made;
    EventDescCreate(&made, 1, 2, 3, 4, 5, 6, 7);
    EXPECT_EQ(EventDescGetId(&made), 1);
    EXPECT_EQ(EventDescGetVersion(&made), 2);
    EXPECT_EQ(EventDescGetChannel(&made), 3);
    EXPECT_EQ(EventDescGetLevel(&made), 4);
    EXPECT_EQ(EventDescGetTask(&made), 5);
    EXPECT_EQ(EventDescGetOpcode(&made), 6);
    EXPECT_EQ(EventDescGetKeyword(&made), 7U);
    EVENT_DESCRIPTOR set;
    EventDescZero(&set);
    EXPECT_EQ(EventDescGetId(&set), 0);
    EXPECT_EQ(EventDescSetId(&set, 1), &set);
    EventDescSetVersion(&set, 2);
    EventDescSetChannel(&set, 3);
    EventDescSetLevel(&set, 4);
    EventDescSetTask(&set, 5);
    EventDescSetOpcode(&set, 6);
    EventDescSetKeyword(&set, 3);
    EventDescOrKeyword(&set, 4);
    EXPECT_EQ(std::memcmp(&made, &set, sizeof set), 0);
}

TEST(EventRecords, TellTheirProcessor) {
    EVENT_RECORD record{};
    record.BufferContext.ProcessorIndex = 0x0102;
    record.EventHeader.Flags = EVENT_HEADER_FLAG_PROCESSOR_INDEX;
    EXPECT_EQ(GetEventProcessorIndex(&record), 0x0102U);
    record.EventHeader.Flags = 0;
    EXPECT_EQ(GetEventProcessorIndex(&record), 0x02U) << "a byte, beside the alignment";
}

TEST(Times, AreThoseOfTheCalendar) {
    const SYSTEMTIME asked{2024, 5, 5, 17, 4, 5, 6, 7}; // a Friday
    FILETIME time{};
    ASSERT_TRUE(SystemTimeToFileTime(&asked, &time));
    SYSTEMTIME back{};
    ASSERT_TRUE(FileTimeToSystemTime(&time, &back));
    EXPECT_EQ(std::memcmp(&asked, &back, sizeof back), 0);
}

TEST(Times, AreRefusedWhereNoCalendarHasThem) {
    const SYSTEMTIME good{2024, 2, 0, 29, 23, 59, 59, 999};
    FILETIME time{};
    EXPECT_TRUE(SystemTimeToFileTime(&good, &time));
    const auto refused = [&](auto change) {
        SYSTEMTIME bad = good;
        change(bad);
        SetLastError(0);
        return SystemTimeToFileTime(&bad, &time) == FALSE &&
               GetLastError() == ERROR_INVALID_PARAMETER;
    };
    EXPECT_TRUE(refused([](SYSTEMTIME& bad) { bad.wMonth = 0; }));
    EXPECT_TRUE(refused([](SYSTEMTIME& bad) { bad.wMonth = 13; }));
    EXPECT_TRUE(refused([](SYSTEMTIME& bad) { bad.wYear = 2023; })); // had no 29 February
    EXPECT_TRUE(refused([](SYSTEMTIME& bad) { bad.wYear = 1600; }));
    EXPECT_TRUE(refused([](SYSTEMTIME& bad) { bad.wHour = 24; }));
    EXPECT_TRUE(refused([](SYSTEMTIME& bad) { bad.wMilliseconds = 1000; }));
    const FILETIME late{0, 0x80000000U};
    SYSTEMTIME shown{};
    EXPECT_FALSE(FileTimeToSystemTime(&late, &shown));
    EXPECT_EQ(GetLastError(), ULONG{ERROR_INVALID_PARAMETER});
}

TEST(Guids, AreTextAndBack) {
    GUID guid{};
    ASSERT_EQ(CLSIDFromString(u"{0811c1af-7a07-4a06-82ed-869455cdf713}", &guid), S_OK);
    EXPECT_EQ(guid.Data1, 0x0811c1afU);
    EXPECT_EQ(guid.Data4[7], 0x13);
    GUID one{};
    GUID other{};
    EXPECT_EQ(CoCreateGuid(&one), S_OK);
    EXPECT_EQ(CoCreateGuid(&other), S_OK);
    EXPECT_NE(one, other);
    EXPECT_NE(one, GUID{});
    char16_t text[39];
    ASSERT_EQ(StringFromGUID2(guid, text, 39), 39);
    EXPECT_EQ(std::u16string(text), u"{0811C1AF-7A07-4A06-82ED-869455CDF713}");
    EXPECT_EQ(StringFromGUID2(guid, text, 38), 0);
    EXPECT_LT(CLSIDFromString(u"no guid", &guid), 0);
}

TEST(LastError, IsOfTheThread) {
    SetLastError(42);
    std::thread([] { EXPECT_EQ(GetLastError(), 0U); }).join();
    EXPECT_EQ(GetLastError(), 42U);
}

// Lay-outs that the headers do not assert by themselves: offsets that callers rely on.
static_assert(offsetof(EVENT_RECORD, UserContext) == 0x68);
static_assert(offsetof(EVENT_RECORD, ExtendedDataCount) == 0x54);
static_assert(offsetof(EVENT_TRACE_PROPERTIES_V2, V2Control) == 0x78);
static_assert(offsetof(EVENT_TRACE_PROPERTIES_V2, V2Options) == 0x88);
static_assert(offsetof(EVENT_TRACE_PROPERTIES, BufferSize) == 0x30);
static_assert(offsetof(EVENT_TRACE_PROPERTIES, FlushTimer) == 0x44);
static_assert(offsetof(EVENT_TRACE_PROPERTIES, EnableFlags) == 0x48);
static_assert(offsetof(EVENT_TRACE_PROPERTIES, NumberOfBuffers) == 0x50);
static_assert(offsetof(EVENT_TRACE_PROPERTIES, RealTimeBuffersLost) == 0x64);
static_assert(offsetof(TRACE_LOGFILE_HEADER, TimeZone) == 0x48);
static_assert(offsetof(TRACE_LOGFILE_HEADER, BuffersLost) == 0x114);
static_assert(sizeof(EVENT_TRACE_LOGFILEW) == sizeof(EVENT_TRACE_LOGFILEA));

} // namespace
} // namespace etl::test::windows_functions_test
