# make test installs what is missing (apt-get) and tests everything.

PACKAGES = gcc libc6-dev pkg-config libopenmpi-dev openmpi-bin libopenblas-dev
STATICCHECK = go run honnef.co/go/tools/cmd/staticcheck@v0.8.2

# Packages of which the tags mpi and cblas change something.
TAGGED = ./spmd/... ./linalg/... ./internal/... ./bench/...

.PHONY: build test test-embedded test-mpi test-cblas lint bench fmt deps

build:
	go build ./...

test: deps test-embedded test-cblas test-mpi

test-embedded: deps
	@test -z "$$(gofmt -l .)" || { echo "not formatted:"; gofmt -l .; exit 1; }
	go test -race ./...

test-cblas: deps
	go test -tags cblas ./linalg/...

test-mpi: deps
	internal/mpitest.sh

lint: deps
	go vet ./...
	go vet -tags mpi,cblas $(TAGGED)
	$(STATICCHECK) ./...
	$(STATICCHECK) -tags mpi,cblas $(TAGGED)
	GOARCH=arm64 go build ./linalg ./random
	cd internal/asmgen && go vet ./... && go test ./...

bench:
	go test -run '^$$' -bench . -benchmem ./...

fmt:
	gofmt -w .

# On Debian and Ubuntu. Elsewhere the C compiler and the libraries are taken as they are.
deps:
	@! command -v dpkg >/dev/null || dpkg -s $(PACKAGES) >/dev/null 2>&1 || { \
		sudo=$$(test "$$(id -u)" = 0 || echo sudo); \
		$$sudo apt-get update -qq && \
		$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(PACKAGES); \
	}
