// The texts of executables: in the file itself, in the .mui file of the best language, in images
// that the user named. One thread. docs/format/images.md#where-messages-are
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include "base/culture.hpp"
#include "base/function_ref.hpp"
#include "schema/message_table.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace etl::catalog {

/// Where Windows keeps the texts of an executable: LANGUAGE/NAME.mui beside it. Folders are listed
/// once. One thread. docs/format/images.md#mui
struct MuiFile {
    std::string path;
    std::size_t rank = 0; // of its language, CultureChain::rank
};

class MuiFiles {
public:
    explicit MuiFiles(const CultureChain& cultures) : cultures_(cultures) {}

    /// The .mui file of an executable in the best language that there is. Case does not count: the
    /// folder may be a copy of one on NTFS.
    std::optional<MuiFile> find(const std::string& image_path);

private:
    struct LanguageFolder {
        std::string path;
        std::size_t rank = 0;
        std::optional<std::unordered_map<std::string, std::string>> files{}; // lower case -> name
    };

    std::vector<LanguageFolder>& languages_in(const std::string& folder);

    CultureChain cultures_;
    std::unordered_map<std::string, std::vector<LanguageFolder>> folders_; // best language first
};

/// For members of archives: the name of the executable that `name` is the .mui file of, in lower
/// case, and its language; none: it is none.
struct MuiName {
    std::string image;
    std::string culture;
};

std::optional<MuiName> parse_mui_name(std::string_view name);

/// The texts of a .mui file, and the rank of their language.
struct MuiTexts {
    schema::MessageTable table;
    std::size_t rank = 0;
};

class ImageMessages {
public:
    explicit ImageMessages(const CultureChain& cultures) : cultures_(cultures), mui_(cultures) {}

    const CultureChain& cultures() const noexcept { return cultures_; }

    /// An image that the user named: its texts may serve others.
    void add_named(std::string path);

    /// An image that was found in a folder: it may hold the texts of a provider's parameters.
    void add_found(const std::string& path);

    /// What was wrong with a file of texts.
    using Complain = FunctionRef<void(const std::string& file, const Error& error)>;

    /// All texts of an executable on disk.
    schema::MessageTable of_file(const std::string& path, Bytes image, Complain complain);

    /// All texts of a member of an archive, whose .mui is among the members too or is null.
    schema::MessageTable of_member(const std::string& name, Bytes image, const MuiTexts* mui,
                                   Complain complain);

    /// The texts of the image that has the name of `file`, whose folder is that of another machine;
    /// those that the user named come first. Null: none is at hand, or it has no texts.
    std::shared_ptr<const schema::MessageTable> of_parameter_file(std::string_view file,
                                                                  Complain complain);

private:
    schema::MessageTable with_own(const std::string& name, Bytes image, const MuiTexts* mui,
                                  Complain complain) const;
    /// The .mui file of this image among those that the user named; empty: none.
    std::string named_mui(const std::string& path) const;
    /// Texts of another image for one that has none at all.
    void borrow(const std::string& path, Bytes image, schema::MessageTable& texts);
    /// All texts of an image that the user named, whatever is wrong with it.
    std::shared_ptr<const schema::MessageTable> lent_by(const std::string& named);

    /// Tables of named images that are kept: every image without texts asks all of them.
    static constexpr std::size_t max_lent_bytes = 64U << 20U;

    CultureChain cultures_;
    MuiFiles mui_;
    std::vector<std::string> named_;
    std::unordered_map<std::string, std::string> named_by_name_; // lower case; the first counts
    std::unordered_map<std::string, std::string> found_by_name_;
    std::unordered_map<std::string, std::shared_ptr<const schema::MessageTable>> lent_; // by path
    std::size_t lent_bytes_ = 0;
    // By name in lower case.
    std::unordered_map<std::string, std::shared_ptr<const schema::MessageTable>> parameters_;
};

} // namespace etl::catalog
