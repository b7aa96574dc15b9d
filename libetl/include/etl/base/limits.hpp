// Every bound on what hostile input can make us do, each with its reason. Bytes of a file never
// decide a size, a depth or a loop alone.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::limits {

/// Windows' own maximum for a session's BufferSize is 16 MB (docs/format/buffer.md#size).
inline constexpr std::uint32_t buffer_bytes = 16U << 20U;

/// Processor numbers are 11 bits wide on disk (docs/format/buffer.md#context).
inline constexpr std::uint32_t processors = 2048;

/// Buffers that a writer fills at one time. Those of all processors are fewer but on hostile
/// traces; those of processors times origins, when many traces are merged, can be any number.
inline constexpr std::size_t open_buffers = 1024;

/// Processors times origins of a merged trace that are kept apart when it is read, and buffers of
/// these that are open at one time: each event takes its place among them.
inline constexpr std::size_t buffer_streams = 1U << 16U;
inline constexpr std::size_t merged_buffers = 1U << 14U;

/// Buffers that a session may ever have, and the memory of them: address space for all is reserved
/// when it starts. Windows has limits of its own, which it does not tell.
inline constexpr std::uint32_t session_buffers = 1U << 16U;
inline constexpr std::uint64_t session_memory_bytes = std::uint64_t{1} << 36U;

/// Places of one trace at which its clock may have been set back: some buffers are loaded to find
/// out. A virtual machine that is corrected once a minute comes to 1,440 a day.
inline constexpr std::size_t set_backs = 4096;

/// What the largest compressed buffers of all processors may claim to unpack to, added up, before
/// the claims are doubted: 64 processors with buffers of 16 MB. Beyond it a buffer is believed to
/// unpack to so many times its size.
inline constexpr std::uint64_t inflated_bytes = std::uint64_t{1} << 30U;
inline constexpr std::uint32_t believed_ratio = 64;

/// Extended items of one record: Windows attaches a handful; 65535 bytes cannot hold more than
/// 8191.
inline constexpr std::uint32_t extended_items = 64;

/// Nesting of structures in a schema. TraceLogging providers nest two or three deep.
inline constexpr std::uint32_t struct_depth = 8;

/// Fields of one schema, members included. The largest real one has under 200.
inline constexpr std::uint32_t schema_fields = 4096;

/// A payload: the size of a record is 16 bits wide on disk.
inline constexpr std::size_t payload_bytes = 65535;

/// Text of one record that a merge packed into it. The largest one seen has 24,544 bytes.
inline constexpr std::size_t packed_text_bytes = 1U << 20U;

/// Values that one event may yield: a payload has at most 64 KB, and elements without bytes
/// (null, empty structures) must not multiply without end.
inline constexpr std::uint32_t values_per_event = 1U << 17U;

/// Bytes of schema metadata that travels in an event.
inline constexpr std::size_t metadata_bytes = 65535;

/// Chunks of one EventSource manifest, and the bytes that all chunks of a trace may hold.
inline constexpr std::uint32_t manifest_chunks = 1024;
inline constexpr std::size_t manifest_bytes = 64U << 20U;

/// Assemblies of EventSource chunks under way at one time (provider x process x thread).
inline constexpr std::size_t manifest_assemblies = 4096;

/// One manifest file. The largest of Windows 10 is 5 MB.
inline constexpr std::size_t manifest_file_bytes = 64U << 20U;

/// Elements, attributes and texts of one manifest: a DOM needs some 60 bytes for each. The largest
/// one seen has 38,000.
inline constexpr std::size_t manifest_nodes = 1U << 22U;

/// Memory that the schemas of one manifest or image may take: one template or string can be named
/// by many events.
inline constexpr std::size_t manifest_schema_bytes = 256U << 20U;

/// Sections of an executable: the PE format's own limit for Windows' loader.
inline constexpr std::size_t image_sections = 96;

/// Entries of the resource tree that are walked for one type. The largest DLLs have some thousand
/// icons, and a few dozen types.
inline constexpr std::size_t image_resources = 1U << 14U;

/// Nesting of the XML of a UserData template. Real ones have two or three levels.
inline constexpr std::size_t user_data_depth = 32;

/// Findings kept of one manifest or image.
inline constexpr std::size_t manifest_notes = 200;

/// Findings listed by the validation of one manifest; dumps of live systems come to some hundreds.
inline constexpr std::size_t manifest_findings = 1000;

/// Text that one message is rendered to, give or take its last insert: inserts can be named
/// thousands of times. FormatMessage gives at most 64 KB.
inline constexpr std::size_t message_bytes = 256U << 10U;

/// Text that a `%%n` of a value may stand for: a payload can hold thousands of them. Windows' own
/// are words like "Delete".
inline constexpr std::size_t parameter_bytes = 1024;

/// One program database: with pages of 4 KB, Windows' linker writes none that is larger.
inline constexpr std::uint64_t pdb_file_bytes = std::uint64_t{4} << 30U;

/// Arguments of one WPP message: FormatMessage's numbers have two digits and start at 10.
inline constexpr std::size_t wpp_arguments = 90;

/// The names of a function, component and source file as messages of WPP repeat them: a file says
/// them once. C++ compilers' longest names are longer, but nobody reads them.
inline constexpr std::size_t wpp_name_bytes = 1024;

/// What is kept of the annotations of one program database, the text of its messages above all:
/// each brings the name of the function around it. Windows' largest drivers have some MB.
inline constexpr std::size_t pdb_text_bytes = 64U << 20U;

/// Descriptions of one WPP message that contradict each other: builds of one driver differ.
inline constexpr std::size_t wpp_variants = 16;

/// Text of one rendered WPP message: a payload may be repeated by each insert.
inline constexpr std::size_t wpp_message_bytes = 1U << 18U;

/// Distinct schemas that a trace itself may teach us.
inline constexpr std::size_t harvested_schemas = 1U << 17U;

/// TraceLogging schemas kept by one decoder before it starts over.
inline constexpr std::size_t cached_schemas = 1U << 14U;

/// Bytes that those may occupy, roughly, in one decoder and the texts an encoder keeps with them: a
/// hostile trace brings schemas of thousands of fields.
inline constexpr std::size_t cached_schema_bytes = 16U << 20U;

/// What --enrich keeps of one trace (docs/enrich.md#memory): distinct names of processes, images
/// and files; stacks, their index included; what is seen of processes and threads each, of which a
/// busy machine has some thousand, of images and files, of which it has a hundred times as many;
/// and partitions.
inline constexpr std::size_t fact_name_bytes = 16U << 20U;
inline constexpr std::size_t fact_stack_bytes = 128U << 20U;
inline constexpr std::size_t fact_lives = 1U << 18U;
inline constexpr std::size_t fact_images = 1U << 20U;
inline constexpr std::size_t fact_files = 1U << 20U;
inline constexpr std::size_t fact_partitions = 1024;

/// Kept events that are remembered for the stacks behind them (a power of two), and keys of stacks
/// that kept events name: a stack comes soon, a live system has some ten thousand keys.
inline constexpr std::size_t kept_stamps = 1U << 18U;
inline constexpr std::size_t kept_stack_keys = 1U << 20U;

/// Frames of one stack: Windows stops at 192.
inline constexpr std::size_t stack_frames = 1024;

/// Events that an edit made ahead of their time, kept until the source has got there.
inline constexpr std::size_t waiting_drafts = 16U << 20U;

/// Context of one time stamp that a merge remembers, to take out what other traces repeat of it:
/// rundowns have a stamp for each event, clocks that tick at 64 Hz have a thousand for one stamp.
inline constexpr std::size_t repeated_context = 4U << 20U;

/// Kinds of events that are counted one by one when a trace is thinned out.
inline constexpr std::size_t counted_kinds = 1U << 17U;

/// Files that one trace may be split into; those that are written at one time (a program may have
/// 256 open, or 1024); and the buffers that these fill. More parts are made in further passes.
inline constexpr std::size_t split_parts = 1U << 16U;
inline constexpr std::size_t split_parts_at_once = 128;
inline constexpr std::size_t split_buffer_bytes = 40U << 20U;

/// Losses of one trace that are told one by one.
inline constexpr std::size_t repair_losses = 1U << 14U;

/// Users and computers that one run of --anonymize learns, each, and names that begin with the same
/// word: each word of all texts is looked up among them.
inline constexpr std::size_t private_names = 1U << 14U;
inline constexpr std::size_t names_of_one_word = 16;

/// One line of JSON that `etl write` reads: a payload in hex and once more as text, six characters
/// for each byte at worst, and its metadata.
inline constexpr std::size_t json_line_bytes = 4U << 20U;

/// Nesting of the values in such a line: structures within arrays within structures.
inline constexpr std::size_t json_depth = 4UL * struct_depth;

/// Entries of one archive that are looked at.
inline constexpr std::size_t archive_entries = 1U << 16U;

/// Bytes that one packed input may unpack to unless --max-unpacked says otherwise.
inline constexpr std::uint64_t unpacked_bytes = std::uint64_t{64} << 30U;

/// Damaged places of one container that are stepped over: at each one frames are looked for in what
/// was taken for the last one.
inline constexpr std::size_t damaged_places = 4096;

/// Depth of folders for --recursive.
inline constexpr int folder_depth = 32;

} // namespace etl::limits
