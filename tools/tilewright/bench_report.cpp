#include "bench_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace tilewright::cli {
namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double> &value) { return value ? Json(*value) : Json(nullptr); }

Json middle(const std::optional<Ratio> &ratio) {
  return ratio && ratio->rounds > 0 ? Json(ratio->median) : Json(nullptr);
}

Json range(const std::optional<Ratio> &ratio) {
  if (!ratio || ratio->rounds == 0)
    return nullptr;
  return {{"median", ratio->median},
          {"lowest", ratio->lowest},
          {"highest", ratio->highest},
          {"wins", ratio->wins},
          {"rounds", ratio->rounds}};
}

Json text(const std::string &value) { return value.empty() ? Json(nullptr) : Json(value); }

Json peers_of(const BenchRow &row) {
  Json json = Json::array();
  for (const PeerResult &peer : row.peers)
    json.push_back({{"name", peer.name},
                    {"median_us", number(peer.median_us)},
                    {"ratio", middle(peer.ratio)},
                    {"rounds", range(peer.ratio)},
                    {"refusal", text(peer.refusal)}});
  return json;
}

using Cells = std::vector<std::string>;

std::string cell(const std::optional<double> &value, const char *form) {
  return value ? fmt::format(fmt::runtime(form), *value) : "-";
}

std::optional<double> middle_of(const std::optional<Ratio> &ratio) {
  return ratio && ratio->rounds > 0 ? std::optional(ratio->median) : std::nullopt;
}

/// One line of the table; the columns of peers stand before the last three.
Cells cells_of(const BenchRow &row) {
  std::optional<double> gigabytes;
  if (row.median_us && row.clock != BenchClock::compile)
    gigabytes = static_cast<double>(row.bytes) / *row.median_us / 1e3;
  Cells cells = {row.kernel,
                 row.shape,
                 cell(row.median_us, "{:.4g}"),
                 cell(gigabytes, "{:.1f}"),
                 cell(middle_of(row.to_hand_written), "{:.2f}"),
                 cell(middle_of(row.to_stream), "{:.2f}")};
  for (const PeerResult &peer : row.peers)
    cells.push_back(peer.refusal.empty() ? cell(middle_of(peer.ratio), "{:.2f}") : "WRONG");
  cells.push_back(cell(row.compile_ms, "{:.1f}"));
  cells.push_back(fmt::format("{:.1e}", row.max_absolute_error));
  cells.push_back(row.failure.empty() ? row.plan : "WRONG: " + row.failure);
  return cells;
}

/// How many columns a text takes on the terminal: its code points.
std::size_t width_of(const std::string &text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

} // namespace

Json as_json(const BenchRow &row) {
  Json json = {{"kernel", row.kernel},
               {"shape", row.shape},
               {"threads", row.threads},
               {"clock", to_string(row.clock)},
               {"median_us", number(row.median_us)},
               {"samples_us", row.samples_us},
               {"check_ok", row.failure.empty()},
               {"max_abs_error", row.max_absolute_error},
               {"bytes", row.bytes},
               {"plan", row.plan},
               {"compile_ms", number(row.compile_ms)},
               {"first_compile_ms", number(row.first_compile_ms)},
               {"ratio_hand_written", middle(row.to_hand_written)},
               {"hand_written", text(row.hand_written)},
               {"hand_written_rounds", range(row.to_hand_written)},
               {"ratio_stream", middle(row.to_stream)},
               {"stream", text(row.stream)},
               {"stream_rounds", range(row.to_stream)},
               {"peers", peers_of(row)},
               {"noise", range(row.noise)},
               {"oracle", row.oracle}};
  if (!row.failure.empty())
    json["failure"] = row.failure;
  return json;
}

std::string table(const std::vector<BenchRow> &rows) {
  std::vector<Cells> lines{{"kernel", "shape", "µs", "GB/s", "× hand-written", "× stream"}};
  for (std::size_t i = 0; !rows.empty() && i < rows[0].peers.size(); ++i)
    lines[0].push_back("× " + rows[0].peers[i].name);
  for (const char *title : {"compile ms", "max error", "plan"})
    lines[0].push_back(title);
  const std::size_t column_count = lines[0].size();
  for (const BenchRow &row : rows)
    lines.push_back(cells_of(row));
  Cells rule(column_count);
  std::vector<std::size_t> widths(column_count);
  for (const Cells &line : lines)
    for (std::size_t i = 0; i < column_count; ++i)
      widths[i] = std::max(widths[i], width_of(line[i]));
  for (std::size_t i = 0; i < column_count; ++i)
    for (std::size_t k = 0; k < widths[i]; ++k)
      rule[i] += "─";
  lines.insert(lines.begin() + 1, rule);
  std::string text;
  for (const Cells &line : lines) {
    for (std::size_t i = 0; i < column_count; ++i) {
      const std::string padding(widths[i] - width_of(line[i]), ' ');
      if (i + 1 == column_count)
        text += line[i];
      else
        text += (i == 0 ? line[i] + padding : padding + line[i]) + "  ";
    }
    text += '\n';
  }
  return text;
}

} // namespace tilewright::cli
