## What the table waits for

said-decision = { $who }: { $acts }
said-decision-asks = { $who }: { $acts } — { $said }
said-decision-seats = Seats { $seats }: { $acts }
said-decision-seats-asks = Seats { $seats }: { $acts } — { $said }
said-bets = Place your bets
said-bets-next = Place your bets for the next round
said-closed = The table is closed
said-over = The round is over
said-void = Round void, all wagers back
said-new-shoe = Shuffle and load a new shoe
said-new-shoe-why = Shuffle and load a new shoe: { $said }
said-waiting-shoe = Waiting for a shuffled shoe
said-pack-n = Shuffle and count the pack of { $n } cards, then declare it
said-pack = Shuffle and count the pack, then declare it
said-held = Held, call the floor: { $said }
said-no-new-round = No new round: { $said }
said-floor-decides = The floor decides: resume, correct or void
said-burn = Burn a card
said-burn-small = burn a card
said-burn-first = Burn the first card, face up
said-burn-nth = Burn a card, { $n } of { $n2 }
said-burn-nth-why = Burn a card, { $n } of { $n2 }: { $said }
said-burn-asked = Burn a card: the player-dealer has asked for it
said-draws = { $who } draws
said-draws-one = { $who } draws one card
said-card-to = Card { $n } to { $who }
said-card-to-down = Card { $n } to { $who }, face down
said-tile-to = Tile { $n } to { $who }
said-tile-to-down = Tile { $n } to { $who }, face down
said-cards-to = { $n } cards to { $who }
said-cards-to-down = { $n } cards to { $who }, face down
said-tiles-to-down = { $n } tiles to { $who }, face down
said-tiles-to = { $n } tiles to { $who }
said-key-card = { $who }: key the card
said-key-card-asks = { $who }: key the card — { $said }
said-key-cards = { $who }: key the { $n } cards
said-key-cards-asks = { $who }: key the { $n } cards — { $said }
said-key-tile = { $who }: key the tile
said-key-tiles = { $who }: key the { $n } tiles
said-key-tiles-asks = { $who }: key the { $n } tiles — { $said }
said-dice = Shake and open the cup ({ $n } dice)
said-drop = Drop { $fees } before { $before }
fee-into = { $money } into the { $box } box
box-fee = fee
box-jackpot = jackpot
box-tip = tip
box-collection = collection
before-first-card = the first card
before-cup = the cup is opened
before-next = the round goes on
said-flop = Turn the { $street }
street-flop = flop
street-turn = turn
street-river = river
said-new-flop = Turn the new flop, no burn
said-turn-community = Turn the community card
said-straddle-or = Until the first card: { $said }
said-who-banks = Who banks? Offer the player-dealer's position to { $places }
said-who-banks-next = Who banks next? { $place } has dealt { $n } hands: offer it to { $places }
said-who-banks-next-one = Who banks next? { $place } has dealt 1 hand: offer it to { $places }
said-nobody-banks = Nobody takes the bank: { $said }, another person must bank ({ $places })
said-nobody-else = Nobody else may take the bank: { $said }
said-has-dealt = { $place } has dealt { $n } hands
said-has-dealt-one = { $place } has dealt 1 hand
place-seat = seat { $seat }
place-seats = seats { $seats }
place-players = the players
said-broken = The game is broken: nobody else takes the player-dealer's position. Another person must bank
said-broken-floor = The game is broken: nobody else takes the player-dealer's position. Another person must bank, or the floor resumes it after a reasonable time

## How a round ended

said-tie-at = Tie at { $n }
said-wins = { $who } wins { $n } to { $n2 }
said-seat-wins = Seat { $seat } wins { $money }
said-player-has = Player has { $n }, the dealer shows a { $name }
said-pd-not-qualify = Player-dealer does not qualify.
said-pd-no-fours = Player-dealer has no pair of fours.
said-pd-no-pair = Player-dealer has no pair, antes go back.
said-pd-has = Player-dealer has { $n }
said-pd-has-half = Player-dealer has { $total }
said-pd-over = Player-dealer is over with { $n }
said-pd-over-cards = Player-dealer is over with { $n } in { $n2 } cards
said-pd-natural = Player-dealer has a Natural { $n }
said-pd-natural-small = Player-dealer has a natural { $n }
said-pd-eights = Player-dealer has three eights
said-pd-pure = Player-dealer has a Pure 21.5
said-goes-out = Seat { $seat } goes out
said-seat-verdict = seat { $seat } { $verdict }
said-outcomes = { $outcomes }
outcome-wins = seat { $seat } wins
outcome-loses = seat { $seat } loses
outcome-pushes = seat { $seat } pushes
outcome-folds = seat { $seat } folds
outcome-dead = seat { $seat } is dead
outcome-no-action = seat { $seat } has no action

## The middle

said-button = Button: seat { $seat }
said-pot-money = { $pot } { $money }
said-pot-among = { $pot } { $money } among { $seats }
said-uncalled = Uncalled { $money } of seat { $seat }
said-bets-in-front = Bets: { $seatbets }
seatbet-one = seat { $seat } { $money }
pot-main = Pot
pot-side = Side pot
pot-side-n = Side pot { $n }
pot-uncalled = Uncalled
pot-the = the pot
pot-the-main = the main pot

## What became of a seat

verdict-win = win
verdict-lose = lose
verdict-push = push
verdict-folded = folded
verdict-fold = fold
verdict-dead = dead
verdict-no-action = no action
verdict-surrendered = surrendered
verdict-busted = busted
verdict-foul = foul
verdict-out = out

## Marks of a round

mark-qualified = qualified
mark-busted = player dealer busted
mark-pd-natural = player dealer natural
mark-pd-pure = player dealer pure
mark-pd-888 = player dealer 888
mark-natural = natural
mark-banker-pair = banker pair
mark-player-pair = player pair

## What a poker table posts

stakes-blinds = { $structure }, blinds { $moneys }
stakes-blinds-ante = { $structure }, blinds { $moneys }, ante { $money }
stakes-ante = { $structure }, ante { $money }
structure-limit = Limit { $money }/{ $money2 }
structure-spread = Spread limit { $money }/{ $money2 }
structure-straight = Straight limit { $money }
structure-no-limit = No limit
structure-pot-limit = Pot limit
structure-fixed-limit = Fixed limit
structure-spread-limit = Spread limit
said-card-unexpected = a card left the shoe that nobody expected
said-doubles = { $who } doubles: one card
said-redoubles = { $who } redoubles: one card
said-hits = { $who } hits
said-second-card = { $who }: second card
said-must-hit = { $who } has { $hand } and must hit
said-left-hit = { $who } has { $hand } and is left: hit
said-pd-draws-hand = Player-dealer has { $hand } and draws
said-draws-block = { $who } draws from the block
said-gets-cards = { $who } gets { $n } cards, { $n2 } came
said-gets-tiles = { $who } gets { $n } tiles, { $n2 } came
said-look = a look at the cards
said-nobody-claims = nobody has a claim to a pot; resume to show again, or void
said-no-rule = { $happening }: the rules of the game do not say
said-no-room-rule = { $happening }: this room has no rule for it
said-odd = something odd
said-deal-missing = Deal { $missing } to seat { $seat }, face down
missing-card = the missing card
missing-cards = the { $n } missing cards
said-replace-exposed = Replace the exposed card of seat { $seat }, face down
said-shuffle-last = Shuffle the last card and { $n } discards, then burn
said-shuffle-discards = Shuffle the discards, load the shoe and burn a card
said-both-burned = Both cards are burned: deal the hit again
said-one-from-deck = Seat { $seat }: one card from the { $name } of the deck
said-five-centre = Seat { $seat }: five from the centre
said-button-card = Seat { $seat }: one card up for the button
said-aside = Set the burn card aside
said-not-enough = Not enough cards: burn one for the community card
said-scramble = Scramble the last card and the burns, cut, burn one
said-scramble-community = Scramble the last card and the burns, cut, burn one for the community card
said-who-outcome = { $who }: { $verdict }
said-banks-next-first = Seat { $seat } banks next, first hand
said-banks-next-second = Seat { $seat } banks next, second hand
said-banks-next-first-name = Seat { $seat } ({ $name }) banks next, first hand
said-banks-next-second-name = Seat { $seat } ({ $name }) banks next, second hand
said-banks-next = Seat { $seat } banks next
said-from-seat = from seat { $seat }
said-from-pd = from the player-dealer
said-from-pot = from the pot
said-into-box = into the { $box } box
said-not-called = not called
said-the-wagers = the wagers

## A hand by its ranks

hand-run = { $run }
said-dealer-stops = the dealer has stopped the game
said-reader-away = { $name } does not answer: it gives no card
said-reader-back = { $name } was away and answers again
said-lifts-both = Only the floor lifts it: resume, or void the round.
said-lifts-void = Only the floor lifts it: void the round.
said-lifts-resume = Only the floor lifts it: resume.
said-lifts-set = It goes on by itself when the table is set.
said-lifts-journal = It goes on by itself when the journal can be written again.
stakes-bring-in = { $structure }, bring-in { $money }

## As a schedule has it

structure-from-to = a spread of { $money } to { $money2 }
structure-least = { $structure } with a least bet of { $money }
structure-three = limit { $money }/{ $money2 }/{ $money3 }
