// Package learn holds the algorithms of the example programs: clustering
// (KMeans), linear models with an L1 penalty (Lasso) and the moments of a table
// (Describe), on tables whose rows are samples, spread over the ranks.
//
// A table of any layout is taken. One that is not split along its rows is so
// first; its operands never change. What a fit returns is the same on every
// rank, but for arrays that have the table's rows, which are split as those are.
package learn
