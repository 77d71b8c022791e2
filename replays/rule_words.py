"""What the pages call a setting of the rules and its values, beside the names that logs use."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rummy_audit.rules.rulesets import parameters, presets

SETTINGS: dict[str, Any] = {
    "ace": gettext_lazy("Where the ace stands"),
    "ace_points": gettext_lazy("Points of an ace"),
    "big_gin_bonus": gettext_lazy("Bonus for big gin"),
    "blocked_scoring": gettext_lazy("Points when nobody can play"),
    "box_bonus": gettext_lazy("Bonus for each hand won"),
    "cap": gettext_lazy("Most points of a hand"),
    "card_points": gettext_lazy("What cards count"),
    "correction_bars_knock": gettext_lazy("No knock after a corrected count"),
    "count_correction": gettext_lazy("How a wrong count is put right"),
    "deal_stands": gettext_lazy("The deal stands after the first draw"),
    "dealer_moves": gettext_lazy("Who deals next"),
    "deals": gettext_lazy("Number of deals"),
    "decks": gettext_lazy("Packs of cards"),
    "discard_just_taken": gettext_lazy("Discarding the card just taken"),
    "drop_after_draw": gettext_lazy("Dropping after the draw"),
    "drops": gettext_lazy("Players may drop"),
    "final_discard": gettext_lazy("Going out with a discard"),
    "first_dealer": gettext_lazy("Who deals first"),
    "first_drop": gettext_lazy("Points of a first drop"),
    "first_play": gettext_lazy("Least points of a first play"),
    "first_play_joker": gettext_lazy("A joker in a first play"),
    "first_turn_table": gettext_lazy("When the table may be used"),
    "game_bonus": gettext_lazy("Bonus for the game"),
    "gin_bonus": gettext_lazy("Bonus for gin"),
    "going_rummy": gettext_lazy("Factor for going rummy"),
    "group_joker_replacement": gettext_lazy("What frees a joker in a set"),
    "hand_melds_count": gettext_lazy("Melds still in hand count"),
    "hand_size": gettext_lazy("Size of a hand"),
    "illegal_knock": gettext_lazy("After a knock over the limit"),
    "joker_from_discard": gettext_lazy("Taking a discarded joker"),
    "joker_meld_locked": gettext_lazy("A meld with a joker is locked"),
    "joker_points": gettext_lazy("Points of a joker in hand"),
    "joker_position": gettext_lazy("A joker at the end of a run"),
    "joker_replace_first": gettext_lazy("A joker is replaced before it moves"),
    "joker_replace_from_hand": gettext_lazy("A joker is replaced from the hand"),
    "joker_reuse_new_meld": gettext_lazy("A freed joker goes into a new meld"),
    "jokers_max": gettext_lazy("Most jokers of a group"),
    "jokers_wild": gettext_lazy("Printed jokers are wild"),
    "judge_declarer": gettext_lazy("How a declaration is judged"),
    "judge_defender": gettext_lazy("How the opponent is counted"),
    "judge_knocker": gettext_lazy("How the knocker is counted"),
    "judge_losers": gettext_lazy("How losers are counted"),
    "knock_max": gettext_lazy("Most deadwood to knock with"),
    "layoff_needs_meld": gettext_lazy("Laying off needs an own meld"),
    "layoff_on_gin": gettext_lazy("Laying off on gin"),
    "leave_after_draw": gettext_lazy("Leaving after a draw"),
    "leave_before_draw": gettext_lazy("Leaving before a draw"),
    "limit": gettext_lazy("Limit of the pool"),
    "looking_back": gettext_lazy("Looking back at discards"),
    "loser_counts": gettext_lazy("Which cards of a loser count"),
    "match_target": gettext_lazy("Points that win a match of games"),
    "meld_when": gettext_lazy("When melds are laid"),
    "middle_drop": gettext_lazy("Points of a middle drop"),
    "misdeal_exposed_card": gettext_lazy("Misdeal by an exposed card"),
    "misdeal_not_shuffled": gettext_lazy("Misdeal without a shuffle"),
    "misdeal_wrong_count": gettext_lazy("Misdeal by a wrong count"),
    "misses_to_drop": gettext_lazy("Missed turns until a drop"),
    "missing_card_points": gettext_lazy("Points of a missing card"),
    "natural_wild_pure": gettext_lazy("A wild card in its own place is pure"),
    "naturals_min": gettext_lazy("Least natural cards of a group"),
    "no_drops_points": gettext_lazy("Points of a forbidden drop"),
    "no_lives_points": gettext_lazy("A loser without sequences"),
    "oklahoma_ace": gettext_lazy("An ace as upcard"),
    "one": gettext_lazy("Where the 1 stands"),
    "out_bonus": gettext_lazy("Bonus for going out"),
    "penalty_tiles": gettext_lazy("Tiles drawn as a penalty"),
    "picked_up_bonus": gettext_lazy("Bonus after an illegal knock"),
    "players_max": gettext_lazy("Most players"),
    "players_min": gettext_lazy("Least players"),
    "pool_out": gettext_lazy("When a pool player is out"),
    "premature_draw": gettext_lazy("A card drawn out of turn"),
    "printed_jokers": gettext_lazy("Printed jokers"),
    "pure_min": gettext_lazy("Least pure sequences"),
    "pure_only": gettext_lazy("A loser with one pure sequence alone"),
    "rejoin_max": gettext_lazy("Coming back into a pool"),
    "reshuffle_keeps_top": gettext_lazy("The top discard stays at a reshuffle"),
    "reshuffles_max": gettext_lazy("Most reshuffles"),
    "rummy_first_turn": gettext_lazy("Going rummy on the first turn"),
    "rummy_with_layoffs": gettext_lazy("Going rummy with lay-offs"),
    "run_min": gettext_lazy("Least length of a run"),
    "scoring": gettext_lazy("Who gets the points"),
    "seen_card_bars_knock": gettext_lazy("Knocking after a seen card"),
    "seen_card_offer": gettext_lazy("Who may take a seen card"),
    "sequence_max": gettext_lazy("Most cards of a sequence"),
    "sequence_min": gettext_lazy("Least cards of a sequence"),
    "sequences_min": gettext_lazy("Least sequences"),
    "set_duplicates": gettext_lazy("A suit twice in a set"),
    "set_max": gettext_lazy("Most cards of a set"),
    "set_min": gettext_lazy("Least cards of a set"),
    "shutout": gettext_lazy("What a shutout brings"),
    "shutout_bonus": gettext_lazy("Bonus for a shutout"),
    "split": gettext_lazy("Sharing the prize"),
    "stalemate_call": gettext_lazy("When a stalemate stands"),
    "start_chips": gettext_lazy("Chips at the start"),
    "stock_exhausted": gettext_lazy("When the stock is gone"),
    "stock_floor": gettext_lazy("Cards left in the stock"),
    "target": gettext_lazy("Points that win"),
    "timer_seconds": gettext_lazy("Seconds for a turn"),
    "too_many_wins": gettext_lazy("A hand with too many cards may win"),
    "undercut_bonus": gettext_lazy("Bonus for an undercut"),
    "undercut_on_tie": gettext_lazy("A tie is an undercut"),
    "upcard_joker": gettext_lazy("A joker as first open card"),
    "upcard_joker_takeable": gettext_lazy("Taking a joker that lies open first"),
    "upcard_offer": gettext_lazy("The upcard is offered"),
    "wall": gettext_lazy("After the last card"),
    "wild_anchors": gettext_lazy("A wild card as the only natural card"),
    "wild_if_printed": gettext_lazy("Wild after a printed joker"),
    "wrong_dealer": gettext_lazy("Stopping a wrong dealer"),
    "wrong_declaration": gettext_lazy("After a wrong declaration"),
    "wrong_declaration_points": gettext_lazy("Points of a wrong declaration"),
}

VALUES: dict[str, Any] = {
    "true": gettext_lazy("yes"),
    "false": gettext_lazy("no"),
    "none": gettext_lazy("none"),
    "ace-ten": gettext_lazy("the ace ten"),
    "ace-one": gettext_lazy("the ace one"),
    "clockwise": gettext_lazy("clockwise"),
    "free": gettext_lazy("free"),
    "aces": gettext_lazy("the aces"),
    "printed-only": gettext_lazy("printed jokers only"),
    "redraw": gettext_lazy("turn another card"),
    "bury": gettext_lazy("buried"),
    "keep": gettext_lazy("kept"),
    "low": gettext_lazy("low"),
    "high": gettext_lazy("high"),
    "high-or-low": gettext_lazy("low or high"),
    "round-corner": gettext_lazy("also round the corner"),
    "declared": gettext_lazy("as shown"),
    "best": gettext_lazy("by the best grouping"),
    "continue": gettext_lazy("the others play on"),
    "end": gettext_lazy("the hand ends"),
    "reshuffle": gettext_lazy("reshuffled"),
    "void": gettext_lazy("the hand is void"),
    "lowest-wins": gettext_lazy("the lowest hand wins"),
    "first": gettext_lazy("a first drop"),
    "middle": gettext_lazy("a middle drop"),
    "ungrouped": gettext_lazy("those outside all groups"),
    "unsequenced": gettext_lazy("those outside sequences"),
    "capped-sum": gettext_lazy("all cards, up to the most"),
    "flat": gettext_lazy("always the most"),
    "count-all": gettext_lazy("all cards count"),
    "spare-pure": gettext_lazy("the pure sequence is spared"),
    "reach": gettext_lazy("at the limit"),
    "exceed": gettext_lazy("beyond the limit"),
    "auto": gettext_lazy("by rule"),
    "agreed": gettext_lazy("as they agree"),
    "winner": gettext_lazy("the winner"),
    "loser": gettext_lazy("the loser"),
    "until-upcard": gettext_lazy("until the upcard"),
    "until-draw": gettext_lazy("until the first draw"),
    "draw": gettext_lazy("the hand is dead"),
    "last-upcard": gettext_lazy("one knock with the upcard"),
    "upcard": gettext_lazy("as the upcard says"),
    "stands": gettext_lazy("kept"),
    "draw-or-discard": gettext_lazy("by drawing or discarding"),
    "unless-gin": gettext_lazy("only for gin"),
    "always": gettext_lazy("always barred"),
    "never": gettext_lazy("never"),
    "opponent-first": gettext_lazy("the opponent first"),
    "lose-draw": gettext_lazy("loses the next draw"),
    "allowed": gettext_lazy("allowed"),
    "opponent-chooses": gettext_lazy("the opponent chooses"),
    "add": gettext_lazy("a bonus of its own"),
    "double": gettext_lazy("the game bonus doubled"),
    "anytime": gettext_lazy("on any turn"),
    "going-out": gettext_lazy("only when going out"),
    "required": gettext_lazy("needed"),
    "optional": gettext_lazy("not needed"),
    "turn-over": gettext_lazy("turned over unshuffled"),
    "hand-ends": gettext_lazy("the hand ends"),
    "block": gettext_lazy("the hand ends, all are charged"),
    "detected": gettext_lazy("when nothing can be laid off"),
    "after-exhaustion": gettext_lazy("after the stock has run out"),
    "table": gettext_lazy("when the table says so"),
    "winner-takes": gettext_lazy("the winner takes them"),
    "charged": gettext_lazy("each is charged"),
    "literal": gettext_lazy("read by its place"),
    "represented": gettext_lazy("what it stands for"),
    "zero": gettext_lazy("nothing"),
    "not-allowed": gettext_lazy("not allowed"),
    "next-turn": gettext_lazy("from the next turn"),
    "after-minimum": gettext_lazy("once enough is laid"),
    "either": gettext_lazy("either colour"),
    "both": gettext_lazy("both colours"),
    "play-on": gettext_lazy("they play on"),
    "as-won": gettext_lazy("as if the lowest had gone out"),
    "difference": gettext_lazy("the difference"),
}


def setting(name: str) -> str:
    """Return what a setting is called; of several with commas between, each.

    >>> setting("wrong_declaration_points")
    'Points of a wrong declaration'
    """
    return ", ".join(str(SETTINGS.get(each, each)) for each in name.split(", "))


def choices(family: str) -> list[tuple[str, str]]:
    """Return the settings of a game with what they are called, in the order of the words."""
    return sorted(((name, setting(name)) for name in parameters(family)), key=lambda each: each[1])


def value(of: object) -> str:
    """Return a value of a setting in words; numbers stay.

    >>> value(True), value("round-corner"), value(80), value(None)
    ('yes', 'also round the corner', '80', 'none')
    """
    if of is None:
        return _("none")
    written = str(of).lower() if isinstance(of, bool) else str(of)
    return str(VALUES.get(written, written))


def preset(pinned: str) -> str:
    """Return a preset's title, or the name of a club's own rules as it stands.

    >>> preset("gin@1"), preset("gin"), preset("house@2")
    ('Gin rummy', 'Gin rummy', 'house@2')
    """
    titles = {each.name: each.title for each in presets().values()}
    titles |= {name.partition("@")[0]: title for name, title in titles.items()}
    return titles.get(pinned, pinned)
