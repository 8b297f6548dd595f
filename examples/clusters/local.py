"""An ensemble on a Dask cluster of this machine: two worker processes, results in a Zarr store.

    python examples/clusters/local.py [FOLDER]

The same script serves any cluster: only the line that makes the client differs (see ssh.py and slurm.py).
"""

import sys

import numpy as np
from dask.distributed import Client, LocalCluster

from rollick import Rattleback
from rollick.ensemble import Grid, ReversalTime, ensemble


def main(folder: str = "stones.zarr") -> None:
    """Times of reversal over asymmetry and spin; kill it and start it again: it goes on."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        found = ensemble(
            Rattleback(),
            Grid(D=np.linspace(-6e-5, -1e-5, 8), omega3=np.linspace(-8.0, -2.0, 8)),
            until=20.0,
            start={"alpha": "0.5deg", "beta": "0.5deg"},
            keep=[ReversalTime(stop=True)],
            store=folder,
            on=client,
        )
    print(found)


if __name__ == "__main__":
    main(*sys.argv[1:])
