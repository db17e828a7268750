"""English words for search: their stems, with the irregular forms that rules can't reach."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from threading import Lock

_ONE_AT_A_TIME = Lock()
"""Snowball keeps the word it works on in itself."""
_IRREGULAR = """
be was were been am is are; beat beaten; become became; begin began begun; bite bit bitten; blow blew blown; break broke broken; bring brought;
build built; burn burnt; buy bought; catch caught; choose chose chosen; come came; creep crept; deal dealt; dig dug; do did done does; draw drew drawn;
dream dreamt; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; fly flew flown;
forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; get got gotten; give gave given; go went gone goes; grow grew grown; hang hung;
have had has; hear heard; hide hid hidden; hold held; keep kept; know knew known; lay laid; lead led; learn learnt; lend lent; lose lost;
make made; mean meant; meet met; pay paid; ride rode ridden; ring rang rung; rise rose risen; run ran; say said; see saw seen; sell sold; send sent;
shake shook shaken; shine shone; shoot shot; show shown; shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat; sleep slept; speak spoke spoken;
spend spent; stand stood; steal stole stolen; stick stuck; strike struck; swear swore sworn; swim swam swum; take took taken; teach taught; tell told;
think thought; throw threw thrown; understand understood; wake woke woken; wear wore worn; win won; write wrote written; withdraw withdrew withdrawn;
child children kid; foot feet; goose geese; man men; mouse mice; person people; tooth teeth; woman women; wife wives; life lives; knife knives; leaf leaves;
good better best; bad worse worst; mom mum mother mama; dad father; photo photograph pic picture; tv television; bike bicycle; fridge refrigerator;
favorite favourite fave; color colour; movie film; program programme; center centre; gray grey; realise realize; organise organize
"""


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Returns the stem of an English word in lower case (Snowball's `english`, Porter 2); other words stay as they are.

    >>> [stem(word) for word in ("running", "went", "children", "pg16")]
    ['run', 'go', 'child', 'pg16']
    """
    if len(word) < 3 or not (word.isascii() and word.isalpha()):
        return word
    base = _base_forms().get(word)
    if base is None:
        plain = _stemmed(word)
        base = _base_forms().get(plain, plain)
    return base


def roots(base: str) -> tuple[str, ...]:
    """Returns texts, one of which at least every word with this stem has in it: for looking into texts that are not cut into words.

    >>> roots("go"), roots("happi"), roots("pg16")
    (('go', 'goes', 'gone', 'went'), ('happ',), ('pg16',))
    """
    if len(base) < 2 or not (base.isascii() and base.isalpha()):
        return (base,)
    others = _other_forms().get(base, ())
    return (base[:-1] if len(base) > 3 and base[-1] in "eiy" else base, *others)


@lru_cache(maxsize=1)
def _other_forms() -> dict[str, tuple[str, ...]]:
    forms: dict[str, list[str]] = {}
    for form, base in sorted(_base_forms().items()):
        if form != base:
            forms.setdefault(base, []).append(form)
    return {base: tuple(others) for base, others in forms.items()}


@lru_cache(maxsize=1)
def _base_forms() -> dict[str, str]:
    groups = (group.split() for group in _IRREGULAR.replace("\n", " ").split(";"))
    return {form: _stemmed(group[0]) for group in groups for form in group}


def _stemmed(word: str) -> str:
    with _ONE_AT_A_TIME:
        return _stemmer()(word)


@lru_cache(maxsize=1)
def _stemmer() -> Callable[[str], str]:
    import snowballstemmer

    stem_word: Callable[[str], str] = snowballstemmer.stemmer("english").stemWord
    return stem_word
