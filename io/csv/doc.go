// Package csv reads and writes tables of numbers as text, each rank its own part
// of the file.
//
//	a, err := csv.Load[float64](c, "data.csv", 0)                     // rows split over the ranks
//	a, names, err := csv.LoadTable[float64](c, "data.tsv", 0, csv.Comma('\t'))
//	err = csv.Save("out.csv", a, csv.Names(names...))
//
// # Format
//
// A line is a row, its fields separated by commas or by what [Comma] says. The
// result always has two axes, rows and columns, also of a single column. Lines end
// in LF or CRLF, the last one with or without; empty lines count as lines but not
// as rows. A byte order mark is skipped, and so are spaces around a field and
// double quotes around all of it. A quoted field cannot span lines.
//
// The first line holds the columns' names if none of its fields looks like a
// number; see [Header]. Every row has as many fields as the first line.
//
// A field is a decimal number, or nan, inf or infinity, with a sign or without,
// in any case. Integers are read exactly as the integer type asked for; a number
// that the type cannot hold is an error, and so is an empty field, unless
// [MissingAsNaN] is given.
//
// Errors in a file read path:line:column: text, where line and column count from
// 1 and the column is that of a byte. The first faulty line is reported.
//
// # Access
//
// The file is cut into as many ranges of bytes as there are ranks. A line belongs
// to the rank in whose range it starts; each rank reads and parses only its lines,
// and one exchange of their numbers gives the layout. The rows stay where they
// were read, so the ranks' parts differ a little, and ranks may hold none;
// [nd.NDArray.Balance] evens them out.
//
// To save, each rank writes the text of its own rows.
package csv
