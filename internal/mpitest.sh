#!/usr/bin/env bash
# Runs the tests that use ranks as MPI jobs of 1 to 4 ranks, those of package
# spmd also with a low count limit and with compared calls, and the tests that
# start jobs of their own.
set -euo pipefail
cd "$(dirname "$0")/.."

# Root in a container, more ranks than cores, no ptrace between processes.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
# gompi knows where Debian has Open MPI on amd64. Elsewhere mpicc tells.
if [ ! -e /usr/lib/x86_64-linux-gnu/openmpi/include/mpi.h ] && [ -z "${CGO_CFLAGS:-}" ]; then
	export CGO_CFLAGS="-O2 -g $(mpicc --showme:compile)" CGO_LDFLAGS="$(mpicc --showme:link)"
fi

bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT

# job RANKS PACKAGE runs the tests of a package on that many ranks, in its folder.
job() {
	echo "== mpirun -n $1 $2"
	(cd ".${2#caloric}" && mpirun -n "$1" "$bin/${2//\//_}" -test.timeout 10m)
}

packages=$(go list -tags mpi -f '{{.ImportPath}} {{.TestImports}} {{.XTestImports}}' ./... |
	sed -n 's,^\([^ ]*\) .*caloric/internal/spmdtest.*,\1,p')
for p in $packages; do
	go test -c -tags mpi -ldflags=-s -o "$bin/${p//\//_}" "$p"
	for n in 1 2 3 4; do
		job $n "$p"
	done
	[ "$p" = caloric/spmd ] || rm "$bin/${p//\//_}"
done
SPMD_MPI_COUNT_LIMIT=1000 job 3 caloric/spmd
SPMD_CHECK=1 job 3 caloric/spmd
go test -tags mpi -run Mpirun ./spmd
