#include "native/debuggers.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <mutex>
#include <unistd.h>

// gdb's interface for code made at run time: gdb sets a breakpoint in the function and reads the
// list. LLVM defines both names; there may be only one of each in a process.
extern "C" {
struct jit_code_entry {
  jit_code_entry *next_entry;
  jit_code_entry *prev_entry;
  const char *symfile_addr;
  uint64_t symfile_size;
};
struct jit_descriptor {
  uint32_t version;
  uint32_t action_flag; // 1: an entry was added, 2: an entry goes
  jit_code_entry *relevant_entry;
  jit_code_entry *first_entry;
};
extern jit_descriptor __jit_debug_descriptor; // NOLINT(bugprone-reserved-identifier)
void __jit_debug_register_code();             // NOLINT(bugprone-reserved-identifier)
}

namespace tilewright::native {

namespace {

std::mutex &list_mutex() {
  static auto *mutex = new std::mutex;
  return *mutex;
}

void announce(jit_code_entry *entry, uint32_t action) {
  __jit_debug_descriptor.action_flag = action;
  __jit_debug_descriptor.relevant_entry = entry;
  __jit_debug_register_code();
}

/// An entry of gdb's list and the object that it shows.
struct Registration {
  std::string object;
  jit_code_entry entry{};

  explicit Registration(std::string patched) : object(std::move(patched)) {
    entry.symfile_addr = object.data();
    entry.symfile_size = object.size();
    std::scoped_lock lock(list_mutex());
    entry.next_entry = __jit_debug_descriptor.first_entry;
    if (entry.next_entry)
      entry.next_entry->prev_entry = &entry;
    __jit_debug_descriptor.first_entry = &entry;
    announce(&entry, 1);
  }
  Registration(const Registration &) = delete;

  ~Registration() {
    std::scoped_lock lock(list_mutex());
    if (entry.next_entry)
      entry.next_entry->prev_entry = entry.prev_entry;
    (entry.prev_entry ? entry.prev_entry->next_entry : __jit_debug_descriptor.first_entry) =
        entry.next_entry;
    announce(&entry, 2);
  }
};

} // namespace

std::shared_ptr<void> register_with_gdb(const std::string &object,
                                        const std::map<std::string, uint64_t> &sections) {
  std::string patched = object;
  Elf64_Ehdr header;
  if (patched.size() < sizeof header)
    return nullptr;
  std::memcpy(&header, patched.data(), sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_shstrndx >= header.e_shnum ||
      header.e_shoff + header.e_shnum * sizeof(Elf64_Shdr) > patched.size())
    return nullptr;
  auto section_at = [&](size_t index) { return header.e_shoff + index * sizeof(Elf64_Shdr); };
  Elf64_Shdr names;
  std::memcpy(&names, patched.data() + section_at(header.e_shstrndx), sizeof names);
  for (size_t index = 0; index < header.e_shnum; ++index) {
    Elf64_Shdr section;
    std::memcpy(&section, patched.data() + section_at(index), sizeof section);
    size_t name_at = names.sh_offset + section.sh_name;
    if (name_at >= patched.size())
      return nullptr;
    if (auto found = sections.find(patched.c_str() + name_at); found != sections.end()) {
      section.sh_addr = found->second;
      std::memcpy(patched.data() + section_at(index), &section, sizeof section);
    }
  }
  return std::make_shared<Registration>(std::move(patched));
}

void tell_perf(const std::map<std::string, CodeSymbol> &symbols) {
  static const bool wanted = [] {
    const char *value = std::getenv("TILEWRIGHT_PERF");
    return value && std::strcmp(value, "1") == 0;
  }();
  if (!wanted)
    return;
  std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
  if (FILE *file = std::fopen(path.c_str(), "a")) {
    for (const auto &[name, symbol] : symbols)
      std::fprintf(file, "%llx %llx %s\n", static_cast<unsigned long long>(symbol.address),
                   static_cast<unsigned long long>(symbol.bytes), name.c_str());
    std::fclose(file);
  }
}

} // namespace tilewright::native
