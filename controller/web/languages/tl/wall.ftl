## The language itself

page-language = Tagalog

## How numbers and money are written: a locale

page-numbers = fil-PH

## Between the parts of a list

page-list-comma = { ", " }
page-list-and = { " at " }
page-list-or = { " o " }

## Both pages

page-test-strip =
    .aria-label = Test mode
page-test-mode = Test mode
page-not-live-game = hindi totoong laro
page-connection-lost = Nawala ang koneksyon
page-no-connection = Wala pang koneksyon
page-not-live-since = Hindi live. Huling update
page-never = wala pa
page-connecting = Kumokonekta
page-connecting-to-table = Kumokonekta sa mesa
page-live = Live
page-not-live = Hindi live
page-phase-waiting = Naghihintay
page-phase-betting = Bukas ang taya
page-phase-dealing = Namimigay ng baraha
page-phase-settled = Resulta
page-phase-held = Naka-hold
page-phase-closed = Sarado

## The players' display

page-bets = Taya
page-shoe = Shoe
page-round = Round
page-current-round =
    .aria-label = Kasalukuyang round
page-floor-called = Hinihintay ang floor:
page-seconds-left =
    .aria-label = Segundo bago magsara ang taya
page-big-road = Big road
page-big-eye-boy = Big eye boy
page-small-road = Small road
page-cockroach-pig = Cockroach pig
page-bead-plate = Bead plate
page-if-next-is = Kung sunod ay
page-counts =
    .aria-label = Bilang
page-results = Resulta
page-this-shoe = Itong shoe
page-previous = Nakaraan
page-naturals = Natural
page-hands = Kamay
page-wins = Panalo
page-cut-card-is-out = Lumabas na ang cut card
page-cards-left = { $left } sa { $cards } baraha ang natitira
page-pot-to = { $pot } sa upuan { $seats }
page-stack = Stack { $money }
page-dealer-button = Dealer button
page-bet-behind = { $bet }, sa likod
page-red = pula
page-blue = asul
page-red-repeats = pula: umuulit
page-blue-does-not = asul: hindi umuulit
page-road = { $marks } marka, ang huli: { $last }
page-road-empty = walang laman

## Cards, for who listens to the page

page-face-down = nakataob
page-joker = joker
page-tile = tile { $code }
page-card = { $rank } ng { $suit }
page-suit-c = clubs
page-suit-d = diamonds
page-suit-h = hearts
page-suit-s = spades
page-rank-A = alas
page-rank-K = hari
page-rank-Q = reyna
page-rank-J = jack
page-rank-T = 10
page-rank-9 = 9
page-rank-8 = 8
page-rank-7 = 7
page-rank-6 = 6
page-rank-5 = 5
page-rank-4 = 4
page-rank-3 = 3
page-rank-2 = 2
