#include "machine/delivery.hpp"

#include <etl/flow/context.hpp>
#include <etl/host/process.hpp>
#include <etl/trace/writer.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace etl::machine {

namespace {

/// How long an event waits for others to be written with.
constexpr std::chrono::milliseconds longest_delay{200};

/// Shared by the thread that waits for events and the one that flushes.
class Delivery {
public:
    Delivery(std::unique_ptr<io::PassedFiles> files, std::unique_ptr<session::LiveSource> source,
             std::unique_ptr<trace::Writer> writer)
        : files_(std::move(files)), source_(std::move(source)), writer_(std::move(writer)) {}

    void take() {
        for (flow::Run run = source_->next_run(); !run.empty(); run = source_->next_run()) {
            const std::lock_guard lock(mutex_);
            add(run);
            if (has_failed()) {
                break;
            }
        }
        const std::lock_guard lock(mutex_);
        static_cast<void>(writer_->close());
        has_ended_ = true;
        ended_.notify_all();
    }

    void flush() {
        std::unique_lock lock(mutex_);
        while (!ended_.wait_for(lock, longest_delay, [&] { return has_ended_; })) {
            if (is_dirty_) {
                writer_->flush();
                is_dirty_ = false;
            }
            if (has_failed()) {
                source_->close();
            }
        }
    }

private:
    /// Without the log file header, which the writer has written.
    void add(flow::Run run) {
        while (!run.empty()) {
            const auto header = std::ranges::find_if(run, flow::is_logfile_header);
            const auto count = static_cast<std::size_t>(header - run.begin());
            writer_->add(run.first(count));
            run = run.subspan(std::min(count + 1, run.size()));
            is_dirty_ = is_dirty_ || count != 0;
        }
    }

    bool has_failed() const noexcept { return writer_->status().buffers_lost != 0; }

    std::mutex mutex_;
    std::condition_variable ended_;
    std::unique_ptr<io::PassedFiles> files_; // of the writer
    std::unique_ptr<session::LiveSource> source_;
    std::unique_ptr<trace::Writer> writer_;
    bool is_dirty_ = false, has_ended_ = false;
};

} // namespace

session::Outcome<void> deliver(std::unique_ptr<session::LiveSource> source, const std::string& pipe,
                               std::unique_ptr<io::PassedFiles> files) {
    trace::WriterOptions options;
    options.recording = trace::recording_of(source->info());
    options.files = files.get();
    auto writer = trace::Writer::create(pipe, std::move(options));
    if (!writer) {
        return session::refuse(session::Status::bad_pathname, writer.error().what,
                               writer.error().os_code);
    }
    const auto delivery =
        std::make_shared<Delivery>(std::move(files), std::move(source), std::move(*writer));
    std::thread([delivery] {
        host::become_helper_thread("etl-deliver");
        delivery->take();
    }).detach();
    std::thread([delivery] {
        host::become_helper_thread("etl-deliver");
        delivery->flush();
    }).detach();
    return {};
}

} // namespace etl::machine
