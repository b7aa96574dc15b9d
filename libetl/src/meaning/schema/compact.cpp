#include "schema/compact.hpp"

#include "base/text.hpp"
#include "format/limits.hpp"
#include "schema/event_schema.hpp"
#include "schema/field_scopes.hpp"
#include "schema/file_reading.hpp"
#include "schema/limits.hpp"
#include "schema/schema_set.hpp"
#include "schema/winmeta.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace etl::schema {

namespace {

// One line of the compact form as names, numbers, and marks. One thread. schemas/README.md

/// Takes the next line off a text, without its end.
std::string_view take_compact_line(std::string_view& text) noexcept;

/// The next piece of a line.
struct CompactToken {
    enum class Kind : std::uint8_t {
        end,  // of the line, or a comment
        word, // without quotes
        text, // in quotes; escapes are replaced
        mark, // one of ()[]=
    };

    Kind kind = Kind::end;
    std::string text;
    std::size_t column = 1; // in bytes

    bool is_mark(char mark) const noexcept { return kind == Kind::mark && text[0] == mark; }

    bool is_word(std::string_view word) const noexcept {
        return kind == Kind::word && text == word;
    }
};

/// After the first failure every function returns defaults, and at_end() is true.
class CompactLine {
public:
    /// `text` is one line without its end, and must outlive this.
    CompactLine(std::string_view text, std::size_t number);

    std::size_t indent() const noexcept { return indent_; }

    bool at_end() const noexcept { return token_.kind == CompactToken::Kind::end; }

    const CompactToken& token() const noexcept { return token_; }

    void next();

    bool take_mark(char mark);
    bool take_word(std::string_view word);
    void expect_mark(char mark);
    void expect_word(std::string_view word);

    /// A word or a text.
    std::string name();

    template <typename Value>
    Value number() {
        return static_cast<Value>(number_up_to(std::numeric_limits<Value>::max()));
    }

    /// Keeps the first reason, with the place of the current token.
    void fail(std::string reason);

    const std::optional<FileError>& error() const noexcept { return error_; }

private:
    std::uint64_t number_up_to(std::uint64_t max);
    void read_text();
    void read_escape();

    std::string_view text_;
    std::size_t number_;
    std::size_t indent_ = 0;
    std::size_t at_ = 0;
    CompactToken token_;
    std::optional<FileError> error_;
};

constexpr std::string_view marks = "()[]=";
constexpr std::string_view word_ends = " \t()[]=\"#";
constexpr std::size_t quoted_bytes = 100; // of a token in a reason

// Below 0x80 only: other characters need no escape.
std::optional<char> hex_character(std::string_view digits) noexcept {
    if (digits.size() != 2) {
        return std::nullopt;
    }
    unsigned value = 0;
    for (const char c : digits) {
        const std::size_t digit = std::string_view("0123456789abcdef").find(c);
        if (digit == std::string_view::npos) {
            return std::nullopt;
        }
        value = value * 16 + static_cast<unsigned>(digit);
    }
    return value < 0x80 ? std::optional(static_cast<char>(value)) : std::nullopt;
}

std::string_view take_compact_line(std::string_view& text) noexcept {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) {
        line.remove_suffix(1);
    }
    return line;
}

CompactLine::CompactLine(std::string_view text, std::size_t number) : text_(text), number_(number) {
    indent_ = std::min(text_.find_first_not_of(' '), text_.size());
    at_ = indent_;
    next();
}

void CompactLine::next() {
    token_.kind = CompactToken::Kind::end;
    token_.text.clear();
    if (error_) {
        return;
    }
    at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size());
    token_.column = at_ + 1;
    if (at_ == text_.size() || text_[at_] == '#') {
        return;
    }
    if (text_[at_] == '"') {
        read_text();
    } else if (marks.find(text_[at_]) != marks.npos) {
        token_.kind = CompactToken::Kind::mark;
        token_.text = text_[at_++];
    } else {
        const std::size_t end = std::min(text_.find_first_of(word_ends, at_), text_.size());
        token_.kind = CompactToken::Kind::word;
        token_.text = text_.substr(at_, end - at_);
        at_ = end;
    }
}

void CompactLine::read_text() {
    token_.kind = CompactToken::Kind::text;
    ++at_;
    while (at_ < text_.size() && text_[at_] != '"' && !error_) {
        if (text_[at_] == '\\') {
            read_escape();
            continue;
        }
        const std::size_t end = std::min(text_.find_first_of("\"\\", at_), text_.size());
        token_.text += text_.substr(at_, end - at_);
        at_ = end;
    }
    if (at_ >= text_.size()) {
        fail("a quote is not closed");
    }
    ++at_;
}

void CompactLine::read_escape() {
    const char c = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    const auto coded = c == 'x' ? hex_character(text_.substr(at_ + 2, 2)) : std::nullopt;
    if (c == '"' || c == '\\') {
        token_.text += c;
        at_ += 2;
    } else if (coded) {
        token_.text += *coded;
        at_ += 4;
    } else {
        fail("not a valid escape (valid: \\\" \\\\ \\x00 to \\x7f)");
    }
}

bool CompactLine::take_mark(char mark) {
    const bool found = token_.is_mark(mark);
    if (found) {
        next();
    }
    return found;
}

bool CompactLine::take_word(std::string_view word) {
    const bool found = token_.is_word(word);
    if (found) {
        next();
    }
    return found;
}

void CompactLine::expect_mark(char mark) {
    if (!take_mark(mark)) {
        fail(fmt::format("expected `{}`", mark));
    }
}

void CompactLine::expect_word(std::string_view word) {
    if (!take_word(word)) {
        fail(fmt::format("expected `{}`", word));
    }
}

std::string CompactLine::name() {
    if (token_.kind != CompactToken::Kind::word && token_.kind != CompactToken::Kind::text) {
        fail("expected a name");
        return {};
    }
    std::string name = std::move(token_.text);
    next();
    return name;
}

std::uint64_t CompactLine::number_up_to(std::uint64_t max) {
    const auto value =
        token_.kind == CompactToken::Kind::word ? etl::parse_number(token_.text) : std::nullopt;
    if (!value || *value > max) {
        fail(fmt::format("expected a number up to {}", max));
        return 0;
    }
    next();
    return *value;
}

void CompactLine::fail(std::string reason) {
    if (error_) {
        return;
    }
    if (!token_.text.empty()) {
        reason += fmt::format(", found `{}`", clipped(token_.text, quoted_bytes));
    }
    error_ = FileError{number_, std::move(reason), token_.column};
    token_.kind = CompactToken::Kind::end;
    token_.text.clear();
}

// The fields of one template in the compact form. One thread. schemas/README.md

using CompactMaps = std::unordered_map<std::string, std::shared_ptr<const ValueMap>>;

struct CompactTemplate {
    std::vector<Field> fields;
    std::vector<std::shared_ptr<const ValueMap>> maps;
    std::string user_data;
    std::size_t bytes = sizeof(EventSchema); // that a copy takes
};

class CompactFields {
public:
    /// Reads into `to`. Both must outlive this.
    CompactFields(CompactTemplate& to, const CompactMaps& maps) : to_(&to), maps_(&maps) {}

    /// One field: a line that is indented by two blanks, and by two more per structure.
    void read(CompactLine& line);

    /// After the last field.
    void finish() { close(0); }

private:
    void open(CompactLine& line, std::size_t depth);
    void close(std::size_t depth);
    void read_type(CompactLine& line, Field& field);
    void read_out_type(CompactLine& line, Field& field);
    void read_map(CompactLine& line, Field& field);
    Extent count(CompactLine& line);
    Extent extent(CompactLine& line);
    Extent reference(CompactLine& line, std::size_t index);

    CompactTemplate* to_;
    const CompactMaps* maps_;
    FieldScopes scopes_;
    std::deque<std::string> names_; // the scopes view them
    std::vector<std::size_t> open_; // structures that the next field can be a member of
};

void CompactFields::read(CompactLine& line) {
    constexpr std::size_t blanks_per_level = 2;
    if (line.indent() % blanks_per_level != 0) {
        line.fail("expected an indentation by a multiple of two blanks");
        return;
    }
    const std::size_t depth = line.indent() / blanks_per_level - 1;
    if (depth > open_.size()) {
        open(line, depth);
    }
    close(depth);
    if (to_->fields.size() == limits::fields) {
        line.fail(fmt::format("a template has more than {} fields", limits::fields));
    }
    Field field;
    field.name = line.name();
    read_type(line, field);
    if (line.error()) {
        return;
    }
    to_->bytes += sizeof(Field) + field.name.size();
    names_.push_back(field.name);
    scopes_.add(names_.back(), field, to_->fields.size());
    to_->fields.push_back(std::move(field));
}

// The field before becomes a structure with members.
void CompactFields::open(CompactLine& line, std::size_t depth) {
    const bool follows = !to_->fields.empty() && to_->fields.back().in_type == InType::structure;
    if (depth != open_.size() + 1 || !follows) {
        line.fail("indented, but not after a structure");
    } else if (depth > format::max_struct_depth) {
        line.fail("structures are nested too deep");
    } else {
        open_.push_back(to_->fields.size() - 1);
        scopes_.enter();
    }
}

void CompactFields::close(std::size_t depth) {
    for (; open_.size() > depth; open_.pop_back()) {
        const std::size_t members = to_->fields.size() - open_.back() - 1;
        to_->fields[open_.back()].members = static_cast<std::uint16_t>(members);
        scopes_.leave();
    }
}

void CompactFields::read_type(CompactLine& line, Field& field) {
    if (line.take_word("type")) {
        field.in_type = static_cast<InType>(line.number<std::uint16_t>());
    } else if (const auto type = parse_in_type(line.token().text)) {
        field.in_type = *type;
        line.next();
    } else {
        line.fail("expected a type");
    }
    if (line.take_mark('(')) {
        field.length = extent(line);
        line.expect_mark(')');
    }
    if (line.take_mark('[')) {
        field.count = count(line);
        line.expect_mark(']');
    }
    if (line.take_word("as")) {
        read_out_type(line, field);
    }
    if (line.take_word("by")) {
        line.expect_word("map");
        read_map(line, field);
    }
    if (line.take_word("tags")) {
        field.tags = line.number<std::uint32_t>();
    }
}

void CompactFields::read_out_type(CompactLine& line, Field& field) {
    if (line.take_word("out")) {
        line.expect_word("type");
        field.out_type = static_cast<OutType>(line.number<std::uint16_t>());
    } else if (const auto type = parse_out_type(line.token().text)) {
        field.out_type = *type;
        line.next();
    } else {
        line.fail("expected an output type");
    }
}

void CompactFields::read_map(CompactLine& line, Field& field) {
    const auto known = maps_->find(line.token().text);
    if (known == maps_->end()) {
        line.fail("expected the name of a map above");
        return;
    }
    line.name();
    const auto place = std::ranges::find(to_->maps, known->second);
    field.map = static_cast<std::uint16_t>(place - to_->maps.begin());
    if (place == to_->maps.end()) {
        to_->maps.push_back(known->second);
        to_->bytes += sizeof(to_->maps.front());
    }
}

// As an extent; also a count that precedes the elements. A field of that name stands in quotes.
Extent CompactFields::count(CompactLine& line) {
    if (!line.take_word("u16")) {
        return extent(line);
    }
    line.expect_word("before");
    line.expect_word("it");
    return {Extent::Kind::prefixed, 0};
}

// A number, `*`, `?`, `@` and the number of a field, or the name of a field.
Extent CompactFields::extent(CompactLine& line) {
    const CompactToken token = line.token();
    if (token.kind == CompactToken::Kind::word) {
        if (line.take_word("*")) {
            return {Extent::Kind::rest, 0};
        }
        if (line.take_word("?")) {
            return {Extent::Kind::unknown, 0};
        }
        if (token.text.front() >= '0' && token.text.front() <= '9') {
            return {Extent::Kind::fixed, line.number<std::uint32_t>()};
        }
        if (token.text.front() == '@') {
            const auto index = etl::parse_number(std::string_view(token.text).substr(1));
            return reference(line, index.value_or(to_->fields.size()));
        }
    }
    return reference(line, scopes_.find(token.text).value_or(to_->fields.size()));
}

Extent CompactFields::reference(CompactLine& line, std::size_t index) {
    const bool is_valid = index < to_->fields.size() && is_countable(to_->fields[index].in_type) &&
                          to_->fields[index].count.kind == Extent::Kind::natural;
    if (!is_valid) {
        line.fail("expected an earlier integer field");
        return {};
    }
    line.name();
    to_->fields[index].referenced = true;
    return {Extent::Kind::field, static_cast<std::uint32_t>(index)};
}

} // namespace

// The providers that a file in the compact form defines, without parsing the rest.

namespace {

std::vector<Guid> scan_compact_lines(std::string_view text) {
    constexpr std::string_view first_word = "provider ";
    std::vector<Guid> guids;
    std::unordered_set<Guid> seen;
    while (!text.empty()) {
        const std::string_view content = take_compact_line(text);
        const std::size_t start = content.find_first_not_of(" \t");
        if (!content.starts_with(first_word)) {
            if (guids.empty() && start != content.npos && content[start] != '#') {
                return {};
            }
            continue;
        }
        CompactLine line(content, 1);
        line.next();
        line.name();
        const auto guid = parse_guid(line.token().text);
        if (!guid) {
            return {};
        }
        if (seen.insert(*guid).second) {
            guids.push_back(*guid);
        }
    }
    return guids;
}

} // namespace

std::vector<Guid> scan_compact_providers(Bytes text) {
    return guarded_scan([&] { return scan_compact_lines(as_text(text)); });
}

namespace {

class CompactReader {
public:
    std::expected<SchemaSet, FileError> read(std::string_view text) {
        for (std::size_t number = 1; !text.empty(); ++number) {
            CompactLine line(take_compact_line(text), number);
            if (line.at_end() && !line.error()) {
                continue;
            }
            read_line(line);
            if (!line.at_end()) {
                line.fail("expected the end of the line");
            }
            if (line.error()) {
                return std::unexpected(*line.error());
            }
            if (budget_.exhausted()) {
                return std::unexpected(
                    FileError{number, fmt::format("its schemas would take more than {} MB",
                                                  limits::manifest_schema_bytes >> 20U)});
            }
        }
        end_block();
        if (result_.providers.empty()) {
            return std::unexpected(FileError{0, "defines no provider"});
        }
        return std::move(result_);
    }

private:
    struct Task {
        std::string name;
        Guid guid;
        std::map<std::uint8_t, std::string> opcodes;
    };

    void read_line(CompactLine& line) {
        if (line.indent() != 0) {
            read_indented(line);
            return;
        }
        end_block();
        if (line.take_word("provider")) {
            read_provider(line);
        } else if (!provider_) {
            line.fail("expected `provider`");
        } else if (line.take_word("builds")) {
            read_provider_builds(line);
        } else if (line.take_word("level")) {
            add(provider_->levels, line);
        } else if (line.take_word("keyword")) {
            add(provider_->keywords, line);
        } else if (line.take_word("channel")) {
            add(provider_->channels, line);
        } else if (line.take_word("task")) {
            read_task(line);
        } else if (line.take_word("opcode")) {
            const auto value = line.number<std::uint8_t>();
            (task_ == nullptr ? opcodes_ : task_->opcodes)[value] = kept(line);
        } else if (line.take_word("map")) {
            open_map(line, ValueMap::Kind::value);
        } else if (line.take_word("bits")) {
            open_map(line, ValueMap::Kind::bits);
        } else if (line.take_word("fields")) {
            open_template(line);
        } else if (line.take_word("event")) {
            read_event(line);
        } else {
            line.fail("not a valid line");
        }
    }

    void read_indented(CompactLine& line) {
        if (fields_) {
            fields_->read(line);
            budget_.charge(sizeof(Field));
        } else if (map_) {
            read_entries(line);
        } else {
            line.fail("indented, but not after `fields` or `map`");
        }
    }

    void end_block() {
        if (fields_) {
            fields_->finish();
            fields_.reset();
        }
        map_.reset();
    }

    void read_provider(CompactLine& line) {
        provider_ = std::make_shared<ProviderNames>();
        provider_->name = kept(line);
        const auto guid = parse_guid(line.token().text);
        if (!guid) {
            line.fail("expected a GUID");
            return;
        }
        line.next();
        provider_->guid = *guid;
        provider_->is_guess = line.take_word("guess");
        budget_.charge(sizeof(ProviderNames));
        result_.providers.push_back(provider_);
        tasks_.clear();
        task_ = nullptr;
        opcodes_.clear();
        maps_.clear();
        templates_.clear();
    }

    // They must precede the events, whose builds refer to them.
    void read_provider_builds(CompactLine& line) {
        if (!provider_->builds.empty() ||
            (!result_.events.empty() && result_.events.back()->provider == provider_)) {
            line.fail("the builds of a provider stand once, before its events");
        }
        std::vector<std::uint32_t>& builds = provider_->builds;
        if (line.at_end()) {
            line.fail("expected a build");
        }
        while (!line.at_end()) {
            if (builds.size() == limits::builds_of_a_provider) {
                line.fail(fmt::format("more than {} builds", limits::builds_of_a_provider));
            }
            const auto build = line.number<std::uint32_t>();
            if (!line.error() && (build == 0 || (!builds.empty() && build <= builds.back()))) {
                line.fail("builds must ascend");
            }
            builds.push_back(build);
        }
    }

    template <typename Value>
    void add(std::vector<std::pair<Value, std::string>>& to, CompactLine& line) {
        const auto value = line.number<Value>();
        to.emplace_back(value, kept(line));
        budget_.charge(sizeof(to.front()));
    }

    void read_task(CompactLine& line) {
        Task task;
        const auto value = line.number<std::uint16_t>();
        task.name = kept(line);
        if (!line.at_end()) {
            task.guid = read_guid(line);
        }
        task_ = &(tasks_[value] = std::move(task));
        budget_.charge(sizeof(Task));
    }

    void open_map(CompactLine& line, ValueMap::Kind kind) {
        map_ = std::make_shared<ValueMap>();
        map_->kind = kind;
        map_->name = kept(line);
        budget_.charge(sizeof(ValueMap));
        maps_[map_->name] = map_; // for the templates that follow
        read_entries(line);
    }

    void read_entries(CompactLine& line) {
        while (!line.at_end()) {
            const auto value = line.number<std::uint32_t>();
            line.expect_mark('=');
            map_->entries.emplace_back(value, kept(line));
            budget_.charge(sizeof(map_->entries.front()));
        }
    }

    void open_template(CompactLine& line) {
        const auto number = line.number<std::uint32_t>();
        CompactTemplate& to = templates_[number] = CompactTemplate();
        if (line.take_word("userdata")) {
            to.user_data = kept(line);
            to.bytes += to.user_data.size();
        }
        budget_.charge(sizeof(CompactTemplate));
        fields_.emplace(to, maps_);
    }

    void read_event(CompactLine& line) {
        auto event = std::make_shared<EventSchema>();
        event->provider = provider_;
        event->id = line.number<std::uint16_t>();
        event->version = line.number<std::uint8_t>();
        if (!provider_->builds.empty()) {
            event->is_of_any_build = false;
            event->builds = build_bits(provider_->builds, provider_->builds);
        }
        std::optional<std::string> name;
        while (!line.at_end()) {
            read_property(line, *event, name);
        }
        event->event_name = name ? std::move(*name) : composed_name(*event);
        budget_.charge(sizeof(EventSchema) + event->event_name.size());
        result_.events.push_back(std::move(event));
    }

    void read_property(CompactLine& line, EventSchema& event, std::optional<std::string>& name) {
        if (line.take_word("level")) {
            event.level = line.number<std::uint8_t>();
        } else if (line.take_word("channel")) {
            event.channel = line.number<std::uint8_t>();
        } else if (line.take_word("task")) {
            read_event_task(line, event);
        } else if (line.take_word("opcode")) {
            read_event_opcode(line, event);
        } else if (line.take_word("keywords")) {
            event.keyword = line.number<std::uint64_t>();
        } else if (line.take_word("symbol")) {
            event.symbol = kept(line);
        } else if (line.take_word("tags")) {
            event.tags = line.number<std::uint32_t>();
        } else if (line.take_word("guid")) {
            event.task_guid = read_guid(line);
        } else if (line.take_word("name")) {
            name = kept(line);
        } else if (line.take_word("fields")) {
            read_event_fields(line, event);
        } else if (line.take_word("builds")) {
            read_event_builds(line, event);
        } else {
            line.fail("not a valid property of an event");
        }
    }

    // `*`, ranges of builds, or both.
    void read_event_builds(CompactLine& line, EventSchema& event) {
        event.is_of_any_build = line.take_word("*");
        event.builds = 0;
        while (is_build_range(line.token())) {
            event.builds |= read_build_range(line);
        }
        if (event.builds == 0 && !event.is_of_any_build) {
            line.fail("expected a range of the provider's builds");
        }
    }

    static bool is_build_range(const CompactToken& token) noexcept {
        return token.kind == CompactToken::Kind::word &&
               token.text.find_first_not_of("0123456789-") == token.text.npos;
    }

    // `15063-19043`, `22000-`, `-7600`, `17763`: builds of the line of the provider.
    std::uint64_t read_build_range(CompactLine& line) {
        const std::string_view text = line.token().text;
        const std::size_t dash = text.find('-');
        const auto bound = [&](std::string_view digits, std::uint64_t missing) {
            return digits.empty() ? std::optional(missing) : etl::parse_number(digits);
        };
        const auto first = bound(text.substr(0, dash), 0);
        const auto last = dash == text.npos ? first
                                            : bound(text.substr(dash + 1),
                                                    std::numeric_limits<std::uint32_t>::max());
        std::uint64_t bits = 0;
        for (std::size_t i = 0; first && last && i < provider_->builds.size(); ++i) {
            const bool is_in = *first <= provider_->builds[i] && provider_->builds[i] <= *last;
            bits |= std::uint64_t{is_in ? 1U : 0U} << i;
        }
        if (bits == 0) {
            line.fail("expected a range of the provider's builds");
        }
        line.next();
        return bits;
    }

    // `task 3` has the name of the task; `task 3=Other` a name of its own; `task ?=Other` a name
    // whose number is unknown.
    void read_event_task(CompactLine& line, EventSchema& event) {
        if (line.take_word("?")) {
            event.is_task_unknown = true;
            line.expect_mark('=');
            event.task_name = kept(line);
            return;
        }
        event.task = line.number<std::uint16_t>();
        if (const auto known = tasks_.find(event.task); known != tasks_.end()) {
            event.task_name = booked(known->second.name);
            event.task_guid = known->second.guid;
        }
        if (line.take_mark('=')) {
            event.task_name = kept(line);
        }
    }

    void read_event_opcode(CompactLine& line, EventSchema& event) {
        if (line.take_word("?")) {
            event.is_opcode_unknown = true;
            line.expect_mark('=');
            event.opcode_name = kept(line);
            return;
        }
        event.opcode = line.number<std::uint8_t>();
        event.opcode_name =
            line.take_mark('=') ? kept(line) : booked(opcode_name(event.task, event.opcode));
    }

    std::string opcode_name(std::uint16_t task, std::uint8_t opcode) const {
        if (const auto known = tasks_.find(task); known != tasks_.end()) {
            const auto own = known->second.opcodes.find(opcode);
            if (own != known->second.opcodes.end()) {
                return own->second;
            }
        }
        const auto own = opcodes_.find(opcode);
        return own != opcodes_.end() ? own->second : std::string(winmeta::opcode_name(opcode));
    }

    void read_event_fields(CompactLine& line, EventSchema& event) {
        const auto number = line.number<std::uint32_t>();
        const auto known = templates_.find(number);
        if (known == templates_.end()) {
            line.fail(fmt::format("fields {} are missing", number));
        } else if (budget_.charge(known->second.bytes)) {
            event.fields = known->second.fields;
            event.maps = known->second.maps;
            event.user_data = known->second.user_data;
        }
    }

    static Guid read_guid(CompactLine& line) {
        const auto guid = parse_guid(line.token().text);
        if (!guid) {
            line.fail("expected a GUID");
            return {};
        }
        line.next();
        return *guid;
    }

    std::string kept(CompactLine& line) { return booked(line.name()); }

    std::string booked(std::string text) {
        budget_.charge(text.size());
        return text;
    }

    SchemaSet result_;
    SchemaBudget budget_;
    std::shared_ptr<ProviderNames> provider_;
    std::map<std::uint16_t, Task> tasks_;
    Task* task_ = nullptr;
    std::map<std::uint8_t, std::string> opcodes_; // of the provider
    CompactMaps maps_;
    std::shared_ptr<ValueMap> map_; // that the next lines can continue
    std::map<std::uint32_t, CompactTemplate> templates_;
    std::optional<CompactFields> fields_; // likewise
};

std::expected<SchemaSet, FileError> parse_checked_text(Bytes file) {
    if (file.size() > limits::manifest_file_bytes) {
        return std::unexpected(
            FileError{0, fmt::format("is larger than {} MB", limits::manifest_file_bytes >> 20U)});
    }
    const std::string_view text = as_text(file);
    if (!is_valid_utf8(text)) {
        return std::unexpected(FileError{0, "is not UTF-8"});
    }
    return CompactReader().read(text);
}

} // namespace

std::expected<SchemaSet, FileError> parse_compact(Bytes text) {
    return guarded([&] { return parse_checked_text(text); });
}

} // namespace etl::schema
