package main

import (
	"fmt"
	"slices"
	"strings"
)

// tests returns the table that nd's tests run over: for each constraint and
// result type a function that returns the operations, with all their forms.
func tests() []byte {
	var p printer
	p.table("unary", unary)
	p.table("binary", binary)
	return file("nd_test", p.Bytes(), "caloric/nd")
}

func (p *printer) table(arity string, ops []operation) {
	var groups []string
	rows := map[string][]string{}
	for _, o := range ops {
		group := o.on + " " + o.resultType()
		if !slices.Contains(groups, group) {
			groups = append(groups, group)
		}
		rows[group] = append(rows[group], row(o, arity == "binary"))
	}
	for _, group := range groups {
		on, res, _ := strings.Cut(group, " ")
		name := arity + on
		if res != "T" {
			name += "To" + strings.ToUpper(res[:1]) + res[1:]
		}
		p.line("func %s[T nd.%s]() []%sOp[T, %s] {\nreturn []%sOp[T, %s]{", name, on, arity, res, arity, res)
		p.line("%s\n}\n}\n", strings.Join(rows[group], "\n"))
	}
}

// row returns the composite literal of an operation: its name and its forms.
func row(o operation, binary bool) string {
	forms := []string{"%[1]s", "%[1]sInto"}
	if binary {
		forms = append(forms, "%[1]sScalar", "%[1]sScalarInto")
		if !o.commutative {
			forms = append(forms, "Scalar%[1]s", "Scalar%[1]sInto")
		}
	}
	fields := fmt.Sprintf("%q", o.name)
	for _, f := range forms {
		fields += fmt.Sprintf(", nd."+f+"[T]", o.name)
	}
	if binary && o.commutative {
		fields += ", nil, nil"
	}
	return "{" + fields + "},"
}
