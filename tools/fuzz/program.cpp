#include "program.h"

#include <algorithm>

namespace tilewright::fuzz {

bool Program::is_tile_view(const View &view) const {
  return std::any_of(view.axes.begin(), view.axes.end(), [&](int a) { return a >= parallel; });
}

int64_t Program::extent(const View &view, size_t dim) const {
  return extents[view.axes[dim]] + (dim + 1 == view.axes.size() ? view.wider : 0);
}

bool Program::is_tile(int op) const {
  const Op &made = ops[op];
  if (made.kind == OpKind::load)
    return is_tile_view(views[made.view]);
  return made.kind == OpKind::map && !made.inputs.empty();
}

ElementType element_type(const Program &program) {
  if (program.element == "f64")
    return ElementType::f64;
  return program.element == "i32" ? ElementType::i32 : ElementType::f32;
}

Agreement agreement(const Program &program) {
  if (!program.text.empty())
    return program.text_agreement;
  Agreement found = Agreement::bits;
  std::vector<bool> inexact(program.ops.size());
  bool stored = false;
  for (size_t i = 0; i < program.ops.size(); ++i) {
    const Op &op = program.ops[i];
    if (op.kind == OpKind::store) {
      stored = stored || inexact[op.inputs.front()];
      continue;
    }
    auto uses_inexact = [&](int made) { return inexact[made]; };
    if (std::any_of(op.inputs.begin(), op.inputs.end(), uses_inexact) ||
        std::any_of(op.scalars.begin(), op.scalars.end(), uses_inexact) ||
        (op.kind == OpKind::load && stored))
      return Agreement::plans_only;
    for (const Step &step : op.steps) {
      bool last = &step == &op.steps.back();
      if (step.name != "math.exp")
        continue;
      if (!last)
        return Agreement::plans_only;
      inexact[i] = true;
      found = Agreement::two_ulps;
    }
  }
  return found;
}

namespace {

class Printer {
public:
  explicit Printer(const Program &program) : p_(program), real_(program.element != "i32") {}

  std::string run() {
    std::string text = "tile.kernel @fuzz(";
    for (size_t i = 0; i < p_.views.size(); ++i)
      text += (i ? ", " : "") + view_name(i) + ": " + view_type(i);
    text += p_.contract ? ") {\n" : ") attributes {contract = false} {\n";
    for (size_t axis = 0; axis < p_.extents.size(); ++axis)
      text += declare(static_cast<int>(axis));
    text_ = &text;
    if (p_.parallel > 0) {
      text += "  tile.parallel (";
      for (int i = 0; i < p_.parallel; ++i)
        text += (i ? ", %i" : "%i") + std::to_string(i);
      text += ") over [";
      for (int i = 0; i < p_.parallel; ++i)
        text += (i ? ", @a" : "@a") + std::to_string(i);
      text += "] {\n";
    }
    for (size_t i = 0; i < p_.ops.size(); ++i)
      print_op(static_cast<int>(i));
    return text + (p_.parallel > 0 ? "  }\n}\n" : "}\n");
  }

private:
  std::string view_name(size_t view) const { return "%x" + std::to_string(view); }

  std::string extent(int axis) const {
    return axis < p_.parallel && p_.dynamic_roots ? "?" : std::to_string(p_.extents[axis]);
  }

  std::string view_type(size_t number) const {
    const View &view = p_.views[number];
    auto rank = static_cast<int>(view.axes.size());
    std::string type = "!tile.view<";
    if (!view.stored)
      type += "const ";
    if (view.packed)
      type += "packed ";
    for (size_t dim = 0; dim < view.axes.size(); ++dim) {
      bool wider = view.wider > 0 && dim + 1 == view.axes.size();
      type += (wider ? std::to_string(p_.extent(view, dim)) : extent(view.axes[dim])) + "x";
    }
    type += p_.element;
    if (view.unit_dim != rank - 1)
      type += ", unit = " + (view.unit_dim < 0 ? "none" : std::to_string(view.unit_dim));
    return type + ">";
  }

  std::string declare(int axis) const {
    for (size_t view = 0; view < p_.views.size(); ++view)
      for (size_t dim = 0; dim < p_.views[view].axes.size(); ++dim)
        if (p_.views[view].axes[dim] == axis && p_.extent(p_.views[view], dim) == p_.extents[axis])
          return "  tile.axis @a" + std::to_string(axis) + " = " + view_name(view) + "[" +
                 std::to_string(dim) + "] : " + view_type(view) + "\n";
    return {};
  }

  std::string tile_type() const {
    std::string type = "!tile.tile<[";
    for (auto axis = static_cast<size_t>(p_.parallel); axis < p_.extents.size(); ++axis)
      type += (axis > static_cast<size_t>(p_.parallel) ? ", a" : "a") + std::to_string(axis) + ":" +
              extent(static_cast<int>(axis));
    return type + "], " + p_.element + ">";
  }

  std::string type_of(int op) const { return p_.is_tile(op) ? tile_type() : p_.element; }

  std::string access(int number) {
    const Op &op = p_.ops[number];
    const std::vector<int> &axes = p_.views[op.view].axes;
    std::string origin = op.block ? print_origin(number) : "";
    std::string text = view_name(op.view) + "[";
    for (size_t dim = 0; dim < axes.size(); ++dim)
      text += (dim ? ", " : "") + std::string(axes[dim] < p_.parallel ? "%i" : "@a") +
              std::to_string(axes[dim]);
    if (op.block)
      text += " at " + origin + (op.block->assumed ? " assume" : "");
    text += "]";
    if (op.block && !op.block->fill.empty())
      text += " {fill = " + op.block->fill + " : " + p_.element + "}";
    return text;
  }

  /// The lines that compute a block's origin; gives its name.
  std::string print_origin(int number) {
    const Block &block = *p_.ops[number].block;
    std::string name = "%o" + std::to_string(number);
    line(name + "_c = arith.constant " + std::to_string(block.constant) + " : index");
    if (block.per_program == 0)
      return name + "_c";
    line(name + "_f = arith.constant " + std::to_string(block.per_program) + " : index");
    line(name + "_m = arith.muli %i0, " + name + "_f : index");
    line(name + " = arith.addi " + name + "_m, " + name + "_c : index");
    return name;
  }

  static std::string value(int op) { return "%v" + std::to_string(op); }

  void line(const std::string &text) { *text_ += "    " + text + "\n"; }

  /// One step, whose result is called `result`.
  void print_step(const Step &step, const std::vector<std::string> &values,
                  const std::string &result) {
    std::string operands;
    size_t first = step.name == "select" ? 2 : 0;
    for (size_t i = first; i < step.operands.size(); ++i)
      operands += (i > first ? ", " : "") + values[step.operands[i]];
    if (step.name != "select") {
      line(result + " = " + step.name + " " + operands + " : " + p_.element);
      return;
    }
    line(result + "_less = " + (real_ ? "arith.cmpf olt, " : "arith.cmpi slt, ") +
         values[step.operands[0]] + ", " + values[step.operands[1]] + " : " + p_.element);
    line(result + " = arith.select " + result + "_less, " + operands + " : " + p_.element);
  }

  void print_map(int number) {
    const Op &op = p_.ops[number];
    std::vector<std::string> values;
    std::string inputs, types, arguments, name = value(number);
    for (size_t i = 0; i < op.inputs.size(); ++i) {
      values.push_back("%e" + std::to_string(i));
      inputs += (i ? ", " : "") + value(op.inputs[i]);
      types += (i ? ", " : "") + tile_type();
      arguments += (i ? ", " : "") + values.back() + ": " + p_.element;
    }
    for (int scalar : op.scalars)
      values.push_back(value(scalar));
    bool tile = !op.inputs.empty();
    if (tile) {
      line(name + " = tile.map (" + inputs + ") : (" + types + ") -> " + tile_type() + " {");
      line("^bb0(" + arguments + "):");
    }
    for (size_t i = 0; i < op.constants.size(); ++i) {
      values.push_back(name + "_k" + std::to_string(i));
      line(values.back() + " = arith.constant " + op.constants[i] + " : " + p_.element);
    }
    for (size_t i = 0; i < op.steps.size(); ++i) {
      bool last = i + 1 == op.steps.size();
      values.push_back(last && !tile ? name : name + "_s" + std::to_string(i));
      print_step(op.steps[i], values, values.back());
    }
    if (!tile)
      return;
    line("tile.yield " + values.back() + " : " + p_.element);
    line("}");
  }

  void print_reduce(int number) {
    const Op &op = p_.ops[number];
    std::string name = value(number), seed = name + "_seed", identity, combine;
    if (op.scalars.empty())
      line(seed + " = arith.constant " + op.constants.front() + " : " + p_.element);
    else
      seed = value(op.scalars.front());
    bool wide = p_.element == "f64";
    if (op.combine == "mul") {
      combine = real_ ? "arith.mulf" : "arith.muli", identity = real_ ? "1.0" : "1";
    } else if (op.combine == "max" || op.combine == "pick") {
      combine = real_ ? "arith.maximumf" : "arith.maxsi";
      identity = !real_ ? "-2147483648" : wide ? "0xFFF0000000000000" : "0xFF800000";
    } else if (op.combine == "min") {
      combine = real_ ? "arith.minimumf" : "arith.minsi";
      identity = !real_ ? "2147483647" : wide ? "0x7FF0000000000000" : "0x7F800000";
    } else {
      combine = real_ ? "arith.addf" : "arith.addi", identity = real_ ? "-0.0" : "0";
    }
    const std::string &e = p_.element;
    identity += " : " + e;
    if (op.combine == "pick") {
      print_pick(op, name, seed, identity);
      return;
    }
    line(name + " = tile.reduce (" + value(op.inputs[0]) + ") over [@a" +
         std::to_string(p_.parallel) + "] seed (" + seed + ") identity [" + identity +
         "] unordered : (" + tile_type() + "), (" + e + ") -> (" + e + ")");
    line("step { ^bb0(%l: " + e + ", %r: " + e + "):");
    if (op.combine == "square") {
      line(std::string("%q = ") + (real_ ? "arith.mulf" : "arith.muli") + " %r, %r : " + e);
      line("%n = " + combine + " %l, %q : " + e);
    } else {
      line("%n = " + combine + " %l, %r : " + e);
    }
    line("tile.yield %n : " + e + " }");
    line("merge { ^bb0(%l: " + e + ", %r: " + e + "):");
    line("%n = " + combine + " %l, %r : " + e);
    line("tile.yield %n : " + e + " }");
  }

  void print_pick(const Op &op, const std::string &name, const std::string &seed,
                  const std::string &identity) {
    const std::string &e = p_.element;
    std::string zero = (real_ ? "0.0 : " : "0 : ") + e, two = e + ", " + e;
    std::string tiles = tile_type() + ", " + tile_type();
    line(name + "_pair:2 = tile.reduce (" + value(op.inputs[0]) + ", " + value(op.inputs[1]) +
         ") over [@a" + std::to_string(p_.parallel) + "] seed (" + seed + ", " + seed +
         ") identity [" + identity + ", " + zero + "] unordered : (" + tiles + "), (" + two +
         ") -> (" + two + ")");
    for (const char *region : {"step", "merge"}) {
      line(std::string(region) + " { ^bb0(%l: " + e + ", %p: " + e + ", %r: " + e + ", %q: " + e +
           "):");
      line(std::string("%c = ") + (real_ ? "arith.cmpf ogt" : "arith.cmpi sgt") +
           ", %r, %l : " + e);
      line("%n = arith.select %c, %r, %l : " + e);
      line("%m = arith.select %c, %q, %p : " + e);
      line("tile.yield %n, %m : " + two + " }");
    }
    line(name + (real_ ? " = arith.addf " : " = arith.addi ") + name + "_pair#0, " + name +
         "_pair#1 : " + e);
  }

  void print_op(int number) {
    const Op &op = p_.ops[number];
    std::string place;
    switch (op.kind) {
    case OpKind::load:
      place = access(number);
      line(value(number) + " = tile.load " + place + " : " + view_type(op.view) + " -> " +
           type_of(number));
      break;
    case OpKind::store:
      place = access(number);
      line("tile.store " + value(op.inputs[0]) + ", " + place + " : " + type_of(op.inputs[0]) +
           ", " + view_type(op.view));
      break;
    case OpKind::map:
      print_map(number);
      break;
    case OpKind::reduce:
      print_reduce(number);
    }
  }

  const Program &p_;
  bool real_;
  std::string *text_ = nullptr;
};

} // namespace

std::string to_text(const Program &program) {
  return program.text.empty() ? Printer(program).run() : program.text;
}

} // namespace tilewright::fuzz
