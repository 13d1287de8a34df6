#include "kernels.h"

namespace tilewright::native {

namespace {

std::string replace_all(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string number(int value) { return std::to_string(value); }

} // namespace

std::string phase_text(const std::string &symbol, int views, const std::string &body) {
  std::string arguments, ranks;
  for (int view = 0; view < views; ++view) {
    std::string name = "%v" + number(view);
    arguments += name + ": !llvm.ptr, " + name + "_e: i64, " + name + "_s: i64, ";
    ranks += view == 0 ? "1" : ", 1";
  }
  return "func.func @" + symbol + "(" + arguments +
         "%begin: i64, %end: i64, %workspace: !llvm.ptr) -> i32\n"
         "    attributes {tilewright.view_ranks = array<i64: " +
         ranks + ">} {\n" + body +
         "  %status = arith.constant 0 : i32\n"
         "  return %status : i32\n"
         "}\n";
}

std::string map_text(const std::string &symbol, int views, int width, const std::string &body,
                     const std::string &element) {
  bool scalar = width == 1;
  std::string vector = scalar ? element : "vector<" + number(width) + "x" + element + ">";
  std::string mask = "vector<" + number(width) + "xi1>";
  std::string text;
  if (!scalar)
    text += "  %zero = arith.constant dense<0" + std::string(element[0] == 'f' ? ".0" : "") +
            "> : " + vector + "\n";
  text += "  %step = arith.constant " + number(width) +
          " : i64\n"
          "  scf.for %i = %begin to %end step %step : i64 {\n";
  if (!scalar)
    text += "    %left = arith.subi %end, %i : i64\n"
            "    %count = arith.index_cast %left : i64 to index\n"
            "    %mask = vector.create_mask %count : " +
            mask + "\n";
  for (int view = 0; view < views; ++view) {
    std::string v = number(view);
    text += "    %p" + v + " = llvm.getelementptr %v" + v +
            "[%i] : (!llvm.ptr, i64) -> !llvm.ptr, " + element + "\n";
    if (view + 1 == views)
      continue;
    text += scalar ? "    %x" + v + " = llvm.load %p" + v + " : !llvm.ptr -> " + vector + "\n"
                   : "    %x" + v + " = llvm.intr.masked.load %p" + v +
                         ", %mask, %zero {alignment = 4 : i32} : (!llvm.ptr, " + mask + ", " +
                         vector + ") -> " + vector + "\n";
  }
  text += replace_all(body, "VEC", vector);
  std::string last = "%p" + number(views - 1);
  text += scalar
              ? "    llvm.store %y, " + last + " : " + vector + ", !llvm.ptr\n"
              : "    llvm.intr.masked.store %y, " + last +
                    ", %mask {alignment = 4 : i32} : " + vector + ", " + mask + " into !llvm.ptr\n";
  text += "  }\n";
  return phase_text(symbol, views, text);
}

std::string add_text(int width) {
  return map_text("add", 3, width, "    %y = arith.addf %x0, %x1 : VEC\n");
}

std::string rms_norm_text(int width) {
  // Views: x[rows, columns] as rank one with stride = columns of view 2, gamma, y.
  std::string text = R"(
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %W = arith.constant WIDTH : i64
  %W4 = arith.constant STEP : i64
  %mW4 = arith.constant -STEP : i64
  %mW = arith.constant -WIDTH : i64
  %zero = arith.constant dense<-0.0> : VEC
  %one = arith.constant 1.0 : f32
  %eps = arith.constant 1.0e-06 : f32
  %n = arith.sitofp %v1_e : i64 to f32
  %inv = arith.divf %one, %n : f32
  %main = arith.andi %v1_e, %mW4 : i64
  %packets = arith.andi %v1_e, %mW : i64
  %left = arith.subi %v1_e, %packets : i64
  %count = arith.index_cast %left : i64 to index
  %mask = vector.create_mask %count : MASK
  scf.for %r = %begin to %end step %c1 : i64 {
    %row = arith.muli %r, %v1_e : i64
    %px = llvm.getelementptr %v0[%row] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %py = llvm.getelementptr %v2[%row] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %s:4 = scf.for %c = %c0 to %main step %W4 iter_args(%a0 = %zero, %a1 = %zero, %a2 = %zero, %a3 = %zero) -> (VEC, VEC, VEC, VEC) : i64 {
SUM_STEP      scf.yield %b0, %b1, %b2, %b3 : VEC, VEC, VEC, VEC
    }
    %t = scf.for %c = %main to %packets step %W iter_args(%a = %s#0) -> (VEC) : i64 {
      %p = llvm.getelementptr %px[%c] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %x = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> VEC
      %b = math.fma %x, %x, %a : VEC
      scf.yield %b : VEC
    }
    %pt = llvm.getelementptr %px[%packets] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %xt = llvm.intr.masked.load %pt, %mask, %zero {alignment = 4 : i32} : (!llvm.ptr, MASK, VEC) -> VEC
    %u = math.fma %xt, %xt, %t : VEC
    %h0 = arith.addf %u, %s#2 : VEC
    %h1 = arith.addf %s#1, %s#3 : VEC
    %q0 = arith.addf %h0, %h1 : VEC
TREE    %sum = vector.extract %qLAST[0] : f32 from VEC
    %mean = math.fma %sum, %inv, %eps : f32
    %root = math.sqrt %mean : f32
    %scale = arith.divf %one, %root : f32
    %scales = vector.broadcast %scale : f32 to VEC
    scf.for %c = %c0 to %main step %W4 : i64 {
SCALE_STEP    }
    scf.for %c = %main to %packets step %W : i64 {
SCALE_ONE    }
    %tail = arith.cmpi sgt, %left, %c0 : i64
    scf.if %tail {
      %pg = llvm.getelementptr %v1[%packets] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %g = llvm.intr.masked.load %pg, %mask, %zero {alignment = 4 : i32} : (!llvm.ptr, MASK, VEC) -> VEC
      %m = arith.mulf %xt, %scales : VEC
      %o = arith.mulf %m, %g : VEC
      %po = llvm.getelementptr %py[%packets] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.intr.masked.store %o, %po, %mask {alignment = 4 : i32} : VEC, MASK into !llvm.ptr
    }
  }
)";
  std::string sum_step, scale_step, tree;
  auto scale_packet = [&](int packet) {
    return replace_all(replace_all(R"(      %kK = arith.constant OFFSET : i64
      %iK = arith.addi %c, %kK : i64
      %pK = llvm.getelementptr %px[%iK] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %xK = llvm.load %pK {alignment = 4 : i64} : !llvm.ptr -> VEC
      %gpK = llvm.getelementptr %v1[%iK] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %gK = llvm.load %gpK {alignment = 4 : i64} : !llvm.ptr -> VEC
      %mK = arith.mulf %xK, %scales : VEC
      %oK = arith.mulf %mK, %gK : VEC
      %opK = llvm.getelementptr %py[%iK] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %oK, %opK {alignment = 4 : i64} : VEC, !llvm.ptr
)",
                                   "K", number(packet)),
                       "OFFSET", number(packet * width));
  };
  for (int packet = 0; packet < 4; ++packet) {
    sum_step += replace_all(replace_all(R"(      %kK = arith.constant OFFSET : i64
      %iK = arith.addi %c, %kK : i64
      %pK = llvm.getelementptr %px[%iK] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %xK = llvm.load %pK {alignment = 4 : i64} : !llvm.ptr -> VEC
      %bK = math.fma %xK, %xK, %aK : VEC
)",
                                        "K", number(packet)),
                            "OFFSET", number(packet * width));
    scale_step += scale_packet(packet);
  }
  int level = 0;
  for (int half = width / 2; half >= 1; half /= 2, ++level) {
    std::string lanes;
    for (int lane = 0; lane < width; ++lane)
      lanes += (lane ? ", " : "") + number(lane ^ half);
    std::string q = "%q" + number(level);
    tree += "    %w" + number(level) + " = vector.shuffle " + q + ", " + q + " [" + lanes +
            "] : VEC, VEC\n    %q" + number(level + 1) + " = arith.addf " + q + ", %w" +
            number(level) + " : VEC\n";
  }
  text = replace_all(text, "SUM_STEP", sum_step);
  text = replace_all(text, "SCALE_STEP", scale_step);
  text = replace_all(text, "SCALE_ONE", scale_packet(0));
  text = replace_all(text, "TREE", tree);
  text = replace_all(text, "%qLAST", "%q" + number(level));
  text = replace_all(text, "WIDTH", number(width));
  text = replace_all(text, "STEP", number(4 * width));
  text = replace_all(text, "VEC", "vector<" + number(width) + "xf32>");
  text = replace_all(text, "MASK", "vector<" + number(width) + "xi1>");
  return phase_text("rms_norm", 3, text);
}

} // namespace tilewright::native
