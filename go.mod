module caloric

go 1.26

require (
	github.com/google/go-cmp v0.7.0
	github.com/sbromberger/gompi v0.2.0
	gonum.org/v1/gonum v0.17.0
	gonum.org/v1/netlib v0.0.0-20230729102104-8b8060e7531f
	pgregory.net/rapid v1.3.0
)
