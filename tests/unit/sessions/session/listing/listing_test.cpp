// The texts of what runs, to the last space.
#include <etl/session.hpp>

#include "session/kernel_flags.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace etl::session::listing_test {
namespace {

constexpr Guid coffee = *parse_guid("1c43e5a2-0d5c-4b6a-9c0e-2f1d8a7b6c50");
constexpr Guid tea = *parse_guid("20aa5f0e-77d1-4f1e-8a7f-3b6c9d0e1f2a");
constexpr Guid nameless = *parse_guid("90aa5f0e-77d1-4f1e-8a7f-3b6c9d0e1f2a");

std::string name_of(const Guid& guid) {
    return guid == coffee ? "MyCompany.Coffee" : guid == tea ? "anderer-Tee" : "";
}

/// A session in real time with two providers.
SessionState breakfast() {
    SessionState session;
    session.id = 9;
    session.options.name = "Breakfast";
    session.options.guid = tea;
    session.options.clock = 2;
    session.options.buffer_kb = 64;
    session.options.minimum_buffers = 2;
    session.options.maximum_buffers = 24;
    session.options.mode = mode::secure | mode::real_time | mode::independent_session |
                           mode::no_per_processor_buffering;
    session.options.flush_timer = 1;
    session.options.maximum_file_size = 100;
    session.number_of_buffers = 3;
    session.free_buffers = 1;
    session.buffers_written = 252;
    session.log_buffers_lost = 4;
    session.real_time_buffers_lost = 5;
    session.events_lost = 6;
    session.logger_thread_id = 0x8C;
    session.consumers = 2;
    session.providers = {
        {.guid = coffee, .level = 255, .match_any = 0x4000000000000000, .property = 65},
        {.guid = nameless, .level = 4, .match_any = 0x1F, .match_all = 0x3}};
    return session;
}

/// The kernel's, to a file.
SessionState kernel() {
    SessionState session;
    session.id = 2;
    session.options.name = "NT Kernel Logger";
    session.options.guid = *parse_guid("9e814aad-3204-11d2-9a82-006008a86939");
    session.options.clock = 1;
    session.options.buffer_kb = 128;
    session.options.mode = mode::circular | mode::use_kbytes_for_size | mode::use_ms_flush_timer;
    session.options.flush_timer = 250;
    session.options.maximum_file_size = 4096;
    session.options.enable_flags = 0x0100'0013;
    session.file = "/tmp/kernel.etl";
    return session;
}

std::string listed(const SessionState& session, ListingStyle form) {
    std::string text;
    append_sessions(text, std::span(&session, 1), name_of, form);
    return text;
}

TEST(Listing, OfSessionsIsThatOfXperf) {
    EXPECT_EQ(listed(breakfast(), ListingStyle::xperf),
              R"(Logger Name           : Breakfast
Logger Id             : 9
Logger Thread Id      : 000000000000008C
Buffer Size           : 64
Maximum Buffers       : 24
Minimum Buffers       : 2
Number of Buffers     : 3
Free Buffers          : 1
Buffers Written       : 252
Events Lost           : 6
Log Buffers Lost      : 4
Real Time Buffers Lost: 5
Flush Timer           : 1
Age Limit             : 0
Real Time Mode        : Enabled
Log File Mode         : Secure IndependentSession NoPerProcessorBuffering
Maximum File Size     : 100
Log Filename          :
Trace Flags           : "MyCompany.Coffee":0x4000000000000000:0xff+90aa5f0e-77d1-4f1e-8a7f-3b6c9d0e1f2a:0x1f:0x4
)");
}

TEST(Listing, OfSessionsHasTheOtherFormOfXperf) {
    const std::string text = listed(breakfast(), ListingStyle::xperf_hex);
    EXPECT_EQ(text.find("Real Time Mode"), std::string::npos);
    EXPECT_NE(text.find("\nLog File Mode         : Secure RealTime IndependentSession "
                        "NoPerProcessorBuffering <0x18000180>\n"),
              std::string::npos)
        << text;
}

TEST(Listing, OfTheKernelsSessionNamesItsFlags) {
    const std::string text = listed(kernel(), ListingStyle::xperf);
    EXPECT_NE(text.find("\nTrace Flags           : PROC_THREAD+CSWITCH+PROFILE\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("\nReal Time Mode        : Disabled\n"), std::string::npos);
    EXPECT_NE(text.find("\nLog File Mode         : Circular MsFlushTimer UseKBytesForSize\n"),
              std::string::npos);
}

TEST(Listing, OfSeveralSessionsHasALineBetween) {
    const std::vector<SessionState> both{breakfast(), kernel()};
    std::string text;
    append_sessions(text, both, name_of);
    EXPECT_EQ(text,
              listed(both[0], ListingStyle::xperf) + "\n" + listed(both[1], ListingStyle::xperf));
}

TEST(Listing, OfSessionsIsThatOfTracelog) {
    EXPECT_EQ(listed(kernel(), ListingStyle::tracelog),
              R"(Operation Status:       0L      The operation completed successfully.

Logger Name:            NT Kernel Logger
Logger Id:              2
Logger Thread Id:       0000000000000000
Guid:                   9e814aad-3204-11d2-9a82-006008a86939
Session Security:       none
Buffer Size:            128 Kb
Maximum Buffers:        0
Minimum Buffers:        0
Number of Buffers:      0
Free Buffers:           0
Buffers Written:        0
Events Lost:            0
Log Buffers Lost:       0
Real Time Buffers Lost: 0
AgeLimit:               0
Real Time Consumers:    0
ClockType:              PerfCounter
Log Mode:               Circular  MsFlushTimer  UseKBytesForSize
Maximum File Size:      4096 Kb
Buffer Flush Timer:     250 msecs
Enabled tracing:        PROC_THREAD+CSWITCH+PROFILE
Log Filename:           /tmp/kernel.etl
)");
}

TEST(Listing, OfSessionsIsThatOfLogman) {
    EXPECT_EQ(listed(breakfast(), ListingStyle::logman),
              R"(Name:                 Breakfast
Status:               Running
Root Path:            %systemdrive%\PerfLogs\Admin
Segment:              Off
Schedules:            On
Segment Max Size:     100 MB

Name:                 Breakfast\Breakfast
Type:                 Trace
Append:               Off
Circular:             Off
Overwrite:            Off
Buffer Size:          64
Buffers Lost:         9
Buffers Written:      252
Buffer Flush Timer:   1
Clock Type:           System
File Mode:            Real-time

Provider:
Name:                 MyCompany.Coffee
Provider Guid:        {1C43E5A2-0D5C-4B6A-9C0E-2F1D8A7B6C50}
Level:                255
KeywordsAll:          0x0
KeywordsAny:          0x4000000000000000
Properties:           65
Filter Type:          0

Provider:
Name:                 {90AA5F0E-77D1-4F1E-8A7F-3B6C9D0E1F2A}
Provider Guid:        {90AA5F0E-77D1-4F1E-8A7F-3B6C9D0E1F2A}
Level:                4 (win:Informational)
KeywordsAll:          0x3
KeywordsAny:          0x1f
Properties:           0
Filter Type:          0

The command completed successfully.
)");
    EXPECT_NE(listed(kernel(), ListingStyle::logman).find(R"(
Type:                 Trace
Output Location:      /tmp/kernel.etl
Append:               Off
Circular:             On
)"),
              std::string::npos);
}

TEST(Listing, OfLogmanNamesKeywordsThatAreKnown) {
    const SessionState session = breakfast();
    std::string text;
    append_sessions(text, std::span(&session, 1), name_of, ListingStyle::logman,
                    [](const Guid& provider, std::uint64_t mask) {
                        return std::string(provider == coffee && mask != 0 ? "System" : "");
                    });
    EXPECT_NE(text.find(R"(
KeywordsAll:          0x0
KeywordsAny:          0x4000000000000000 (System)
)"),
              std::string::npos);
    EXPECT_NE(text.find("KeywordsAny:          0x1f\n"), std::string::npos);
}

TEST(Listing, NamesProvidersAsTheirProgramsDidAndWhoHasTakenThemOver) {
    SessionState session = breakfast();
    session.providers[1].name = "MyCompany.Toast";
    session.providers[1].taken_over_by = {3, 5};
    const auto contains = [&](ListingStyle form, const char* text) {
        std::string to;
        append_sessions(to, {&session, 1}, name_of, form);
        return to.find(text) != std::string::npos;
    };
    EXPECT_TRUE(contains(ListingStyle::xperf, "+\"MyCompany.Toast\":0x1f:0x4\n"));
    EXPECT_TRUE(contains(ListingStyle::xperf, "\nTaken Over            : \"MyCompany.Toast\" by "
                                              "session 3, \"MyCompany.Toast\" by session 5\n"));
    EXPECT_TRUE(contains(ListingStyle::tracelog, "\nTaken over:             \"MyCompany.Toast\""));
    EXPECT_TRUE(contains(ListingStyle::logman, "\nName:                 MyCompany.Toast\n"));
    EXPECT_TRUE(contains(ListingStyle::logman, "\nTaken Over By:        session 5\n"));
}

TEST(Listing, HasALinePerSessionAsLogman) {
    const std::vector<SessionState> both{breakfast(), kernel()};
    std::string text;
    append_session_table(text, both);
    EXPECT_EQ(text,
              R"(Data Collector Set                      Type                          Status
-------------------------------------------------------------------------------
Breakfast                               Trace                         Running
NT Kernel Logger                        Trace                         Running

The command completed successfully.
)");
}

TEST(Listing, HasAWordForEveryBitOfTheMode) {
    std::string text;
    append_mode_words(text, 0xFFFF'FFFF & ~0x4000'0000U);
    EXPECT_EQ(text.find("0x"), std::string::npos) << text;
    EXPECT_EQ(std::ranges::count(text, ' '), 30);
    text.clear();
    append_mode_words(text, mode::sequential | 0x4000'0000U);
    EXPECT_EQ(text, "Sequential 0x40000000");
    text.clear();
    append_mode_words(text, 0);
    EXPECT_EQ(text, "");
}

TEST(Listing, ReadsTheWordOfEveryBitOfTheMode) {
    for (std::uint32_t bit = 1; bit != 0; bit <<= 1U) {
        std::string word;
        append_mode_words(word, bit);
        EXPECT_EQ(parse_mode_word(word), bit == 0x4000'0000U ? 0 : bit) << word;
    }
    EXPECT_EQ(parse_mode_word("globalSEQUENCE"), mode::use_global_sequence);
    EXPECT_EQ(parse_mode_word(""), 0U);
    EXPECT_EQ(parse_mode_word("Sideways"), 0U);
}

TEST(Listing, OfRegisteredProvidersHasNamesBeforeGuids) {
    const std::vector<ProviderState> providers{
        {.guid = nameless, .is_registered = true},
        {.guid = coffee, .is_registered = true},
        {.guid = tea, .name = "from traits", .is_registered = true},
        {.guid = *parse_guid("00aa5f0e-77d1-4f1e-8a7f-3b6c9d0e1f2a"), .is_registered = true},
        {.guid = coffee, .is_group = true, .is_registered = true},
        {.guid = Guid{}, .is_registered = false}};
    std::string text;
    append_registered(text, providers, name_of);
    EXPECT_EQ(text, "anderer-Tee\nMyCompany.Coffee\n00aa5f0e-77d1-4f1e-8a7f-3b6c9d0e1f2a\n"
                    "90aa5f0e-77d1-4f1e-8a7f-3b6c9d0e1f2a\n");
    text.clear();
    append_registered(text, std::span(providers).first(1), {});
    EXPECT_EQ(text, "90aa5f0e-77d1-4f1e-8a7f-3b6c9d0e1f2a\n");
}

TEST(Listing, OfInstalledProvidersIsInTheOrderOfNames) {
    const std::vector<InstalledProvider> providers{{"Zebra", coffee}, {"ape", tea}};
    std::string text;
    append_installed(text, providers);
    EXPECT_EQ(text, "20aa5f0e-77d1-4f1e-8a7f-3b6c9d0e1f2a : ape\n"
                    "1c43e5a2-0d5c-4b6a-9c0e-2f1d8a7b6c50 : Zebra\n");
}

TEST(Listing, OfKernelFlagsAndGroups) {
    std::string text;
    append_kernel_flags(text);
    append_kernel_groups(text);
    EXPECT_TRUE(text.starts_with("Kernel Flags:\n       PROC_THREAD    : "));
    EXPECT_NE(text.find("\nKernel Groups:\n       Base           : PROC_THREAD+LOADER+DISK_IO"
                        "+HARD_FAULTS+PROFILE+MEMINFO+MEMINFO_WS\n"),
              std::string::npos)
        << text;
}

TEST(KernelFlags, OfGroupsAreKnown) {
    for (const KernelGroup& group : kernel_groups()) {
        std::string_view rest = group.flags;
        while (!rest.empty()) {
            const std::string_view flag = rest.substr(0, rest.find('+'));
            EXPECT_EQ(std::ranges::count(kernel_flags(), flag, &KernelFlag::name), 1) << flag;
            rest.remove_prefix(std::min(rest.size(), flag.size() + 1));
        }
    }
}

TEST(KernelFlags, HaveNamesForEachBit) {
    const auto names = [](std::uint32_t bits) {
        std::string text;
        append_kernel_flag_names(text, bits);
        return text;
    };
    EXPECT_EQ(names(0), "");
    EXPECT_EQ(names(1), "PROCESS");
    EXPECT_EQ(names(3), "PROC_THREAD");
    EXPECT_EQ(names(0x0800'0004), "LOADER+0x8000000");
}

} // namespace
} // namespace etl::session::listing_test
