#include "analysis/analyzer.hpp"
#include "analysis/groups.hpp"
#include "analysis/parts/archive.hpp"
#include "analysis/table_list.hpp"
#include "base/text.hpp"
#include "decode/display_value.hpp"
#include "format/known_guids.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

namespace etl::analysis {

// What an event says of a process beyond the facts. docs/analysis.md#processes

inline constexpr std::uint32_t process_start = 1, process_end = 2, process_rundown = 3,
                               process_defunct = 39;

struct ProcessDetail {
    std::int64_t time = 0;
    std::optional<std::uint64_t> exit_code, session;
    std::string user; // empty: absent
};

/// A process whose start or rundown has no usable time: facts, which hold at a time, do not have
/// it.
struct UntimedProcess {
    std::uint32_t id = 0;
    std::uint32_t parent = 0;
    std::string name; // empty: unknown
};

/// Asks for all events about processes, of the kernel's class and of
/// Microsoft-Windows-Kernel-Process, with the types of the class as tags.
void subscribe_to_processes(Subscriptions& subscriptions);

/// Nothing: the event does not have a process ID.
std::optional<std::uint32_t> process_id_of(const Record& record);

ProcessDetail detail_of(const Record& record);

/// Nothing: the event has a time, or is not about a process that exists.
std::optional<UntimedProcess> untimed_process_of(const Record& record);

void visit(Archive& archive, ProcessDetail& detail);
void visit(Archive& archive, UntimedProcess& process);

namespace {

enum ProcessField : unsigned {
    process_id_field,
    exit_field,
    session_field,
    sid_field,
    parent_field
};

bool is_sid(Bytes bytes) noexcept {
    constexpr auto max_parts = std::byte{15};
    return bytes[0] == std::byte{1} && bytes[1] <= max_parts;
}

/// The SID of a process in what begins with it: two pointers, and the SID; without a user, a
/// pointer of 0 alone.
Bytes sid_in(const Record& record, Bytes stored) noexcept {
    const std::size_t token = record.version == 0 ? 16 : 2U * record.pointer_size;
    constexpr std::size_t min_sid = 8;
    if (stored.size() < token + min_sid ||
        (load_le<std::uint32_t>(stored.data()) == 0 && !is_sid(stored.subspan(token)))) {
        return {};
    }
    const std::size_t size = min_sid + 4U * std::to_integer<std::size_t>(stored[token + 1]);
    return stored.size() < token + size ? Bytes() : stored.subspan(token, size);
}

std::string user_of(const Record& record) {
    std::string text;
    if (const Bytes sid = sid_in(record, record.rest(sid_field)); !sid.empty()) {
        decode::append_display(text, {.bytes = sid, .form = decode::Form::sid});
    }
    return text;
}

/// The image of an event of the kernel's class, behind the user.
std::string image_of(const Record& record) {
    if (!format::has_hook(record.event->kind)) {
        return {};
    }
    const Bytes stored = record.rest(sid_field);
    const Bytes sid = sid_in(record, stored);
    const std::size_t begin =
        sid.empty() ? std::size_t{record.pointer_size}
                    : static_cast<std::size_t>(sid.data() + sid.size() - stored.data());
    const Bytes rest = stored.subspan(std::min(begin, stored.size()));
    const auto end = std::ranges::find(rest, std::byte{0});
    std::string name;
    append_ansi(name, rest.first(static_cast<std::size_t>(end - rest.begin())));
    return name;
}

} // namespace

void subscribe_to_processes(Subscriptions& subscriptions) {
    for (const std::uint16_t type : std::initializer_list<std::uint16_t>{
             process_start, process_end, process_rundown, 4, process_defunct}) {
        subscriptions.hook(static_cast<std::uint16_t>(0x0300U | type), type,
                           {"ProcessId", "ExitStatus", "SessionId", "UserSID", "ParentId"});
    }
    constexpr std::uint16_t start = 1, stop = 2, rundown = 15;
    for (const auto& [id, tag] : std::initializer_list<std::pair<std::uint16_t, std::uint32_t>>{
             {start, process_start}, {stop, process_end}, {rundown, process_rundown}}) {
        subscriptions.provider(
            format::kernel_process_guid, tag, {id}, Use::values,
            {"ProcessID", "ExitCode", "SessionID", "UserSID", "ParentProcessID"});
    }
}

std::optional<std::uint32_t> process_id_of(const Record& record) {
    return record.has(process_id_field) ? std::optional(record.number32(process_id_field))
                                        : std::nullopt;
}

ProcessDetail detail_of(const Record& record) {
    ProcessDetail detail{
        .time = record.time, .exit_code = {}, .session = {}, .user = user_of(record)};
    const bool is_end = record.tag == process_end || record.tag == process_defunct;
    if (is_end && record.has(exit_field)) {
        detail.exit_code = record.number(exit_field);
    }
    // Processes without a session have -1.
    if (record.has(session_field) && record.number32(session_field) != 0xFFFFFFFF) {
        detail.session = record.number(session_field);
    }
    return detail;
}

std::optional<UntimedProcess> untimed_process_of(const Record& record) {
    const bool exists = record.tag == process_start || record.tag == process_rundown;
    const auto id = process_id_of(record);
    if (record.event->has_time || !exists || !id) {
        return std::nullopt;
    }
    return UntimedProcess{.id = *id,
                          .parent = record.has(parent_field) ? record.number32(parent_field)
                                                             : flow::no_id,
                          .name = image_of(record)};
}

void visit(Archive& archive, ProcessDetail& detail) {
    archive.number(detail.time);
    archive.optional(detail.exit_code);
    archive.optional(detail.session);
    archive.text(detail.user);
}

void visit(Archive& archive, UntimedProcess& process) {
    archive.number(process.id);
    archive.number(process.parent);
    archive.text(process.name);
}

// etl processes. docs/analysis.md#processes

namespace {

using Lives = std::vector<facts::Process>;

/// Lives, and events of one life, of one ID that are examined: IDs are used again rarely.
constexpr int max_of_id = 1024;

class Processes final : public Analyzer {
public:
    void subscribe(Subscriptions& subscriptions) override { subscribe_to_processes(subscriptions); }

    void add(const Record& record) override {
        has_events_ = true;
        const auto id = process_id_of(record);
        if (!id || details_ >= limits::analysis_lifetimes) {
            dropped_ += id ? 1U : 0U;
            return;
        }
        ++details_;
        by_pid_[*id].push_back(detail_of(record));
        if (auto untimed = untimed_process_of(record)) {
            untimed_.push_back(*std::move(untimed));
        }
    }

    Table finish() override {
        for (auto& [id, details] : by_pid_) {
            std::ranges::stable_sort(details, {}, &ProcessDetail::time);
        }
        if (lives_.empty() && !context().continues() && !context().is_state) {
            lives_ = listed_lives();
        }
        Table table = empty_table();
        if (!context().is_part) {
            add_untimed();
            add_rows(table);
        }
        if (!has_events_) {
            table.coverage.not_recorded.push_back({"processes",
                                                   {},
                                                   "xperf -on PROC_THREAD, any wpr profile, or "
                                                   "Microsoft-Windows-Kernel-Process"});
        }
        table.coverage.remainders.push_back({"dropped_processes", dropped_});
        return table;
    }

    /// The first part has the facts, which are the same in all.
    void save(Archive& to) override {
        visit(to, lives_, by_pid_);
        to.list(untimed_, [&](UntimedProcess& one) { analysis::visit(to, one); });
        to.number(has_events_);
    }

    void stitch(Archive& from) override {
        Details details;
        bool has_events = false;
        visit(from, lives_, details);
        std::vector<UntimedProcess> untimed;
        from.list(untimed, [&](UntimedProcess& one) { analysis::visit(from, one); });
        std::ranges::move(untimed, std::back_inserter(untimed_));
        from.number(has_events);
        has_events_ = has_events_ || has_events;
        for (auto& [id, some] : details) {
            auto& all = by_pid_[id];
            details_ += some.size();
            all.insert(all.end(), some.begin(), some.end());
        }
        dropped_ += details_ > limits::analysis_lifetimes ? 1U : 0U;
    }

private:
    using Details = std::unordered_map<std::uint32_t, std::vector<ProcessDetail>>; // by process ID

    /// Writes, or adds what it reads.
    void visit(Archive& archive, Lives& lives, Details& details) {
        Lives some = archive.is_reading() ? Lives() : lives;
        archive.list(some, [&](facts::Process& life) {
            archive.number(life.id);
            archive.number(life.parent);
            archive.number(life.begin);
            archive.number(life.end);
            visit(archive, life.name);
            visit(archive, life.command_line);
            visit(archive, life.path);
            archive.number(life.is_defunct);
            archive.number(life.is_end_known);
        });
        std::vector<std::pair<std::uint32_t, std::vector<ProcessDetail>>> of_all(details.begin(),
                                                                                 details.end());
        archive.list(of_all, [&](std::pair<std::uint32_t, std::vector<ProcessDetail>>& one) {
            archive.number(one.first);
            archive.list(one.second,
                         [&](ProcessDetail& detail) { analysis::visit(archive, detail); });
        });
        if (archive.is_reading()) {
            lives.insert(lives.end(), some.begin(), some.end());
            details = {of_all.begin(), of_all.end()};
        }
    }

    /// Processes that are known by records without a time alone.
    void add_untimed() {
        if (context().owners->is_selective()) {
            return;
        }
        std::unordered_set<std::uint32_t> known;
        std::ranges::for_each(lives_, [&](const facts::Process& life) { known.insert(life.id); });
        Lives untimed;
        for (UntimedProcess& one : untimed_) {
            if (known.insert(one.id).second) {
                facts::Process life{.id = one.id, .parent = one.parent};
                life.begin = std::numeric_limits<std::int64_t>::min();
                life.end = std::numeric_limits<std::int64_t>::max();
                life.name = texts_.emplace_back(std::move(one.name));
                untimed.push_back(life);
            }
        }
        lives_.insert(lives_.begin(), untimed.begin(), untimed.end());
    }

    void visit(Archive& archive, std::string_view& text) {
        std::string copy(text);
        archive.text(copy);
        if (archive.is_reading()) {
            text = texts_.emplace_back(std::move(copy));
        }
    }

    void add_rows(Table& table) {
        for (std::size_t i = 0; i < lives_.size(); ++i) {
            by_id_.emplace(lives_[i].id, i);
        }
        index_children();
        for (std::size_t i = 0; i < lives_.size(); ++i) {
            if (is_root_[i] != 0) {
                add_tree(table, i);
            }
        }
        for (std::size_t i = 0; i < lives_.size(); ++i) {
            add_tree(table, i); // parents of each other, whose starts are unknown
        }
    }

    static Table empty_table() {
        Table table;
        table.name = "processes";
        table.is_ordered = true;
        table.columns = {
            key_column("process", Unit::text),      key_column("pid", Unit::id),
            plain_column("parent_pid", Unit::id),   plain_column("depth", Unit::id),
            plain_column("start", Unit::time),      plain_column("end", Unit::time),
            plain_column("exit_code", Unit::id),    plain_column("user", Unit::text),
            plain_column("session", Unit::id),      plain_column("command_line", Unit::text),
            plain_column("image", Unit::text),      {.name = "processes", .is_hidden = true},
            {.name = "started", .is_hidden = true}, {.name = "ended", .is_hidden = true}};
        return table;
    }

    /// The processes that existed in the range, by start and ID.
    Lives listed_lives() const {
        Lives lives = context().facts->processes();
        const Owners& owners = *context().owners;
        std::erase_if(lives, [&](const facts::Process& life) {
            const bool is_selected =
                (*context().owners)[context().owners->process(life.id, life_time(life))]
                    .is_selected;
            const bool is_over = life.end < context().begin && !life.is_defunct;
            return life.id == 0 || life.begin > context().end || is_over ||
                   (owners.is_selective() && !is_selected);
        });
        std::ranges::sort(
            lives, {}, [](const facts::Process& life) { return std::pair(life.begin, life.id); });
        return lives;
    }

    static bool is_open_begin(const facts::Process& life) noexcept {
        return life.begin == std::numeric_limits<std::int64_t>::min();
    }

    static bool is_open_end(const facts::Process& life) noexcept {
        return life.end == std::numeric_limits<std::int64_t>::max();
    }

    /// Facts are also those after --to.
    bool ends_later(const facts::Process& life) const noexcept {
        return is_open_end(life) || life.end > context().end;
    }

    /// A time at which the process existed.
    static std::int64_t life_time(const facts::Process& life) noexcept {
        if (!is_open_begin(life)) {
            return life.begin;
        }
        const bool has_before = !is_open_end(life) && life.end != life.begin;
        return life.end - (has_before ? 1 : 0);
    }

    /// Index of the parent, which existed when the child started; the number of processes: none.
    std::size_t parent_of(std::size_t child) const {
        const facts::Process& mine = lives_[child];
        const auto [first, last] = by_id_.equal_range(mine.parent);
        std::size_t parent = lives_.size();
        int left = max_of_id;
        for (auto one = first; one != last && left > 0; ++one, --left) {
            const facts::Process& other = lives_[one->second];
            const bool is_earlier = is_open_begin(mine) || other.begin < mine.begin ||
                                    (other.begin == mine.begin && one->second < child);
            if (one->second != child && is_earlier && other.begin <= mine.begin &&
                (other.end >= mine.begin || is_open_begin(mine)) &&
                (parent == lives_.size() || one->second > parent)) {
                parent = one->second;
            }
        }
        return parent;
    }

    void add_tree(Table& table, std::size_t root) {
        struct Item {
            std::size_t life, depth;
        };

        std::vector<Item> left{{root, 0}};
        while (!left.empty()) {
            const Item item = left.back();
            left.pop_back();
            if (std::exchange(is_listed_[item.life], 1U) != 0) {
                continue;
            }
            add_row(table, lives_[item.life], item.depth);
            const auto& children = children_[item.life];
            for (auto child = children.rbegin(); child != children.rend(); ++child) {
                left.push_back({*child, item.depth + 1});
            }
        }
    }

    void index_children() {
        children_.resize(lives_.size());
        is_listed_.resize(lives_.size());
        for (std::size_t i = 0; i < lives_.size(); ++i) {
            const std::size_t parent = parent_of(i);
            is_root_.push_back(parent == lives_.size() ? 1 : 0);
            if (parent < lives_.size()) {
                children_[parent].push_back(i);
            }
        }
    }

    /// The last event of a process that says something of `what`.
    template <typename What>
    const ProcessDetail* last_detail(const facts::Process& life, What what) const {
        const auto found = by_pid_.find(life.id);
        const ProcessDetail* last = nullptr;
        if (found == by_pid_.end()) {
            return last;
        }
        int left = max_of_id;
        const auto first =
            std::ranges::lower_bound(found->second, life.begin, {}, &ProcessDetail::time);
        for (auto one = first; one != found->second.end() && left > 0; ++one, --left) {
            if (one->time > life.end && last != nullptr) {
                break;
            }
            last = what(*one) ? &*one : last; // a defunct process has ended before
        }
        return last;
    }

    void add_row(Table& table, const facts::Process& life, std::size_t depth) const {
        const auto text = [](std::string_view value) {
            return value.empty() ? Cell{} : Cell{std::string(value)};
        };
        const auto time = [&](std::int64_t raw, bool is_open) {
            return is_open ? Cell{}
                           : Cell{static_cast<std::uint64_t>(
                                 context().trace->clock.to_filetime(raw).ticks)};
        };
        const auto number = [](const std::optional<std::uint64_t>& value) {
            return value ? Cell{*value} : Cell{};
        };
        const ProcessDetail* const exit =
            ends_later(life)
                ? nullptr
                : last_detail(life, [](const ProcessDetail& d) { return d.exit_code.has_value(); });
        const ProcessDetail* const user =
            last_detail(life, [](const ProcessDetail& d) { return !d.user.empty(); });
        const ProcessDetail* const session =
            last_detail(life, [](const ProcessDetail& d) { return d.session.has_value(); });
        table.rows.push_back(
            {.cells = {text(life.name), std::uint64_t{life.id},
                       life.parent == flow::no_id ? Cell{} : Cell{std::uint64_t{life.parent}},
                       std::uint64_t{depth}, time(life.begin, is_open_begin(life)),
                       time(life.end, ends_later(life) || !life.is_end_known),
                       exit != nullptr ? number(exit->exit_code) : Cell{},
                       user != nullptr ? text(user->user) : Cell{},
                       session != nullptr ? number(session->session) : Cell{},
                       text(life.command_line), text(life.path), std::uint64_t{1},
                       std::uint64_t{is_in_range(life.begin) ? 1U : 0U},
                       std::uint64_t{is_in_range(life.end) && life.is_end_known ? 1U : 0U}}});
    }

    bool is_in_range(std::int64_t time) const noexcept {
        return context().begin <= time && time <= context().end;
    }

    Details by_pid_;
    Lives lives_;
    std::deque<std::string> texts_;                  // of lives_ of parts
    std::vector<std::vector<std::size_t>> children_; // by index in lives_
    std::unordered_multimap<std::uint32_t, std::size_t> by_id_;
    std::vector<std::uint8_t> is_root_, is_listed_;
    std::vector<UntimedProcess> untimed_;
    std::size_t details_ = 0;
    std::uint64_t dropped_ = 0;
    bool has_events_ = false;
};

constexpr auto processes_forms = forms_of(
    processes_table,
    {
        {.needs = TableNeeds::processes,
         .make = make<Processes>,
         .parts = PartsOf::carried,
         .state = "processes",
         .title = "Processes",
         .events = "event in (Process/Start, Process/End, Process/DCStart, Process/DCEnd) && "
                   "ProcessId == {pid}",
         .places = {.report = 100, .tracerpt = 14}},
    });

} // namespace

constinit const TableKind processes_table{
    .name = "processes",
    .summary = "Print the processes as a tree, with times, users, and command lines",
    .question = "Which programs ran, with command lines?",
    .examples = R"(  etl processes trace.etl
  etl processes --format jsonl trace.etl | jq -c 'select(.exit_code != 0)')",
    .forms = processes_forms,
};

} // namespace etl::analysis
