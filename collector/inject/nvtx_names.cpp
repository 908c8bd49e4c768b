// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/nvtx_names.h"

#include "collector/inject/session.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace tacho {

const NvtxNames::Name* NvtxNames::find(spool::RecordType type, const char* text,
                                       std::size_t bytes) const noexcept {
    for (const Name* name = m_first; name; name = name->next)
        if (name->type == type && name->bytes == bytes && std::memcmp(name->text, text, bytes) == 0)
            return name;
    return nullptr;
}

std::uint32_t NvtxNames::add(spool::RecordType type, const char* text) noexcept {
    const int savedErrno = errno; // the host may be looking at it
    const std::size_t bytes = text ? strnlen(text, spool::kMaxText) : 0;
    pthread_mutex_lock(&m_mutex);
    std::uint32_t id = 0;
    if (const Name* known = find(type, text, bytes)) {
        id = known->id;
    } else if (auto* name = static_cast<Name*>(std::malloc(sizeof(Name) + bytes))) {
        id = type == spool::RecordType::NvtxDomain ? ++m_lastDomain : ++m_lastString;
        name->next = m_first;
        name->type = type;
        name->id = id;
        name->bytes = bytes;
        if (bytes > 0)
            std::memcpy(name->text, text, bytes);
        m_first = name;
        define(*name);
    }
    pthread_mutex_unlock(&m_mutex);
    errno = savedErrno;
    return id;
}

void NvtxNames::define(const Name& name) noexcept {
    spool::StringRecord record{};
    record.header.type = static_cast<std::uint16_t>(name.type);
    record.id = name.id;
    record.textBytes = static_cast<std::uint32_t>(name.bytes);
    if (session().isRecording())
        session().log().define(&record, sizeof record, name.text, name.bytes);
}

void NvtxNames::forkedOff() noexcept {
    m_mutex = PTHREAD_MUTEX_INITIALIZER;
}

void NvtxNames::redefine() noexcept {
    pthread_mutex_lock(&m_mutex);
    for (const Name* name = m_first; name; name = name->next)
        define(*name);
    pthread_mutex_unlock(&m_mutex);
}

void narrow(const wchar_t* text, char* out) noexcept {
    constexpr std::size_t kLongestCharacter = 4;
    std::size_t at = 0;
    for (; text && *text && at + kLongestCharacter <= spool::kMaxText; ++text) {
        const auto c = static_cast<std::uint32_t>(*text); // NOLINT(bugprone-signed-char-misuse): no char
        const auto continuation = [c](int shift) { return static_cast<char>(0x80 | ((c >> shift) & 0x3f)); };
        if (c < 0x80) {
            out[at++] = static_cast<char>(c);
        } else if (c < 0x800) {
            out[at++] = static_cast<char>(0xc0 | (c >> 6));
            out[at++] = continuation(0);
        } else if (c < 0x10000) {
            out[at++] = static_cast<char>(0xe0 | (c >> 12));
            out[at++] = continuation(6);
            out[at++] = continuation(0);
        } else {
            out[at++] = static_cast<char>(0xf0 | ((c >> 18) & 0x07));
            out[at++] = continuation(12);
            out[at++] = continuation(6);
            out[at++] = continuation(0);
        }
    }
    out[at] = '\0';
}

} // namespace tacho
