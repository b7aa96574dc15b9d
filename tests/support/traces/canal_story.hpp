// Boats that go through the locks of a canal: records for a Writer, as many as are asked for, and
// the shapes of file that they are written to. For those who link etl_trace.
#pragma once

#include "tests/support/traces/trace_content.hpp"
#include "trace/writer.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace etl::test {

/// Adds records in the order of their times, to two processors in turn. One story goes on over
/// several writers.
class CanalStory {
public:
    static constexpr std::uint16_t processors = 2;

    /// Errors: those of Writer::add.
    Result<void> tell(trace::Writer& writer, int records);

    /// All that was told.
    const Streams& told() const noexcept { return told_; }

private:
    int next_ = 0;
    Streams told_;
};

/// A kind of file that a Writer makes.
struct FileShape {
    std::string name; // of the shape: "circular-wrapped"
    trace::LogFileOptions options;
    bool finished = true; // else the writer ends as if it had crashed, after a flush
    int records = 90;

    /// "circular-wrapped.etl", "zstd.etl.zst", "new-file-%d.etl".
    std::string file_name() const;

    friend void PrintTo(const FileShape& shape, std::ostream* to) { *to << shape.name; }
};

/// Every file mode with every compression and container that goes with it.
std::vector<FileShape> file_shapes();

/// The one with that name; it must be there.
FileShape file_shape(std::string_view name);

/// Tells a story into the shape's file or files, at `folder` + file_name(). Throws
/// std::logic_error when something was lost or rejected.
Streams write_shape(const FileShape& shape, const std::string& folder, io::FileFactory& files);

/// The plain trace within a container of ours.
Image unpacked(io::Container kind, const Image& packed);

} // namespace etl::test
