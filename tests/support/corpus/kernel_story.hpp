// Payloads of kernel events at either size of pointers, and records to put them in.
#pragma once

#include "tests/support/traces/trace_builder.hpp"

namespace etl::test {

/// A ByteWriter that knows how wide pointers are.
class KernelPayload : public ByteWriter {
public:
    explicit KernelPayload(format::Width layout) : layout_(layout) {}

    // As ByteWriter's, but a chain of calls stays one of this class.
    KernelPayload& u8(std::uint8_t v) { return done(ByteWriter::u8(v)); }

    KernelPayload& u16(std::uint16_t v) { return done(ByteWriter::u16(v)); }

    KernelPayload& u32(std::uint32_t v) { return done(ByteWriter::u32(v)); }

    KernelPayload& u64(std::uint64_t v) { return done(ByteWriter::u64(v)); }

    KernelPayload& guid(const Guid& v) { return done(ByteWriter::guid(v)); }

    KernelPayload& bytes(Bytes v) { return done(ByteWriter::bytes(v)); }

    KernelPayload& zero_terminated8(std::string_view v) {
        return done(ByteWriter::zero_terminated8(v));
    }

    KernelPayload& zero_terminated16(std::u16string_view v) {
        return done(ByteWriter::zero_terminated16(v));
    }

    /// A time stamp of the session's clock.
    KernelPayload& ticks(std::int64_t v) { return done(value(v)); }

    KernelPayload& pointer(std::uint64_t v) {
        return layout_ == format::Width::bits32 ? u32(static_cast<std::uint32_t>(v)) : u64(v);
    }

    template <typename... Pointers>
    KernelPayload& pointers(Pointers... v) {
        (pointer(v), ...);
        return *this;
    }

    /// Two bytes in network order.
    KernelPayload& port(std::uint16_t v) {
        u8(static_cast<std::uint8_t>(v >> 8U)).u8(static_cast<std::uint8_t>(v));
        return *this;
    }

    KernelPayload& ipv4(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d) {
        u8(a).u8(b).u8(c).u8(d);
        return *this;
    }

    /// UTF-16 in `units` units, filled up with NULs.
    KernelPayload& padded16(std::u16string_view v, std::size_t units) {
        text16(v).fill(2 * (units - v.size()));
        return *this;
    }

    /// A SID S-1-5-21-1-2-3-`last`, as TOKEN_USER keeps it.
    KernelPayload& user(std::uint32_t last, std::uint64_t token = 0xFFFF8A80'1122'3340) {
        pointer(token).pointer(0).u8(1).u8(5).fill(5);
        u8(5).u32(21).u32(1).u32(2).u32(3).u32(last);
        return *this;
    }

private:
    KernelPayload& done(ByteWriter& /*itself*/) noexcept { return *this; }

    format::Width layout_;
};

/// Puts kernel records into a buffer, one microsecond after the other.
class KernelStory {
public:
    /// `layout` is how wide pointers in payloads are, `headers` how wide the records say they are.
    KernelStory(BufferBuilder& to, format::Width headers, format::Width layout)
        : to_(&to), headers_(headers), layout_(layout) {}

    KernelPayload payload() const { return KernelPayload(layout_); }

    void system(std::uint16_t hook, std::uint8_t version, const ByteWriter& payload) {
        to_->add(format::SystemRecord{.width = headers_,
                                      .version = version,
                                      .hook_id = hook,
                                      .process_id = 600,
                                      .thread_id = 604,
                                      .time = next(),
                                      .kernel_time = 3,
                                      .user_time = 5,
                                      .payload = payload.view()});
        ++events_;
    }

    void compact(std::uint16_t hook, std::uint8_t version, const ByteWriter& payload) {
        to_->add(format::CompactRecord{.width = headers_,
                                       .version = version,
                                       .hook_id = hook,
                                       .process_id = 600,
                                       .thread_id = 604,
                                       .time = next(),
                                       .payload = payload.view()});
        ++events_;
    }

    void perfinfo(std::uint16_t hook, std::uint8_t version, const ByteWriter& payload) {
        to_->add(format::PerfinfoRecord{.width = headers_,
                                        .version = version,
                                        .hook_id = hook,
                                        .time = next(),
                                        .payload = payload.view()});
        ++events_;
    }

    void full(const Guid& event_class, std::uint8_t type, std::uint16_t version,
              const ByteWriter& payload) {
        to_->add(format::FullRecord{.width = headers_,
                                    .opcode = type,
                                    .version = version,
                                    .process_id = 600,
                                    .thread_id = 604,
                                    .time = next(),
                                    .event_class = event_class,
                                    .payload = payload.view()});
        ++events_;
    }

    /// Goes on in another buffer.
    void turn_to(BufferBuilder& to) noexcept { to_ = &to; }

    std::int64_t time() const noexcept { return time_; }

    std::uint64_t events() const noexcept { return events_; }

private:
    std::int64_t next() noexcept { return time_ += 10; }

    BufferBuilder* to_;
    format::Width headers_, layout_;
    std::int64_t time_ = 1'000'000;
    std::uint64_t events_ = 0;
};

} // namespace etl::test
