"""`rollick sweep STUDY.toml`: many motions, as a file says; broken off, it goes on where it was."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .output import deliver, print_json


def sweep(
    study: Annotated[Path, typer.Argument(metavar="STUDY.toml", help="The study: model, what varies, what is kept.")],
    store: Annotated[
        str | None,
        typer.Option("--store", metavar="FOLDER", help="Where finished chunks are kept (default: beside the study, STUDY.zarr)."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what is in the store.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Compute a few members only, and say what all of them will cost.")
    ] = False,
    workers: Annotated[
        int | None, typer.Option("--workers", metavar="N", help="Threads, or processes (default: all cores).")
    ] = None,
    on: Annotated[
        str, typer.Option("--on", help="threads, cuda, processes, or the address of a Dask scheduler (tcp://HOST:PORT).")
    ] = "threads",
    verify: Annotated[
        bool,
        typer.Option(
            "--verify", help="Simulate 8 members alone as well, and say how far they agree and how many digits they have."
        ),
    ] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")] = False,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE.nc", help="Write the result to a netCDF file.")] = None,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw the result (.png, .pdf, .svg).")] = None,
) -> None:
    """Many motions over parameters and starts, kept as they are computed."""
    from ..archetypes.sweep_file import read_sweep
    from ..ensemble.call import ensemble
    from ..ensemble.cost import estimate
    from ..kernel.names import InputError
    from .simulate import PICTURES, writable

    asked = read_sweep(study)
    writable(out, "--out", (".nc",))
    writable(plot, "--plot", PICTURES)
    if dry_run:
        told = estimate(asked.source, asked.members, workers=workers, **asked.options)
        if json_:
            print_json(told)
        else:
            print(
                f"{asked.title}: {told['members']} members, {told['seconds_each']:.3g} s each on one core ({told['tried']} tried: {told['ended']}); "
                f"about {told['seconds']:.3g} s on {told['workers']} threads."
            )
        return
    place = store or asked.store
    there = "://" not in place and (Path(place) / "about.json").exists()
    if there and not resume:
        raise InputError(f"{place} holds results already; add --resume to go on with them, or name another folder with --store.")
    if on in ("threads", "cuda"):
        result = ensemble(asked.source, asked.members, store=place, workers=workers, on=on, verify=verify, **asked.options)
    elif on == "processes":
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
            result = ensemble(asked.source, asked.members, store=place, on=pool, verify=verify, **asked.options)
    elif "://" in on:
        try:
            from distributed import Client
        except ImportError:
            raise InputError("--on an address needs Dask: pip install 'rollick[cluster]'.") from None
        with Client(on, timeout="30s") as client:
            result = ensemble(asked.source, asked.members, store=place, on=client, verify=verify, **asked.options)
    else:
        raise InputError(f"--on {on}: take threads, cuda, processes, or the address of a Dask scheduler such as tcp://host:8786.")
    result.of_model(asked.source.name)
    result.shown = asked.show
    raise typer.Exit(deliver(result, result.to_dict() if json_ else None, out, plot, None, title=asked.title))
