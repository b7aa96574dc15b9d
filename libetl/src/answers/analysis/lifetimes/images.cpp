// etl images. docs/analysis.md#images
#include "analysis/analyzer.hpp"
#include "analysis/groups.hpp"
#include "analysis/owners.hpp"
#include "analysis/table_list.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace etl::analysis {

namespace {

enum ImageField : unsigned {
    image_base,
    image_size,
    image_pid,
    image_path,
    image_stamp,
    image_sum
};

enum ImageTag : std::uint32_t { load_tag, unload_tag, listed_tag };

struct ImageLife {
    std::uint32_t process = 0;
    std::uint64_t base = 0, size = 0;
    std::string path;
    std::optional<std::int64_t> loaded, unloaded; // none: before, after the trace
    std::optional<std::uint64_t> stamp, checksum;
    OwnerRef owner = 0;
    bool is_first = false; // of the process at this base in a part: may be one of an earlier part
};

class Images final : public Analyzer {
public:
    void subscribe(Subscriptions& subscriptions) override {
        const auto subscribe = [&](std::uint16_t hook, ImageTag tag) {
            subscriptions.hook(hook, tag,
                               {"ImageBase", "ImageSize", "ProcessId", "FileName", "TimeDateStamp",
                                "ImageChecksum"});
        };
        subscribe(0x030A, load_tag);
        subscribe(0x140A, load_tag);
        subscribe(0x1402, unload_tag);
        subscribe(0x1403, listed_tag);
        subscribe(0x1404, listed_tag);
    }

    void add(const Record& record) override {
        has_events_ = true;
        if (!record.has(image_base)) {
            return;
        }
        const Key key(record.number32(image_pid), record.number(image_base));
        const auto open = open_.find(key);
        if (record.tag == listed_tag && open != open_.end()) {
            return;
        }
        if (open != open_.end()) {
            images_[open->second].unloaded = record.time; // a load without an unload before it
            open_.erase(open);
            if (record.tag == unload_tag) {
                return;
            }
        }
        add_life(record, key);
    }

    Table finish() override {
        Table table;
        table.name = "images";
        table.is_ordered = true;
        table.columns = {
            key_column("process", Unit::text),    key_column("pid", Unit::id),
            plain_column("image", Unit::text),    plain_column("base", Unit::address),
            plain_column("size", Unit::bytes),    plain_column("loaded", Unit::time),
            plain_column("unloaded", Unit::time), plain_column("timestamp", Unit::id),
            plain_column("checksum", Unit::id),   {.name = "images", .is_hidden = true}};
        if (!context().is_part) {
            add_rows(table);
        }
        if (!has_events_) {
            table.coverage.not_recorded.push_back(
                {"images", {}, "xperf -on LOADER, or any wpr profile"});
        }
        table.coverage.remainders.push_back({"dropped_images", dropped_});
        return table;
    }

    void save(Archive& to) override { visit(to, images_); }

    void stitch(Archive& from) override {
        std::vector<ImageLife> images;
        visit(from, images);
        for (ImageLife& image : images) {
            if (!image.is_first || !continue_life(image)) {
                keep_life(std::move(image));
            }
        }
    }

private:
    using Key = std::pair<std::uint32_t, std::uint64_t>; // process and base

    void visit(Archive& archive, std::vector<ImageLife>& images) {
        archive.list(images, [&](ImageLife& image) {
            archive.number(image.process);
            archive.number(image.base);
            archive.number(image.size);
            archive.text(image.path);
            archive.optional(image.loaded);
            archive.optional(image.unloaded);
            archive.optional(image.stamp);
            archive.optional(image.checksum);
            visit_owner(archive, *context().owners, image.owner);
            archive.number(image.is_first);
        });
    }

    /// Whether the first event of a part, of which it knows no image, is about one that is open.
    bool continue_life(const ImageLife& image) {
        const auto open = open_.find({image.process, image.base});
        if (open == open_.end()) {
            return false;
        }
        ImageLife& mine = images_[open->second];
        if (image.loaded || image.unloaded) {
            mine.unloaded = image.loaded ? image.loaded : image.unloaded;
            open_.erase(open);
        }
        return !image.loaded;
    }

    void add_life(const Record& record, const Key& key) {
        const auto optional = [&](ImageField field) {
            return record.has(field) ? std::optional(record.number(field)) : std::nullopt;
        };
        ImageLife image{.process = key.first,
                        .base = key.second,
                        .size = record.number(image_size),
                        .path = terminated_utf16(record.rest(image_path)),
                        .loaded = {},
                        .unloaded = {},
                        .stamp = optional(image_stamp),
                        .checksum = optional(image_sum),
                        .owner = context().owners->process(key.first, record.time),
                        .is_first = is_first(key)};
        if (record.tag == load_tag) {
            image.loaded = record.time;
        }
        if (record.tag == unload_tag) {
            image.unloaded = record.time;
        }
        keep_life(std::move(image));
    }

    bool is_first(const Key& key) {
        return context().continues() && touched_.size() < limits::analysis_lifetimes &&
               touched_.insert(key).second;
    }

    void add_rows(Table& table) {
        std::ranges::stable_sort(images_, {}, [](const ImageLife& image) {
            return std::tuple(image.process,
                              image.loaded.value_or(std::numeric_limits<std::int64_t>::min()),
                              image.base);
        });
        for (const ImageLife& image : images_) {
            add_row(table, image);
        }
    }

    void keep_life(ImageLife image) {
        if (images_.size() >= limits::analysis_lifetimes ||
            path_bytes_ >= limits::analysis_text_bytes) {
            ++dropped_;
            return;
        }
        path_bytes_ += image.path.size();
        if (!image.unloaded) {
            open_.emplace(Key(image.process, image.base), images_.size());
        }
        images_.push_back(std::move(image));
    }

    void add_row(Table& table, const ImageLife& image) const {
        const Owner& owner = (*context().owners)[image.owner];
        const bool is_kernel = image.process == 0;
        if (!owner.is_selected || image.loaded.value_or(context().begin) > context().end ||
            image.unloaded.value_or(context().end) < context().begin) {
            return;
        }
        const auto time = [&](const std::optional<std::int64_t>& raw) {
            return raw ? Cell{static_cast<std::uint64_t>(
                             context().trace->clock.to_filetime(*raw).ticks)}
                       : Cell{};
        };
        const auto number = [](const std::optional<std::uint64_t>& value) {
            return value ? Cell{*value} : Cell{};
        };
        table.rows.push_back(
            {.cells = {is_kernel ? Cell{} : name_cell(owner), std::uint64_t{image.process},
                       image.path, image.base, image.size, time(image.loaded), time(image.unloaded),
                       number(image.stamp), number(image.checksum), std::uint64_t{1}}});
    }

    std::vector<ImageLife> images_;
    std::map<Key, std::size_t> open_;
    std::set<Key> touched_; // in a part that continues
    std::size_t path_bytes_ = 0;
    std::uint64_t dropped_ = 0;
    bool has_events_ = false;
};

constexpr auto images_forms =
    forms_of(images_table,
             {
                 {.needs = TableNeeds::processes,
                  .make = make<Images>,
                  .parts = PartsOf::carried,
                  .state = "images",
                  .title = "Programs and libraries",
                  .events = "event in (Image/Load, Image/UnLoad, Image/DCStart, Image/DCEnd) && "
                            "ProcessId == {pid} && FileName == {image}",
                  .places = {.report = 110, .tracerpt = 23}},
             });

} // namespace

constinit const TableKind images_table{
    .name = "images",
    .summary = "Print the programs and libraries that were loaded",
    .question = "Which DLLs and drivers were loaded?",
    .examples = R"(  etl images --process kettle trace.etl
  etl images --format csv -o images.csv trace.etl)",
    .forms = images_forms,
};

} // namespace etl::analysis
