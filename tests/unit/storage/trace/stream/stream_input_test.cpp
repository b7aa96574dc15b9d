// Streams that are no trace, and what needs more than one look.
#include "tests/support/damage.hpp"
#include "tests/support/stream_feed.hpp"
#include "tests/unit/storage/trace/stream/stream_story.hpp"

#include <gtest/gtest.h>

namespace etl::trace::stream_input_test {
namespace {

using namespace test;

Image image_of(std::string_view text) {
    const Bytes bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

// Never ends.
class Endless final : public io::ByteStream {
public:
    explicit Endless(std::string text) : text_(std::move(text)) {}

    Result<Arrival> read(MutableBytes into, std::chrono::milliseconds) override {
        for (std::byte& byte : into) {
            byte = static_cast<std::byte>(text_[at_++ % text_.size()]);
        }
        return Arrival{State::data, into.size()};
    }

    std::size_t at() const noexcept { return at_; }

private:
    std::string text_;
    std::size_t at_ = 0;
};

TEST(StreamInput, RefusesEndlessBytesThatAreNoTrace) {
    for (const std::string& text : {std::string("y\n"), std::string(1, '\0')}) {
        const auto endless = std::make_shared<Endless>(text);
        const auto input = StreamInput::open(endless, "x");
        ASSERT_FALSE(input);
        EXPECT_EQ(input.error().code, ErrorCode::not_a_trace);
        EXPECT_LE(endless->at(), 2U << 20U);
    }
}

TEST(StreamInput, RefusesShortBytesThatAreNoTrace) {
    const Image text = image_of("Nov 11 08:00:00 box7 kernel: [    0.000000] Linux version 6.1 (cc)"
                                " and so on, for some more bytes than a header has.\n");
    EXPECT_EQ(read_stream(text).error->code, ErrorCode::not_a_trace);
    EXPECT_EQ(read_stream(text, {text.size(), 0, 0, 0}).error->code, ErrorCode::not_a_trace);
    EXPECT_EQ(read_stream(image_of("x")).error->code, ErrorCode::not_a_trace);
    EXPECT_EQ(read_stream(Image{}).error->code, ErrorCode::empty_file);
}

TEST(StreamInput, SaysWhatMustBeReadMoreThanOnce) {
    TraceFacts circular = facts_of();
    circular.mode = format::log_mode::circular;
    TraceBuilder trace(circular);
    trace.buffer();
    EXPECT_EQ(read_stream(trace.build()).spool_reason, "circular");
    EXPECT_EQ(read_stream(image_of("\x28\xb5\x2f\xfd and so on")).spool_reason,
              "compressed or archived");
    const Image image = story(5).build();
    const Image beheaded(image.begin() + 100, image.end());
    EXPECT_EQ(read_stream(beheaded).spool_reason, "damaged at the start");
    EXPECT_EQ(read_stream(beheaded).error->code, ErrorCode::invalid_option);
    const Image no_header = overwrite(image, 0x48 + 0x20, noise(8));
    EXPECT_EQ(read_stream(no_header, {100, 100}).spool_reason, read_stream(no_header).spool_reason);
}

TEST(StreamInput, SpoolsWhatWasReadAndTheRest) {
    const Image image = story(5).build();
    auto input = StreamInput::open(std::make_shared<StreamFeed>(image, chunks_of(100, image)), "x");
    ASSERT_TRUE(input);
    EXPECT_EQ(input->spool_reason(), "");
    const auto file = std::move(*input).spool();
    ASSERT_TRUE(file) << describe(file.error());
    EXPECT_TRUE(std::ranges::equal((*file)->bytes(), image));
    EXPECT_EQ((*file)->name(), "x");
}

} // namespace
} // namespace etl::trace::stream_input_test
