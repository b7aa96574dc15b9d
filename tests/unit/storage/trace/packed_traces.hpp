// Traces in containers for the tests of trace.
#pragma once

#include "tests/support/codecs/packed_image.hpp"
#include "tests/support/reading.hpp"
#include "trace/index/packed_trace.hpp"

#include <gtest/gtest.h>

namespace etl::test {

/// Four processors, 24 buffers; the payloads are partly noise, so that frames have both kinds of
/// blocks.
inline Image busy_trace(codec::Format compression = codec::Format::none) {
    TraceFacts facts;
    facts.lineage =
        compression == codec::Format::none ? trace::Lineage::session : trace::Lineage::relogger;
    facts.reference_time = 0;
    facts.processors = 4;
    facts.buffer_size = 0x4000;
    TraceBuilder trace(facts);
    for (std::uint16_t i = 0; i < 24; ++i) {
        auto& buffer = trace.buffer(
            {.processor = static_cast<std::uint16_t>(i % 4), .compression = compression});
        for (std::uint16_t k = 0; k < 60; ++k) {
            const Image payload = noise(40, i * 100U + k);
            buffer.add(
                format::EventRecord{.time = 1000 * (i / 4) + 10 * k + i % 4,
                                    .descriptor = {.id = static_cast<std::uint16_t>(i * 100 + k)},
                                    .payload = payload});
        }
    }
    return trace.build();
}

inline Image append(Image to, Bytes more) {
    to.insert(to.end(), more.begin(), more.end());
    return to;
}

inline Image repeat(Image to, Bytes more, std::size_t times) {
    to.reserve(to.size() + more.size() * times);
    for (std::size_t i = 0; i < times; ++i) {
        to.insert(to.end(), more.begin(), more.end());
    }
    return to;
}

inline Image encode_frame(io::Container kind, Bytes content, std::size_t stored) {
    auto encoder = io::FrameEncoder::create(kind);
    Image frame;
    if (!encoder || !encoder->encode(content, stored, frame)) {
        throw std::logic_error("frame cannot be encoded");
    }
    return frame;
}

/// The frame of the header buffer of a container.
inline Image first_frame(const PackedImage& container) {
    return truncate_at(container.file, container.frames[1].where.value);
}

/// A container of one kind, with or without its table.
struct ContainerCase {
    io::Container kind;
    SeekTable table;

    PackedImage pack(const Image& plain) const { return test::pack(plain, kind, table); }
};

inline const auto container_cases =
    testing::Values(ContainerCase{io::Container::zstd, SeekTable::right},
                    ContainerCase{io::Container::zstd, SeekTable::none},
                    ContainerCase{io::Container::lz4, SeekTable::right},
                    ContainerCase{io::Container::lz4, SeekTable::none});

inline std::string name_of_case(const testing::TestParamInfo<ContainerCase>& info) {
    return std::string(trace::container_name(info.param.kind)) +
           (info.param.table == SeekTable::right ? "" : "_without_table");
}

inline const auto container_kinds = testing::Values(io::Container::zstd, io::Container::lz4);

inline std::string name_of_kind(const testing::TestParamInfo<io::Container>& info) {
    return std::string(trace::container_name(info.param));
}

/// Everything but how it is packed.
inline void expect_same(const Reading& one, const Reading& other) {
    EXPECT_FALSE(other.error);
    EXPECT_EQ(one.events, other.events);
    EXPECT_EQ(one.damage, other.damage);
    ASSERT_EQ(one.findings.size(), other.findings.size());
    for (std::size_t i = 0; i < one.findings.size(); ++i) {
        EXPECT_STREQ(one.findings[i].what, other.findings[i].what);
        EXPECT_EQ(one.findings[i].where, other.findings[i].where);
        EXPECT_EQ(one.findings[i].buffer, other.findings[i].buffer);
        EXPECT_EQ(one.findings[i].offset, other.findings[i].offset);
        EXPECT_EQ(one.findings[i].bytes_skipped, other.findings[i].bytes_skipped);
    }
    ASSERT_EQ(one.buffers.size(), other.buffers.size());
    for (std::size_t i = 0; i < one.buffers.size(); ++i) {
        EXPECT_EQ(one.buffers[i].where, other.buffers[i].where);
        EXPECT_EQ(one.buffers[i].disk_size, other.buffers[i].disk_size);
        EXPECT_EQ(one.buffers[i].used, other.buffers[i].used);
        EXPECT_EQ(one.buffers[i].run, other.buffers[i].run);
    }
    EXPECT_EQ(one.info.file_size, other.info.file_size);
    EXPECT_EQ(one.info.has_header, other.info.has_header);
    EXPECT_EQ(one.info.header.session_name, other.info.header.session_name);
}

} // namespace etl::test
