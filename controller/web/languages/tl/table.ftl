## What the table waits for

said-decision = { $who }: { $acts }
said-decision-asks = { $who }: { $acts } — { $said }
said-decision-seats = Upuan { $seats }: { $acts }
said-decision-seats-asks = Upuan { $seats }: { $acts } — { $said }
said-bets = Maglagay na ng taya
said-bets-next = Taya na para sa susunod na round
said-closed = Sarado ang mesa
said-over = Tapos na ang round
said-void = Void ang round, ibinabalik lahat ng taya
said-new-shoe = Mag-shuffle at mag-load ng bagong shoe
said-new-shoe-why = Mag-shuffle at mag-load ng bagong shoe: { $said }
said-waiting-shoe = Naghihintay ng na-shuffle na shoe
said-pack-n = I-shuffle at bilangin ang { $n } baraha, saka i-declare
said-pack = I-shuffle at bilangin ang baraha, saka i-declare
said-held = Naka-hold, tawagin ang floor: { $said }
said-no-new-round = Walang bagong round: { $said }
said-floor-decides = Ang floor ang magpapasya: ituloy, itama o i-void
said-burn = Mag-burn ng isang baraha
said-burn-small = mag-burn ng isang baraha
said-burn-first = I-burn ang unang baraha, nakabukas
said-burn-nth = Mag-burn ng baraha, { $n } sa { $n2 }
said-burn-nth-why = Mag-burn ng baraha, { $n } sa { $n2 }: { $said }
said-burn-asked = Mag-burn ng isang baraha: hiling ng player-dealer
said-draws = { $who } draw
said-draws-one = { $who } draw ng isang baraha
said-card-to = Baraha { $n } kay { $who }
said-card-to-down = Baraha { $n } kay { $who }, nakataob
said-tile-to = Tile { $n } kay { $who }
said-tile-to-down = Tile { $n } kay { $who }, nakataob
said-cards-to = { $n } baraha kay { $who }
said-cards-to-down = { $n } baraha kay { $who }, nakataob
said-tiles-to-down = { $n } tile kay { $who }, nakataob
said-tiles-to = { $n } tile kay { $who }
said-key-card = { $who }: i-key ang baraha
said-key-card-asks = { $who }: i-key ang baraha — { $said }
said-key-cards = { $who }: i-key ang { $n } baraha
said-key-cards-asks = { $who }: i-key ang { $n } baraha — { $said }
said-key-tile = { $who }: i-key ang tile
said-key-tiles = { $who }: i-key ang { $n } tile
said-key-tiles-asks = { $who }: i-key ang { $n } tile — { $said }
said-dice = Alugin at buksan ang cup ({ $n } dice)
said-drop = I-drop ang { $fees } bago { $before }
fee-into = { $money } sa { $box } box
box-fee = fee
box-jackpot = jackpot
box-tip = tip
box-collection = collection
before-first-card = ang unang baraha
before-cup = buksan ang cup
before-next = ituloy ang round
said-flop = Buksan ang { $street }
street-flop = flop
street-turn = turn
street-river = river
said-new-flop = Buksan ang bagong flop, walang burn
said-turn-community = Buksan ang community card
said-straddle-or = Bago ang unang baraha: { $said }
said-who-banks = Sino ang magba-bank? I-offer ang posisyon ng player-dealer sa { $places }
said-who-banks-next = Sino ang susunod na bank? { $place } ay nakapag-deal na ng { $n } hands: i-offer sa { $places }
said-who-banks-next-one = Sino ang susunod na bank? { $place } ay nakapag-deal na ng 1 hand: i-offer sa { $places }
said-nobody-banks = Walang kumuha ng bank: { $said }, ibang tao ang dapat mag-bank ({ $places })
said-nobody-else = Wala nang ibang puwedeng mag-bank: { $said }
said-has-dealt = { $place } ay nakapag-deal na ng { $n } hands
said-has-dealt-one = { $place } ay nakapag-deal na ng 1 hand
place-seat = upuan { $seat }
place-seats = upuan { $seats }
place-players = mga manlalaro
said-broken = Putol ang laro: wala nang ibang kumukuha ng posisyon. Ibang tao ang dapat mag-bank
said-broken-floor = Putol ang laro: wala nang ibang kumukuha ng posisyon. Ibang tao ang dapat mag-bank, o itutuloy ng floor pagkaraan ng makatwirang oras

## How a round ended

said-tie-at = Tabla sa { $n }
said-wins = { $who } panalo, { $n }-{ $n2 }
said-seat-wins = Panalo ang upuan { $seat }, { $money }
said-player-has = { $n } ang Player, { $name } ang bukas ng dealer
said-pd-not-qualify = Hindi qualified ang player-dealer.
said-pd-no-fours = Walang pair of fours ang player-dealer.
said-pd-no-pair = Walang pares ang player-dealer, ibinabalik ang mga ante.
said-pd-has = { $n } ang player-dealer
said-pd-has-half = { $total } ang player-dealer
said-pd-over = Lampas ang player-dealer sa { $n }
said-pd-over-cards = Lampas ang player-dealer sa { $n }, { $n2 } baraha
said-pd-natural = Natural { $n } ang player-dealer
said-pd-natural-small = Natural { $n } ang player-dealer
said-pd-eights = Tatlong otso ang player-dealer
said-pd-pure = Pure 21.5 ang player-dealer
said-goes-out = Lumabas ang upuan { $seat }
said-seat-verdict = upuan { $seat } { $verdict }
said-outcomes = { $outcomes }
outcome-wins = panalo ang upuan { $seat }
outcome-loses = talo ang upuan { $seat }
outcome-pushes = push ang upuan { $seat }
outcome-folds = fold ang upuan { $seat }
outcome-dead = dead ang upuan { $seat }
outcome-no-action = walang action ang upuan { $seat }

## The middle

said-button = Button: upuan { $seat }
said-pot-money = { $pot } { $money }
said-pot-among = { $pot } { $money } sa { $seats }
said-uncalled = Hindi na-call na { $money } ng upuan { $seat }
said-bets-in-front = Mga taya: { $seatbets }
seatbet-one = upuan { $seat } { $money }
pot-main = Pot
pot-side = Side pot
pot-side-n = Side pot { $n }
pot-uncalled = Hindi na-call
pot-the = ang pot
pot-the-main = ang main pot

## What became of a seat

verdict-win = panalo
verdict-lose = talo
verdict-push = push
verdict-folded = folded
verdict-fold = fold
verdict-dead = dead
verdict-no-action = walang action
verdict-surrendered = surrendered
verdict-busted = bust
verdict-foul = foul
verdict-out = out

## Marks of a round

mark-qualified = qualified
mark-busted = bust ang player-dealer
mark-pd-natural = natural ang player-dealer
mark-pd-pure = pure ang player-dealer
mark-pd-888 = 888 ang player-dealer
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
said-card-unexpected = may lumabas na baraha sa shoe na hindi inaasahan
said-doubles = Double si { $who }: isang baraha
said-redoubles = Redouble si { $who }: isang baraha
said-hits = Hit si { $who }
said-second-card = { $who }: ikalawang baraha
said-must-hit = { $hand } si { $who } at dapat mag-hit
said-left-hit = { $hand } si { $who } at naiwan: hit
said-pd-draws-hand = { $hand } ang player-dealer at magda-draw
said-draws-block = { $who } draw mula sa block
said-gets-cards = { $n } baraha dapat kay { $who }, { $n2 } ang dumating
said-gets-tiles = { $n } tile dapat kay { $who }, { $n2 } ang dumating
said-look = tingnan ang mga baraha
said-nobody-claims = walang may karapatan sa pot; ituloy para ipakita ulit, o i-void
said-no-rule = { $happening }: hindi sinasabi ng rules
said-no-room-rule = { $happening }: walang rule ang kuwartong ito para rito
said-odd = may kakaiba
said-deal-missing = I-deal ang { $missing } sa upuan { $seat }, nakataob
missing-card = kulang na baraha
missing-cards = { $n } kulang na baraha
said-replace-exposed = Palitan ang na-expose na baraha ng upuan { $seat }, nakataob
said-shuffle-last = I-shuffle ang huling baraha at { $n } discards, saka mag-burn
said-shuffle-discards = I-shuffle ang discards, i-load ang shoe at mag-burn ng isa
said-both-burned = Na-burn ang dalawang baraha: i-deal ulit ang hit
said-one-from-deck = Upuan { $seat }: isang baraha mula sa deck ({ $name })
said-five-centre = Upuan { $seat }: lima mula sa gitna
said-button-card = Upuan { $seat }: isang bukas na baraha para sa button
said-aside = Itabi ang burn card
said-not-enough = Kulang ang baraha: mag-burn ng isa para sa community card
said-scramble = I-scramble ang huling baraha at burns, i-cut, mag-burn ng isa
said-scramble-community = I-scramble ang huling baraha at burns, i-cut, mag-burn ng isa para sa community card
said-who-outcome = { $who }: { $verdict }
said-banks-next-first = Upuan { $seat } ang susunod na bank, unang hand
said-banks-next-second = Upuan { $seat } ang susunod na bank, ikalawang hand
said-banks-next-first-name = Upuan { $seat } ({ $name }) ang susunod na bank, unang hand
said-banks-next-second-name = Upuan { $seat } ({ $name }) ang susunod na bank, ikalawang hand
said-banks-next = Upuan { $seat } ang susunod na bank
said-from-seat = mula sa upuan { $seat }
said-from-pd = mula sa player-dealer
said-from-pot = mula sa pot
said-into-box = sa { $box } box
said-not-called = hindi na-call
said-the-wagers = ang mga taya

## A hand by its ranks

hand-run = { $run }
said-dealer-stops = itinigil ng dealer ang laro
said-reader-away = hindi sumasagot ang { $name }: walang baraha mula rito
said-reader-back = nawala ang { $name } at sumasagot na muli
said-lifts-both = Ang floor lang ang makaaalis nito: ituloy, o ipawalang-bisa ang round.
said-lifts-void = Ang floor lang ang makaaalis nito: ipawalang-bisa ang round.
said-lifts-resume = Ang floor lang ang makaaalis nito: ituloy.
said-lifts-set = Kusang magpapatuloy kapag naihanda na ang mesa.
said-lifts-journal = Kusang magpapatuloy kapag naisusulat na muli ang journal.
stakes-bring-in = { $structure }, bring-in { $money }

## As a schedule has it

structure-from-to = taya mula { $money } hanggang { $money2 }
structure-least = { $structure }, pinakamababang taya { $money }
structure-three = limit { $money }/{ $money2 }/{ $money3 }
