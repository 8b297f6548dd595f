"""How the documentation is built: `make docs` writes it to build/docs; build/docs/index.html opens from the disk, without a network."""

import importlib.util
import shutil
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path[:0] = [str(DOCS), str(DOCS.parent / "src")]

from _make import navigation, pages  # noqa: E402

from rollick.version import __version__  # noqa: E402

project, author, release = "Rollick", "The Rollick developers", __version__
copyright = "The Rollick developers"

extensions = ["myst_parser", "sphinx.ext.mathjax", "sphinx_design", "sphinx_copybutton"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_make", "_build", "generated/extra", "generated/gallery.md", "**/.ipynb_checkpoints"]
nitpicky = True
nitpick_ignore_regex = [
    ("py:(class|obj|exc|data)", r"(?!rollick\.).*"),
    ("py:class", r".*"),
]  # types in signatures are written short, and many are NumPy's
suppress_warnings = ["ref.python"]  # a short type in a signature may fit several classes; the nearest is linked
python_maximum_signature_line_length = 100
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"
add_module_names = False
highlight_language = "none"
default_role = None
smartquotes_action = "qe"  # no dashes from hyphens: "--json" is an option

myst_enable_extensions = ["amsmath", "attrs_block", "attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 5
myst_dmath_allow_labels = True

html_theme = "furo"
html_title = f"Rollick {__version__}"
html_static_path = ["_static"]
html_extra_path = ["generated/extra"]
(DOCS / "generated" / "extra").mkdir(parents=True, exist_ok=True)  # Sphinx looks before `write_pages` fills it
html_css_files = ["look.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "sidebar_hide_name": False,
    "light_css_variables": {"color-brand-primary": "#1f6fa8", "color-brand-content": "#1f6fa8"},
    "dark_css_variables": {"color-brand-primary": "#74b9e6", "color-brand-content": "#74b9e6"},
}
pygments_style, pygments_dark_style = "friendly", "github-dark"
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = False

# Formulas: MathJax, one file that draws with curves of its own, so that neither a network nor fonts are needed.
mathjax_path = "mathjax.js"
MATHJAX = "sphinx-mathjax-offline"


def put_mathjax(app, error):
    """Copy the one file of MathJax beside the pages."""
    if error is None and app.builder.format == "html":
        found = importlib.util.find_spec(MATHJAX)
        if found is None or not found.submodule_search_locations:
            raise RuntimeError(f"{MATHJAX} is missing: pip install 'rollick[docs]'")
        source = Path(found.submodule_search_locations[0]) / "static" / "mathjax" / "tex-svg-full.js"
        shutil.copyfile(source, Path(app.outdir) / "_static" / "mathjax.js")


MAY_BE_MISSING = ("tutorials/index", "theory/index", "errata")


def list_the_folder(app, name, source):
    """The menu leaves out what is not there; an index page of a folder that lists its pages in words only has them in the menu, too."""
    if name == "index":
        missing = [f"{page}\n" for page in MAY_BE_MISSING if not (DOCS / f"{page}.md").exists()]
        source[0] = "".join(line for line in source[0].splitlines(keepends=True) if line not in missing)
    elif name in MAY_BE_MISSING[:2] and "{toctree}" not in source[0]:
        source[0] += "\n\n```{toctree}\n:hidden:\n:glob:\n\n*\n```\n"


def write_pages(app):
    """Write what comes from the code."""
    pages.write()


def setup(app):
    app.connect("builder-inited", write_pages)
    app.connect("source-read", list_the_folder)
    app.connect("html-page-context", navigation.use_titles, priority=400)  # before the theme makes the menu
    app.connect("build-finished", put_mathjax)
