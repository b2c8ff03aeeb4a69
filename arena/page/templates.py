"""Templates of pages, filled by Jinja2: every value is escaped unless it is `Markup`.

The templates lie beside the modules that use them; a page elsewhere may extend those of this
folder.
"""

from functools import cache
from importlib import resources

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from ..util.output import shown

__all__ = ["render", "text_of"]


def render(package: str, name: str, **values: object) -> Markup:
    """Returns a template of a package (or of this one) filled with values.

    A character that nobody can see is spelled, as \\x1b. A name that the template knows and
    `values` does not is an error of jinja2.
    """
    return Markup(_environment(package).get_template(name).render(values))


@cache
def _environment(package: str) -> Environment:
    made = Environment(
        loader=FunctionLoader(lambda name: _source(package, name)),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_spelled,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    return made


def text_of(package: str, name: str) -> str:
    """Returns a file of a package."""
    return resources.files(package).joinpath(name).read_text(encoding="utf-8")


def _source(package: str, name: str) -> str | None:
    for place in (package, __package__):
        if resources.files(place).joinpath(name).is_file():
            return text_of(place, name)
    return None


def _spelled(value: object) -> object:
    return shown(value) if isinstance(value, str) and not isinstance(value, Markup) else value
