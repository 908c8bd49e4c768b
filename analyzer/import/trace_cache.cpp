// SPDX-License-Identifier: Apache-2.0
#include "analyzer/import/trace_cache.h"

#include "analyzer/model/trace_fields.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sys/file.h>
#include <sys/stat.h>
#include <type_traits>
#include <unistd.h>

namespace tacho {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "tacho cache 1\n";
constexpr const char* kEnding = ".tacho-cache";

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// What tells one state of a file from another; "" if there is no such file.
std::string stampOf(const char* path) {
    struct stat status {};
    if (stat(path, &status) != 0)
        return "";
    return fmt::format("{} {} {} {}.{:09}\n", status.st_dev, status.st_ino, status.st_size,
                       status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

/// A block of bytes with its length and checksum before it. Errors are remembered: ask ok() at the end.
class Writer {
  public:
    explicit Writer(std::FILE* file) : m_file(file) {}

    void block(const void* bytes, std::uint64_t size) {
        const std::uint64_t head[2] = {size, crc32_z(0, static_cast<const Bytef*>(bytes), size)};
        m_ok = m_ok && std::fwrite(head, sizeof head, 1, m_file) == 1 &&
               (size == 0 || std::fwrite(bytes, size, 1, m_file) == 1);
    }
    [[nodiscard]] bool ok() const { return m_ok; }

    template <class Value>
    void value(Value& value) {
        block(&value, sizeof value);
    }
    void text(std::string& text) { block(text.data(), text.size()); }
    template <class Value>
    void column(std::vector<Value>& values) {
        block(values.data(), values.size() * sizeof(Value));
    }
    /// Number of elements of a container, to come one by one.
    std::size_t count(std::size_t size) {
        value(size);
        return size;
    }

  private:
    std::FILE* m_file;
    bool m_ok = true;
};

class Reader {
  public:
    Reader(std::FILE* file, std::uint64_t left) : m_file(file), m_left(left) {}

    [[nodiscard]] bool ok() const { return m_ok; }

    template <class Value>
    void value(Value& value) {
        if (begin() == sizeof value)
            bytes(&value, sizeof value);
        else
            m_ok = false;
    }
    void text(std::string& text) {
        text.resize(begin());
        bytes(text.data(), text.size());
    }
    template <class Value>
    void column(std::vector<Value>& values) {
        const std::uint64_t size = begin();
        m_ok = m_ok && size % sizeof(Value) == 0;
        values.resize(m_ok ? size / sizeof(Value) : 0);
        bytes(values.data(), values.size() * sizeof(Value));
    }
    std::size_t count(std::size_t /*size*/) {
        std::size_t size = 0;
        value(size);
        m_ok = m_ok && size <= m_left; // each element takes a byte and more
        return m_ok ? size : 0;
    }

  private:
    /// Size of the block that comes; 0 if it cannot be.
    std::uint64_t begin() {
        std::uint64_t head[2] = {};
        m_ok = m_ok && m_left >= sizeof head && std::fread(head, sizeof head, 1, m_file) == 1;
        m_left -= m_ok ? sizeof head : 0;
        m_ok = m_ok && head[0] <= m_left;
        m_sum = head[1];
        return m_ok ? head[0] : 0;
    }
    void bytes(void* to, std::uint64_t size) {
        m_ok = m_ok && (size == 0 || std::fread(to, size, 1, m_file) == 1) &&
               crc32_z(0, static_cast<const Bytef*>(to), size) == m_sum;
        m_left -= m_ok ? size : 0;
    }

    std::FILE* m_file;
    std::uint64_t m_left;
    std::uint64_t m_sum = 0;
    bool m_ok = true;
};

template <class Archive, class Value>
void archive(Archive& with, Value& value);

template <class Archive>
void archive(Archive& with, std::string& text) {
    with.text(text);
}
template <class Archive, class Value>
void archive(Archive& with, std::vector<Value>& values) {
    if constexpr (std::is_trivially_copyable_v<Value>) {
        with.column(values);
    } else {
        values.resize(with.count(values.size()));
        for (Value& value : values)
            archive(with, value);
    }
}
template <class Archive>
void archive(Archive& with, std::map<std::string, std::string>& facts) {
    std::vector<std::string> flat;
    for (const auto& [name, value] : facts)
        flat.insert(flat.end(), {name, value});
    archive(with, flat);
    for (std::size_t i = 0; i + 1 < flat.size(); i += 2)
        facts.emplace(flat[i], flat[i + 1]);
}
/// All texts in one block, and where each ends.
template <class Archive>
void archive(Archive& with, StringTable& strings) {
    std::string texts;
    std::vector<std::uint64_t> ends;
    for (std::size_t id = 1; id < strings.size(); ++id) {
        texts += strings.text(static_cast<StringId>(id));
        ends.push_back(texts.size());
    }
    with.text(texts);
    with.column(ends);
    for (std::uint64_t begin = 0; std::uint64_t end : ends) {
        if (begin > end || end > texts.size())
            return; // cannot be: the checksums were right
        strings.intern(std::string_view(texts).substr(begin, end - begin));
        begin = end;
    }
}
template <class Archive, class Value>
void archive(Archive& with, Value& value) {
    if constexpr (std::is_trivially_copyable_v<Value>)
        with.value(value);
    else
        forFields(value, [&](auto&... fields) { (archive(with, fields), ...); });
}

/// Empty, and for us alone. One name for all: what a killed program left is taken over by the next.
File openForWriting(const std::string& path) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return nullptr;
    const bool isOurs = flock(descriptor, LOCK_EX | LOCK_NB) == 0 && ftruncate(descriptor, 0) == 0;
    File file(isOurs ? fdopen(descriptor, "wb") : nullptr);
    if (!file)
        close(descriptor);
    return file;
}

std::string xdgPlace(const std::string& key) {
    const char* const cache = std::getenv("XDG_CACHE_HOME");
    const char* const home = std::getenv("HOME");
    if (!cache && !home)
        return "";
    const fs::path folder =
        (cache && *cache ? fs::path(cache) : fs::path(home ? home : "") / ".cache") / "tacho";
    return (folder / fmt::format("{:016x}{}", std::hash<std::string>()(key), kEnding)).string();
}

} // namespace

TraceCache::TraceCache(const std::vector<std::string>& files, std::uint64_t leastBytes) {
    const char* const wish = std::getenv("TACHO_CACHE");
    std::uint64_t bytes = 0;
    std::string key = std::string(kMagic) + stampOf("/proc/self/exe");
    std::string names;
    for (const std::string& file : files) {
        std::error_code failed;
        const std::uint64_t size = fs::file_size(file, failed);
        bytes += failed ? 0 : size;
        names += fs::absolute(file, failed).string() + '\n';
        key += file + '\n' + stampOf(file.c_str()) + stampOf((file + "-wal").c_str()); // SQLite's, if any
    }
    if (files.empty() || bytes < leastBytes || (wish && std::string_view(wish) == "off"))
        return;
    m_key = std::move(key);
    m_places = {files.front() + kEnding};
    if (const std::string place = xdgPlace(names); !place.empty())
        m_places.push_back(place);
}

std::optional<Trace> TraceCache::read() const {
    for (const std::string& place : m_places) {
        const File file(std::fopen(place.c_str(), "rb"));
        std::error_code failed;
        if (!file)
            continue;
        Reader reader(file.get(), fs::file_size(place, failed));
        std::string key;
        Trace trace;
        archive(reader, key);
        if (!reader.ok() || key != m_key)
            continue;
        archive(reader, trace);
        if (reader.ok())
            return trace;
    }
    return std::nullopt;
}

void TraceCache::write(Trace& trace) const {
    for (const std::string& place : m_places) {
        std::error_code failed;
        fs::create_directories(fs::path(place).parent_path(), failed);
        const std::string unfinished = place + ".unfinished";
        const File file = openForWriting(unfinished);
        if (!file)
            continue;
        Writer writer(file.get());
        std::string key = m_key;
        archive(writer, key);
        archive(writer, trace);
        if (writer.ok() && std::fflush(file.get()) == 0)
            fs::rename(unfinished, place, failed);
        else
            failed = std::make_error_code(std::errc::io_error);
        if (!failed)
            return;
        fs::remove(unfinished, failed);
    }
}

} // namespace tacho
