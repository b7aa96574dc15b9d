// One event, with all that is known of it.
#include "analysis/groups.hpp"
#include "decode/display_value.hpp"
#include "explore/explorer_state.hpp"
#include "facts/annotator.hpp"
#include "sink/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace etl::explore {

namespace {

using dataset::Dataset;

/// Shows the event at a place. Returns whether there is one.
bool show(Dataset& traces, const EventPlace& place, FunctionRef<void(const flow::Event&)> visit) {
    trace::Reader& reader = *traces.readers()[place.input - 1];
    bool is_found = false;
    reader.show_buffers({static_cast<std::uint32_t>(place.buffer)},
                        [&](const trace::BufferContent& buffer) {
                            for (const flow::Event& event : buffer.events) {
                                if (!is_found && event.offset() == place.offset) {
                                    is_found = true;
                                    visit(event);
                                }
                            }
                        });
    return is_found;
}

/// Where the bytes of a value are in a payload; null: elsewhere.
analysis::Cell offset_in(Bytes payload, Bytes bytes) {
    const std::less_equal<const std::byte*> is_not_after;
    const bool is_inside =
        !bytes.empty() && is_not_after(payload.data(), bytes.data()) &&
        is_not_after(bytes.data() + bytes.size(), payload.data() + payload.size());
    return is_inside ? analysis::Cell(static_cast<std::uint64_t>(bytes.data() - payload.data()))
                     : analysis::Cell();
}

analysis::Table fields_of(const decode::DecodedEvent& event, const decode::DisplayOptions& how) {
    using analysis::key_column;
    using analysis::Unit;
    analysis::Table table{.name = "fields", .is_ordered = true};
    table.columns = {key_column("field", Unit::text), key_column("value", Unit::text),
                     key_column("offset", Unit::id), key_column("size", Unit::bytes)};
    if (event.kind->schema == nullptr) {
        return table;
    }
    const std::vector<std::string> paths = schema::field_paths(*event.kind->schema);
    const decode::DisplayOptions options = decode::options_for(how, event);
    decode::FieldWalker walker;
    walker.start(event.kind->plan, event.body);
    for (auto step = walker.next(); step != decode::Step::end; step = walker.next()) {
        if (step != decode::Step::value) {
            continue;
        }
        std::string text;
        decode::append_display(text, walker.value(), options);
        const analysis::Cell offset = offset_in(event.header.payload, walker.value().bytes);
        const bool is_inside = std::holds_alternative<std::uint64_t>(offset);
        table.rows.push_back(
            {{paths[walker.field()], std::move(text), offset,
              is_inside ? analysis::Cell(std::uint64_t{walker.value().bytes.size()})
                        : analysis::Cell()}});
    }
    return table;
}

/// What questions about one event need: with its stack.
dataset::Needs needs_of(const flow::Event& event) {
    dataset::Needs needs = usual_needs();
    needs.facts = facts::Scope::everything;
    if (event.has_time) {
        constexpr std::int64_t around = 2; // times of events can be finer
        const std::int64_t time = event.time().ticks;
        needs.stacks = {.from = Filetime{time - around}, .to = Filetime{time + around}};
    }
    return needs;
}

sink::Options sink_options_of(const Dataset& traces, const dataset::Context& context,
                              facts::FrameNames names) {
    return {.schemas = context.schemas,
            .code_page = traces.options().code_page,
            .facts = context.facts,
            .frame_names = std::move(names),
            .origins = context.origins,
            .show_origins = context.origins->size() > 1,
            .pointer_size = traces.options().pointer_size};
}

analysis::Table stack_of(const facts::Notes& notes) {
    analysis::Table table{.name = "stack", .is_ordered = true};
    table.columns = {analysis::key_column("address", analysis::Unit::address),
                     analysis::key_column("frame", analysis::Unit::text)};
    for (std::size_t i = 0; i < notes.stack.size(); ++i) {
        table.rows.push_back({{notes.stack[i], notes.frames.empty() ? analysis::Cell()
                                                                    : analysis::Cell(std::string(
                                                                          notes.frames[i]))}});
    }
    return table;
}

EventAnswer answer_of(const flow::Event& event, const sink::Options& options) {
    decode::Decoder decoder(options.schemas, options.decoder());
    const decode::DecodedEvent& decoded = decoder.decode(event);
    facts::Annotator annotator(options.facts, options.frame_names);
    EventAnswer answer{.json = {},
                       .fields = fields_of(decoded, options.display()),
                       .stack = stack_of(annotator.annotate(decoded, decoder.generation()))};
    sink::JsonLines(options).encode_object(decoded, decoder.generation(), answer.json);
    const Bytes record = event.bytes(), payload = decoded.header.payload;
    const auto header_size = static_cast<std::size_t>(payload.data() - record.data());
    std::ranges::copy(payload.empty() ? record : record.first(header_size),
                      std::back_inserter(answer.header));
    answer.payload.assign(payload.begin(), payload.end());
    answer.file_offset = event.buffer->where.value + event.offset();
    return answer;
}

} // namespace

std::expected<EventAnswer, TraceError> Explorer::event(const EventPlace& place,
                                                       const Stop* stop) const {
    const auto& readers = state_->traces.traces().readers();
    if (place.input == 0 || place.input > readers.size()) {
        return wrong(ErrorCode::not_found, "input", fmt::format("no trace {}", place.input));
    }
    const auto none = [&](const char* member, std::uint64_t number) {
        return wrong(ErrorCode::not_found, member,
                     fmt::format("no event at {} {} of trace {}", member, number, place.input));
    };
    if (place.buffer >= readers[place.input - 1]->buffers().size()) {
        return none("buffer", place.buffer);
    }
    auto asked = state_->traces.ask({}, stop, ProcessFilter::events);
    if (!asked) {
        return std::unexpected(std::move(asked.error()));
    }
    std::optional<dataset::Needs> needs;
    if (!show(asked->traces, place, [&](const flow::Event& event) { needs = needs_of(event); })) {
        return is_stopped(stop) ? std::unexpected(stopped_error()) : none("offset", place.offset);
    }
    state_->traces.recall(*asked, needs->stacks);
    const auto context = asked->traces.context(*needs);
    if (!context) {
        return std::unexpected(context.error());
    }
    const sink::Options options =
        sink_options_of(asked->traces, *context, facts::FrameNames(asked->traces.symbols()));
    std::optional<EventAnswer> answer;
    show(asked->traces, place,
         [&](const flow::Event& event) { answer = answer_of(event, options); });
    if (is_stopped(stop) || !answer) {
        return std::unexpected(stopped_error());
    }
    state_->traces.keep(*asked);
    return *std::move(answer);
}

} // namespace etl::explore
