// The server of the Model Context Protocol: messages in, answers out. docs/mcp.md
#pragma once

#include "base/json_object.hpp"
#include "cli/exit_code.hpp"
#include "cli/stop_signals.hpp"
#include "cli/verb.hpp"
#include "io/output_file.hpp"
#include "verbs/mcp/call.hpp"
#include "verbs/mcp/copies.hpp"
#include "verbs/mcp/input.hpp"
#include "verbs/mcp/message.hpp"

#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace cli::mcp {

/// Answers one message after the other; calls wait in a queue, while a call runs. One thread.
class Server {
public:
    /// `etl` is the command line with all verbs; it must outlive the server.
    Server(const Verb& etl, CallOptions options, std::optional<Copies> copies, MessageInput& input)
        : etl_(&etl), options_(std::move(options)), copies_(std::move(copies)), input_(&input) {}

    /// Returns at the end of the input, if the output is closed, or after a signal.
    ExitCode run();

private:
    void read_messages(std::chrono::milliseconds timeout);
    void take(const Message& message);
    void take_notification(const Message& message);
    /// Calls are only put into the queue.
    void answer_at_once(const Message& request);
    void initialize(const Message& request);
    bool is_accepted(const Message& request);
    void call(const Message& request);
    void answer_call(const Message& request, const Answer& answer);
    /// Runs etl with these words. Captured::End::stopped: the call was cancelled, or the server
    /// ends.
    etl::Result<etl::host::Captured> run(std::vector<std::string> words,
                                         const etl::host::CaptureOptions& options);
    /// Makes the copies of the files that have none. If it cannot, or the call was cancelled,
    /// answers and returns false.
    bool make_copies(const Message& request, const Command& command);

    void send_result(const Message& request, etl::JsonObject result);
    void send_error(const MessageError& error, const std::string& data = {});
    void send(const std::string& json);

    const Verb* etl_;
    CallOptions options_;
    std::optional<Copies> copies_; // none: verbs read the traces themselves
    MessageInput* input_;
    MessageParser parser_;
    etl::io::StandardOutput output_;
    StopSignals signals_;
    std::deque<Message> waiting_; // calls
    std::string running_;         // the ID of the call that runs
    bool is_cancelled_ = false;   // that call
    bool is_initialized_ = false;
    bool is_stopped_ = false;
};

} // namespace cli::mcp
