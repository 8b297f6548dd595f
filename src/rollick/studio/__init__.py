"""The studio: a local web page on which systems are chosen, changed, run, watched and compared (`rollick studio`).

What it knows is in plain modules that need no web library: `state` (what is on the page, with undo), `systems` and `own_body` (what can be chosen),
`sliders`, `address`, `snippet`, `study` (the state as sliders, a URL, Python, TOML), `limits`, `compute` (what a worker does), `curves` and `maps`
(pictures as plain data), `pool` (worker processes), `guard` (who may ask). `server` and `page` put them on the screen, with NiceGUI.
"""
