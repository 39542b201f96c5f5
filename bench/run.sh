#!/usr/bin/env bash
# Measures everything and reports it, in about a quarter of an hour on two cores:
#
#	bench/run.sh [-p VENV] [-o DIR]
#
# VENV is a virtual environment with the peers (bench/peers/setup.sh VENV); without
# it only Caloric is measured. DIR gets the JSON files, the report (report.md), the
# plots and the page; it is bench/results if not given. Let nothing else run.
set -euo pipefail
cd "$(dirname "$0")/.."
venv= out=bench/results
while getopts p:o: flag; do
	case $flag in
	p) venv=$(realpath "$OPTARG") ;;
	o) out=$OPTARG ;;
	*) exit 2 ;;
	esac
done
mkdir -p "$out"
out=$(realpath "$out")

# Root in a container.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Open MPI copies from process to process, which a container without CAP_SYS_PTRACE (19) forbids.
caps=$(awk '/^CapEff/ {print $2}' /proc/self/status 2>/dev/null || true)
if [ "$(id -u)" = 0 ] && (((0x${caps:-0} >> 19 & 1) == 0)); then
	export OMPI_MCA_btl_vader_single_copy_mechanism=none
fi
# An OpenBLAS that is told which kernels to use is not told the best ones.
unset OPENBLAS_CORETYPE OPENBLAS_L2_SIZE
mpi="mpirun --bind-to none -n 2"

bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
go build -o "$bin/bench" ./bench
have_blas= have_mpi=
if pkg-config --exists openblas 2>/dev/null; then
	go build -tags cblas -o "$bin/bench-cblas" ./bench && have_blas=1
	if command -v mpirun >/dev/null; then
		go build -tags mpi,cblas -o "$bin/bench-mpi" ./bench && have_mpi=1
	fi
fi

step() { # step NAME COMMAND…: one run, its output to a log; a failure ends that run only
	local name=$1 begin=$SECONDS
	shift
	echo "== $name"
	timeout 300 "$@" >"$out/$name.log" 2>&1 || echo "   failed or cut off: see $out/$name.log"
	echo "   $((SECONDS - begin)) s"
}

# What OpenBLAS changes.
dense='^(matmul|matvec|cg|cholesky|lu|qr|eigh)'
for ranks in 1 2; do
	step "caloric-$ranks" "$bin/bench" -ranks $ranks -json "$out/caloric-$ranks.json"
	[ -z "$have_blas" ] || step "caloric-cblas-$ranks" "$bin/bench-cblas" -ranks $ranks -run "$dense" -json "$out/caloric-cblas-$ranks.json"
done
step caloric-process "$bin/bench" process -ranks 2 -json "$out/caloric-process.json"
if [ -n "$have_mpi" ]; then
	step caloric-mpi-2 $mpi "$bin/bench-mpi" -json "$out/caloric-mpi-2.json"
	step caloric-mpi-process "$bin/bench" process -ranks 2 -launch "$mpi $bin/bench-mpi" -build mpi,cblas -json "$out/caloric-mpi-process.json"
fi
step scaling "$bin/bench" scaling -json "$out/scaling.json"

if [ -n "$venv" ]; then
	py="$venv/bin/python" peers=bench/peers
	step numpy-1 "$py" $peers/numpy_cases.py --threads 1 --json "$out/numpy-1.json"
	step numpy-2 "$py" $peers/numpy_cases.py --threads 2 --run '^(matmul|matvec|cg|cholesky|lu|qr|eigh|norm|vdot|kmeans|lasso)' --json "$out/numpy-2.json"
	step heat-1 "$py" $peers/heat_cases.py --skip '^(sort|percentile) .*f32' --json "$out/heat-1.json"
	step heat-2 $mpi "$py" $peers/heat_cases.py --skip '^(sort|percentile) .*f32' --json "$out/heat-2.json"
	step heat-process "$py" $peers/heat_cases.py --process --json "$out/heat-process.json"
	step dask "$py" $peers/dask_cases.py --quick --json "$out/dask.json"
	step mpi4py-2 $mpi "$py" $peers/mpi4py_cases.py --json "$out/mpi4py-2.json"
	step pylops-2 $mpi "$py" $peers/pylops_cases.py --json "$out/pylops-2.json"
fi

"$bin/bench" report -plots "$out/plots" -html "$out/report.html" "$out"/*.json >"$out/report.md"
"$bin/bench" report -goals "$out"/*.json
echo "== $out/report.md, $out/report.html: after $SECONDS s"
