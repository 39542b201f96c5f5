#!/usr/bin/env bash
# Makes a virtual environment with the peers: bench/peers/setup.sh DIR
#
# It needs python3 with venv, and an MPI for mpi4py (any that mpirun belongs to).
# Where a torch for processors only can be had, install it into DIR before:
# requirements are then satisfied without the large wheel.
set -euo pipefail
dir=${1:?usage: setup.sh DIR}
[ -x "$dir/bin/pip" ] || python3 -m venv "$dir"
"$dir/bin/pip" install --quiet --no-cache-dir -r "$(dirname "$0")/requirements.txt"
"$dir/bin/python" - <<'EOF'
import heat, torch, numpy, dask, mpi4py, pylops_mpi
print("heat", heat.__version__, "torch", torch.__version__, "numpy", numpy.__version__,
      "dask", dask.__version__, "mpi4py", mpi4py.__version__)
EOF
