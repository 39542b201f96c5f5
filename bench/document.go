package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"caloric/spmd"
)

// The units of results.
const (
	inSeconds = "s"
	inBytes   = "B" // of memory
)

// document is one run of one library: what a JSON file holds. The peers' scripts
// write the same.
type document struct {
	Library   string             `json:"library"`
	Version   string             `json:"version,omitempty"`
	Build     string             `json:"build"`     // "default", or the tags: "cblas", "mpi,cblas"
	Transport string             `json:"transport"` // "embedded", "mpi", or "none"
	Ranks     int                `json:"ranks"`
	Threads   int                `json:"threads"` // of each rank
	Date      string             `json:"date"`
	Machine   machine            `json:"machine"`
	Limits    map[string]float64 `json:"limits,omitempty"`
	// Other programs' share of the processors while each limit was measured.
	LimitsForeign map[string]float64 `json:"limits_foreign,omitempty"`

	Results []result `json:"results,omitempty"`
	Scaling []point  `json:"scaling,omitempty"`
}

// machine is where a run took place.
type machine struct {
	Processor string `json:"processor"`
	Cores     int    `json:"cores"`
	System    string `json:"system"`
	Language  string `json:"language"` // its version
}

// result is what one case took. Bytes, flops and memory are those of all ranks.
type result struct {
	Name    string  `json:"name"`
	Unit    string  `json:"unit"`
	Median  float64 `json:"median"`
	Min     float64 `json:"min"`
	Max     float64 `json:"max"`
	Samples int     `json:"samples"`
	Repeats int     `json:"repeats"`           // runs in a sample
	Bytes   float64 `json:"bytes,omitempty"`   // through memory, or between ranks
	Flops   float64 `json:"flops,omitempty"`   // floating-point operations
	Limit   string  `json:"limit,omitempty"`   // what the case is held against, a key of Limits
	Alloc   float64 `json:"alloc,omitempty"`   // bytes allocated in a run
	Foreign float64 `json:"foreign,omitempty"` // other programs' share of the processors
	Error   string  `json:"error,omitempty"`
}

// newDocument returns a document without results that describes this run.
func newDocument(c *spmd.Comm) *document {
	return &document{
		Library: "Caloric", Version: version(), Build: buildTags(), Transport: transport(),
		Ranks: c.Size(), Threads: c.Workers(), Date: time.Now().UTC().Format(time.RFC3339), Machine: thisMachine(),
	}
}

func thisMachine() machine {
	return machine{processor(), cores(), runtime.GOOS + "/" + runtime.GOARCH, runtime.Version()}
}

// cores returns how many cores this process may use.
func cores() int { return runtime.NumCPU() }

// version returns the commit that the program was built from, if it is known.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value[:min(12, len(s.Value))]
		}
	}
	return ""
}

// buildTags returns the program's build tags as go build was given them.
func buildTags() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-tags" && s.Value != "" {
				return s.Value
			}
		}
	}
	return "default"
}

// transport says how the ranks communicate. Under mpirun only an MPI program
// gets as far as having ranks.
func transport() string {
	for _, name := range []string{"OMPI_COMM_WORLD_SIZE", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"} {
		if os.Getenv(name) != "" {
			return "mpi"
		}
	}
	return "embedded"
}

// fraction returns how near r comes to its limit, 0 if it has none.
func (d *document) fraction(r result) float64 {
	limit := d.Limits[r.Limit]
	if limit == 0 || r.Median == 0 || r.Unit != inSeconds {
		return 0
	}
	if strings.HasPrefix(r.Limit, "gemm") {
		return r.Flops / r.Median / limit
	}
	return r.Bytes / r.Median / limit
}

// write writes the document to a file, whole or not at all, or to standard output.
func (d *document) write(path string) error {
	text, err := json.MarshalIndent(d, "", " ")
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if path == "-" {
		_, err = os.Stdout.Write(text)
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path+".part", text, 0o644); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}

// readDocument reads a file that write or a peer's script has written.
func readDocument(path string) (*document, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d := new(document)
	if err := json.Unmarshal(text, d); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if d.Library == "" {
		return nil, fmt.Errorf("%s: no library is named", path)
	}
	return d, nil
}

// header describes the run and its limits.
func (d *document) header() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s, %d threads each\n%s, %d cores, %s, %s\n", d.title(), d.Transport, ranksText(d.Ranks), d.Threads,
		d.Machine.Processor, d.Machine.Cores, d.Machine.System, d.Machine.Language)
	for _, name := range limitNames {
		if v, ok := d.Limits[name]; ok {
			fmt.Fprintf(&b, "%-14s %s%s\n", name, limitText(name, v), others(d.LimitsForeign[name]))
		}
	}
	return b.String()
}

// title names the library and its build.
func (d *document) title() string {
	if d.Build == "" || d.Build == "default" {
		return d.Library
	}
	return d.Library + " " + d.Build
}

func ranksText(n int) string { return plural(n, "rank") }

// plural prints a number of things.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// line prints a result for people.
func (d *document) line(r result) string {
	if r.Error != "" {
		return fmt.Sprintf("%-34s error: %s", r.Name, r.Error)
	}
	s := fmt.Sprintf("%-34s %10s", r.Name, quantity(r.Median, r.Unit))
	if f := d.fraction(r); f > 0 {
		s += fmt.Sprintf("  %4.0f %% of %s", 100*f, r.Limit)
	}
	return s + others(r.Foreign)
}

// busy is the share of the processors that other programs may have while
// something is measured.
const busy = 0.1

// others tells what other programs took if that was too much.
func others(share float64) string {
	if share <= busy {
		return ""
	}
	return fmt.Sprintf("  (other programs %.0f %%)", 100*share)
}

// doubt marks what was measured while other programs were busy.
func doubt(text string, share float64) string {
	if share <= busy {
		return text
	}
	return text + " ?"
}

// quantity prints a number of a unit with three digits.
func quantity(v float64, unit string) string {
	if v < 0 {
		return "-" + quantity(-v, unit)
	}
	scales := []struct {
		f    float64
		name string
	}{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}
	if unit == inBytes {
		scales = scales[:0:0]
		for _, s := range []string{"GB", "MB", "kB", "B"} {
			scales = append(scales, struct {
				f    float64
				name string
			}{math.Pow(1000, float64(3-len(scales))), s})
		}
	}
	for _, s := range scales {
		if v >= s.f {
			return digits(v/s.f) + " " + s.name
		}
	}
	last := scales[len(scales)-1]
	return digits(v/last.f) + " " + last.name
}

// digits prints a number with three significant digits, without an exponent.
func digits(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}
