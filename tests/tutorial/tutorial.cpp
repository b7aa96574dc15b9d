// The tutorial of etl/etl.hpp as a program: tutorial FILE prints one line per event, then how many
// values they held.
#include <etl/etl.hpp>

#include <cstdio>

int main(int count, char** arguments) {
    if (count != 2) {
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
    return (*reader)->error() == nullptr ? 0 : 1;
}
