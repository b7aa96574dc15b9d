// Requests of a page out of JSON.
#include "viewer/request.hpp"

#include <gmock/gmock.h>

namespace etl::viewer::request_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ViewerRequest, HasDefaults) {
    const auto request = parse_request("{}");
    ASSERT_TRUE(request) << request.error().what;
    EXPECT_EQ(request->rows.first, 0U);
    EXPECT_EQ(request->rows.count, explore::Rows{}.count);
    EXPECT_EQ(request->columns, explore::LodQuestion{}.columns);
    EXPECT_EQ(request->kind, "cpu");
    EXPECT_EQ(request->format, rows::Format::csv);
    EXPECT_FALSE(request->tracks);
}

TEST(ViewerRequest, ReadsAllMembers) {
    const auto request = parse_request(
        R"({"question": 18446744073709551615, "selection": {"from": "+1s", "to": "+2s",
            "where": "level < 3", "processes": ["kettle", "7"]}, "first": 3, "count": 4,
            "name": "cpu", "by": "thread", "sort": "pid", "is_reversed": true, "slices": 7,
            "per_kind": 5, "source": "x", "excludes_interrupts": true, "format": "jsonl",
            "columns": 9, "kinds": ["disk"], "kind": "wait", "smallest_share": 0.5,
            "largest_depth": 2, "nodes": 11, "text": "t", "from_row": 6, "input": 2, "buffer": 8,
            "offset": 12, "tid": 13, "at": "+3s", "revision": 14, "token": "abc", "grouping": "g",
            "folding": "f", "include": "i", "exclude": "e", "fold_percent": 1.5,
            "is_inverted": true, "focus": "o", "is_compared": true, "before_from": "+4s",
            "before_to": "+5s", "is_about_before": true})");
    ASSERT_TRUE(request) << request.error().what;
    EXPECT_EQ(request->question, UINT64_MAX);
    EXPECT_EQ(request->selection.from, "+1s");
    EXPECT_EQ(request->selection.to, "+2s");
    EXPECT_EQ(request->selection.where, "level < 3");
    EXPECT_THAT(request->selection.processes, ElementsAre("kettle", "7"));
    EXPECT_EQ(request->rows.first, 3U);
    EXPECT_EQ(request->rows.count, 4U);
    EXPECT_EQ(request->name + request->by + request->sort + request->source, "cputhreadpidx");
    EXPECT_TRUE(request->is_reversed && request->excludes_interrupts);
    EXPECT_EQ(request->slices, 7U);
    EXPECT_EQ(request->per_kind, 5U);
    EXPECT_EQ(request->format, rows::Format::jsonl);
    EXPECT_EQ(request->columns, 9U);
    EXPECT_THAT(request->kinds, ElementsAre("disk"));
    EXPECT_EQ(request->kind, "wait");
    EXPECT_EQ(request->smallest_share, 0.5);
    EXPECT_EQ(request->largest_depth, 2U);
    EXPECT_EQ(request->nodes, 11U);
    EXPECT_EQ(request->grouping + request->folding + request->include + request->exclude +
                  request->focus,
              "gfieo");
    EXPECT_EQ(request->fold_percent, 1.5);
    EXPECT_TRUE(request->is_inverted && request->is_compared && request->is_about_before);
    EXPECT_EQ(request->before_from + request->before_to, "+4s+5s");
    EXPECT_EQ(request->text, "t");
    EXPECT_EQ(request->from_row, 6U);
    EXPECT_EQ(request->place.input, 2U);
    EXPECT_EQ(request->place.buffer, 8U);
    EXPECT_EQ(request->place.offset, 12U);
    EXPECT_EQ(request->tid, 13U);
    EXPECT_EQ(request->at, "+3s");
    EXPECT_EQ(request->revision, 14U);
    EXPECT_EQ(request->token, "abc");
}

TEST(ViewerRequest, ReadsNamesOfTracks) {
    const auto request = parse_request(
        R"({"tracks": [{"kind": "thread", "pid": 4, "process": "System", "id": 8, "name": null}]})");
    ASSERT_TRUE(request) << request.error().what;
    ASSERT_TRUE(request->tracks);
    ASSERT_EQ(request->tracks->size(), 1U);
    const TrackName& track = request->tracks->front();
    EXPECT_EQ(track.kind, "thread");
    EXPECT_EQ(track.pid, 4U);
    EXPECT_EQ(track.process, "System");
    EXPECT_EQ(track.id, 8U);
    EXPECT_EQ(track.name, "");
    EXPECT_TRUE(parse_request(R"({"tracks": []})")->tracks->empty());
}

TEST(ViewerRequest, SaysWhatIsWrong) {
    const auto about = [](std::string_view json) {
        const auto request = parse_request(json);
        return request ? "nothing" : request.error().about;
    };
    EXPECT_EQ(about(R"({"count": -1})"), "count");
    EXPECT_EQ(about(R"({"tid": 4294967296})"), "tid");
    EXPECT_EQ(about(R"({"slices": "many"})"), "slices");
    EXPECT_EQ(about(R"({"name": 3})"), "name");
    EXPECT_EQ(about(R"({"name": "a\u0000b"})"), "name");
    EXPECT_EQ(about(R"({"is_reversed": 1})"), "is_reversed");
    EXPECT_EQ(about(R"({"selection": []})"), "selection");
    EXPECT_EQ(about(R"({"selection": {"processes": "kettle"}})"), "processes");
    EXPECT_EQ(about(R"({"format": "xml"})"), "format");
    EXPECT_EQ(about(R"({"tracks": [3]})"), "tracks");
    EXPECT_EQ(about("{\"name\": \"" + std::string(max_text + 1, 'x') + "\"}"), "name");
    for (const std::string_view no_object : {"", "[]", "3", "{", "{\"a\": \xFF}"}) {
        EXPECT_FALSE(parse_request(no_object)) << no_object;
    }
    const auto long_one = parse_request(std::string(max_request + 1, ' '));
    ASSERT_FALSE(long_one);
    EXPECT_THAT(long_one.error().what, HasSubstr("too long"));
}

} // namespace
} // namespace etl::viewer::request_test
