#include "plan/plan_json.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace tilewright::plan {

using Json = nlohmann::ordered_json;

namespace {

/// Reads the members of one JSON object; the first thing that is wrong is the error.
class ObjectReader {
public:
  ObjectReader(const Json &object, std::string where, std::optional<Error> &error)
      : object_(object), where_(std::move(where)), error_(error) {
    if (!object.is_object())
      fail(where_ + " is " + object.dump() + ", not a JSON object");
  }

  template <typename Integer>
  void read(const char *key, std::optional<Integer> &value)
    requires std::is_integral_v<Integer>
  {
    const Json *member = find(key);
    if (!member)
      return;
    if constexpr (std::is_same_v<Integer, bool>) {
      if (!member->is_boolean())
        return fail_value(key, *member, "true or false");
      value = member->template get<bool>();
    } else {
      if (!member->is_number_integer())
        return fail_value(key, *member, "an integer");
      auto wide = member->template get<int64_t>();
      if (wide < std::numeric_limits<Integer>::min() || wide > std::numeric_limits<Integer>::max())
        return fail_value(key, *member, "an integer of a sensible size");
      value = static_cast<Integer>(wide);
    }
  }

  template <typename Enum>
  void read(const char *key, std::optional<Enum> &value, std::initializer_list<Enum> all) {
    const Json *member = find(key);
    if (!member)
      return;
    std::string names;
    for (Enum one : all) {
      if (member->is_string() && member->template get<std::string>() == to_string(one))
        value = one;
      names += (names.empty() ? "\"" : ", \"") + to_string(one) + "\"";
    }
    if (!value)
      fail_value(key, *member, "one of " + names);
  }

  void read(const char *key, std::optional<std::vector<int>> &value) {
    const Json *member = find(key);
    if (!member)
      return;
    if (!member->is_array())
      return fail_value(key, *member, "a list of integers");
    value.emplace();
    for (const Json &element : *member) {
      if (!element.is_number_integer())
        return fail_value(key, *member, "a list of integers");
      value->push_back(element.get<int>());
    }
  }

  /// The list under `key`, or null.
  const Json *list(const char *key) {
    const Json *member = find(key);
    if (!member || member->is_array())
      return member;
    fail_value(key, *member, "a list");
    return nullptr;
  }

  /// Call last: every key must have been asked for.
  void reject_other_keys() {
    if (!object_.is_object())
      return;
    for (const auto &[key, value] : object_.items()) {
      if (std::find(known_.begin(), known_.end(), key) != known_.end())
        continue;
      std::string names;
      for (const std::string &name : known_)
        names += (names.empty() ? "" : ", ") + name;
      fail(where_ + " has no key \"" + key + "\"; its keys are " + names);
    }
  }

private:
  const Json *find(const char *key) {
    known_.push_back(key);
    if (!object_.is_object())
      return nullptr;
    auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }
  void fail_value(const char *key, const Json &value, const std::string &wanted) {
    fail(where_ + " has " + value.dump() + " for \"" + key + "\", which takes " + wanted);
  }
  void fail(std::string text) {
    if (!error_)
      error_ = Error{ErrorKind::user, std::move(text), {}};
  }

  const Json &object_;
  std::string where_;
  std::optional<Error> &error_;
  std::vector<std::string> known_;
};

void read_loop_choices(ObjectReader &reader, LoopChoices &choices) {
  reader.read("packets", choices.packets);
  reader.read("tail", choices.tail, {Tail::masked, Tail::peeled, Tail::overlapped});
  reader.read("align_stores", choices.align_stores);
  reader.read("nontemporal", choices.nontemporal);
  reader.read("prefetch_bytes", choices.prefetch_bytes);
  reader.read("prefetch_programs", choices.prefetch_programs);
}

std::optional<EdgePlan> read_edge(const Json &entry, const std::string &where,
                                  std::optional<Error> &error) {
  ObjectReader reader(entry, where, error);
  std::optional<int> value, loop;
  std::optional<Source> source;
  reader.read("value", value);
  reader.read("loop", loop);
  reader.read("source", source, {Source::stream, Source::keep, Source::reload, Source::recompute});
  reader.reject_other_keys();
  if (error)
    return {};
  if (!value || !loop || !source) {
    error = Error{ErrorKind::user, where + " needs \"value\", \"loop\" and \"source\"", {}};
    return {};
  }
  return EdgePlan{*value, *loop, *source};
}

} // namespace

void LoopChoices::apply(LoopPlan &loop) const {
  if (ops)
    loop.ops = *ops;
  if (packets)
    loop.packets = *packets;
  if (tail)
    loop.tail = *tail;
  if (align_stores)
    loop.align_stores = *align_stores;
  if (nontemporal)
    loop.nontemporal = *nontemporal;
  if (prefetch_bytes)
    loop.prefetch_bytes = *prefetch_bytes;
  if (prefetch_programs)
    loop.prefetch_programs = *prefetch_programs;
}

bool LoopChoices::empty() const {
  return !ops && !packets && !tail && !align_stores && !nontemporal && !prefetch_bytes &&
         !prefetch_programs;
}

Result<PlanChoices> parse_choices(const std::string &text) {
  PlanChoices choices;
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    return choices;
  Json root = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (root.is_discarded())
    return Error{ErrorKind::user, "the plan is not valid JSON: " + text, {}};

  std::optional<Error> error;
  ObjectReader reader(root, "the plan", error);
  reader.read("mapping", choices.mapping, {Mapping::flat, Mapping::row});
  reader.read("width", choices.width);
  reader.read("programs_per_step", choices.programs_per_step);
  reader.read("guard", choices.guard);
  reader.read("overlap_programs", choices.overlap_programs);
  reader.read("task_programs", choices.task_programs);
  read_loop_choices(reader, choices.every_loop);
  reader.read("source", choices.every_edge, {Source::keep, Source::reload, Source::recompute});
  if (const Json *loops = reader.list("loops")) {
    for (const Json &entry : *loops) {
      std::string where = "loop " + std::to_string(choices.loops.size()) + " of the plan";
      ObjectReader loop(entry, where, error);
      LoopChoices &loop_choices = choices.loops.emplace_back();
      loop.read("ops", loop_choices.ops);
      read_loop_choices(loop, loop_choices);
      loop.reject_other_keys();
      if (!error && loop_choices.ops.has_value() != choices.loops.front().ops.has_value())
        error = Error{ErrorKind::user, "either all loops of the plan have \"ops\" or none", {}};
    }
  }
  if (const Json *edges = reader.list("edges")) {
    choices.edges.emplace();
    for (const Json &entry : *edges) {
      std::string where = "edge " + std::to_string(choices.edges->size()) + " of the plan";
      if (std::optional<EdgePlan> edge = read_edge(entry, where, error))
        choices.edges->push_back(*edge);
    }
  }
  reader.reject_other_keys();
  if (error)
    return *error;
  return choices;
}

std::string to_json(const Plan &plan) {
  Json root;
  root["mapping"] = to_string(plan.mapping);
  root["width"] = plan.width;
  root["programs_per_step"] = plan.programs_per_step;
  root["guard"] = plan.guard;
  root["overlap_programs"] = plan.overlap_programs;
  root["loops"] = Json::array();
  for (const LoopPlan &loop : plan.loops)
    root["loops"].push_back({{"ops", loop.ops},
                             {"packets", loop.packets},
                             {"tail", to_string(loop.tail)},
                             {"align_stores", loop.align_stores},
                             {"nontemporal", loop.nontemporal},
                             {"prefetch_bytes", loop.prefetch_bytes},
                             {"prefetch_programs", loop.prefetch_programs}});
  root["edges"] = Json::array();
  for (const EdgePlan &edge : plan.edges)
    root["edges"].push_back(
        {{"value", edge.value}, {"loop", edge.loop}, {"source", to_string(edge.source)}});
  root["task_programs"] = plan.task_programs;
  return root.dump();
}

Result<Plan> from_json(const std::string &text, const Plan &base) {
  Result<PlanChoices> parsed = parse_choices(text);
  if (!parsed)
    return parsed.error();
  const PlanChoices &choices = *parsed;
  Plan plan = base;
  if (choices.mapping)
    plan.mapping = *choices.mapping;
  if (choices.width)
    plan.width = *choices.width;
  if (choices.programs_per_step)
    plan.programs_per_step = *choices.programs_per_step;
  if (choices.guard)
    plan.guard = *choices.guard;
  if (choices.overlap_programs)
    plan.overlap_programs = *choices.overlap_programs;
  if (choices.task_programs)
    plan.task_programs = *choices.task_programs;
  if (choices.replaces_loops()) {
    plan.loops.assign(choices.loops.size(), {});
    plan.edges.clear();
  } else if (choices.loops.size() > plan.loops.size()) {
    return Error{ErrorKind::user,
                 "the plan changes loop " + std::to_string(choices.loops.size() - 1) +
                     ", but there are " + std::to_string(plan.loops.size()) +
                     "; give \"ops\" to replace the loops",
                 {}};
  }
  for (LoopPlan &loop : plan.loops)
    choices.every_loop.apply(loop);
  for (size_t i = 0; i < choices.loops.size(); ++i)
    choices.loops[i].apply(plan.loops[i]);
  if (choices.every_edge)
    for (EdgePlan &edge : plan.edges)
      edge.source = *choices.every_edge;
  if (choices.edges)
    plan.edges = *choices.edges;
  return plan;
}

} // namespace tilewright::plan
