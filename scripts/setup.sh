#!/usr/bin/env bash
# setup.sh [--quiet] [--bench] [--xla]: installs the Debian 12 packages that Tilewright is built with.
#
# Does nothing, in a few milliseconds, when all of them are there. --quiet says nothing then.
# --bench also makes the virtual environment build-bench/venv with PyTorch, which only captures of
# its code need; --xla adds JAX to it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/common.sh

packages=(
  # compiler, build, cache
  g++ cmake ninja-build ccache git ca-certificates
  # LLVM and MLIR 22, with the linker, FileCheck and lit that belong to them
  llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools lld-22
  # libraries
  libtbb-dev libcli11-dev nlohmann-json3-dev libfmt-dev
  # tests, oracles, benchmarks
  libgtest-dev libgmock-dev libbenchmark-dev python3 python3-numpy
  # format and lint, of the same version as LLVM
  clang-format-22 clang-tidy-22 shellcheck
)
bench_packages=(python3-venv python3-dev)

# Prints those of the given packages that are not installed.
missing_packages() {
  local installed
  installed="$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
    sed -n 's/^installed //p' || true)"
  local package
  for package in "$@"; do
    if ! grep -qxF -- "$package" <<<"$installed"; then
      echo "$package"
    fi
  done
}

require_debian() {
  command -v apt-get >/dev/null ||
    fail "setup installs Debian 12 packages, and this system has no apt-get. docs/decisions/001-toolchain.md lists what to install by hand."
}

as_root() {
  if [[ $EUID -eq 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "installing packages needs root, and there is no sudo. As root, run: ./dev setup"
  fi
}

apt() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 "$@"
}

# The URI of the first source of this system that serves Debian 12 itself.
debian_uri() {
  # shellcheck disable=SC2016 # apt's own variables
  apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Created-By: Packages' |
    awk '$1 == "bookworm" && !found++ { sub("/$", "", $2); print $2 }'
}

has_candidate() {
  [[ "$(apt-cache policy "$1")" =~ Candidate:\ [^\(] ]]
}

# LLVM 22 is in Debian 12's security suite, which a minimal system may lack. The mirror that serves
# /debian serves the suite as /debian-security.
ensure_llvm_source() {
  if has_candidate llvm-22-dev; then
    return
  fi
  local uri
  uri="$(debian_uri)"
  [[ -n $uri ]] || fail "no llvm-22-dev package is to be had, and this is not Debian 12 (bookworm). docs/decisions/001-toolchain.md lists what to install by hand."
  echo "dev: adding Debian 12's security suite, which has LLVM 22, to apt's sources"
  printf '%s\n' 'Types: deb' "URIs: $uri-security" 'Suites: bookworm-security' 'Components: main' \
    'Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg' |
    as_root tee /etc/apt/sources.list.d/tilewright-security.sources >/dev/null
  apt update
  has_candidate llvm-22-dev ||
    fail "$uri-security has no llvm-22-dev. Add the suite bookworm-security of a Debian security mirror to apt's sources and run ./dev setup again."
}

install_packages() {
  local missing
  mapfile -t missing < <(missing_packages "$@")
  if [[ ${#missing[@]} -eq 0 ]]; then
    return
  fi
  require_debian
  echo "dev: installing ${missing[*]}"
  apt update
  ensure_llvm_source
  apt install -y --no-install-recommends "${missing[@]}"
}

# PyTorch's virtual environment: a download of 580 MB, and 0.73 GB on disk once the CUDA part of
# PyPI's PyTorch is gone. It is done when it has a copy of the requirements that it was made for.
install_torch() {
  local requirements=bench/requirements.txt
  if cmp -s "$requirements" "$bench_venv/requirements.txt"; then
    return
  fi
  echo "dev: installing PyTorch in $bench_venv"
  rm -rf "$bench_venv"
  "$python" -m venv "$bench_venv"
  "$bench_venv/bin/pip" install -q --no-deps --no-compile -r "$requirements"
  "$bench_venv/bin/python3" bench/peers/torch_without_cuda.py \
    "$(echo "$bench_venv"/lib/python3*/site-packages/torch)"
  "$bench_venv/bin/python3" -c 'import torch; assert not torch.cuda.is_available()'
  cp "$requirements" "$bench_venv/requirements.txt"
}

# JAX, in the same environment: a download of 120 MB, 0.5 GB on disk.
install_xla() {
  local requirements=bench/requirements-xla.txt
  if cmp -s "$requirements" "$bench_venv/requirements-xla.txt"; then
    return
  fi
  echo "dev: installing JAX in $bench_venv"
  "$bench_venv/bin/pip" install -q --no-deps --no-compile -r "$requirements"
  cp "$requirements" "$bench_venv/requirements-xla.txt"
}

main() {
  local quiet='' bench='' xla='' argument
  for argument in "$@"; do
    case "$argument" in
    --quiet) quiet=1 ;;
    --bench) bench=1 ;;
    --xla) bench=1 xla=1 ;;
    *) fail "usage: ./dev setup [--bench] [--xla]" ;;
    esac
  done
  install_packages "${packages[@]}"
  if [[ -n $bench ]]; then
    install_packages "${bench_packages[@]}"
    install_torch
  fi
  if [[ -n $xla ]]; then
    install_xla
  fi
  if [[ -z $quiet ]]; then
    echo "dev: everything is installed"
  fi
}

main "$@"
