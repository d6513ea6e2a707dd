// What a cat model finds defined besides the basic names: herd's stdlib.cat and cos.cat, in our words.
#pragma once

#include <string_view>

namespace heddle::cat {

inline constexpr std::string_view kPrelude = R"(
let po-loc = po & loc
let rfi = rf & int
let rfe = rf & ext
let coi = co & int
let coe = co & ext
let fri = fr & int
let fre = fr & ext
let com = rf | co | fr
let come = rfe | coe | fre
let emptyset = domain(0)
let fencerel(S) = po ; [S] ; po
let ctrlcfence(S) = [R] ; ctrl ; [S] ; po
)";

/// Files of herd that hold nothing but what is built in.
inline constexpr std::string_view kBuiltIn[] = {"stdlib.cat", "cos.cat", "cos-opt.cat", "cross.cat"};

} // namespace heddle::cat
