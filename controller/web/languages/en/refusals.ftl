## Why something is refused

why-it-is-seat-s-turn = it is seat { $seat }'s turn
why-it-is-seat-s-turn-1 = it is seat { $seats }'s turn
why-is-not-offered = { $said }; '{ $name }' is not offered
why-no-more-bets = no more bets; { $said }
why-the-table-waits-for-something = the table waits for something else: { $said }
why-the-table-waits = the table waits: { $said }
why-that-was-asked-before-now = that was asked before; now: { $said }
why-has-cards-to-name = { $who } has { $n } cards to name
why-the-wagers-cannot-be-closed = the wagers cannot be closed yet
why-the-player-dealer-s-wager = the player-dealer's wager cannot be negative
why-a-wager-cannot-be-negative = a wager cannot be negative
why-is-not-a-betting-place = '{ $name }' is not a betting place
why-seat-does-not-take-part = seat { $seat } does not take part in this round
why-dice-show-1-to-6 = { $n } dice show 1 to 6 each
why-a-card-left-before-the = a card left before the fees were in the box
why-the-dice-cup-was-opened = the dice cup was opened before the fees were in the box
why-cards-belong-into-the-pack = { $n } cards belong into the pack
why-is-not-offered-there-is = '{ $bet }' is not offered; there is { $bets }
why-is-not-for-seat = { $bet } is not for seat { $seat }
why-is-not-open-at-this = { $bet } is not open at this table
why-not-behind-seat-only-on = { $bet }: not behind seat { $seat }, only on its own betting spot
why-a-seat-has-spots-for = { $bet }: a seat has { $n } spots for it
why-needs-on-the-same-place = { $bet } needs { $bets } on the same place
why-must-equal-the-wager = { $bet } must equal the { $bet2 } wager
why-one-on-a-place-and = { $bet }: one on a place, and it is there already
why-may-not-be-above-the = { $bet } may not be above the { $bet2 } wager
why-at-least = { $bet }: at least { $money }
why-at-most = { $bet }: at most { $money }
why-in-steps-of = { $bet }: in steps of { $money }
why-seat-at-most-in-all = seat { $seat }: at most { $money } in all
why-all-on-one-square-bet = { $bet }: all on one square bet the same
why-seat-plays-hands-already-more = seat { $seat } plays { $n } hands already; more need the manager's and the player-dealer's approval
why-seat-plays-1-hand-already = seat { $seat } plays 1 hand already; more need the manager's and the player-dealer's approval
why-the-hand-must-be-opened = the hand must be opened
why-seat-has-in-all-for = seat { $seat } has { $money } in all for this round
why-no-raise-here-call-or = no raise here: call or fold
why-the-bring-in-is-not = the bring-in is not a full bet: complete it, call or fold
why-there-is-a-bet-to = there is a bet to call, raise or fold to
why-nothing-is-bet = nothing is bet
why-nothing-is-bet-bet-do = nothing is bet: bet, do not raise
why-there-is-a-bet-raise = there is a bet: raise it, call or fold
why-say-how-much = { $act }: say how much
why-not = { $act }, not { $money }
why-to-at-least = { $act } to at least { $money }
why-to-at-most = { $act } to at most { $money }
why-at-least-45 = at least { $money }
why-at-most-46 = at most { $money }
why-choose-a-pile-from-1 = choose a pile from 1 to { $n }
why-name-to-cards-given = { $act }: name { $n } to { $n2 } cards, { $n3 } given
why-is-not-among-the-cards = { $card } is not among the cards to choose from
why-this-card-was-not-read = this card was not read; a reveal must name it first
why-the-floor-may = the floor may { $acts }
why-the-floor-holds-the-table = the floor holds the table
why-no-round-is-being-dealt = no round is being dealt; there is nothing to void
why-a-card-left-the-shoe = a card left the shoe while it was locked
why-the-round-is-void-begin = the round is void; begin the next one
why-a-card-left-the-shoe-after = a card left the shoe after the round was void
why-a-card-left-the-shoe-but = a card left the shoe, but { $said }
why-finish-or-void-the-round = finish or void the round before a new shoe
why-finish-or-void-the-round-first = finish or void the round first
why-the-shoe-is-empty-after = the shoe is empty after { $n } cards; { $n2 } were shuffled and counted
why-cards-have-left-the-shoe = { $n } cards have left the shoe; { $n2 } were shuffled and counted
why-cards-were-shuffled-and-counted = { $n } cards were shuffled and counted, { $n2 } were put into the shoe
why-cards-were-counted-belong-into = { $n } cards were counted, { $n2 } belong into the pack
why-decks-are-in-the-shoe = { $n } decks are in the shoe, { $n2 } belong there
why-the-cards-come-in-the = the cards come in the order of a new deck
why-the-cards-come-in-the-order = the cards come in the order of a new deck, backwards
why-the-shoe-repeats-itself = the shoe repeats itself
why-the-cards-come-as-in = the cards come as in an earlier shoe
why-the-player-dealer-s-wager-was = the player-dealer's wager was not posted: his fee is not known
why-no-rule-is-posted-by = no rule is posted by which the fees of a hand may be waived
why-the-fees-of-this-hand = the fees of this hand are waived
why-fees-are-waived-before-the = fees are waived before the first card
why-fees-are-waived-before-the-player = fees are waived before the player-dealer's hand is exposed
why-the-player-dealer-s-burn = the player-dealer's burn of this shoe is used
why-this-room-seats-players-at = this room seats { $n } players at a table, and { $n2 } are set
why-this-room-seats-players-at-a = this room seats { $n } players at a table, the player-dealer among them, and { $n2 } are set

## The bank

why-state-why-and-after-what = state why and after what time it resumes
why-the-position-is-not-offered = the position is not offered to { $places }
why-cannot-take-the-position-and = { $places } cannot take the position and decline it
why-offer-it-to-first-or = offer it to { $places } first, or state that they declined
why-the-player-dealer-may-deal = the player-dealer may deal on; name who takes over
why-nobody-is-left-to-ask = nobody is left to ask; { $said }
why-had-hands-in-a-row = { $places } had { $n } hands in a row: somebody else must bank first
why-may-not-bank-the-next = { $places } may not bank the next hand
why-this-game-has-no-player = this game has no player-dealer's position that rotates
why-the-position-moves-between-hands = the position moves between hands only

## Corrections and taking back

why-the-round-is-over-the = the round is over; the floor corrects it
why-the-round-began-with-it = the round began with it; the floor may void the round
why-a-card-was-exposed-by = a card was exposed by it; the floor corrects it
why-money-was-settled-by-it = money was settled by it; the floor corrects it
why-something-has-happened-since-the = something has happened since; the floor corrects it
why-did-it-and-takes-it = { $name } did it, and takes it back; or the floor corrects it
why-nothing-would-be-left-of = nothing would be left of the round; void it instead
why-taken-back = taken back

## The table's settings

why-rules-seats-and-limits-change = rules, seats and limits change between rounds only
why-rules-and-limits-change-between = rules and limits change between rounds only
why-seats-and-player-dealer-change = seats and player-dealer change between rounds only
why-a-seat-is-named-twice = a seat is named twice; name each seat once
why-the-least-wager-would-be = the least wager would be above the greatest
why-this-table-plays-no-other = this table plays no other rules than its own
why-the-table-is-open = the table is open
why-state-what-was-found = state what was found
why-it-is-cleared-when = it is cleared when { $said }
why-has-acknowledged-it-before = { $name } has acknowledged it before
why-poker-needs-two-players-seat = poker needs two players: seat another
why-nobody-has-the-button-say = nobody has the button: say who has it
why-no-betting-structure-is-posted = no betting structure is posted: choose one
why-no-bring-in-is-posted = no bring-in is posted, and there is no blind to take it from: set one of them
why-chinese-poker-needs-two-players = Chinese Poker needs two players: seat another
why-nobody-has-the-buttons-say = nobody has the buttons: say who has them
why-panguingue-needs-two-players-seat = Panguingue needs two players: seat another
why-fewer-than-two-players-are = fewer than two players are dealt in
why-the-upper-limit-is-below = the upper limit ({ $n }) is below the lower one ({ $n2 })
why-seat-is-not-in-the = { $name }: seat { $seat } is not in the game; seats are { $seats }
why-set-the-player-dealer-and = set the player-dealer and the seats, 1 to { $n }
why-set-the-seats-that-take = set the seats that take part
why-the-game-is-played-by = the game is played by { $n } to { $n2 } players, { $n3 } are here
why-no-seat-has-an-ante = no seat has an ante
why-no-seat-has-an-ante-and = no seat has an ante and an equal blind
why-no-seat-has-a-pai = no seat has a Pai Gow wager
why-no-seat-has-a-wager = no seat has a wager
why-no-circle-has-a-wager = no circle has a wager

## Acts of the games

why-seat-has-bet-a-play = seat { $seat } has bet; a play wager is final
why-seat-has-drawn-a-card = seat { $seat } has drawn a card
why-seat-may-not-double-this = seat { $seat } may not double this hand
why-seat-may-not-split-this = seat { $seat } may not split this hand
why-seat-may-not-surrender-this = seat { $seat } may not surrender this hand
why-seat-has-and-must-hit = seat { $seat } has { $hand } and must hit
why-seat-has-and-must-stand = seat { $seat } has { $hand } and must stand
why-against-this-up-card-a = against this up card a hand may only hit or stand
why-insurance-is-not-offered-at = insurance is not offered at this table
why-seat-has-hands-no-more = seat { $seat } has { $n } hands; no more splits
why-seat = seat { $seat }: { $act }
why-the-two-cards-in-front = the two cards in front must be lower than the five behind; set the hand again
why-two-cards-go-in-front = two cards go in front
why-name-two-different-cards-of = name two different cards of this hand
why-the-table-has-no-chart = the table has no chart for the house way; name the two cards that go in front
why-the-chart-of-the-house = the chart of the house puts other cards in front
why-the-house-way-has-no = the house way has no row for this hand
why-seat-the-two-cards-in = seat { $seat }: the two cards in front are not lower than the five behind; the hand is foul
why-that-is-not-a-card = that is not a card
why-a-card-that-does-not = a card that does not belong to this deck
why-a-card-of-which-every = a card of which every copy is out already
why-a-card-was-not-read = { $who }: a card was not read; key it
why-no-hand-is-being-dealt = no hand is being dealt
why-no-hand-is-being-played = no hand is being played
why-the-seat-is-not-in = the seat is not in the hand
why-that-seat-has-no-wager = that seat has no wager
why-that-seat-has-no-card = that seat has no card yet
why-it-is-not-that-seat = it is not that seat's turn
why-name-the-cards = name the cards
why-say-which-seat = say which seat
why-say-how-much-153 = say how much
why-that-seat-has-not-opened = that seat has not opened the pot
why-a-card-is-named-that = a card is named that this hand does not hold
why-that-card-is-not-in = that card is not in the seat's hand
why-chips-are-due-from-each = { $n } chips are due from each active player
why-eleven-cards-lie-in-melds = eleven cards lie in melds: go out

## Beside the rounds

why-name-the-seat-of-the = name the seat of the player
why-name-the-seat-of-a = name the seat of a player who is away
why-seat-is-away-already = seat { $seat } is away already
why-seat-is-not-in-the-game = seat { $seat } is not in the game
why-the-shuffling-machine-does-not = the shuffling machine does not work; shuffle it by hand
why-the-deck-is-cut-before = the deck is cut before the first card leaves it
why-cut-again-at-least-cards = cut again: at least { $n } cards from the top and from the bottom of { $n2 }
why-the-buy-in-is-or = the buy-in is { $money } or more
why-a-short-re-buy-is = a short re-buy is { $money } or more
why-chips-are-put-in-front = chips are put in front between two hands: only what was there when the cards came plays
why-this-game-is-not-played = this game is not played with stacks
why-a-seat-is-taken-away = a seat is taken away between rounds only
why-the-game-has-broken-down = the game has broken down
why-nobody-is-signed-on-to = nobody is signed on to deal
why-deals-already = { $name } deals already
why-state-why = state why

## Signing in and sending

why-name-and-pin-do-not = Name and PIN do not fit.
why-this-badge-is-nobody-s = This badge is nobody's here.
why-too-many-people-sign-in = Too many people sign in at once; try again in a moment.
why-too-many-wrong-tries-here = Too many wrong tries here; wait { $n } seconds.
why-name-and-pin-do-not-fit = Name and PIN do not fit. That was one try too many; wait { $n } seconds.
why-this-badge-is-nobody-s-here = This badge is nobody's here. That was one try too many; wait { $n } seconds.
why-nobody-is-on-the-staff = Nobody is on the staff yet: { $name }.
why-send-a-name-or-staff = Send a name or staff number with its PIN, or a badge.
why-the-table-is-starting-try = The table is starting; try again.
why-only-a-device-can-report = Only a device can report that.
why-a-dealer-may-not-do = A dealer may not do that.
why-a-floor-may-not-do = A floor may not do that.
why-the-shoe-reads-the-cards = The shoe reads the cards itself.
why-it-cannot-be-written-down = It cannot be written down: { $name }
why-sign-in-first-post-api = Sign in first: POST /api/login returns a token for acts.

## Readings

why-readings-are-not-confirmed-by = { $n } readings are not confirmed by the house: { $name }

## Calls

why-floor-not-called = the floor is not called
why-floor-called-already = the floor is called already
