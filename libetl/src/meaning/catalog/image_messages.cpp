#include "catalog/image_messages.hpp"

#include "base/file_name.hpp"
#include "base/text.hpp"
#include "io/input_file.hpp"
#include "schema/image.hpp"
#include "schema/wevt.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>

namespace etl::catalog {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".mui";

// What cannot be listed has nothing to give.
template <typename Visit>
void for_each_entry(const fs::path& folder, Visit visit) {
    std::error_code error;
    auto entry = fs::directory_iterator(folder, error);
    while (!error && entry != fs::directory_iterator()) {
        visit(*entry);
        entry.increment(error);
    }
}

std::unordered_map<std::string, std::string> files_in(const std::string& folder) {
    std::unordered_map<std::string, std::string> files;
    for_each_entry(folder, [&](const fs::directory_entry& entry) {
        const std::string name = entry.path().filename().string();
        const auto [known, is_new] = files.try_emplace(to_lower_ascii(name), name);
        if (!is_new) {
            known->second = std::min(known->second, name); // whatever order the system has
        }
    });
    return files;
}

} // namespace

std::vector<MuiFiles::LanguageFolder>& MuiFiles::languages_in(const std::string& folder) {
    const auto [known, is_new] = folders_.try_emplace(folder);
    std::vector<LanguageFolder>& languages = known->second;
    if (!is_new) {
        return languages;
    }
    for_each_entry(folder.empty() ? "." : folder, [&](const fs::directory_entry& entry) {
        const std::string name = entry.path().filename().string();
        std::error_code gone;
        if (is_culture_name(name) && entry.is_directory(gone)) {
            languages.push_back({entry.path().string(), cultures_.rank(name)});
        }
    });
    std::ranges::sort(languages, {}, [](const LanguageFolder& language) {
        return std::pair(language.rank, std::string_view(language.path));
    });
    return languages;
}

std::optional<MuiFile> MuiFiles::find(const std::string& image_path) {
    const fs::path image(image_path);
    const std::string wanted = to_lower_ascii(image.filename().string()) + std::string(ending);
    for (LanguageFolder& language : languages_in(image.parent_path().string())) {
        if (!language.files) {
            language.files = files_in(language.path);
        }
        if (const auto found = language.files->find(wanted); found != language.files->end()) {
            return MuiFile{(fs::path(language.path) / found->second).string(), language.rank};
        }
    }
    return std::nullopt;
}

std::optional<MuiName> parse_mui_name(std::string_view name) {
    std::string lower = to_lower_ascii(name);
    if (!lower.ends_with(ending)) {
        return std::nullopt;
    }
    lower.resize(lower.size() - ending.size());
    const std::size_t file = lower.rfind('/');
    if (file == std::string::npos) {
        return std::nullopt;
    }
    const std::size_t before = lower.substr(0, file).rfind('/');
    const std::size_t folder = before == std::string::npos ? 0 : before + 1;
    const std::string culture = lower.substr(folder, file - folder);
    if (!is_culture_name(culture)) {
        return std::nullopt;
    }
    return MuiName{lower.substr(0, folder) + lower.substr(file + 1), culture};
}

namespace {

namespace fs = std::filesystem;

constexpr std::size_t worst_rank = std::numeric_limits<std::size_t>::max();

// Of the best message table in the image itself.
std::size_t own_rank(Bytes file, const CultureChain& cultures) {
    std::size_t best = worst_rank;
    if (const auto image = schema::PeImage::parse(file)) {
        if (const auto tables = image->resources(schema::message_table_type)) {
            for (const schema::Resource& table : *tables) {
                best = std::min(best, cultures.rank(table.language));
            }
        }
    }
    return best;
}

Result<schema::ImageTexts> read_file(const std::string& path, const CultureChain& cultures) {
    const auto file = io::InputFile::map(path);
    if (!file) {
        return std::unexpected(file.error());
    }
    (*file)->advise(io::InputFile::Access::random);
    return schema::read_messages((*file)->bytes(), cultures);
}

std::string name_of(const std::string& path) {
    return to_lower_ascii(fs::path(path).filename().string());
}

const std::string* find(const std::unordered_map<std::string, std::string>& paths,
                        const std::string& name) {
    const auto found = paths.find(name);
    return found == paths.end() ? nullptr : &found->second;
}

std::size_t held(const schema::MessageTable& table, const std::vector<std::uint32_t>& ids) {
    return static_cast<std::size_t>(
        std::ranges::count_if(ids, [&](std::uint32_t id) { return table.find(id) != nullptr; }));
}

} // namespace

schema::MessageTable ImageMessages::with_own(const std::string& name, Bytes image,
                                             const MuiTexts* mui, Complain complain) const {
    schema::MessageTable own;
    if (auto read = schema::read_messages(image, cultures_)) {
        own = std::move(read->table);
        if (read->damage) {
            complain(name, *read->damage);
        }
    } else {
        complain(name, read.error());
    }
    if (mui == nullptr) {
        return own;
    }
    if (own_rank(image, cultures_) <= mui->rank) {
        own.merge(mui->table);
        return own;
    }
    schema::MessageTable all = mui->table;
    all.merge(own);
    return all;
}

schema::MessageTable ImageMessages::of_file(const std::string& path, Bytes image,
                                            Complain complain) {
    std::optional<MuiFile> file;
    if (std::string named = named_mui(path); !named.empty()) {
        file = MuiFile{std::move(named), 0};
    } else {
        file = mui_.find(path);
    }
    std::optional<MuiTexts> mui;
    if (file) {
        auto read = read_file(file->path, cultures_);
        if (!read || read->damage) {
            complain(file->path, read ? *read->damage : read.error());
        }
        if (read) {
            mui = MuiTexts{std::move(read->table), file->rank};
        }
    }
    schema::MessageTable texts = with_own(path, image, mui ? &*mui : nullptr, complain);
    borrow(path, image, texts);
    return texts;
}

schema::MessageTable ImageMessages::of_member(const std::string& name, Bytes image,
                                              const MuiTexts* mui, Complain complain) {
    schema::MessageTable texts = with_own(name, image, mui, complain);
    borrow(name, image, texts);
    return texts;
}

std::shared_ptr<const schema::MessageTable> ImageMessages::of_parameter_file(std::string_view file,
                                                                             Complain complain) {
    // A path of Windows, whatever system this is.
    const std::string wanted = to_lower_ascii(file_name_of(file, path_separators_and_drive));
    const auto [place, is_new] = parameters_.try_emplace(wanted);
    if (!is_new || wanted.empty()) {
        return place->second;
    }
    const std::string* path = find(named_by_name_, wanted);
    if (path == nullptr) {
        path = find(named_by_name_, wanted + ".mui");
    }
    if (path == nullptr) {
        path = find(found_by_name_, wanted);
    }
    if (path == nullptr) {
        return nullptr;
    }
    const auto image = io::InputFile::map(*path);
    if (!image) {
        complain(*path, image.error());
        return nullptr;
    }
    (*image)->advise(io::InputFile::Access::random);
    auto texts = of_file(*path, (*image)->bytes(), complain);
    if (texts.size() > 0) {
        place->second = std::make_shared<const schema::MessageTable>(std::move(texts));
    }
    return place->second;
}

std::string ImageMessages::named_mui(const std::string& path) const {
    const std::string* named = find(named_by_name_, name_of(path) + ".mui");
    return named == nullptr ? std::string() : *named;
}

std::shared_ptr<const schema::MessageTable> ImageMessages::lent_by(const std::string& named) {
    if (const auto known = lent_.find(named); known != lent_.end()) {
        return known->second;
    }
    schema::MessageTable texts;
    if (auto read = read_file(named, cultures_)) {
        texts = std::move(read->table);
    }
    auto table = std::make_shared<const schema::MessageTable>(std::move(texts));
    if (table->bytes() <= max_lent_bytes - lent_bytes_) {
        lent_bytes_ += table->bytes();
        lent_.emplace(named, table);
    }
    return table;
}

// Ids say nothing about whose they are: the first event of every provider has the same. So only an
// image without any text of its own borrows, and all from one.
void ImageMessages::borrow(const std::string& path, Bytes image, schema::MessageTable& texts) {
    if (std::ranges::all_of(named_, [&](const std::string& named) { return named == path; })) {
        return;
    }
    const std::vector<std::uint32_t> ids = schema::scan_wevt_messages(image);
    if (held(texts, ids) != 0) {
        return;
    }
    std::shared_ptr<const schema::MessageTable> best;
    std::size_t max = 0;
    for (const std::string& named : named_) {
        if (named == path) {
            continue;
        }
        auto table = lent_by(named);
        if (const std::size_t count = held(*table, ids); count > max) {
            best = std::move(table);
            max = count;
        }
    }
    if (best != nullptr) {
        texts.merge(*best);
    }
}

void ImageMessages::add_named(std::string path) {
    named_by_name_.try_emplace(name_of(path), path);
    named_.push_back(std::move(path));
}

void ImageMessages::add_found(const std::string& path) {
    found_by_name_.try_emplace(name_of(path), path);
}

} // namespace etl::catalog
