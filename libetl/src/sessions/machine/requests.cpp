#include "machine/requests.hpp"

#include <etl/byte_writer.hpp>

#include "base/cursor.hpp"
#include "io/find_files.hpp"
#include "session/control/start_options.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <span>
#include <type_traits>
#include <utility>

namespace etl::machine {

namespace {

constexpr std::size_t packet_bytes = std::size_t{32} << 10U;
constexpr std::int64_t a_second = 1000;
constexpr int max_seconds = 60; // that the other end may take no packet

constexpr std::byte more_parts{1}, last_part{0};

bool send_packet(const host::LocalSocket& socket, Bytes packet, std::span<const int> descriptors) {
    for (int i = 0; i < max_seconds; ++i) {
        switch (socket.send(packet, descriptors)) {
        case host::LocalSocket::Sent::done:
            return true;
        case host::LocalSocket::Sent::closed:
            return false;
        case host::LocalSocket::Sent::would_block:
            socket.wait_to_send(a_second);
        }
    }
    return false;
}

} // namespace

bool send_message(const host::LocalSocket& socket, Bytes message, int descriptor) {
    const std::array passed{descriptor};
    std::span<const int> descriptors(passed);
    if (descriptor < 0) {
        descriptors = {};
    }
    std::vector<std::byte> packet;
    do { // NOLINT(cppcoreguidelines-avoid-do-while): an empty message is a packet, too
        const Bytes part = message.first(std::min(message.size(), packet_bytes));
        message = message.subspan(part.size());
        packet.assign(1, message.empty() ? last_part : more_parts);
        packet.insert(packet.end(), part.begin(), part.end());
        if (!send_packet(socket, packet, descriptors)) {
            return false;
        }
        descriptors = {}; // with the first packet
    } while (!message.empty());
    return true;
}

std::optional<ReceivedMessage> receive_message(const host::LocalSocket& socket, std::size_t max) {
    ReceivedMessage message;
    std::vector<host::Descriptor> descriptors;
    std::vector<std::byte> packet(packet_bytes + 1);
    for (;;) {
        const auto received = socket.receive(packet, &descriptors);
        switch (received.state) {
        case host::LocalSocket::Received::State::closed:
            return std::nullopt;
        case host::LocalSocket::Received::State::would_block:
            socket.wait(std::nullopt);
            continue;
        case host::LocalSocket::Received::State::packet:
            break;
        }
        message.has_lost_descriptor = message.has_lost_descriptor || received.has_lost_descriptors;
        if (packet.front() != last_part && packet.front() != more_parts) {
            message.bytes.assign(packet.begin(),
                                 packet.begin() + static_cast<std::ptrdiff_t>(received.size));
            return message;
        }
        const Bytes part = Bytes(packet).first(received.size).subspan(1);
        if (part.size() > max - std::min(max, message.bytes.size()) || descriptors.size() > 1) {
            return std::nullopt;
        }
        message.bytes.insert(message.bytes.end(), part.begin(), part.end());
        if (packet.front() == last_part) {
            if (!descriptors.empty()) {
                message.descriptor = std::move(descriptors.front());
            }
            return message;
        }
    }
}

namespace {

using namespace session;

/// Elements of a list and bytes of a text: far more than there are, so that a count alone decides
/// no allocation.
constexpr std::uint32_t max_elements = 1U << 20U;

/// A field of a message, in one of two directions.
class Writer {
public:
    template <typename... Fields>
    void operator()(const Fields&... fields) {
        (put(fields), ...);
    }

    ByteWriter to;

private:
    template <typename T>
        requires std::is_arithmetic_v<T> || std::is_enum_v<T>
    void put(const T& value) {
        to.value(value);
    }

    void put(const std::string& text) {
        to.u32(static_cast<std::uint32_t>(text.size())).text8(text);
    }

    void put(const Guid& guid) { to.guid(guid); }

    void put(const Filetime& time) { to.value(time.ticks); }

    void put(const Milliseconds& time) { to.value(time.count); }

    template <typename T>
    void put(const std::optional<T>& value) {
        to.u8(value ? 1 : 0);
        if (value) {
            put(*value);
        }
    }

    template <typename T>
    void put(const std::vector<T>& list) {
        to.u32(static_cast<std::uint32_t>(list.size()));
        for (const T& one : list) {
            put(one);
        }
    }

    template <typename T>
        requires std::is_class_v<T>
    void put(const T& value) {
        each_field(*this, const_cast<T&>(value)); // NOLINT: a writer changes nothing
    }
};

class Reader {
public:
    explicit Reader(Bytes from) : in(from) {}

    template <typename... Fields>
    void operator()(Fields&... fields) {
        (get(fields), ...);
    }

    Cursor in;

private:
    template <typename T>
        requires std::is_arithmetic_v<T> || std::is_enum_v<T>
    void get(T& value) {
        const Bytes bytes = in.bytes("value", sizeof(T));
        if (bytes.size() == sizeof(T)) {
            value = load<T>(bytes);
        }
    }

    template <typename T>
    static T load(Bytes bytes) {
        if constexpr (std::same_as<T, bool>) {
            return bytes[0] != std::byte{0};
        } else {
            return load_le<T>(bytes.data());
        }
    }

    void get(std::string& text) {
        const Bytes bytes = in.bytes("text", in.u32("size"));
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): text
        text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }

    void get(Guid& guid) { guid = in.guid("GUID"); }

    void get(Filetime& time) { get(time.ticks); }

    void get(Milliseconds& time) { get(time.count); }

    template <typename T>
    void get(std::optional<T>& value) {
        value.reset();
        if (in.u8("presence") != 0) {
            get(value.emplace());
        }
    }

    template <typename T>
    void get(std::vector<T>& list) {
        const std::uint32_t count = in.u32("count");
        for (std::uint32_t i = 0; i < std::min(count, max_elements) && in; ++i) {
            get(list.emplace_back());
        }
    }

    template <typename T>
        requires std::is_class_v<T>
    void get(T& value) {
        each_field(*this, value);
    }
};

void each_field(auto& field, SessionOptions& it) {
    field(it.name, it.guid, it.clock, it.buffer_kb, it.minimum_buffers, it.maximum_buffers,
          it.maximum_file_size, it.mode, it.flush_timer, it.flush_threshold, it.enable_flags,
          it.enable_extension, it.file, it.profile, it.crash_safety, it.backlog_bytes,
          it.durability, it.processors, it.owner, it.is_for_owner_only);
}

void each_field(auto& field, SessionState::Provider& it) {
    field(it.guid, it.is_group, it.level, it.match_any, it.match_all, it.property, it.name,
          it.taken_over_by);
}

void each_field(auto& field, SessionState& it) {
    field(it.id, it.handle, it.options, it.file, it.number_of_buffers, it.free_buffers,
          it.buffers_written, it.log_buffers_lost, it.real_time_buffers_lost, it.events_lost,
          it.logger_thread_id, it.consumers, it.now, it.providers);
}

void each_field(auto& field, UpdateOptions& it) {
    field(it.real_time, it.flush_timer, it.maximum_buffers, it.enable_flags, it.file);
}

void each_field(auto& field, Filter& it) {
    field(it.type, it.data);
}

void each_field(auto& field, EnableOptions& it) {
    field(it.level, it.match_any, it.match_all, it.property, it.source, it.filters, it.timeout);
}

void each_field(auto& field, ProviderState::Enablement& it) {
    field(it.session_id, it.level, it.match_any, it.match_all, it.property, it.order,
          it.is_taken_over);
}

void each_field(auto& field, ProviderState::Instance& it) {
    field(it.kind, it.process_id, it.enabled);
}

void each_field(auto& field, ProviderState& it) {
    field(it.guid, it.is_group, it.name, it.instances, it.is_registered);
}

void each_field(auto& field, SessionEvent& it) {
    field(it.kind, it.session_id, it.session_name, it.file, it.status, it.os_code, it.provider,
          it.other_session);
}

void each_field(auto& field, SessionEvents& it) {
    field(it.events, it.next, it.missed);
}

void each_field(auto& field, Request& it) {
    field(it.verb, it.session, it.options, it.update, it.file, it.passing, it.passing_error,
          it.passing_os_code, it.provider, it.control, it.enable, it.disallowed, it.since,
          it.limit);
}

void each_field(auto& field, Reply& it) {
    field(it.status, it.what, it.os_code, it.sessions, it.providers, it.disallowed, it.events);
}

template <typename T>
std::vector<std::byte> encode_any(const T& message) {
    Writer writer;
    writer(message);
    return writer.to.take();
}

template <typename T>
std::optional<T> decode_any(Bytes bytes) {
    Reader reader(bytes); // NOLINT(misc-const-correctness): a call with a dependent type changes it
    T message;
    reader(message);
    return reader.in && reader.in.is_at_end() ? std::optional(std::move(message)) : std::nullopt;
}

} // namespace

std::vector<std::byte> encode(const Request& request) {
    return encode_any(request);
}

std::vector<std::byte> encode(const Reply& reply) {
    return encode_any(reply);
}

std::optional<Request> decode_request(Bytes message) {
    auto request = decode_any<Request>(message);
    const bool is_known = request && request->verb <= Verb::events &&
                          request->passing <= Passing::failure &&
                          request->control <= Control::capture_state;
    return is_known ? request : std::nullopt;
}

std::optional<Reply> decode_reply(Bytes message) {
    return decode_any<Reply>(message);
}

std::string absolute(const std::string& file) {
    return file.empty() ? file : io::full_path(file);
}

bool needs_file(const Request& request, std::uint32_t mode) {
    if (request.verb == Verb::start) { // one that is refused anyway creates no file
        return !request.options.file.empty() && session::check_start(request.options, {});
    }
    if (request.verb == Verb::update) {
        return !request.update.file.empty();
    }
    const bool writes_memory = (request.verb == Verb::flush || request.verb == Verb::stop) &&
                               (mode & session::mode::buffering) != 0;
    return writes_memory && !request.file.empty();
}

OpenedFile OpenedFile::open(const std::string& path, bool is_series) {
    OpenedFile file;
    file.path_ = path;
    const auto opened = is_series ? io::open_directory_to_pass(path) : io::open_file_to_pass(path);
    if (!opened) {
        file.passing_ = Passing::failure;
        file.error_ = opened.error();
        return file;
    }
    file.descriptor_ = host::Descriptor(opened->descriptor);
    file.passing_ = is_series        ? Passing::directory
                    : opened->is_new ? Passing::new_file
                                     : Passing::file;
    return file;
}

void OpenedFile::describe_in(Request& request) const {
    request.passing = passing_;
    request.passing_error = error_.code;
    request.passing_os_code = error_.os_code;
}

void OpenedFile::remove_if_new() {
    descriptor_.close(); // the host may have locked it
    if (passing_ != Passing::new_file) {
        return;
    }
    if (const auto unused = io::disk().open(path_, io::FileFactory::Open::existing)) {
        static_cast<void>(io::disk().remove(path_));
    }
}

void add_passed(io::PassedFiles& to, const std::string& path, const Request& request,
                host::Descriptor descriptor) {
    if (request.passing == Passing::failure) {
        to.add_failure(
            path,
            {.code = request.passing_error, .what = "create", .os_code = request.passing_os_code});
    } else if (descriptor && request.passing == Passing::directory) {
        to.add_directory_of(path, descriptor.number());
        descriptor.release();
    } else if (descriptor && request.passing != Passing::nothing) {
        to.add_file(path, {.descriptor = descriptor.number(),
                           .is_new = request.passing == Passing::new_file});
        descriptor.release(); // taken, for there was memory
    }
}

} // namespace etl::machine
