"""An ensemble on hosts that are reached by SSH: the first runs the scheduler, each of the others a worker.

    python examples/clusters/ssh.py head node1 node2

Needs `pip install rollick[cluster] asyncssh` here and Rollick on all hosts, keys instead of passwords, and a store that all of them reach. Each worker compiles once, into its own cache
(ROLLICK_CACHE_DIR); `rollick warm` on each host does it ahead of time.
"""

import sys

import numpy as np
from dask.distributed import Client, SSHCluster

from rollick import Rattleback
from rollick.ensemble import Grid, ReversalTime, ensemble


def main(hosts: list[str], folder: str = "stones.zarr") -> None:
    """Times of reversal over asymmetry and spin, by the workers on these hosts."""
    options = {
        "connect_options": {"known_hosts": None},
        "worker_options": {"nthreads": 1},
        "scheduler_options": {"dashboard": False},
    }
    with SSHCluster(hosts, **options) as cluster, Client(cluster) as client:
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
    if len(sys.argv) < 3:
        sys.exit("name the hosts: the scheduler's first, then those of the workers")
    main(sys.argv[1:])
