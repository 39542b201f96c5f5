package nd

// LazyAs is [AsType] of an expression or array, as an expression of floats.
//
//	nd.LazyAs[float64](nd.LazyInteger(n).Mul(m)).Sqrt()
//
// Local. Result split: x's. Communication: none before the evaluation. Panics from complex to real.
func LazyAs[U Float, T Element](x Operand[T]) Expr[U] {
	return Expr[U]{lazyUnary[T, U](converter[U, T](), x.lazyOperand(nil))}
}

// LazyAsInteger is [AsType] of an expression or array, as an expression of integers.
//
// Local. Result split: x's. Communication: none before the evaluation. Panics from complex to real.
func LazyAsInteger[U Integer, T Element](x Operand[T]) IntegerExpr[U] {
	return IntegerExpr[U]{lazyUnary[T, U](converter[U, T](), x.lazyOperand(nil))}
}

// LazyAsComplex is [AsType] of an expression or array, as an expression of complex numbers.
//
// Local. Result split: x's. Communication: none before the evaluation.
func LazyAsComplex[U Complex, T Element](x Operand[T]) ComplexExpr[U] {
	return ComplexExpr[U]{lazyUnary[T, U](converter[U, T](), x.lazyOperand(nil))}
}

// LazyRealPart is [RealPart] of an expression or array.
//
// Local. Result split: z's. Communication: none before the evaluation.
func LazyRealPart[F Float, C Complex](z Operand[C]) Expr[F] {
	return Expr[F]{lazyUnary[C, F](realPart[C, F]{}, z.lazyOperand(nil))}
}

// LazyImagPart is [ImagPart] of an expression or array.
//
// Local. Result split: z's. Communication: none before the evaluation.
func LazyImagPart[F Float, C Complex](z Operand[C]) Expr[F] {
	return Expr[F]{lazyUnary[C, F](imagPart[C, F]{}, z.lazyOperand(nil))}
}

// LazyModulus is [Modulus] of an expression or array.
//
// Local. Result split: z's. Communication: none before the evaluation.
func LazyModulus[F Float, C Complex](z Operand[C]) Expr[F] {
	return Expr[F]{lazyUnary[C, F](modulus[C, F]{}, z.lazyOperand(nil))}
}

// LazyAngle is [Angle] of an expression or array.
//
// Local. Result split: z's. Communication: none before the evaluation.
func LazyAngle[F Float, C Complex](z Operand[C]) Expr[F] {
	return Expr[F]{lazyUnary[C, F](angle[C, F]{}, z.lazyOperand(nil))}
}

// LazyComplexOf is [ComplexOf] of expressions or arrays.
//
// Local. Result split and panics: as [ComplexOf]. Communication: none before the evaluation.
func LazyComplexOf[C Complex, F Float](re, im Operand[F]) ComplexExpr[C] {
	return ComplexExpr[C]{lazyBinary[F, C](fromParts[F, C]{}, re.lazyOperand(nil), im.lazyOperand(nil))}
}
