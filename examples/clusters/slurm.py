"""An ensemble by the jobs of Slurm, through dask-jobqueue: each job is a worker; a job that is killed takes no finished work with it.

    python examples/clusters/slurm.py --script     print the job script, and submit nothing
    python examples/clusters/slurm.py              submit ten jobs, compute, and end them

Needs `pip install rollick[cluster] dask-jobqueue`. A chunk is a few seconds of work or more, so that a job may end at its time limit at any moment.
"""

import sys

import numpy as np
from dask.distributed import Client
from dask_jobqueue import SLURMCluster

from rollick import Rattleback
from rollick.ensemble import Grid, ReversalTime, ensemble

JOBS = 10


def cluster() -> SLURMCluster:
    """What a job is: one node's part of 16 cores, an hour, its compiled code in the user's own folder."""
    return SLURMCluster(
        cores=16,
        processes=1,
        memory="32GB",
        walltime="01:00:00",
        job_extra_directives=["--requeue"],
        job_script_prologue=["export ROLLICK_CACHE_DIR=$HOME/.cache/rollick ROLLICK_QUIET=1", "rollick warm"],
        scheduler_options={"dashboard": False},
    )


def main() -> None:
    """Times of reversal over asymmetry and spin."""
    with cluster() as jobs, Client(jobs) as client:
        jobs.scale(jobs=JOBS)
        found = ensemble(
            Rattleback(),
            Grid(D=np.linspace(-6e-5, -1e-5, 300), omega3=np.linspace(-8.0, -2.0, 300)),
            until=20.0,
            start={"alpha": "0.5deg", "beta": "0.5deg"},
            keep=[ReversalTime(stop=True)],
            store="stones.zarr",
            on=client,
        )
    print(found)


if __name__ == "__main__":
    if "--script" in sys.argv[1:]:
        with cluster() as described:
            print(described.job_script())
    else:
        main()
