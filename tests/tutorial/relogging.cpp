// The program of docs/relogging.md. tests/tutorial/relogging.cmake holds its text to the lines
// below.
// [docs/relogging.md]
#include <etl/etl.hpp>

#include <cstdio>

int main(int, char** arguments) {
    auto file = etl::io::InputFile::map(arguments[1]);
    auto reader = file ? etl::trace::Reader::open(*file) : std::unexpected(file.error());
    if (!reader) {
        return std::puts(etl::describe(reader.error()).c_str());
    }
    etl::relog::Draft draft; // reused for every event
    etl::relog::FunctionEdit edit([&](const etl::flow::Event& event, etl::relog::Output& to) {
        const etl::flow::EventHeader header = etl::flow::read_header(event);
        if (header.level == 3) {
            return; // dropped: not passed on
        }
        if (header.process_id != 1300) {
            return to.pass(); // unchanged
        }
        draft.assign(event); // a changed copy
        draft.set_process_id(99);
        to.emit(draft);
        etl::relog::Draft mark(etl::relog::Draft::Form::event, event); // a new event
        mark.set_descriptor({.id = 9000, .level = 4});
        mark.set_time({event.time().ticks + etl::Filetime::per_second}); // written at that time
        to.emit(mark);
    });
    etl::relog::EditedSource edited(**reader, edit);

    const etl::flow::TraceInfo& info = (*reader)->info();
    etl::io::AtomicFiles files; // the output appears when it is complete
    etl::trace::WriterOptions options{.recording = etl::trace::relogged(info), .files = &files};
    options.file.buffer_size = etl::trace::buffer_size_for(info);
    auto writer = etl::trace::Writer::create(arguments[2], options);
    if (!writer) {
        return std::puts(etl::describe(writer.error()).c_str());
    }
    auto copied = etl::trace::copy(edited, **writer);
    auto closed = (*writer)->close();
    return copied && closed && files.commit() ? 0 : 2;
}

// [end]
