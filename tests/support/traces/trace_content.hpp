// The records of a trace, byte for byte, by processor; and a disk that keeps nothing. For those who
// link etl_trace.
#pragma once

#include "io/writable_file.hpp"
#include "tests/support/reading.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace etl::test {

/// A disk that takes everything and keeps nothing.
class NullFiles final : public io::FileFactory {
public:
    Result<std::unique_ptr<io::WritableFile>> open(const std::string& /*path*/,
                                                   Open /*how*/) override {
        return std::make_unique<Null>();
    }

private:
    class Null final : public io::WritableFile {
    public:
        Result<void> write_at(FileOffset where, Bytes bytes) override {
            size_ = std::max<std::uint64_t>(size_, where.value + bytes.size());
            return {};
        }

        Result<std::size_t> read_at(FileOffset /*where*/, MutableBytes /*to*/) override {
            return std::size_t{0};
        }

        Result<std::uint64_t> size() override { return size_; }

        Result<void> resize(std::uint64_t size) override {
            size_ = size;
            return {};
        }

        Result<void> allocate(std::uint64_t size) override { return resize(size); }

        Result<void> sync() override { return {}; }

        Result<void> close() override { return {}; }

    private:
        std::uint64_t size_ = 0;
    };
};

/// The records behind the header buffer, byte for byte, in the order in which each processor's were
/// written.
using Streams = std::map<std::uint16_t, std::vector<Image>>;

/// What is in a trace beside its header buffer.
struct Content {
    std::optional<Error> error; // of open
    flow::TraceInfo info;
    std::vector<trace::BufferEntry> buffers;
    std::uint64_t damage = 0;
    std::vector<Diagnostic> findings;
    Streams streams;
};

inline Content content_of(const std::shared_ptr<const io::InputFile>& file) {
    Content content;
    DiagnosticList findings;
    auto reader =
        trace::Reader::open(file, {.order = trace::Order::file, .diagnostics = &findings});
    if (!reader) {
        content.error = reader.error();
        return content;
    }
    // A circular file has its buffers in another order than they were written in.
    using BufferOrder = std::tuple<std::uint16_t, std::uint32_t, std::int64_t>;
    std::map<BufferOrder, std::vector<Image>> buffers;
    for (flow::Run run = (*reader)->next_run(); !run.empty(); run = (*reader)->next_run()) {
        for (const flow::Event& event : run) {
            const auto& entry = (*reader)->buffers()[event.buffer->number];
            if (entry.type != format::BufferType::header) {
                const Bytes record = event.bytes();
                buffers[{entry.processor, entry.run, entry.sequence}].emplace_back(record.begin(),
                                                                                   record.end());
            }
        }
    }
    for (auto& [place, records] : buffers) {
        std::ranges::move(records, std::back_inserter(content.streams[std::get<0>(place)]));
    }
    content.info = (*reader)->info();
    content.buffers.assign((*reader)->buffers().begin(), (*reader)->buffers().end());
    content.damage = (*reader)->damage();
    content.findings = findings.list();
    return content;
}

inline Content content_of(const Image& file) {
    return content_of(in_memory(file));
}

/// TimeStamp of every buffer of a plain trace.
inline std::vector<std::int64_t> time_stamps_of(const Image& file) {
    std::vector<std::int64_t> stamps;
    for (const trace::BufferEntry& buffer : content_of(file).buffers) {
        const Bytes bytes = Bytes(file).subspan(static_cast<std::size_t>(buffer.where.value));
        stamps.push_back(format::BufferHeaderView::at(bytes, buffer.where)->time_stamp());
    }
    return stamps;
}

} // namespace etl::test
