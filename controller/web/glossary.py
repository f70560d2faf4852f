"""The glossary of each game, made of the words of the screens.

    python -m controller.web.glossary docs/table/glossary.md

Each game lists its terms by their messages; what stands on the page is what the screens show.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from controller.web.words import OURS, ours

HEAD = """# Glossary

What the screens call things, by game, in each language. **No native speaker has confirmed these words**; a house
[corrects](languages.md#correct-a-word) what is wrong by the name in the first column. This page is made of the files in
`controller/web/languages/` by `make glossary`: change them, not it.

Names that the trade has in English stay as they are in every language, among them Dragon 7 and Panda 8 (in Chinese
with the animal's own word), Fortune, Envy, Kum-Kum, Buster, Pair Plus, kill, straddle, and the names of games. Tagalog
keeps most words of the game in English, as tables do.
"""

GAMES: Mapping[str, tuple[str, ...]] = {
    "Every game": (
        *(
            "who-seat",
            "who-player-dealer",
            "who-dealer",
            "page-floor",
            "page-shoe",
            "page-cut-card-is-out",
            "page-round",
        ),
        *("said-bets", "label-close-bets", "said-burn", "posted-collection", "payer-total-per", "verdict-win"),
        *(
            "verdict-lose",
            "verdict-push",
            "said-void",
            "said-held",
            "label-void",
            "label-take-back",
            "page-pay-and-take",
        ),
    ),
    "Baccarat": (
        *("who-player", "who-banker", "who-tie", "page-naturals", "said-wins", "said-draws", "bet-player-line"),
        *("bet-banker-line", "bet-dragon-seven", "bet-panda-eight", "mark-player-pair", "mark-banker-pair"),
        *("page-big-road", "page-big-eye-boy", "page-small-road", "page-cockroach-pig", "page-bead-plate"),
    ),
    "Blackjack": (
        *("act-hit", "act-stand", "act-double", "act-split", "act-surrender", "act-insurance", "act-rescue"),
        *("hand-soft", "hand-hard", "said-pd-natural", "said-pd-over", "act-double-behind"),
    ),
    "Poker": (
        *("act-fold", "act-check", "act-call", "act-bet", "act-raise", "act-all-in", "act-show", "act-muck"),
        *(
            "act-straddle",
            "act-bring-in",
            "act-complete",
            "pot-main",
            "pot-side",
            "bet-ante",
            "bet-blind",
            "label-button",
        ),
        *("street-flop", "street-turn", "street-river", "structure-no-limit", "structure-pot-limit", "structure-limit"),
        *("act-discard", "act-stand-pat", "label-kill", "label-buy-in"),
    ),
    "Hands": (
        *("hand-royal-flush", "hand-plain-straight-flush", "hand-plain-four", "hand-plain-full-house"),
        *("hand-plain-flush", "hand-plain-straight", "hand-plain-three", "hand-plain-two-pair", "hand-pair"),
        *("hand-high", "rank-ace", "rank-king", "rank-queen", "rank-jack"),
    ),
    "Pai gow poker and tiles": (
        *(
            "bet-pai-gow",
            "ask-two-front",
            "ask-house-way",
            "act-choose-pile",
            "verdict-foul",
            "bet-fortune",
            "bet-envy",
        ),
        *("bet-proposition", "bet-dai-su", "ask-two-tiles", "tile-teen", "tile-day", "tile-gee-joon", "tile-wong"),
    ),
    "Ultimate, Three Card, Caribbean": (
        *("bet-ante", "bet-blind", "bet-trips", "bet-play", "bet-pair-plus", "said-pd-not-qualify", "act-bet-x-money"),
    ),
    "Panguingue and Chinese Poker": (
        "act-meld",
        "act-out",
        "act-drop",
        "act-clean-sweep",
        "ask-chinese",
        "said-goes-out",
    ),
}

_PLAIN = re.compile(r"^([a-z][\w-]*) = (.+)$", re.MULTILINE)


def glossary() -> str:
    """The page."""
    words = {tag: dict(_PLAIN.findall(ours(tag))) for tag in OURS}
    return "\n".join([HEAD, *(line for game, names in GAMES.items() for line in _table(game, names, words))])


def _table(game: str, names: tuple[str, ...], words: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    yield f"## {game}\n"
    yield f"| message | {' | '.join(words[tag]['page-language'] for tag in OURS)} |"
    yield "|---" * (len(OURS) + 1) + "|"
    for name in names:
        yield f"| `{name}` | {' | '.join(_shown(words[tag][name]) for tag in OURS)} |"
    yield ""


def _shown(pattern: str) -> str:
    """Arguments as three dots."""
    return re.sub(r"\{ \$\w+ \}", "…", pattern)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(glossary(), "utf-8")
