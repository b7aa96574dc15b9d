// Relogs a trace through edits that bytes choose, and says what is wrong with what comes out. For
// those who link etl_relog.
#pragma once

#include "format/kernel_group.hpp"
#include "format/set_field.hpp"
#include "relog/edit.hpp"
#include "tests/support/traces/trace_content.hpp"
#include "trace/summary.hpp"
#include "trace/writer.hpp"

#include <array>
#include <string>

namespace etl::test {

/// Does to each event what the next byte says, over and over again.
class RandomEdits final : public relog::Edit {
public:
    explicit RandomEdits(Bytes steering) : steering_(steering.begin(), steering.end()) {
        if (steering_.empty()) {
            steering_.push_back(std::byte{});
        }
    }

    void edit(const flow::Event& event, relog::Output& to) override {
        const unsigned what = next();
        draft_.assign(event);
        switch (what & 15U) {
        case 0:
            return; // dropped
        case 1:
            to.pass();
            to.pass();
            return;
        case 2:
            change(draft_, what >> 4U);
            to.emit(draft_);
            return;
        case 3:
            resize(draft_, what >> 4U);
            to.emit_now(draft_);
            return;
        case 4:
            to.pass();
            inject(relog::Draft::Form::event, event, to);
            return;
        case 5:
            inject(relog::Draft::Form::classic, event, to);
            to.pass();
            return;
        case 6:
            give_items(draft_);
            to.emit(draft_);
            return;
        case 7:
            to.emit(draft_);
            draft_.set_raw_time(event.raw_time + 1 + (what >> 4U) * 100);
            to.emit(draft_);
            return;
        default:
            to.pass();
        }
    }

    void finish(const flow::Event* last, relog::Output& to) override {
        if (last != nullptr) {
            inject(relog::Draft::Form::event, *last, to);
        }
    }

private:
    unsigned next() {
        const auto byte = std::to_integer<unsigned>(steering_[at_ % steering_.size()]);
        const auto round = static_cast<unsigned>(at_ / steering_.size());
        ++at_;
        return (byte + 37 * round) & 0xFFU;
    }

    void change(relog::Draft& draft, unsigned what) {
        const std::int64_t time = draft.event().raw_time;
        const auto number = static_cast<std::uint16_t>(next());
        Guid guid;
        guid.bytes.fill(static_cast<std::byte>(number));
        switch (what % 8) {
        case 0:
            draft.set_raw_time(static_cast<std::int64_t>(static_cast<std::uint64_t>(time) +
                                                         (std::uint64_t{number} << 3U)));
            break;
        case 1:
            draft.set_raw_time(
                static_cast<std::int64_t>(static_cast<std::uint64_t>(time) - number));
            break;
        case 2:
            draft.set_process_id(number);
            draft.set_thread_id(number);
            break;
        case 3:
            draft.set_provider(guid);
            break;
        case 4:
            draft.set_activity(guid);
            draft.set_cpu_times(number, number);
            break;
        case 5:
            (void)draft.set_processor(number % 4);
            break;
        case 6:
            draft.set_descriptor({.id = number, .version = 1, .opcode = 2, .keyword = 3});
            break;
        default:
            draft.set_time({draft.event().time().ticks + number});
        }
    }

    void resize(relog::Draft& draft, unsigned what) {
        constexpr std::array<std::size_t, 8> sizes{0,   1,    3,      8,
                                                   100, 5000, 0xFF00, format::max_record_size};
        const std::vector<std::byte> payload(sizes[what % sizes.size()],
                                             static_cast<std::byte>(next()));
        (void)draft.set_payload(payload); // rejected ones stay as they are
    }

    void give_items(relog::Draft& draft) {
        const std::vector<std::byte> data(next() % 20);
        const std::array items{
            format::ExtendedItem{.type = format::ItemType::event_key, .data = data},
            format::ExtendedItem{.type = static_cast<format::ItemType>(next()), .data = data}};
        (void)draft.set_items(std::span(items).first(next() % 3));
    }

    void inject(relog::Draft::Form form, const flow::Event& like, relog::Output& to) {
        relog::Draft made(form, like);
        change(made, next());
        resize(made, next() % 6);
        to.emit(made);
    }

    std::vector<std::byte> steering_;
    std::size_t at_ = 0;
    relog::Draft draft_;
};

/// Passes on what it is given, and remembers it: without claims to items that do not parse.
class Remembering final : public flow::Source {
public:
    explicit Remembering(flow::Source& upstream) : upstream_(&upstream) {}

    flow::Run next_run() override {
        const flow::Run run = upstream_->next_run();
        for (const flow::Event& event : run) {
            const flow::EventHeader header = flow::read_header(event);
            const bool is_system = event.kind.family == format::RecordFamily::system;
            if (is_system && header.hook_id == format::logfile_header_hook) {
                continue; // the writer has its own
            }
            const Bytes record = event.bytes();
            auto& kept =
                streams[event.buffer->processor].emplace_back(record.begin(), record.end());
            format::clear_invalid_flags(event.kind, kept);
            ++events;
        }
        return run;
    }

    flow::Pin pin() const override { return upstream_->pin(); }

    const Error* error() const noexcept override { return upstream_->error(); }

    Streams streams;
    std::uint64_t events = 0;

private:
    flow::Source* upstream_;
};

/// What is wrong with the trace that was made of these events; empty: nothing.
inline std::string complaint_about(const Image& image, const Remembering& given) {
    const Content content = content_of(image);
    if (content.error) {
        return std::string("does not open: ") + content.error->what;
    }
    if (content.damage != 0) {
        return std::string("is damaged: ") + content.findings.front().what;
    }
    if (content.streams != given.streams) {
        return "has other records than those that were given";
    }
    DiagnosticList findings;
    const auto reader = trace::Reader::open(in_memory(image));
    if (trace::check(**reader, findings) == 0) {
        return {};
    }
    const auto found = std::ranges::find(findings.list(), Severity::warning, &Diagnostic::severity);
    return found == findings.list().end() ? "check counts what it does not tell"
                                          : std::string("check: ") + found->what;
}

/// Relogs `reader` through the edits that `steering` chooses. Empty: all is well.
inline std::string complaint_of_relogging(trace::Reader& reader, Bytes steering,
                                          codec::Format compression) {
    constexpr std::uint32_t for_all_records = 0x10200;
    RandomEdits edits(steering);
    relog::EditedSource edited(reader, edits);
    Remembering given(edited);
    io::MemoryFiles files;
    trace::WriterOptions options;
    options.recording = trace::relogged(reader.info());
    options.file.buffer_size = std::max(trace::buffer_size_for(reader.info()), for_all_records);
    options.file.compression = compression;
    options.files = &files;
    auto writer = trace::Writer::create("out.etl", options);
    if (!writer) {
        return std::string("cannot be written: ") + writer.error().what;
    }
    const auto copied = trace::copy(given, **writer);
    if (!copied || copied->lost != 0 || copied->events != given.events) {
        return "not all events were written";
    }
    if (!(*writer)->close() || (*writer)->status().buffers_lost != 0) {
        return "could not be finished";
    }
    return complaint_about(files.files().at("out.etl"), given);
}

} // namespace etl::test
