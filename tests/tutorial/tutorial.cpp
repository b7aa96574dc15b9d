// The tutorial of etl/etl.hpp as a program: tutorial FILE OUT prints one line per event of FILE,
// then how many values they held; and writes OUT, a copy of them behind an event of its own.
#include <etl/etl.hpp>

#include <cstdio>

namespace {

int copy(etl::trace::Reader& reader, const char* path) {
    auto writer = etl::trace::Writer::create(path);
    if (!writer) {
        std::puts(etl::describe(writer.error()).c_str());
        return 2;
    }
    const etl::Bytes bytes;
    auto added = (*writer)->add(etl::format::EventRecord{
        .time = etl::trace::now().ticks, .descriptor = {.id = 1}, .payload = bytes});
    bool good = added.has_value();
    etl::flow::EventCursor events(reader);
    while (const etl::flow::Event* event = events.next()) {
        auto copied = (*writer)->add(*event); // a record as it is
        good = good && copied.has_value();
    }
    auto closed = (*writer)->close(); // before it the file is unfinished, yet readable
    std::printf("%llu events written\n",
                static_cast<unsigned long long>((*writer)->events_written()));
    return good && closed ? 0 : 1;
}

} // namespace

int main(int count, char** arguments) {
    if (count != 3) {
        return 64;
    }
    auto file = etl::io::InputFile::map(arguments[1]);
    auto reader = file ? etl::trace::Reader::open(*file) : std::unexpected(file.error());
    if (!reader) {
        std::puts(etl::describe(reader.error()).c_str());
        return 2;
    }
    etl::decode::Harvest harvest;
    (*reader)->for_each_buffer(
        1, [&](unsigned, const etl::trace::BufferEntry&, etl::flow::Run run) { harvest.add(run); });
    auto store = std::make_shared<etl::schema::SchemaStore>();
    harvest.finish(*store);
    store->freeze();
    etl::decode::Decoder decoder(store);

    etl::flow::EventCursor events(**reader);
    std::size_t fields = 0;
    while (const etl::flow::Event* event = events.next()) { // valid until the next call
        const etl::flow::EventHeader header = etl::flow::read_header(*event);
        const etl::decode::DecodedEvent& decoded = decoder.decode(*event);
        std::printf("%s %u %s\n", etl::to_string(header.provider).c_str(), header.id,
                    decoded.kind->event.value_or("?").c_str());
        if (decoded.kind->schema == nullptr) {
            continue;
        }
        etl::decode::FieldWalker walker;
        walker.start(decoded.kind->plan, decoded.body);
        for (auto step = walker.next(); step != etl::decode::Step::end; step = walker.next()) {
            fields += step == etl::decode::Step::value ? 1U : 0U;
        }
    }
    std::printf("%zu values\n", fields);
    if ((*reader)->error() != nullptr) {
        return 1;
    }
    auto again = etl::trace::Reader::open(*file);
    return again ? copy(**again, arguments[2]) : 2;
}
