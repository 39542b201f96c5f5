package main

// operation is a row of the table: one elementwise operation of package nd. The
// expressions compute one element of the result from x, and y if it is binary.
type operation struct {
	name string
	doc  string // completes "Name returns …" in one sentence or more
	on   string // the constraint of the element type

	// The kernel. Where one expression serves every type of the constraint it is
	// all; otherwise there is one for each family. The ones for float and complex
	// are in float64 and complex128, and converted. slices, where it is not empty, names
	// the function of whole slices that stands in for float.
	all, boolean, integer, float, complex, slices string

	result      string // the result's type if it is not the operands'
	vector      string // the function of package kernel that does it with vector instructions, if it can
	commutative bool
}

var unary = []operation{
	{name: "Neg", vector: "Neg", doc: "-a; unsigned integers wrap", on: "Number", all: "-x"},
	{name: "Square", vector: "Square", doc: "a·a", on: "Number", all: "x * x"},
	{name: "Abs", vector: "Abs", doc: "the absolute value of a; the smallest signed integer stays as it is. See [Modulus] for complex numbers", on: "Real", integer: "absInt(x)", float: "math.Abs(x)"},
	{name: "Sign", doc: "-1, 0 or 1 by the sign of a, and NaN of NaN", on: "Real", all: "sign(x)"},
	{name: "Reciprocal", doc: "1/a", on: "Inexact", float: "1 / x", complex: "reciprocalComplex(x)"},
	{name: "Conj", doc: "the complex conjugate of a", on: "Complex", complex: "cmplx.Conj(x)"},

	{name: "Sqrt", vector: "Sqrt", doc: "the square root of a, NaN of a negative real number", on: "Inexact", slices: "vmath.Sqrt", complex: "cmplx.Sqrt(x)"},
	{name: "Cbrt", doc: "the cube root of a", on: "Float", slices: "vmath.Cbrt"},
	{name: "Exp", doc: "e to the power a", on: "Inexact", slices: "vmath.Exp", complex: "expComplex(x)"},
	{name: "Exp2", doc: "2 to the power a", on: "Inexact", slices: "vmath.Exp2", complex: "exp2Complex(x)"},
	{name: "Expm1", doc: "e to the power a, minus 1, accurate for small a", on: "Float", slices: "vmath.Expm1"},
	{name: "Log", doc: "the natural logarithm of a", on: "Inexact", slices: "vmath.Log", complex: "logComplex(x)"},
	{name: "Log2", doc: "the logarithm of a to base 2", on: "Inexact", slices: "vmath.Log2", complex: "log2Complex(x)"},
	{name: "Log10", doc: "the logarithm of a to base 10", on: "Inexact", slices: "vmath.Log10", complex: "log10Complex(x)"},
	{name: "Log1p", doc: "the natural logarithm of 1+a, accurate for small a", on: "Float", slices: "vmath.Log1p"},

	{name: "Sin", doc: "the sine of a, in radians", on: "Inexact", slices: "vmath.Sin", complex: "sinComplex(x)"},
	{name: "Cos", doc: "the cosine of a, in radians", on: "Inexact", slices: "vmath.Cos", complex: "cosComplex(x)"},
	{name: "Tan", doc: "the tangent of a, in radians", on: "Inexact", slices: "vmath.Tan", complex: "tanComplex(x)"},
	{name: "Asin", doc: "the inverse sine of a, in radians", on: "Inexact", slices: "vmath.Asin", complex: "asinComplex(x)"},
	{name: "Acos", doc: "the inverse cosine of a, in radians", on: "Inexact", slices: "vmath.Acos", complex: "acosComplex(x)"},
	{name: "Atan", doc: "the inverse tangent of a, in radians", on: "Inexact", slices: "vmath.Atan", complex: "atanComplex(x)"},
	{name: "Sinh", doc: "the hyperbolic sine of a", on: "Inexact", slices: "vmath.Sinh", complex: "sinhComplex(x)"},
	{name: "Cosh", doc: "the hyperbolic cosine of a", on: "Inexact", slices: "vmath.Cosh", complex: "coshComplex(x)"},
	{name: "Tanh", doc: "the hyperbolic tangent of a", on: "Inexact", slices: "vmath.Tanh", complex: "tanhComplex(x)"},
	{name: "Asinh", doc: "the inverse hyperbolic sine of a", on: "Inexact", slices: "vmath.Asinh", complex: "asinhComplex(x)"},
	{name: "Acosh", doc: "the inverse hyperbolic cosine of a", on: "Inexact", slices: "vmath.Acosh", complex: "acoshComplex(x)"},
	{name: "Atanh", doc: "the inverse hyperbolic tangent of a", on: "Inexact", slices: "vmath.Atanh", complex: "atanhComplex(x)"},
	{name: "Deg2Rad", doc: "a, in degrees, in radians", on: "Float", float: "x * (math.Pi / 180)"},
	{name: "Rad2Deg", doc: "a, in radians, in degrees", on: "Float", float: "x * (180 / math.Pi)"},

	{name: "Sinc", doc: "sin(πa)/(πa), 1 of 0, and exactly 0 of other whole numbers", on: "Float", float: "sinc(x)"},
	{name: "I0", doc: "the modified Bessel function of the first kind of order 0", on: "Float", float: "i0(x)"},
	{name: "Spacing", doc: "the distance from a to the next number of its type away from 0, with a's sign", on: "Float", all: "spacing(x)"},

	{name: "Floor", doc: "the largest integer not above a", on: "Float", float: "math.Floor(x)"},
	{name: "Ceil", doc: "the smallest integer not below a", on: "Float", float: "math.Ceil(x)"},
	{name: "Trunc", doc: "a without its fraction", on: "Float", float: "math.Trunc(x)"},
	{name: "Rint", doc: "the nearest integer to a, the even one of two; see [Round]", on: "Float", float: "math.RoundToEven(x)"},

	{name: "BitNot", doc: "the bitwise complement of a", on: "Bits", boolean: "!x", integer: "^x"},
	{name: "LogicalNot", doc: "whether a is zero", on: "Element", all: "x == zero", result: "bool"},
	{name: "IsNaN", doc: "whether a is not a number; a complex number is if a part is", on: "Inexact", all: "x != x", result: "bool"},
	{name: "IsInf", doc: "whether a, or a part of a complex number, is infinite", on: "Inexact", float: "math.IsInf(x, 0)", complex: "math.IsInf(real(x), 0) || math.IsInf(imag(x), 0)", result: "bool"},
	{name: "IsFinite", doc: "whether a is neither infinite nor NaN", on: "Inexact", all: "x-x == 0", result: "bool"},
	{name: "SignBit", doc: "whether a is negative or -0", on: "Float", float: "math.Signbit(x)", result: "bool"},
}

var binary = []operation{
	{name: "Add", vector: "Add", doc: "a+b", on: "Number", all: "x + y", commutative: true},
	{name: "Sub", vector: "Sub", doc: "a-b", on: "Number", all: "x - y"},
	{name: "Mul", vector: "Mul", doc: "a·b", on: "Number", all: "x * y", commutative: true},
	{name: "Div", vector: "Div", doc: "a/b. See [FloorDiv] for integers", on: "Inexact", all: "x / y"},
	{name: "FloorDiv", doc: "the largest integer not above a/b, as Python's // does; an integer divided by 0 is 0", on: "Real", integer: "floorDivInt(x, y)", float: "floorDivFloat(x, y)"},
	{name: "Remainder", doc: "what is left of a after [FloorDiv] by b, with the sign of b, as Python's % does; an integer modulo 0 is 0", on: "Real", integer: "remainderInt(x, y)", float: "remainderFloat(x, y)"},
	{name: "FMod", doc: "what is left of a after division by b rounded towards zero, with the sign of a, as C's fmod does; an integer modulo 0 is 0", on: "Real", integer: "fmodInt(x, y)", float: "math.Mod(x, y)"},
	{name: "Pow", doc: "a to the power b. An integer to a negative power is the integer part of the result, and 0 for base 0", on: "Number", integer: "powInt(x, y)", slices: "vmath.Pow", complex: "powComplex(x, y)"},
	{name: "Maximum", doc: "the larger of a and b, NaN if either is; see [FMax]", on: "Real", all: "max(x, y)", commutative: true},
	{name: "Minimum", doc: "the smaller of a and b, NaN if either is; see [FMin]", on: "Real", all: "min(x, y)", commutative: true},
	{name: "FMax", doc: "the larger of a and b, the number if the other is NaN", on: "Real", all: "fmax(x, y)", commutative: true},
	{name: "FMin", doc: "the smaller of a and b, the number if the other is NaN", on: "Real", all: "fmin(x, y)", commutative: true},
	{name: "Heaviside", doc: "0 where a is negative, b where it is 0, and 1 where it is positive", on: "Float", all: "heaviside(x, y)"},
	{name: "Atan2", doc: "the angle, in radians from -π to π, of the point with ordinate a and abscissa b", on: "Float", slices: "vmath.Atan2"},
	{name: "Hypot", doc: "the square root of a²+b², without overflow on the way", on: "Float", slices: "vmath.Hypot", commutative: true},
	{name: "CopySign", doc: "a with the sign of b", on: "Float", float: "math.Copysign(x, y)"},
	{name: "NextAfter", doc: "the next number of its type after a in the direction of b", on: "Float", all: "nextAfter(x, y)"},
	{name: "LogAddExp", doc: "the logarithm of eᵃ+eᵇ, without overflow on the way", on: "Float", float: "logAddExp(x, y)", commutative: true},
	{name: "LogAddExp2", doc: "the logarithm to base 2 of 2ᵃ+2ᵇ, without overflow on the way", on: "Float", float: "logAddExp2(x, y)", commutative: true},
	{name: "BitAnd", doc: "the bitwise and of a and b", on: "Bits", boolean: "x && y", integer: "x & y", commutative: true},
	{name: "BitOr", doc: "the bitwise or of a and b", on: "Bits", boolean: "x || y", integer: "x | y", commutative: true},
	{name: "BitXor", doc: "the bitwise exclusive or of a and b", on: "Bits", boolean: "x != y", integer: "x ^ y", commutative: true},
	{name: "LeftShift", doc: "a shifted left by b bits; by a negative number, or by all its bits or more, it is 0", on: "Integer", all: "leftShift(x, y)"},
	{name: "RightShift", doc: "a shifted right by b bits, its sign kept; by a negative number, or by all its bits or more, it is 0, or -1 if a is negative", on: "Integer", all: "rightShift(x, y)"},
	{name: "GCD", doc: "the greatest common divisor of a and b, 0 if both are 0", on: "Integer", all: "gcd(x, y)", commutative: true},
	{name: "LCM", doc: "the least common multiple of a and b, 0 if either is 0", on: "Integer", all: "lcm(x, y)", commutative: true},

	{name: "Equal", vector: "Equal", doc: "whether a equals b; NaN equals nothing", on: "Element", all: "x == y", result: "bool", commutative: true},
	{name: "NotEqual", vector: "NotEqual", doc: "whether a differs from b; NaN differs from everything", on: "Element", all: "x != y", result: "bool", commutative: true},
	{name: "Less", vector: "Less", doc: "whether a < b, false for NaN", on: "Real", all: "x < y", result: "bool"},
	{name: "LessEqual", vector: "LessEqual", doc: "whether a ≤ b, false for NaN", on: "Real", all: "x <= y", result: "bool"},
	{name: "Greater", vector: "Greater", doc: "whether a > b, false for NaN", on: "Real", all: "x > y", result: "bool"},
	{name: "GreaterEqual", vector: "GreaterEqual", doc: "whether a ≥ b, false for NaN", on: "Real", all: "x >= y", result: "bool"},
	{name: "LogicalAnd", doc: "whether a and b are both nonzero", on: "Element", all: "x != zero && y != zero", result: "bool", commutative: true},
	{name: "LogicalOr", doc: "whether a or b is nonzero", on: "Element", all: "x != zero || y != zero", result: "bool", commutative: true},
	{name: "LogicalXor", doc: "whether one of a and b is nonzero and the other zero", on: "Element", all: "(x != zero) != (y != zero)", result: "bool", commutative: true},
}
