#include "plan/annotate.h"

#include <nlohmann/json.hpp>

namespace tilewright::plan {

// The JSON form is the one description of a plan's fields; the attribute mirrors it value by value.

namespace {

using Json = nlohmann::ordered_json;

mlir::Attribute to_attribute(mlir::Builder &builder, const Json &json) {
  if (json.is_boolean())
    return builder.getBoolAttr(json.get<bool>());
  if (json.is_number_integer())
    return builder.getI64IntegerAttr(json.get<int64_t>());
  if (json.is_string())
    return builder.getStringAttr(json.get<std::string>());
  if (json.is_array()) {
    llvm::SmallVector<mlir::Attribute> elements;
    for (const Json &element : json)
      elements.push_back(to_attribute(builder, element));
    return builder.getArrayAttr(elements);
  }
  llvm::SmallVector<mlir::NamedAttribute> members;
  for (const auto &[key, value] : json.items())
    members.push_back(builder.getNamedAttr(key, to_attribute(builder, value)));
  return builder.getDictionaryAttr(members);
}

/// What is no plan becomes null, which reading the plan refuses.
Json from_attribute(mlir::Attribute attribute) {
  if (auto boolean = llvm::dyn_cast<mlir::BoolAttr>(attribute))
    return boolean.getValue();
  if (auto integer = llvm::dyn_cast<mlir::IntegerAttr>(attribute))
    return integer.getInt();
  if (auto string = llvm::dyn_cast<mlir::StringAttr>(attribute))
    return string.getValue().str();
  if (auto array = llvm::dyn_cast<mlir::ArrayAttr>(attribute)) {
    Json json = Json::array();
    for (mlir::Attribute element : array)
      json.push_back(from_attribute(element));
    return json;
  }
  if (auto dictionary = llvm::dyn_cast<mlir::DictionaryAttr>(attribute)) {
    Json json = Json::object();
    for (mlir::NamedAttribute member : dictionary)
      json[member.getName().str()] = from_attribute(member.getValue());
    return json;
  }
  return nullptr;
}

} // namespace

void annotate(tile::KernelOp kernel, const Plan &plan, llvm::StringRef attribute) {
  mlir::Builder builder(kernel.getContext());
  kernel->setAttr(attribute, to_attribute(builder, Json::parse(to_json(plan))));
}

std::optional<Plan> read_plan(tile::KernelOp kernel, llvm::StringRef attribute) {
  mlir::Attribute written = kernel->getAttr(attribute);
  if (!written)
    return {};
  Result<Plan> plan = from_json(from_attribute(written).dump());
  if (plan)
    return *plan;
  kernel.emitOpError() << "has no plan in " << attribute << ": " << plan.error().text;
  return {};
}

} // namespace tilewright::plan
