package linalg

import (
	"slices"
	"strings"

	"caloric/internal/misuse"
	"caloric/nd"
)

// Einsum returns the sum of products of operands that Einstein's notation says:
// each axis has a letter, axes with one letter run together, and letters that the
// result lacks are summed over.
//
//	linalg.Einsum("ij,jk->ik", a, b)         // matrix product
//	linalg.Einsum("ij,ij->i", a, b)          // inner products of rows
//	linalg.Einsum("ii", a)                   // trace
//	linalg.Einsum("...ij,...jk->...ik", a, b) // stacks of matrices
//
// As in NumPy, a letter twice in one operand takes the diagonal; three points
// stand for the axes without letters, which broadcast; an axis of extent 1 goes
// with any extent; and without "->" the result has the points' axes and then the
// letters that occur once, in alphabetical order. Spaces do not count.
//
// Operands are taken two at a time, in the order with the fewest multiplications:
// the best of all up to eight operands (dynamic programming over subsets), of more
// the cheapest pair next (Pfeifer, Haegeman and Verstraete 2014, "Faster
// identification of optimal contraction sequences for tensor networks"). A pair
// is multiplied as matrices if it has axes to be summed over, see
// [TensorDotOver], else element by element.
//
// Collective unless local. Result split: that of the last pair, as TensorDotOver;
// if its operands are split along an axis that both and the result have, that
// axis. Of one operand its own, as [nd.Sum] and [nd.Diagonal] leave it.
// Communication: for each pair as TensorDotOver, but none if both operands are
// split alike along an axis that the result has too; one move of the other
// operand if one is split along such an axis; and one move of each if both are
// split otherwise, not both over axes summed over, and there is such an axis with
// an index for every rank. Before that one allreduce for an operand that is split
// along an axis that only it has and that is summed over, and one broadcast of one
// that is split along an axis of extent 1 that goes with another extent.
// Panics if the subscripts do not fit the operands, extents differ, there are more
// than 64 different axes, or the communicators differ.
func Einsum[T nd.Number](subscripts string, operands ...*nd.NDArray[T]) *nd.NDArray[T] {
	if len(operands) == 0 {
		misuse.Panic("Einsum of %q without operands", subscripts)
	}
	for _, b := range operands {
		sameComm(operands[0], b)
	}
	terms, out := parseEinsum(subscripts, operands)
	sizes := einsumExtents(subscripts, terms)
	for i := range terms {
		terms[i] = widened(terms[i], sizes)
	}
	if len(terms) == 1 {
		x := terms[0].summed(func(label int) bool { return slices.Contains(out, label) })
		a := x.ordered(out)
		if x.a == terms[0].a {
			a = nd.Copy(a)
		}
		return a
	}
	for _, pair := range contractionOrder(terms, out, sizes) {
		i, j := pair[0], pair[1]
		x, y := terms[i], terms[j]
		terms = slices.Delete(terms, j, j+1)
		terms = slices.Delete(terms, i, i+1)
		labels := out
		if len(terms) > 0 {
			labels = nil
			needed := slices.Clone(out)
			for _, z := range terms {
				needed = append(needed, z.labels...)
			}
			for _, label := range slices.Concat(x.labels, y.labels) {
				if slices.Contains(needed, label) && !slices.Contains(labels, label) {
					labels = append(labels, label)
				}
			}
		}
		terms = append(terms, labeled[T]{contract(x, y, labels), labels})
	}
	return terms[0].a
}

// parseEinsum returns the operands with their labels and the result's labels. A
// letter is its own label; the axes of the points are negative, −1 the last one.
func parseEinsum[T nd.Number](subscripts string, operands []*nd.NDArray[T]) (terms []labeled[T], out []int) {
	inputs, output, explicit := strings.Cut(strings.ReplaceAll(subscripts, " ", ""), "->")
	parts := strings.Split(inputs, ",")
	if len(parts) != len(operands) {
		misuse.Panic("%q is for %d operands, not %d", subscripts, len(parts), len(operands))
	}
	dots := 0
	for i, part := range parts {
		a := operands[i]
		n := a.NDim() - len(strings.Replace(part, "...", "", 1))
		if n < 0 || n > 0 && !strings.Contains(part, "...") {
			misuse.Panic("%q of %q does not fit operand %d, %v", part, subscripts, i, a.Layout())
		}
		dots = max(dots, n)
		terms = append(terms, labeled[T]{a, einsumLabels(subscripts, part, n)})
	}
	if explicit {
		if strings.Contains(output, "...") {
			out = einsumLabels(subscripts, output, dots)
		} else {
			out = einsumLabels(subscripts, output, 0)
			if dots > 0 {
				misuse.Panic("the result of %q lacks the axes of the points", subscripts)
			}
		}
	} else {
		out = implicitOutput(terms, dots)
	}
	for k, label := range out {
		if slices.Contains(out[:k], label) {
			misuse.Panic("the result of %q has %q twice", subscripts, string(rune(label)))
		}
		if !slices.ContainsFunc(terms, func(x labeled[T]) bool { return slices.Contains(x.labels, label) }) {
			misuse.Panic("the result of %q has %q, which no operand has", subscripts, string(rune(label)))
		}
	}
	for i := range terms {
		terms[i] = diagonals(subscripts, terms[i])
	}
	return terms, out
}

// einsumLabels returns the labels of one operand's subscripts, whose points stand
// for n axes.
func einsumLabels(subscripts, part string, n int) (labels []int) {
	before, after, _ := strings.Cut(part, "...")
	letters := func(s string) {
		for _, r := range s {
			if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
				misuse.Panic("%q in subscripts %q is no letter", string(r), subscripts)
			}
			labels = append(labels, int(r))
		}
	}
	letters(before)
	for k := range n {
		labels = append(labels, k-n)
	}
	letters(after)
	return labels
}

// implicitOutput returns the labels of the points and those of the letters that
// occur once.
func implicitOutput[T nd.Number](terms []labeled[T], dots int) (out []int) {
	var all []int
	for _, x := range terms {
		all = append(all, x.labels...)
	}
	slices.Sort(all)
	for k := range dots {
		out = append(out, k-dots)
	}
	for k, label := range all {
		if label > 0 && (k == 0 || all[k-1] != label) && (k+1 == len(all) || all[k+1] != label) {
			out = append(out, label)
		}
	}
	return out
}

// diagonals returns the operand with each label once, its diagonal in the axes
// of a label that it has twice.
func diagonals[T nd.Number](subscripts string, x labeled[T]) labeled[T] {
	for k := 0; k < len(x.labels); k++ {
		i := slices.Index(x.labels, x.labels[k])
		if i == k {
			continue
		}
		if s := x.a.Layout().Shape(); s[i] != s[k] {
			misuse.Panic("%q has extents %d and %d in operand %v of %q",
				string(rune(x.labels[k])), s[i], s[k], x.a.Layout(), subscripts)
		}
		x.a = nd.Diagonal(x.a, 0, i, k)
		label := x.labels[k]
		labels := slices.Delete(slices.Clone(x.labels), k, k+1)
		x.labels = append(slices.Delete(labels, i, i+1), label)
		k = -1
	}
	return x
}

// einsumExtents returns the extent of each label.
func einsumExtents[T nd.Number](subscripts string, terms []labeled[T]) map[int]int {
	sizes := map[int]int{}
	for i, x := range terms {
		for k, label := range x.labels {
			n := x.a.Layout().Shape()[k]
			m, seen := sizes[label]
			switch {
			case !seen || m == 1:
				sizes[label] = n
			case n != m && n != 1:
				name := string(rune(label))
				if label < 0 {
					name = "..."
				}
				misuse.Panic("%q of %q has extent %d in operand %d, %v, and %d before", name, subscripts, n, i, x.a.Layout(), m)
			}
		}
	}
	if len(sizes) > 64 {
		misuse.Panic("%q has %d different axes", subscripts, len(sizes))
	}
	return sizes
}

// widened returns an operand without the axes of extent 1 that go with another
// extent: the products broadcast along them.
func widened[T nd.Number](x labeled[T], sizes map[int]int) labeled[T] {
	var axes, labels []int
	for k, label := range x.labels {
		if x.a.Layout().Shape()[k] != sizes[label] {
			axes = append(axes, k)
		} else {
			labels = append(labels, label)
		}
	}
	if len(axes) == 0 {
		return x
	}
	return labeled[T]{nd.Squeeze(x.a, axes...), labels}
}
