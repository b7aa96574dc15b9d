#include "compat/host_stream.hpp"

#include "io/byte_stream.hpp"

#include <chrono>
#include <utility>

namespace etl::compat {

using session::Outcome;
using session::refuse;
using session::Status;

Outcome<std::unique_ptr<HostStream>> HostStream::open(const std::string& session) {
    auto controller = machine::Controller::connect({.start = machine::StartHost::never});
    if (!controller) {
        return std::unexpected(controller.error());
    }
    auto pipe = std::make_unique<host::TemporaryPipe>();
    if (!pipe->is_open()) {
        return refuse(Status::access_denied, "cannot create a named pipe");
    }
    if (auto delivered = controller->deliver(session, pipe->path()); !delivered) {
        return std::unexpected(delivered.error());
    }
    std::unique_ptr<HostStream> made(new HostStream(std::move(*controller), std::move(pipe)));
    auto stream = io::open_stream(made->pipe_->path());
    if (!stream) {
        return refuse(Status::wmi_instance_not_found, "the host does not deliver events");
    }
    auto input = trace::StreamInput::open(std::move(*stream), session);
    if (!input) {
        return refuse(Status::wmi_instance_not_found, "the host does not deliver events");
    }
    using std::chrono::milliseconds;
    auto reader = trace::StreamReader::open(
        std::move(*input),
        {.pause = milliseconds(50), .max_delay = milliseconds(200), .stop = &made->is_closed_});
    if (!reader) {
        return refuse(Status::wmi_instance_not_found, "the host does not deliver events");
    }
    made->reader_ = std::move(*reader);
    return made;
}

flow::Run HostStream::next_run() {
    flow::Run run = reader_->next_run();
    while (run.empty() && reader_->is_paused() && !is_closed_) {
        run = reader_->next_run();
    }
    return run;
}

bool HostStream::has_lost_host() {
    return !is_closed_ && !controller_.sessions().has_value();
}

} // namespace etl::compat
