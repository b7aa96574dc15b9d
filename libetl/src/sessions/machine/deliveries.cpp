#include "machine/deliveries.hpp"

#include "flow/context.hpp"
#include "host/process.hpp"
#include "io/writable_file.hpp"
#include "trace/writer.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace etl::machine {

namespace {

using Clock = std::chrono::steady_clock;

/// How long an event waits for others to be written with.
constexpr std::chrono::milliseconds max_delay{200};

/// Runs of one consumer before the next has its turn.
constexpr int max_runs = 64;

/// What was written and the pipe has not taken yet.
class Outbox final : public io::FileFactory {
public:
    Result<std::unique_ptr<io::WritableFile>> open(const std::string&, Open) override {
        return std::make_unique<File>(*this);
    }

    Bytes rest() const noexcept { return Bytes(bytes_).subspan(taken_); }

    void take(std::size_t size) noexcept {
        taken_ += size;
        if (taken_ == bytes_.size()) {
            bytes_.clear();
            taken_ = 0;
        }
    }

private:
    class File final : public io::WritableFile {
    public:
        explicit File(Outbox& to) noexcept : to_(&to) {}

        Result<void> write_at(FileOffset, Bytes bytes) override { // in order, as is_stream says
            to_->bytes_.insert(to_->bytes_.end(), bytes.begin(), bytes.end());
            return {};
        }

        Result<std::size_t> read_at(FileOffset, MutableBytes) override { return 0U; }

        Result<std::uint64_t> size() override { return 0U; }

        Result<void> resize(std::uint64_t) override { return {}; }

        Result<void> allocate(std::uint64_t) override { return {}; }

        bool is_stream() const noexcept override { return true; }

        Result<void> sync() override { return {}; }

        Result<void> close() override { return {}; }

    private:
        Outbox* to_;
    };

    std::vector<std::byte> bytes_;
    std::size_t taken_ = 0;
};

} // namespace

class Deliveries::Delivery {
public:
    explicit Delivery(Consumer consumer) noexcept : consumer_(std::move(consumer)) {}

    Result<void> begin(const std::shared_ptr<const host::Poller>& poller) {
        trace::WriterOptions options;
        options.recording = trace::recording_of(consumer_.source->info());
        options.files = &outbox_;
        auto writer = trace::Writer::create("consumer", std::move(options));
        if (!writer) {
            return std::unexpected(writer.error());
        }
        writer_ = std::move(*writer);
        consumer_.source->wake(poller);
        return poller->add(consumer_.pipe.number(), 0, host::Poller::Ready::to_send);
    }

    /// Does what can be done without waiting. False: the delivery has ended.
    bool go_on(Clock::time_point now) {
        has_more_ = false;
        if (*consumer_.has_connection_ended || !host::has_reader(consumer_.pipe)) {
            return false;
        }
        for (int i = 0; i < max_runs; ++i) {
            if (const auto sent = send(); !sent || !*sent) {
                return sent.has_value();
            }
            if (has_ended_) {
                return false;
            }
            if (const auto run = consumer_.source->try_next_run()) {
                add(*run, now);
            } else if (!flush(now)) {
                return true;
            }
        }
        has_more_ = true;
        return true;
    }

    /// When to go on even if nothing happens.
    std::optional<Clock::time_point> due(Clock::time_point now) const noexcept {
        return has_more_ ? std::optional(now) : flush_at_;
    }

private:
    /// True: the pipe has taken everything; nothing: it has no reader.
    std::optional<bool> send() {
        while (!outbox_.rest().empty()) {
            const auto taken = host::write_some(consumer_.pipe, outbox_.rest());
            if (!taken) {
                return std::nullopt;
            }
            if (*taken == 0) {
                return false;
            }
            outbox_.take(*taken);
        }
        return true;
    }

    /// Without the log file header, which the writer has written. The empty run is the end.
    void add(flow::Run run, Clock::time_point now) {
        if (run.empty()) {
            static_cast<void>(writer_->close());
            has_ended_ = true;
            return;
        }
        while (!run.empty()) {
            const auto header = std::ranges::find_if(run, flow::is_logfile_header);
            const auto count = static_cast<std::size_t>(header - run.begin());
            writer_->add(run.first(count));
            run = run.subspan(std::min(count + 1, run.size()));
            if (count != 0 && !flush_at_) {
                flush_at_ = now + max_delay;
            }
        }
    }

    /// False: it is not yet time to.
    bool flush(Clock::time_point now) {
        if (!flush_at_ || now < *flush_at_) {
            return false;
        }
        writer_->flush();
        flush_at_.reset();
        return true;
    }

    Outbox outbox_;
    Consumer consumer_;
    std::unique_ptr<trace::Writer> writer_;
    std::optional<Clock::time_point> flush_at_; // there are events that were not written
    bool has_more_ = false, has_ended_ = false;
};

Deliveries::Deliveries(std::shared_ptr<const host::Poller> poller)
    : poller_(std::move(poller)), thread_([this] { run(); }) {}

Deliveries::~Deliveries() {
    is_stopping_ = true;
    wake();
    thread_.join();
}

session::Outcome<void> Deliveries::add(Consumer consumer) {
    All made;
    made.push_back(std::make_unique<Delivery>(std::move(consumer)));
    if (const auto begun = made.front()->begin(poller_); !begun) {
        return session::refuse(session::Status::bad_pathname, begun.error().what,
                               begun.error().os_code);
    }
    const std::lock_guard lock(mutex_);
    new_.splice(new_.end(), made);
    ++count_;
    wake();
    return {};
}

void Deliveries::wait_until(Clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    emptied_.wait_until(lock, deadline, [&] { return count_ == 0; });
}

void Deliveries::run() {
    host::become_helper_thread("etl-deliver");
    All all;
    while (!is_stopping_) {
        {
            const std::lock_guard lock(mutex_);
            all.splice(all.end(), new_);
        }
        const auto wait = go_on(all);
        {
            const std::lock_guard lock(mutex_);
            count_ = all.size() + new_.size();
            emptied_.notify_all();
        }
        poller_->wait_any(wait);
    }
}

/// Returns how long to wait for something to happen, in milliseconds; nothing: without end.
std::optional<std::int64_t> Deliveries::go_on(All& all) {
    const auto now = Clock::now();
    std::optional<Clock::time_point> next;
    std::erase_if(all, [&](const std::unique_ptr<Delivery>& one) {
        try {
            if (!one->go_on(now)) {
                return true;
            }
        } catch (const std::exception&) { // memory: this consumer ends, and no other
            return true;
        }
        if (const auto due = one->due(now); due && (!next || *due < *next)) {
            next = due;
        }
        return false;
    });
    if (!next) {
        return std::nullopt;
    }
    return std::max<std::int64_t>(
        std::chrono::ceil<std::chrono::milliseconds>(*next - Clock::now()).count(), 0);
}

} // namespace etl::machine
