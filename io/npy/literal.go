package npy

import (
	"bytes"
	"strconv"
	"strings"

	"caloric/nd"
)

// literal reads the Python literals that a header is made of.
type literal struct {
	text []byte
	pos  int
	base int64 // the offset of text in the file
}

func (p *literal) fail(at int, format string, args ...any) error {
	return badf(p.base+int64(at), format, args...)
}

func (p *literal) space() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.pos]) >= 0 {
		p.pos++
	}
}

// accept steps over c if it comes next.
func (p *literal) accept(c byte) bool {
	p.space()
	if p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *literal) expect(c byte) error {
	if !p.accept(c) {
		return p.fail(p.pos, "%q expected in the header", c)
	}
	return nil
}

// dict reads a dictionary to the end of the text, calling value to read the
// value of each key. at is where the key stands.
func (p *literal) dict(value func(key string, at int) error) error {
	if err := p.expect('{'); err != nil {
		return err
	}
	for !p.accept('}') {
		at := p.pos
		key, err := p.str()
		if err == nil {
			err = p.expect(':')
		}
		if err == nil {
			err = value(key, at)
		}
		if err != nil {
			return err
		}
		if !p.accept(',') {
			if !p.accept('}') {
				return p.fail(p.pos, "',' or '}' expected in the header")
			}
			break
		}
	}
	if p.space(); p.pos < len(p.text) {
		return p.fail(p.pos, "the header goes on after its dictionary")
	}
	return nil
}

// str reads a string in single or double quotes. Header keys and simple dtypes
// need no escapes.
func (p *literal) str() (string, error) {
	p.space()
	if p.pos < len(p.text) {
		if q := p.text[p.pos]; q == '\'' || q == '"' {
			rest := p.text[p.pos+1:]
			if n := bytes.IndexByte(rest, q); n >= 0 {
				p.pos += n + 2
				return string(rest[:n]), nil
			}
		}
	}
	return "", p.fail(p.pos, "string expected in the header")
}

func (p *literal) word(w string) bool {
	p.space()
	if bytes.HasPrefix(p.text[p.pos:], []byte(w)) {
		p.pos += len(w)
		return true
	}
	return false
}

func (p *literal) boolean() (bool, error) {
	switch {
	case p.word("True"):
		return true, nil
	case p.word("False"):
		return false, nil
	}
	return false, p.fail(p.pos, "True or False expected in the header")
}

// shape reads a tuple of integers. Python 2 wrote some with an L behind.
func (p *literal) shape() (nd.Shape, error) {
	if err := p.expect('('); err != nil {
		return nil, err
	}
	shape := nd.Shape{}
	for !p.accept(')') {
		p.space()
		start := p.pos
		for p.pos < len(p.text) && p.text[p.pos] >= '0' && p.text[p.pos] <= '9' {
			p.pos++
		}
		n, err := strconv.Atoi(string(p.text[start:p.pos]))
		if err != nil {
			return nil, p.fail(start, "extent expected in the shape")
		}
		p.word("L")
		shape = append(shape, n)
		if p.accept(',') {
			continue
		}
		if err := p.expect(')'); err != nil {
			return nil, err
		}
		if len(shape) == 1 {
			return nil, p.fail(start, "the shape is a number, not a tuple")
		}
		break
	}
	return shape, nil
}

// descr reads a dtype: a string, or the list of a structured dtype, which is
// returned as it stands.
func (p *literal) descr() (string, error) {
	p.space()
	if p.pos == len(p.text) || p.text[p.pos] != '[' && p.text[p.pos] != '(' {
		return p.str()
	}
	start, depth := p.pos, 0
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; c {
		case '\'', '"':
			if _, err := p.str(); err != nil {
				return "", err
			}
			continue
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		}
		p.pos++
		if depth == 0 {
			return string(p.text[start:p.pos]), nil
		}
	}
	return "", p.fail(start, "a bracket is not closed in the header")
}
