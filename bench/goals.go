package main

import "regexp"

// goal is what issue 5 or 4 of the project asks of some cases. Exactly one of the
// kinds of bound below is set in a goal: a fraction of a limit, a ratio to a peer,
// an overhead over a bare loop, or an amount of memory.
type goal struct {
	row     string         // the row of the table of goals
	cases   *regexp.Regexp // names
	ranks   int            // 0: any number
	tags    tagRule        // builds
	atLeast float64        // of the limit, or times as fast as the peer

	limit    bool   // a fraction of the case's limit
	peer     string // a library; with the same number of ranks, if it has ranks
	threads  int    // of the peer: 1, or 0 for as many as it has
	bare     string // the overhead in seconds over the bare loop whose name begins so
	resident bool   // bytes of the result's own size
	atMost   float64
}

// tagRule says for which builds a goal is.
type tagRule int

const (
	anyBuild tagRule = iota
	pureGo           // without cblas
	cgoBuild         // with cblas
)

func (t tagRule) allows(build string) bool {
	return t == anyBuild || (t == cgoBuild) == hasTag(build, "cblas")
}

func re(pattern string) *regexp.Regexp { return regexp.MustCompile(pattern) }

const (
	elementwiseRow = "elementwise a+b, a*b+a, 1e7"
	mathRow        = "exp, log, sin, sqrt, 1e7"
	shortRow       = "1e3 elements"
	reductionRow   = "reductions of 4000×2500"
	normRow        = "norm, vdot, 1e7"
	moveRow        = "resplit, transpose-copy 4000²"
	productRow     = "matmul 2000²"
	cgRow          = "CG 2000², 100 steps"
	sortRow        = "sort 1e6"
	selectRow      = "unique, percentile, mask, y[5], concatenate, roll, cumsum"
	tallRow        = "qr 200000×50"
	randomRow      = "random 1e7"
	exampleRow     = "k-means, lasso"
	csvRow         = "CSV of 1e6 values"
	startRow       = "start of 2 ranks"
	memoryRow      = "peak memory of a+b, 1e8"
)

// goals is the table of goals. Ratios are the peer's time divided by Caloric's.
var goals = []goal{
	{row: elementwiseRow, cases: re(`^(add|muladd)/into n=1e7`), limit: true, atLeast: 0.90},
	{row: elementwiseRow, cases: re(`^(add|muladd) n=1e7`), limit: true, atLeast: 0.85},
	{row: elementwiseRow, cases: re(`^(add|muladd) n=1e7`), peer: "Heat", atLeast: 1},
	{row: mathRow, cases: re(`^(exp|log|sin|sqrt) n=1e7`), tags: cgoBuild, peer: "Heat", atLeast: 1},
	{row: mathRow, cases: re(`^(exp|log|sin|sqrt) n=1e7`), tags: pureGo, peer: "Heat", atLeast: 1. / 3},
	{row: shortRow, cases: re(`^[^/]*(/into)? n=1e3 `), ranks: 2, peer: "Heat", atLeast: 5},
	{row: shortRow, cases: re(`^((add|muladd|exp)/into|sum) n=1e3 `), ranks: 1, bare: "bare/", atMost: 1e-6},
	{row: shortRow, cases: re(`^(add|muladd|exp|log|sin|sqrt) n=1e3 `), ranks: 1, bare: "bare/new/", atMost: 1e-6},
	{row: reductionRow, cases: re(`^sum 4000x2500`), limit: true, atLeast: 0.90},
	{row: reductionRow, cases: re(`^(sum|max)(/axis\d)? 4000x2500`), peer: "Heat", atLeast: 1},
	{row: reductionRow, cases: re(`^(argmax|mean|var|std)(/axis\d)? 4000x2500`), peer: "Heat", atLeast: 3},
	{row: normRow, cases: re(`^(norm|vdot) n=1e7`), limit: true, atLeast: 0.90},
	{row: moveRow, cases: re(`^(resplit (0→1|1→0|0→none)|transpose-copy) 4000`), peer: "Heat", atLeast: 2},
	{row: moveRow, cases: re(`^resplit 1→none 4000`), peer: "Heat", atLeast: 15},
	{row: productRow, cases: re(`^matmul 2000`), tags: cgoBuild, limit: true, atLeast: 0.95},
	{row: productRow, cases: re(`^matmul 2000`), tags: cgoBuild, peer: "Heat", atLeast: 1},
	{row: cgRow, cases: re(`^cg/100 2000 f64`), ranks: 2, peer: "Heat", atLeast: 5},
	{row: cgRow, cases: re(`^cg/100 2000 f64`), ranks: 2, peer: "NumPy", atLeast: 1},
	{row: sortRow, cases: re(`^sort n=1e6 f64`), peer: "Heat", atLeast: 20},
	{row: sortRow, cases: re(`^sort n=1e6 f64`), ranks: 2, peer: "NumPy", threads: 1, atLeast: 1.4},
	{row: selectRow, cases: re(`^(unique n=1e6|(mask|getitem|concatenate|cumsum) n=1e7|roll n=)`), peer: "Heat", atLeast: 3},
	{row: selectRow, cases: re(`^percentile n=1e6`), peer: "Heat", atLeast: 100},
	{row: selectRow, cases: re(`^(unique|percentile) n=1e6`), peer: "NumPy", atLeast: 1},
	{row: tallRow, cases: re(`^qr 200000x50`), peer: "Heat", atLeast: 1},
	{row: randomRow, cases: re(`^(uniform|normal) n=1e7`), peer: "Heat", atLeast: 3},
	{row: randomRow, cases: re(`^(uniform|normal) n=1e7`), peer: "NumPy", atLeast: 1},
	{row: exampleRow, cases: re(`^(kmeans|lasso)/10`), peer: "Heat", atLeast: 3},
	{row: csvRow, cases: re(`^csv/(load|save)`), peer: "Heat", atLeast: 4},
	{row: startRow, cases: re(`^start$`), ranks: 2, peer: "Heat", atLeast: 10},
	{row: memoryRow, cases: re(`^rss/add n=1e8`), resident: true, atMost: 1.05},
}
