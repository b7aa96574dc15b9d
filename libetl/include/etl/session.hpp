// Sessions and providers of this program: it registers providers, starts sessions, and writes
// events (docs/trace-your-own-program.md). Sessions of the machine: etl/machine.hpp.
//
//     etl::session::Runtime runtime; // one per program, kept as long as events are written
//     const etl::provider::Provider coffee("MyCompany.Coffee");
//     auto events = runtime.add(coffee);
//     auto session = runtime.start({.name = "Morning", .file = "morning.etl"});
//     session->enable(coffee.guid(), {.level = 4});
//     events->write(cup_finished, u"espresso", 93); // a provider::StaticEvent
//     session->stop();
//
// docs/sessions.md
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>
#include <etl/guid.hpp>
#include <etl/log_file.hpp>
#include <etl/owned.hpp>
#include <etl/provider.hpp>
#include <etl/record.hpp>
#include <etl/time.hpp>

#include <atomic>
#include <concepts>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::io {
class FileFactory;
}

namespace etl::session {

// Results of calls: the status codes that the Windows functions return. docs/sessions.md#status

/// Win32 error codes, by the names of winerror.h without ERROR_.
enum class Status : std::uint32_t {
    success = 0,
    invalid_function = 1,
    path_not_found = 3,
    access_denied = 5,
    invalid_handle = 6,
    not_enough_memory = 8,
    outofmemory = 14,
    bad_length = 24,
    gen_failure = 31,
    sharing_violation = 32,
    not_supported = 50,
    invalid_parameter = 87,
    disk_full = 112,
    insufficient_buffer = 122,
    invalid_name = 123,
    bad_pathname = 161,
    already_exists = 183,
    more_data = 234,
    arithmetic_overflow = 534,
    noaccess = 998,
    io_device = 1117,
    possible_deadlock = 1131,
    cancelled = 1223,
    file_corrupt = 1392,
    no_system_resources = 1450,
    timeout = 1460,
    incorrect_size = 1462,
    log_file_full = 1502,
    invalid_time = 1901,
    active_connections = 2402,
    wmi_guid_not_found = 4200,
    wmi_instance_not_found = 4201,
    ctx_close_pending = 7007,
};

/// Returns "ERROR_INVALID_PARAMETER", ...; a code without a name returns "".
std::string_view name(Status status) noexcept;

/// The reason a call failed. `what` is a string literal that describes the violated rule.
struct Failure {
    Status status = Status::success;
    const char* what = "";
    int os_code = 0;    // errno or GetLastError, if a file operation failed
    std::string file{}; // a file that is in the way, where its path is not the caller's

    /// Converts to the error type of the other modules, so that an Outcome can be returned as a
    /// Result: not_found, limit (memory, time, or table entries are exhausted), io_failure,
    /// unsupported, malformed, otherwise invalid_option.
    // NOLINTNEXTLINE(google-explicit-constructor): nothing is lost that a Result could tell
    operator Error() const noexcept;
};

template <typename T>
using Outcome = std::expected<T, Failure>;

/// Returns "ERROR_INVALID_PARAMETER (87): a circular file needs a limit", with the file after the
/// number if there is one. One line, no newline.
std::string describe(const Failure& failure);

inline std::unexpected<Failure> refuse(Status status, const char* what, int os_code = 0) {
    return std::unexpected(Failure{status, what, os_code});
}

// Options and state of a session: EVENT_TRACE_PROPERTIES as input and output.
// docs/sessions.md#options

/// Bits of LogFileMode. docs/sessions.md#modes describes the effect of each.
namespace mode = format::log_mode;

/// Behavior where public sources disagree. docs/sessions.md#profiles
enum class Profile : std::uint8_t {
    newest,           // Windows 11 according to its documentation and public observations
    start_trace_page, // INDEPENDENT_SESSION requires PRIVATE_LOGGER, as documented for StartTrace
};

/// Handling of buffered events if the process is killed.
enum class CrashSafety : std::uint8_t {
    none,        // events in unwritten buffers are lost
    mapped_file, // buffers are in `FILE.buffers` next to the log file; `etl repair` recovers them
};

/// What to do if the files of a killed session with CrashSafety::mapped_file are in the place of
/// those of a new one.
enum class AfterCrash : std::uint8_t {
    refuse,     // already_exists, if the new one has mapped buffers too
    move_aside, // FILE becomes FILE.crashed-N, and FILE.buffers becomes FILE.crashed-N.buffers
    repair, // the same, then they are repaired as FILE.repaired-N; takes as long as copying FILE
};

/// Zero selects the Windows default.
struct SessionOptions {
    std::string name{}; // UTF-8, 1 to 1024 UTF-16 units; unique, ignoring case
    Guid guid{};        // session GUID; for a private session, the provider GUID. Zero: generated
    /// ClientContext: 1 QPC, 2 system time, 3 CPU cycles; other values mean 1.
    std::uint32_t clock = 0;
    std::uint32_t buffer_kb = 0;       // 4 to 16384
    std::uint32_t minimum_buffers = 0; // at least two per processor
    std::uint32_t maximum_buffers = 0;
    std::uint32_t maximum_file_size = 0; // MB, or KB with use_kbytes_for_size; 0: no limit
    std::uint32_t mode = 0;
    std::uint32_t flush_timer = 0;     // s, or ms with use_ms_flush_timer
    std::uint32_t flush_threshold = 0; // full buffers that wake the logger thread; 0: 1
    std::uint32_t enable_flags = 0;    // recorded only; kernel events are not available
    std::vector<std::byte>
        enable_extension{}; // extension announced by bit 31 of enable_flags; recorded only
    std::string file{};     // path, UTF-8; contains `%d` with new_file. Empty: none

    // Extensions that Windows does not have.
    Profile profile = Profile::newest;
    CrashSafety crash_safety = CrashSafety::none;
    /// Only for files on disk. docs/sessions.md#crash
    AfterCrash after_crash = AfterCrash::refuse;
    /// Real-time backlog without consumers; 0: maximum_file_size, or 100 MB.
    std::uint64_t backlog_bytes = 0;
    trace::Durability durability = trace::Durability::none;
    /// Of the library itself: where files are written; null: the disk.
    io::FileFactory* files = nullptr;
    /// Machine sessions: user ID of the controller that started it, and whether it reaches the
    /// processes of that user only. Set by the host.
    std::uint32_t owner = 0;
    bool is_for_owner_only = false;
    /// Number of processors with separate buffers; 0: those of the machine.
    std::uint16_t processors = 0;
};

/// The state of a session, as returned by a query.
struct SessionState {
    std::uint16_t id = 0;     // logger id
    std::uint64_t handle = 0; // TRACEHANDLE: the ID, plus bit 0x01000000 for private sessions
    SessionOptions options;   // effective options: mode, clock, buffer counts, timer, GUID
    std::string file;         // current file, with its number; after a stop, the last one
    std::uint32_t number_of_buffers = 0, free_buffers = 0;
    std::uint32_t buffers_written = 0, log_buffers_lost = 0, real_time_buffers_lost = 0;
    std::uint64_t events_lost = 0;
    std::uint32_t logger_thread_id = 0; // 0: none
    std::uint32_t consumers = 0;
    Filetime now{}; // time of the query

    struct Provider {
        Guid guid;
        bool is_group = false;
        std::uint8_t level = 0;
        std::uint64_t match_any = 0, match_all = 0;
        std::uint32_t property = 0;
        std::string name{}; // of the registrations, by their traits; empty: unknown
        /// IDs of the sessions that have taken over registrations of a classic provider: those
        /// are recorded by them, not by this session.
        std::vector<std::uint16_t> taken_over_by{};
    };

    std::vector<Provider> providers; // providers enabled by the session, in order of the calls
};

// Parameters for enabling a provider in a session, as in EnableTraceEx2. docs/sessions.md#enabling

/// EVENT_ENABLE_PROPERTY_xxx.
namespace enable_property {
inline constexpr std::uint32_t sid = 0x001;
inline constexpr std::uint32_t terminal_session = 0x002;
inline constexpr std::uint32_t stack_trace = 0x004;
inline constexpr std::uint32_t psm_key = 0x008;
inline constexpr std::uint32_t ignore_keyword_0 = 0x010;
inline constexpr std::uint32_t provider_group = 0x020;
inline constexpr std::uint32_t enable_keyword_0 = 0x040;
inline constexpr std::uint32_t process_start_key = 0x080;
inline constexpr std::uint32_t event_key = 0x100;
inline constexpr std::uint32_t exclude_in_private = 0x200;
} // namespace enable_property

/// EVENT_FILTER_DESCRIPTOR: type and bytes, laid out as on Windows. The parsed parts are checked
/// when the provider is enabled. docs/sessions.md#filters
struct Filter {
    std::uint32_t type = 0; // filter_type; values below 0x80000000 are provider-defined
    std::vector<std::byte> data{};
};

/// EVENT_FILTER_TYPE_xxx.
namespace filter_type {
inline constexpr std::uint32_t schematized = 0x80000000;
inline constexpr std::uint32_t system_flags = 0x80000001;
inline constexpr std::uint32_t trace_handle = 0x80000002;
inline constexpr std::uint32_t pid = 0x80000004;
inline constexpr std::uint32_t executable_name = 0x80000008;
inline constexpr std::uint32_t package_id = 0x80000010;
inline constexpr std::uint32_t package_app_id = 0x80000020;
inline constexpr std::uint32_t payload = 0x80000100;
inline constexpr std::uint32_t event_id = 0x80000200;
inline constexpr std::uint32_t event_name = 0x80000400;
inline constexpr std::uint32_t stack_walk = 0x80001000;
inline constexpr std::uint32_t stack_walk_name = 0x80002000;
inline constexpr std::uint32_t stack_walk_level_keyword = 0x80004000;
} // namespace filter_type

/// Return common filters: events of these processes or executables, only these events, all other
/// events.
Filter make_process_filter(const std::vector<std::uint32_t>& ids);
Filter make_executable_filter(std::string_view names); // separated by ';'
Filter make_event_filter(const std::vector<std::uint16_t>& ids);
Filter make_event_exclusion_filter(const std::vector<std::uint16_t>& ids);

enum class Control : std::uint8_t { disable = 0, enable = 1, capture_state = 2 };

struct EnableOptions {
    std::uint8_t level = 0;      // 0 and 255: all
    std::uint64_t match_any = 0; // 0: all
    std::uint64_t match_all = 0;
    std::uint32_t property = 0;
    Guid source{};                 // source ID passed to the provider's callback
    std::vector<Filter> filters{}; // replace the previous filters
    /// Machine sessions: reaches processes of this user only. Set by the host.
    std::optional<std::uint32_t> only_user{};
    /// Maximum time to wait for callbacks; none: no limit; 0: do not wait.
    std::optional<Milliseconds> timeout = Milliseconds(0);
};

/// The argument of a provider's callback. Valid during the call.
struct EnableNotification {
    Guid source;
    std::uint32_t is_enabled = 0; // 0, 1; 2: capture state
    std::uint8_t level = 0;       // aggregate of all sessions
    std::uint64_t match_any = 0, match_all = 0;
    const Filter* filter = nullptr; // schematized filter of the calling session, or null
    std::uint64_t session_bit = 0;  // bit of that session, for WriteOptions::excluded_sessions
};

/// Callback of a provider. Runs on the enabling thread if that waits without a limit, otherwise on
/// a thread of the runtime; one call at a time per registration, in order. May write events,
/// register, and unregister. Must not start, control, or enable sessions (possible_deadlock), and
/// must not throw. docs/sessions.md#enabling
using EnableCallback = Callback<void(const EnableNotification&)>;

class Runtime;
class Registrations;

/// An event that creates its record from values: provider::StaticEvent, or
/// provider::SelfDescribingEvent without values.
template <typename Event, typename... Values>
concept Composable = requires(Event& event, const Values&... values) {
    { event.record(provider::EventContext{}, values...) } -> std::same_as<format::EventRecord>;
};

/// The enablement of a registration: whether any session accepts events, and which. Controllers may
/// change it at any time. Its memory is valid as long as the runtime.
struct EnableState {
    /// Sessions that enabled this registration: bits 0 to 7 are slots of its provider, bits 8 to 15
    /// slots of its group, bit 16 stands for all sessions of the machine, bit 17 for those that
    /// refuse the events of this process (mode::secure).
    std::atomic<std::uint32_t> mask{0};
    std::atomic<std::uint32_t> level{0}; // maximum of all sessions; 255: all
    std::atomic<std::uint64_t> match_any{0}, match_all{0};
    std::atomic<bool> accepts_keyword_0{false};

    /// Returns false if no session accepts such an event. Conservative: true does not guarantee
    /// acceptance.
    bool accepts(std::uint8_t event_level, std::uint64_t keyword) const noexcept {
        if (mask.load(std::memory_order_relaxed) == 0) [[likely]] {
            return false;
        }
        return event_level <= level.load(std::memory_order_relaxed) && accepts_keyword(keyword);
    }

    bool accepts_keyword(std::uint64_t keyword) const noexcept {
        if (keyword == 0) {
            return accepts_keyword_0.load(std::memory_order_relaxed);
        }
        const std::uint64_t all = match_all.load(std::memory_order_relaxed);
        return (keyword & match_any.load(std::memory_order_relaxed)) != 0 && (keyword & all) == all;
    }
};

/// Options of EventWriteEx and EventWriteFull, including EVENT_WRITE_FLAG.
struct WriteOptions {
    const Guid* activity = nullptr; // null: that of the thread, current_activity()
    const Guid* related = nullptr;  // null: none
    /// EventWriteEx.Filter: bits of EnableNotification::session_bit.
    std::uint64_t excluded_sessions = 0;
    bool is_in_private = false; // EVENT_WRITE_FLAG_INPRIVATE
    bool is_string = false;     // EVENT_HEADER_FLAG_STRING_ONLY
    std::uint16_t property = 0; // EVENT_HEADER_PROPERTY_xxx
    /// Raw timestamp to use instead of the session clock (data descriptor type 3); null: none.
    const std::int64_t* time = nullptr;
};

/// The result of writing an event. `status` is the result of EventWrite: also success if no session
/// enabled the event, or if only independent sessions lost it.
struct WriteResult {
    Status status = Status::success;
    std::uint8_t written = 0; // sessions that recorded it
    std::uint8_t lost = 0;    // sessions that accepted it but lost it
};

/// Registered from construction (Runtime::add) to destruction. Writing is thread-safe. Stop all
/// writes before moving or destroying it. It must not outlive its runtime.
class Registration {
public:
    Registration() noexcept = default; // empty: never enabled
    Registration(Registration&& other) noexcept;
    Registration& operator=(Registration&& other) noexcept;
    /// Waits for a callback that is running in another thread.
    ~Registration();

    /// Returns whether any session enabled the provider. Costs one load and one branch.
    bool is_enabled() const noexcept { return state_->mask.load(std::memory_order_relaxed) != 0; }

    /// Returns whether a session may accept such an event, like EventEnabled. If true, the event
    /// may still be filtered.
    bool is_enabled(std::uint8_t level, std::uint64_t keyword) const noexcept {
        return state_->accepts(level, keyword);
    }

    /// Writes an event to all sessions that accept it. The session sets time, IDs, and processor;
    /// those of `record` are ignored. Extended data items (traits, metadata) are copied, and so is
    /// the activity unless it is zero or overridden by `options`. No lock, allocation, or system
    /// call unless a buffer is full, except for sessions with stack walks: walking a stack may take
    /// the loader lock, and allocates on first use in each thread.
    WriteResult write(const format::EventRecord& record,
                      const WriteOptions& options = {}) const noexcept {
        if (!state_->accepts(record.descriptor.level, record.descriptor.keyword)) [[likely]] {
            return {};
        }
        return write_enabled(record, options);
    }

    /// Writes an event with these values. The record is created only if a session has enabled the
    /// provider. `event` stores it, so only one thread at a time may write the same object.
    template <typename Event, typename... Values>
        requires Composable<Event, Values...>
    WriteResult write(Event& event, const Values&... values) const {
        return is_enabled() ? write(event.record(provider::EventContext{}, values...))
                            : WriteResult{};
    }

    /// Writes an event whose payload is in several parts, like EventWrite. More than 128 parts:
    /// invalid_parameter.
    WriteResult write(const format::EventDescriptor& descriptor, std::span<const Bytes> parts,
                      const WriteOptions& options = {}) const noexcept;

    /// Writes UTF-16 text as an event without a schema, like EventWriteString.
    WriteResult write_string(std::uint8_t level, std::uint64_t keyword,
                             std::u16string_view text) const noexcept;

    /// Sets the provider traits (name, group) of a provider registered by GUID only. Errors:
    /// file_corrupt (docs/sessions.md#traits), gen_failure (already set), invalid_parameter
    /// (classic provider), outofmemory (more than 16 MB of distinct traits in the lifetime of the
    /// runtime).
    Outcome<void> set_traits(Bytes traits);

    /// Returns an opaque handle, nonzero if registered: the REGHANDLE of the compatibility headers.
    std::uint64_t handle() const noexcept { return handle_; }

private:
    friend class Runtime;

    Registration(Runtime& runtime, std::uint64_t handle, const EnableState& state) noexcept
        : runtime_(&runtime), handle_(handle), state_(&state) {}

    WriteResult write_enabled(const format::EventRecord& record,
                              const WriteOptions& options) const noexcept;

    static const EnableState disabled;

    Runtime* runtime_ = nullptr;
    std::uint64_t handle_ = 0;
    const EnableState* state_ = &disabled; // first member of the registration's node
};

// Activity IDs, which relate events to each other. Each thread has a current ID, initially zero.
// Corresponds to EventActivityIdControl. docs/sessions.md#activities

/// Returns the activity ID of the calling thread.
Guid current_activity() noexcept;

/// Sets the activity ID of the calling thread. Returns the previous one.
Guid set_activity(const Guid& activity) noexcept;

/// Returns a new ID, unique on this machine until it restarts. No system call.
Guid new_activity() noexcept;

/// Sets the activity of the thread during the lifetime of this object.
class ActivityScope {
public:
    explicit ActivityScope(const Guid& activity = new_activity()) noexcept
        : before_(set_activity(activity)) {}

    ActivityScope(const ActivityScope&) = delete;
    ActivityScope& operator=(const ActivityScope&) = delete;

    ~ActivityScope() { set_activity(before_); }

private:
    Guid before_;
};

/// Properties that ControlTrace(UPDATE) can change. Empty: unchanged.
struct UpdateOptions {
    std::optional<bool> real_time{};
    std::optional<std::uint32_t> flush_timer{};     // 0: unchanged
    std::optional<std::uint32_t> maximum_buffers{}; // 0: unchanged; not below the current number
    std::optional<std::uint32_t> enable_flags{};    // system loggers only
    std::string file{};                             // new file; must not be the current one
};

class Session {
public:
    Session() noexcept = default; // empty: every call returns invalid_handle

    std::uint16_t id() const noexcept { return id_; }

    /// Returns the TRACEHANDLE.
    std::uint64_t handle() const noexcept;

    /// Errors of all calls: wmi_instance_not_found (the session has ended), active_connections
    /// (another caller is stopping it), possible_deadlock (in a provider callback).
    Outcome<SessionState> query() const;

    /// Waits until all events written so far are in the file or with the consumers. An in-memory
    /// session (mode::buffering) writes a complete trace to `file` and continues. Errors:
    /// bad_pathname (an in-memory session without a file), those of creating a file.
    Outcome<SessionState> flush(const std::string& file = {}) const;

    /// Changes properties. Errors: bad_pathname (the current file, or that of another session),
    /// those of creating a file.
    Outcome<SessionState> update(const UpdateOptions& update) const;

    /// Switches to the next file of a series immediately. Errors: invalid_parameter (not
    /// mode::new_file).
    Outcome<SessionState> switch_to_next_file() const;

    /// Enables real-time mode and ends the file.
    Outcome<SessionState> switch_to_real_time() const;

    /// Disables the session's providers, writes pending events, and finalizes the file; consumers
    /// receive the remaining events, then end. An in-memory session is written to `file` if given.
    Outcome<SessionState> stop(const std::string& file = {}) const;

    /// Enables a provider by GUID or changes its enablement. If the provider is not registered, it
    /// is enabled at registration. Errors: invalid_parameter (an invalid filter),
    /// no_system_resources (enabled by eight other sessions), timeout (callbacks are still running;
    /// the provider is enabled).
    Outcome<void> enable(const Guid& provider, const EnableOptions& how = {}) const;

    Outcome<void> disable(const Guid& provider, const EnableOptions& how = {}) const;

    /// Requests capture state from the provider, if this session has enabled it.
    Outcome<void> capture_state(const Guid& provider, const EnableOptions& how = {}) const;

    /// Sets the providers excluded when a provider group is enabled
    /// (TraceProviderDisallowListInfo).
    Outcome<void> disallow(const std::vector<Guid>& providers) const;

    friend bool operator==(const Session&, const Session&) = default;

private:
    friend class Runtime;
    friend class LiveSource;

    Session(Runtime& runtime, std::uint16_t id, std::uint32_t ticket) noexcept
        : runtime_(&runtime), id_(id), ticket_(ticket) {}

    Runtime* runtime_ = nullptr;
    std::uint16_t id_ = 0;
    std::uint32_t ticket_ = 0; // unique number among all sessions of the runtime
};

/// A change in the state of a session, for programs that monitor sessions.
struct SessionEvent {
    enum class Kind : std::uint8_t {
        started,
        stopped, // `status` contains the reason if not requested
        new_file,
        write_failed,
        file_full,
        backlog_full, // events are now rejected
        file_switch_failed,
        buffers_lost, // lost by a slow consumer, or because of insufficient memory
        /// Another session records a classic provider of this one now, in some processes or in all.
        provider_taken_over,
        provider_returned, // none does any more
    };

    Kind kind = Kind::started;
    std::uint16_t session_id = 0;
    std::string session_name;
    std::string file;
    Status status = Status::success;
    int os_code = 0;
    // provider_taken_over, provider_returned:
    Guid provider{};
    std::string other_session{};
};

/// Callback for session events. Runs on the thread that causes the event, usually a logger thread.
/// Must not call the runtime.
using SessionObserver = Callback<void(const SessionEvent&)>;

struct RuntimeOptions {
    std::uint16_t sessions = 64; // maximum number of sessions, without private ones; 32 to 256
    std::uint16_t registrations = 2048; // maximum number of registrations, as of a Windows process
    /// Null: sessions use the clocks of the machine. Otherwise the time of all of them, in 100 ns
    /// units: never decreases, and CPU cycles are not available. Must outlive the runtime.
    const std::atomic<std::int64_t>* time = nullptr;
    SessionObserver observer;
};

enum class ProviderKind : std::uint8_t {
    modern,  // EventRegister: the runtime checks levels and keywords
    classic, // RegisterTraceGuids: one session at a time, the provider checks them
};

/// A provider in an enumeration.
struct ProviderState {
    Guid guid;
    bool is_group = false;
    std::string name; // from its traits; may be empty

    struct Enablement {
        std::uint16_t session_id = 0;
        std::uint8_t level = 0;
        std::uint64_t match_any = 0, match_all = 0;
        std::uint32_t property = 0;
        /// Sequence number of the enable call in the runtime; the latest has the highest.
        std::uint64_t order = 0;
        /// Another session has taken over this registration of a classic provider.
        bool is_taken_over = false;
    };

    struct Instance {
        ProviderKind kind = ProviderKind::modern;
        std::uint32_t process_id = 0;
        std::vector<Enablement> enabled;
    };

    /// One per registration; for a provider that is enabled but not registered, one without a
    /// process.
    std::vector<Instance> instances;
    bool is_registered = false;
};

class Runtime {
public:
    explicit Runtime(RuntimeOptions options = {});
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;
    /// Stops all sessions. Destroy all registrations and stop all writes first.
    ~Runtime();

    /// Starts a session. On return its file exists, with the header buffer. Errors: as StartTrace,
    /// in the order of docs/sessions.md#checks.
    Outcome<Session> start(const SessionOptions& options);

    /// Returns a session by name, ignoring case, or by handle. Private sessions are found only by
    /// handle.
    std::optional<Session> find(std::string_view name) const;
    std::optional<Session> find(std::uint64_t handle) const;

    /// Returns all running sessions; private ones only if included.
    enum class Private : std::uint8_t { excluded, included };
    std::vector<SessionState> sessions(Private which = Private::excluded) const;

    /// Registers a provider with its name and group. `provider` must outlive the registration.
    /// Errors: outofmemory (2048 are registered).
    Outcome<Registration> add(const provider::Provider& provider, EnableCallback callback = {});

    /// Registers a provider by GUID only.
    Outcome<Registration> add(const Guid& provider, EnableCallback callback = {},
                              ProviderKind kind = ProviderKind::modern);

    /// Returns registered or enabled providers, including groups, sorted by GUID.
    std::vector<ProviderState> providers() const;

    /// Of the library itself.
    struct State;

    State& state() noexcept { return *state_; }

private:
    friend class Session;
    friend class Registration;
    Owned<State> state_;
};

// Attachment: makes the registrations of a runtime visible to the sessions of the machine, which
// other processes control (docs/machine-sessions.md).
//     const auto attached = etl::session::attach(runtime); // keep it: it is the link

struct AttachOptions {
    /// Directory of the host; empty: as described in docs/machine-sessions.md#places.
    std::string directory{};
    /// Maximum time to wait for an answer of a host that runs: to the connection and to
    /// registrations, so that the first event after them is recorded. It answers within
    /// microseconds unless the machine is very busy. A host that lets the time pass is not waited
    /// for again until it has answered.
    Milliseconds wait{3000};
    /// Attaches the children of a fork, too, each with a thread of its own. Otherwise they are not
    /// attached.
    bool with_children = false;
};

/// From construction to destruction, machine sessions can enable the providers of the runtime, also
/// if their host starts later, or ends and starts again. Has one thread, which waits. The runtime
/// must outlive it.
class [[nodiscard]] Attachment {
public:
    class State;

    explicit Attachment(Owned<State> state) noexcept;
    Attachment(Attachment&&) noexcept;
    Attachment& operator=(Attachment&&) noexcept;
    /// Removes the registrations from all machine sessions.
    ~Attachment();

    /// Returns whether a host knows the registrations now.
    bool is_linked() const noexcept;

    /// Returns why the host that runs does not serve this process; nothing if it does, or if none
    /// runs: not_supported (another version of the library), no_system_resources (too many programs
    /// of the user), access_denied (the host of another user), timeout (it does not answer). Except
    /// for the version, the process tries again, at most every 5 s.
    std::optional<Failure> refusal() const;

private:
    Owned<State> state_;
};

/// Attaches a runtime; one attachment per runtime. Errors: not_supported (no machine sessions on
/// this system, or ETL_HOST is `none`), access_denied (the directory cannot be created, or belongs
/// to another user). Keep the result: machine sessions record the process as long as it lives.
[[nodiscard]] Outcome<Attachment> attach(Runtime& runtime, const AttachOptions& options = {});

// Listings, in the formats of Windows tools. docs/sessions.md#listing

/// Returns the name of a provider, or "".
using NameLookup = Callback<std::string(const Guid&)>;

/// Returns the names of the bits of a keyword mask, joined by commas, or "".
using KeywordLookup = Callback<std::string(const Guid&, std::uint64_t)>;

enum class ListingStyle : std::uint8_t {
    xperf,     // `xperf -loggers`: Real Time Mode on a separate line
    xperf_hex, // other versions: `<0x...>` after the mode names, no line for real time
    tracelog,  // `tracelog -q`
    logman,    // `logman query NAME -ets`
};

/// Appends one block per session. `name_of` may be empty; so may `keywords_of`, which only
/// ListingStyle::logman uses.
void append_sessions(std::string& to, std::span<const SessionState> sessions,
                     const NameLookup& name_of, ListingStyle form = ListingStyle::xperf,
                     const KeywordLookup& keywords_of = {});

/// Appends one line per session, like `logman query -ets`.
void append_session_table(std::string& to, std::span<const SessionState> sessions);

/// Appends the names of mode bits, in ascending bit order, separated by `between`: "Secure
/// PersistOnHybridShutdown ...". Bits without a name are in hex.
void append_mode_words(std::string& to, std::uint32_t mode, std::string_view between = " ");

/// Returns a GUID as logman prints it: uppercase, in braces.
std::string logman_guid(const Guid& guid);

/// Returns the mode bit of such a name, in any case; 0: none.
std::uint32_t parse_mode_word(std::string_view word) noexcept;

/// Appends one line per registered provider, like `xperf -providers R`: sorted names, then the
/// GUIDs of providers without a name.
void append_registered(std::string& to, std::span<const ProviderState> providers,
                       const NameLookup& name_of);

/// A provider with a schema.
struct InstalledProvider {
    std::string name;
    Guid guid;
};

/// Appends GUIDs and names, sorted by name, like `xperf -providers I`.
void append_installed(std::string& to, std::span<const InstalledProvider> providers);

/// Append the output of `xperf -providers KF` and `KG`; K is both in sequence.
void append_kernel_flags(std::string& to);
void append_kernel_groups(std::string& to);

} // namespace etl::session
