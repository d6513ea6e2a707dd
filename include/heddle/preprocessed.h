// Comes before a preprocessed file (.i): words that GCC knows by itself and clang does not.
#pragma once

// Says by which function memory is given back.
#define __malloc__(...) __malloc__

// GCC has these types without a header. (What clang has preprocessed defines them again, as the same types.)
typedef float _Float32;
typedef double _Float64;
typedef double _Float32x;
typedef long double _Float64x;
typedef __float128 _Float128;
