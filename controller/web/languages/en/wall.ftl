## The language itself

page-language = English

## How numbers and money are written: a locale

page-numbers = en-US

## Between the parts of a list

page-list-comma = { ", " }
page-list-and = { " and " }
page-list-or = { " or " }

## Both pages

page-test-strip =
    .aria-label = Test mode
page-test-mode = Test mode
page-not-live-game = not a live game
page-connection-lost = Connection lost
page-no-connection = No connection yet
page-not-live-since = Not live. Last update
page-never = never
page-connecting = Connecting
page-connecting-to-table = Connecting to the table
page-live = Live
page-not-live = Not live
page-phase-waiting = Waiting
page-phase-betting = Bets open
page-phase-dealing = Dealing
page-phase-settled = Result
page-phase-held = On hold
page-phase-closed = Closed

## The players' display

page-bets = Bets
page-shoe = Shoe
page-round = Round
page-current-round =
    .aria-label = Current round
page-floor-called = Waiting for the floor:
page-seconds-left =
    .aria-label = Seconds until bets close
page-big-road = Big road
page-big-eye-boy = Big eye boy
page-small-road = Small road
page-cockroach-pig = Cockroach pig
page-bead-plate = Bead plate
page-if-next-is = If next is
page-counts =
    .aria-label = Counts
page-results = Results
page-this-shoe = This shoe
page-previous = Previous
page-naturals = Naturals
page-hands = Hands
page-wins = Wins
page-cut-card-is-out = The cut card is out
page-cards-left = { $left } of { $cards } cards left
page-pot-to =
    { $count ->
        [one] { $pot } to seat { $seats }
       *[other] { $pot } to seats { $seats }
    }
page-stack = Stack { $money }
page-dealer-button = Dealer button
page-bet-behind = { $bet }, behind
page-red = red
page-blue = blue
page-red-repeats = red: repeats
page-blue-does-not = blue: does not
page-road = { $marks } marks, the last: { $last }
page-road-empty = empty

## Cards, for who listens to the page

page-face-down = face down
page-joker = joker
page-tile = tile { $code }
page-card = { $rank } of { $suit }
page-suit-c = clubs
page-suit-d = diamonds
page-suit-h = hearts
page-suit-s = spades
page-rank-A = ace
page-rank-K = king
page-rank-Q = queen
page-rank-J = jack
page-rank-T = ten
page-rank-9 = 9
page-rank-8 = 8
page-rank-7 = 7
page-rank-6 = 6
page-rank-5 = 5
page-rank-4 = 4
page-rank-3 = 3
page-rank-2 = 2
