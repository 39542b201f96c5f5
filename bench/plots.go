package main

import (
	"bytes"
	"fmt"
	"html/template"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// figure is a plot as it goes into a page: SVG text with what it shows.
type figure struct {
	Name    string
	Caption string
	SVG     template.HTML
}

// figures draws every plot that there are results for.
func (c *comparison) figures() ([]figure, error) {
	var list []figure
	add := func(name, caption string, p *plot.Plot, height vg.Length) error {
		if p == nil {
			return nil
		}
		svg, err := render(p, 26*vg.Centimeter, height)
		list = append(list, figure{name, caption, svg})
		return err
	}
	for _, mode := range []string{strong, weak} {
		p, err := scalingPlot(c.scaling, mode)
		if err != nil {
			return nil, err
		}
		caption := "Strong scaling: the same problem on more ranks."
		if mode == weak {
			caption = "Weak scaling: a problem that grows with the ranks; 1 is perfect."
		}
		caption += " Solid lines with dots are measured, dashed ones are a model of counted traffic."
		if err := add(mode, caption, p, 14*vg.Centimeter); err != nil {
			return nil, err
		}
	}
	for _, d := range c.runs {
		label := fmt.Sprintf("%s, %s, %s", d.title(), d.Transport, ranksText(d.Ranks))
		file := strings.NewReplacer(",", "-", " ", "-").Replace(fmt.Sprintf("%s %s %d", d.Build, d.Transport, d.Ranks))
		p, err := c.ratioBars(d, "Heat")
		if err != nil {
			return nil, err
		}
		bars := len(c.ratios(d, "Heat"))
		if err := add("ratios-"+file, "How many times as fast as Heat: "+label+".", p, vg.Length(max(8, bars/2))*vg.Centimeter); err != nil {
			return nil, err
		}
		if p, err = roofline(d); err != nil {
			return nil, err
		}
		if err := add("roofline-"+file, "Roofline (Williams, Waterman, Patterson 2009): "+label+".", p, 14*vg.Centimeter); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// render draws a plot as SVG that can stand inside a page.
func render(p *plot.Plot, width, height vg.Length) (template.HTML, error) {
	canvas := vgsvg.New(width, height)
	p.Draw(draw.Crop(draw.New(canvas), vg.Centimeter, -vg.Centimeter/2, 0, -vg.Centimeter/4)) // labels may stick out
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return "", err
	}
	text := b.String()
	if i := strings.Index(text, "<svg"); i > 0 { // no XML declaration inside of HTML
		text = text[i:]
	}
	return template.HTML(text), nil
}

// scalingPlot draws the speedup over one rank, or for weak scaling the
// efficiency, against the number of ranks.
func scalingPlot(points []point, mode string) (*plot.Plot, error) {
	curves := scalingCurves(points, mode)
	if len(curves) == 0 {
		return nil, nil
	}
	p := plot.New()
	p.Title.Text = mode + " scaling"
	p.X.Label.Text = "ranks"
	p.Y.Label.Text = "speedup"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, powersOfTwo{}
	if mode == weak {
		p.Y.Label.Text = "efficiency"
		p.Y.Min, p.Y.Max = 0, 1.2
	} else {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, powersOfTwo{}
	}
	p.Legend.Top, p.Legend.Left = mode == strong, true
	p.Add(plotter.NewGrid())
	for i, c := range curves {
		line, err := plotter.NewLine(c.xys)
		if err != nil {
			return nil, err
		}
		line.Color = plotutil.Color(c.color)
		p.Add(line)
		if c.model {
			line.Dashes = []vg.Length{vg.Points(5), vg.Points(3)}
			p.Legend.Add(c.name, line)
			continue
		}
		dots, err := plotter.NewScatter(c.xys)
		if err != nil {
			return nil, err
		}
		dots.GlyphStyle = draw.GlyphStyle{Color: line.Color, Radius: vg.Points(3), Shape: plotutil.Shape(i)}
		p.Add(dots)
		p.Legend.Add(c.name, line, dots)
	}
	return p, nil
}

// powersOfTwo marks an axis at 1, 2, 4, …
type powersOfTwo struct{}

func (powersOfTwo) Ticks(lo, hi float64) []plot.Tick {
	var ticks []plot.Tick
	for v := math.Exp2(math.Floor(math.Log2(lo))); v <= hi*1.001; v *= 2 {
		if v >= lo*0.999 {
			ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprint(v)})
		}
	}
	return ticks
}

// namedRatio is a peer's time divided by Caloric's.
type namedRatio struct {
	name  string
	ratio float64
}

// ratios returns those of a run's cases for which the peer has been measured.
func (c *comparison) ratios(d *document, library string) []namedRatio {
	var list []namedRatio
	for i, p := range c.columns {
		if p.library != library {
			continue
		}
		for _, w := range c.rows {
			if w.run == d && w.peers[i].Median > 0 && w.result.Median > 0 {
				list = append(list, namedRatio{w.result.Name, w.peers[i].Median / w.result.Median})
			}
		}
		break
	}
	return list
}

// ratioBars draws a bar for each case, its length the ratio on a log scale: to
// the right where Caloric is faster.
func (c *comparison) ratioBars(d *document, library string) (*plot.Plot, error) {
	list := c.ratios(d, library)
	if len(list) == 0 {
		return nil, nil
	}
	p := plot.New()
	p.Title.Text = library + "'s time / Caloric's"
	p.X.Tick.Marker = decades{}
	names := make([]string, len(list))
	values := make(plotter.Values, len(list))
	for i, r := range list { // the first case on top
		names[len(list)-1-i] = r.name
		values[len(list)-1-i] = math.Log10(r.ratio)
	}
	// One colour each for faster and slower.
	for _, faster := range []bool{true, false} {
		some := make(plotter.Values, len(values))
		for i, v := range values {
			if v >= 0 == faster {
				some[i] = v
			}
		}
		bars, err := plotter.NewBarChart(some, vg.Points(8))
		if err != nil {
			return nil, err
		}
		bars.Horizontal, bars.LineStyle.Width = true, 0
		bars.Color = color.RGBA{0x1b, 0x7f, 0x3b, 0xff}
		if !faster {
			bars.Color = color.RGBA{0xb0, 0x2a, 0x2a, 0xff}
		}
		p.Add(bars)
	}
	p.Add(plotter.NewGrid())
	p.NominalY(names...)
	p.Y.Tick.Label.Font.Size = vg.Points(8)
	return p, nil
}

// decades marks an axis of logarithms at powers of ten.
type decades struct{}

func (decades) Ticks(lo, hi float64) []plot.Tick {
	var ticks []plot.Tick
	for v := math.Floor(lo); v <= math.Ceil(hi); v++ {
		ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprintf("%g×", math.Pow(10, v))})
	}
	return ticks
}

// roofline draws the operations a second of a run's cases against their
// operations a byte, below what the memory and the BLAS allow.
func roofline(d *document) (*plot.Plot, error) {
	bandwidth, compute := d.Limits["triad"], max(d.Limits["gemm f64"], d.Limits["gemm f32"])
	if bandwidth == 0 || compute == 0 {
		return nil, nil
	}
	var dots plotter.XYs
	var labels []string
	for _, r := range d.Results {
		if r.Bytes == 0 || r.Flops == 0 || r.Median == 0 || r.Limit == "" {
			continue
		}
		dots = append(dots, plotter.XY{X: r.Flops / r.Bytes, Y: r.Flops / r.Median / 1e9})
		labels = append(labels, r.Name)
	}
	if len(dots) == 0 {
		return nil, nil
	}
	p := plot.New()
	p.Title.Text = "roofline"
	p.X.Label.Text, p.Y.Label.Text = "operations / byte", "G operations / s"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: -1}, plot.LogTicks{Prec: -1}
	p.Add(plotter.NewGrid())
	p.Legend.Top, p.Legend.Left = true, true
	for i, l := range []struct {
		name          string
		read, compute float64
	}{
		{"triad and gemm f32", bandwidth, d.Limits["gemm f32"]},
		{"read and gemm f64", d.Limits["read"], d.Limits["gemm f64"]},
	} {
		if l.read == 0 || l.compute == 0 {
			continue
		}
		corner := l.compute / l.read
		line, err := plotter.NewLine(plotter.XYs{{X: 0.01, Y: 0.01 * l.read / 1e9}, {X: corner, Y: l.compute / 1e9},
			{X: 1000, Y: l.compute / 1e9}})
		if err != nil {
			return nil, err
		}
		line.Color = plotutil.Color(i)
		p.Add(line)
		p.Legend.Add(l.name, line)
	}
	scatter, err := plotter.NewScatter(dots)
	if err != nil {
		return nil, err
	}
	scatter.GlyphStyle = draw.GlyphStyle{Color: plotutil.Color(2), Radius: vg.Points(2), Shape: draw.CircleGlyph{}}
	text, err := plotter.NewLabels(plotter.XYLabels{XYs: dots, Labels: labels})
	if err != nil {
		return nil, err
	}
	for i := range text.TextStyle {
		text.TextStyle[i].Font.Size = vg.Points(6)
	}
	p.Add(scatter, text)
	return p, nil
}
