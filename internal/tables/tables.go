// Package tables holds the two tables that the example programs compute with when
// they are given no other; README.md says where they come from.
package tables

import _ "embed"

// Digits are 1797 images of handwritten digits, 64 pixels and the digit in a row.
//
//go:embed digits.csv
var Digits string

// BreastCancer are 30 measurements and the class of 569 tumours, after a line that is
// none of the table's.
//
//go:embed breast_cancer.csv
var BreastCancer string
