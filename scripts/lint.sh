#!/usr/bin/env bash
# lint.sh [--all]: every check of the sources that needs no test run. All checks run; the exit
# status says whether any of them found something.
#
# clang-tidy takes 5 to 20 seconds for a file that includes MLIR, so it looks at the files changed
# against the main branch, or at every file with --all.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/common.sh

compiler_stages=(src/simplify src/plan src/lower src/packetize src/native)
operator_names='rms_?norm|layer_?norm|soft_?max|swiglu|gelu|\brope\b|attention|cross_?entropy|\bsilu\b'
longest_file=600

failures=0

# report TITLE ROWS: a finding when there are rows.
report() {
  if [[ -n $2 ]]; then
    printf '%s\n%s\n\n' "$1" "$2" >&2
    failures=$((failures + 1))
  fi
}

# Prints the places in the files under the given folders that match a pattern.
places() {
  local pattern="$1"
  shift
  local folders=() folder
  for folder in "$@"; do
    if [[ -e $folder ]]; then
      folders+=("$folder")
    fi
  done
  if [[ ${#folders[@]} -gt 0 ]]; then
    grep -rnEi --exclude='*.md' -- "$pattern" "${folders[@]}" || true
  fi
}

check_format() {
  local badly
  badly="$(cpp_files | xargs -r -d '\n' "$clang_format" --dry-run 2>&1 |
    sed -n 's/^\([^:]*\):[0-9].*Wclang-format-violations.*/\1/p' | sort -u)"
  report "Not formatted; run ./dev fmt:" "$badly"
}

check_structure() {
  report "Public headers and the runtime include no MLIR or LLVM:" \
    "$(places '#include [<"](mlir|llvm)/' include src/runtime)"
  report "The planner includes MLIR in its extract and annotate files only:" \
    "$(places '#include [<"](mlir|llvm)/' src/plan | grep -vE '^src/plan/(extract|annotate)[a-z_]*\.' || true)"
  report "The compiler knows no operator by name; a choice follows from structure and cost:" \
    "$(places "$operator_names" "${compiler_stages[@]}")"
  report "Longer than $longest_file lines; split by idea:" "$(long_files)"
}

long_files() {
  git ls-files --cached --others --exclude-standard -- '*.h' '*.c' '*.cpp' '*.td' '*.py' '*.sh' |
    while IFS= read -r file; do
      if [[ -e $file && $(wc -l <"$file") -gt $longest_file ]]; then
        echo "$file: $(wc -l <"$file") lines"
      fi
    done
}

check_scripts() {
  if command -v shellcheck >/dev/null; then
    report "shellcheck:" "$(shellcheck -x dev .ci/run scripts/*.sh || true)"
  fi
}

# The commit that this work started from: where it left the main branch, or else the last commit's
# parent.
base_commit() {
  local base=''
  base="$(git merge-base HEAD origin/main 2>/dev/null || true)"
  if [[ -z $base || $base == $(git rev-parse HEAD) ]]; then
    base="$(git rev-parse --quiet --verify HEAD~1 || git rev-parse HEAD)"
  fi
  echo "$base"
}

# The changed or all source files; a changed header stands for the source file beside it.
candidate_files() {
  if [[ $1 == all ]]; then
    cpp_files
  else
    git diff --name-only --diff-filter=d "$(base_commit)" -- '*.h' '*.cpp'
    git ls-files --others --exclude-standard -- '*.h' '*.cpp'
  fi | sed -n 's/\.\(h\|cpp\)$/.cpp/p' | sort -u
}

# What the build compiles for the candidate files: the files themselves, or the unity file that
# includes them. A file that is not part of the build has none.
translation_units() {
  local compiled file
  compiled="$(sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' build/compile_commands.json)"
  candidate_files "$1" | while IFS= read -r file; do
    if grep -qxF -- "$PWD/$file" <<<"$compiled"; then
      echo "$file"
    else
      grep -rlF --include='unity_*.cxx' -- "\"$PWD/$file\"" build || true
    fi
  done | sort -u
}

# The headers that TableGen writes have to be there before clang-tidy can parse.
build_generated_headers() {
  configure release
  local targets
  targets="$(ninja -C build -t targets all | sed -n 's/^\(.*\.inc\): .*/\1/p')"
  if [[ -n $targets ]]; then
    xargs -d '\n' cmake --build build --target <<<"$targets" >/dev/null
  fi
}

check_naming() {
  command -v "$clang_tidy" >/dev/null || fail "$clang_tidy is not installed; run ./dev setup"
  build_generated_headers
  local units
  units="$(translation_units "$1")"
  if [[ -z $units ]]; then
    return
  fi
  echo "clang-tidy on $(wc -l <<<"$units") translation units"
  local found
  found="$(xargs -d '\n' -n 1 -P "$(build_jobs)" "$clang_tidy" --quiet -p build <<<"$units" 2>/dev/null |
    sort -u | grep -E '(warning|error):' || true)"
  report "clang-tidy:" "$found"
}

main() {
  local scope=changed
  case "${1:-}" in
  --all) scope=all ;;
  '') ;;
  *) fail "usage: ./dev lint [--all]" ;;
  esac
  command -v "$clang_format" >/dev/null || fail "$clang_format is not installed; run ./dev setup"
  check_format
  check_structure
  check_scripts
  check_naming "$scope"
  if ((failures > 0)); then
    fail "lint: $failures kinds of finding, above"
  fi
  echo "lint: clean"
}

main "$@"
