package main

import (
	"bytes"
	_ "embed"
	"html/template"
	"strings"
)

//go:embed page.html.tmpl
var pageText string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"class": cellClass,
}).Parse(pageText))

// page returns one HTML page with everything in it: no file beside it, nothing
// from a server.
func (c *comparison) page(figures []figure) ([]byte, error) {
	data := struct {
		Sections []section
		Figures  []figure
	}{c.sections(true), figures}
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, data)
	return b.Bytes(), err
}

// cellClass colours a table's cell by what it says of goals.
func cellClass(cell string) string {
	switch {
	case strings.Contains(cell, "MISSED"):
		return "missed"
	case strings.HasSuffix(cell, "met"):
		return "met"
	}
	return ""
}
