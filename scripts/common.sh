# Shared by ./dev and its scripts: where things are, and how to configure and build. To be sourced
# from the repository's root.
# shellcheck shell=bash
# shellcheck disable=SC2034 # the variables are read by the scripts that source this one

clang_format=clang-format-22
clang_tidy=clang-tidy-22

# Debian's python3 and its NumPy, whatever other python3 comes first in PATH.
python=/usr/bin/python3

# Where PyTorch is, when `./dev setup --bench` has installed it.
bench_venv=build-bench/venv

fail() {
  echo "dev: $*" >&2
  exit 1
}

# Quick and quiet when every package is there; otherwise installs them.
ensure_packages() {
  scripts/setup.sh --quiet
}

build_dir() {
  case "$1" in
  release) echo build ;;
  *) echo "build-$1" ;;
  esac
}

# As many jobs as the processors and the free memory allow: a file that includes much of MLIR
# takes up to 1.6 GB to compile.
build_jobs() {
  local jobs memory
  jobs="$(nproc)"
  memory="$(awk '/^MemAvailable:/ { print int($2 / (1600 * 1024)) }' /proc/meminfo)"
  if ((memory < jobs)); then
    jobs="$memory"
  fi
  echo "$((jobs > 0 ? jobs : 1))"
}

# configure PRESET: runs CMake when the build folder has no build yet, or an older preset's.
# Later changes to a CMakeLists.txt are noticed by the build itself.
configure() {
  local dir launcher=()
  dir="$(build_dir "$1")"
  if [[ -e $dir/build.ninja && ! CMakePresets.json -nt $dir/build.ninja ]]; then
    return
  fi
  if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  cmake --preset "$1" --log-level=NOTICE "${launcher[@]}"
}

# build PRESET [TARGET...]
build() {
  local preset="$1"
  shift
  configure "$preset"
  # Clones in different folders share the compiler cache.
  CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1 \
    cmake --build "$(build_dir "$preset")" \
    --parallel "${CMAKE_BUILD_PARALLEL_LEVEL:-$(build_jobs)}" ${1:+--target "$@"}
}

# LLVM's headers mark what their allocators have not handed out, but Debian's LLVM is built without
# the sanitizer and does not take such marks back: they are not to be believed.
set_sanitizer_options() {
  export ASAN_OPTIONS="allow_user_poisoning=0:detect_stack_use_after_return=1:strict_string_checks=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
  export UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}"
}

# The project's C and C++ files, new ones included.
cpp_files() {
  git ls-files --cached --others --exclude-standard -- '*.h' '*.c' '*.cpp' |
    while IFS= read -r file; do
      if [[ -e $file ]]; then
        echo "$file"
      fi
    done
}
