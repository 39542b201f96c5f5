package program

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"caloric/internal/learn"
	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/spmd"
)

func TestMain(m *testing.M) { spmdtest.Main(m) }

func TestProgress(t *testing.T) {
	var b bytes.Buffer
	p := &Progress{w: &b}
	p.Clear()
	p.Print("step %d", 1)
	p.Print("step %d", 2) // too soon
	p.next = time.Time{}
	p.Print("step %d", 3)
	p.Clear()
	p.Clear()
	if got, want := b.String(), "\r\x1b[Kstep 1\r\x1b[Kstep 3\r\x1b[K"; got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
	silent := &Progress{}
	silent.Print("x")
	silent.Clear()
}

func TestColumn(t *testing.T) {
	names := []string{"age", "2", "size"}
	for _, tt := range []struct {
		text  string
		names []string
		want  string
	}{
		{"1", nil, "0"}, {"3", nil, "2"}, {"-1", nil, "2"}, {"-3", nil, "0"}, {"size", names, "2"}, {"2", names, "1"}, {"3", names, "2"},
		{"0", nil, "column 0 of 3"}, {"4", nil, "column 4 of 3"}, {"-4", nil, "column -4 of 3"},
		{"age", nil, `no column is named "age": columns have numbers, from 1 to 3`}, {"Age", names, `no column is named "Age"; there are age, 2, size`},
	} {
		j, err := Column(tt.text, tt.names, 3)
		got := fmt.Sprint(j)
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s of %v: %s, want %s", tt.text, tt.names, got, tt.want)
		}
	}
	if got, err := Columns(",1,-1,", nil, 3); err != nil || fmt.Sprint(got) != "[0 2]" {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := Columns("1,x", nil, 3); err == nil {
		t.Error("no error")
	}
}

func TestWithoutAndExplain(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		x := nd.FromSlice(c, []float64{1, 2, 3, 4, 5, 6}, nd.Shape{2, 3}, 0)
		left, names := Without(x, Names(nil, 3), []int{1, 1})
		if fmt.Sprint(left.Gather(), names) != "[1 3 4 6] [column 1 column 3]" {
			t.Errorf("%v %v", left, names)
		}
		err := Explain(&learn.NotFiniteError{What: "x", Row: 4, Column: 1}, "a.csv", names, "")
		if got := err.Error(); got != "a.csv: row 5, column 3: not a finite number" {
			t.Error(got)
		}
		err = Explain(fmt.Errorf("all wrong"), "a.csv", names, "")
		if got := err.Error(); !strings.HasPrefix(got, "a.csv: all wrong") {
			t.Error(got)
		}
	})
}
