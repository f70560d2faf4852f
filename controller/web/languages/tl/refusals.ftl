## Why something is refused

why-it-is-seat-s-turn = turno ng upuan { $seat }
why-it-is-seat-s-turn-1 = turno ng upuan { $seats }
why-is-not-offered = { $said }; hindi inaalok ang '{ $name }'
why-no-more-bets = wala nang taya; { $said }
why-the-table-waits-for-something = iba ang hinihintay ng mesa: { $said }
why-the-table-waits = naghihintay ang mesa: { $said }
why-that-was-asked-before-now = kanina pa iyon; ngayon: { $said }
why-has-cards-to-name = { $n } baraha ang papangalanan ni { $who }
why-the-wagers-cannot-be-closed = hindi pa maisasara ang mga taya
why-the-player-dealer-s-wager = hindi puwedeng negatibo ang taya ng player-dealer
why-a-wager-cannot-be-negative = hindi puwedeng negatibo ang taya
why-is-not-a-betting-place = hindi betting place ang '{ $name }'
why-seat-does-not-take-part = hindi kasali ang upuan { $seat } sa round na ito
why-dice-show-1-to-6 = { $n } dice, 1 hanggang 6 bawat isa
why-a-card-left-before-the = may lumabas na baraha bago nasa box ang fees
why-the-dice-cup-was-opened = nabuksan ang dice cup bago nasa box ang fees
why-cards-belong-into-the-pack = { $n } baraha dapat sa pack
why-is-not-offered-there-is = hindi inaalok ang '{ $bet }'; mayroong { $bets }
why-is-not-for-seat = hindi para sa upuan { $seat } ang { $bet }
why-is-not-open-at-this = hindi bukas ang { $bet } sa mesang ito
why-not-behind-seat-only-on = { $bet }: hindi sa likod ng upuan { $seat }, sa sarili lang nitong spot
why-a-seat-has-spots-for = { $bet }: { $n } spot bawat upuan
why-needs-on-the-same-place = kailangan ng { $bet } ang { $bets } sa parehong spot
why-must-equal-the-wager = dapat katumbas ng { $bet2 } ang { $bet }
why-one-on-a-place-and = { $bet }: isa bawat spot, at nandoon na
why-may-not-be-above-the = hindi puwedeng mas mataas sa { $bet2 } ang { $bet }
why-at-least = { $bet }: hindi bababa sa { $money }
why-at-most = { $bet }: hindi hihigit sa { $money }
why-in-steps-of = { $bet }: sa hakbang na { $money }
why-seat-at-most-in-all = upuan { $seat }: hanggang { $money } lahat-lahat
why-all-on-one-square-bet = { $bet }: pareho ang taya ng lahat sa iisang square
why-seat-plays-hands-already-more = { $n } hands na ang upuan { $seat }; kailangan ng approval ng manager at player-dealer para sa higit pa
why-seat-plays-1-hand-already = 1 hand na ang upuan { $seat }; kailangan ng approval ng manager at player-dealer para sa higit pa
why-the-hand-must-be-opened = dapat i-open ang hand
why-seat-has-in-all-for = { $money } lahat ang upuan { $seat } para sa round na ito
why-no-raise-here-call-or = walang raise dito: call o fold
why-the-bring-in-is-not = hindi buong taya ang bring-in: complete, call o fold
why-there-is-a-bet-to = may taya: call, raise o fold
why-nothing-is-bet = wala pang taya
why-nothing-is-bet-bet-do = wala pang taya: mag-bet, hindi raise
why-there-is-a-bet-raise = may taya: raise, call o fold
why-say-how-much = { $act }: sabihin kung magkano
why-not = { $act }, hindi { $money }
why-to-at-least = { $act } ng di bababa sa { $money }
why-to-at-most = { $act } ng di hihigit sa { $money }
why-at-least-45 = di bababa sa { $money }
why-at-most-46 = di hihigit sa { $money }
why-choose-a-pile-from-1 = pumili ng pile mula 1 hanggang { $n }
why-name-to-cards-given = { $act }: pangalanan ang { $n } hanggang { $n2 } baraha, { $n3 } ang ibinigay
why-is-not-among-the-cards = wala ang { $card } sa mapagpipilian
why-this-card-was-not-read = hindi nabasa ang barahang ito; pangalanan muna
why-the-floor-may = puwedeng { $acts } ang floor
why-the-floor-holds-the-table = naka-hold ang mesa sa floor
why-no-round-is-being-dealt = walang round na dine-deal; walang mavo-void
why-a-card-left-the-shoe = may lumabas na baraha habang naka-lock ang shoe
why-the-round-is-void-begin = void ang round; simulan ang susunod
why-a-card-left-the-shoe-after = may lumabas na baraha pagkatapos ma-void ang round
why-a-card-left-the-shoe-but = may lumabas na baraha, pero { $said }
why-finish-or-void-the-round = tapusin o i-void ang round bago ang bagong shoe
why-finish-or-void-the-round-first = tapusin o i-void muna ang round
why-the-shoe-is-empty-after = ubos ang shoe pagkaraan ng { $n } baraha; { $n2 } ang na-shuffle at nabilang
why-cards-have-left-the-shoe = { $n } baraha ang lumabas sa shoe; { $n2 } ang na-shuffle at nabilang
why-cards-were-shuffled-and-counted = { $n } baraha ang na-shuffle at nabilang, { $n2 } ang nilagay sa shoe
why-cards-were-counted-belong-into = { $n } baraha ang nabilang, { $n2 } dapat sa pack
why-decks-are-in-the-shoe = { $n } deck ang nasa shoe, { $n2 } dapat
why-the-cards-come-in-the = sunod-sunod na parang bagong deck ang mga baraha
why-the-cards-come-in-the-order = pabaligtad na parang bagong deck ang mga baraha
why-the-shoe-repeats-itself = umuulit ang shoe
why-the-cards-come-as-in = katulad ng naunang shoe ang mga baraha
why-the-player-dealer-s-wager-was = hindi na-post ang taya ng player-dealer: hindi alam ang fee
why-no-rule-is-posted-by = walang naka-post na rule para i-waive ang fees
why-the-fees-of-this-hand = na-waive na ang fees ng hand na ito
why-fees-are-waived-before-the = bago ang unang baraha ang waive ng fees
why-fees-are-waived-before-the-player = bago buksan ang hand ng player-dealer ang waive ng fees
why-the-player-dealer-s-burn = nagamit na ang burn ng player-dealer sa shoe na ito
why-this-room-seats-players-at = { $n } player bawat mesa rito, { $n2 } ang naka-set
why-this-room-seats-players-at-a = { $n } player bawat mesa, kasama ang player-dealer, { $n2 } ang naka-set

## The bank

why-state-why-and-after-what = sabihin kung bakit at kung kailan itutuloy
why-the-position-is-not-offered = hindi inaalok sa { $places } ang posisyon
why-cannot-take-the-position-and = hindi puwedeng tanggapin at tanggihan ng { $places } ang posisyon
why-offer-it-to-first-or = i-offer muna sa { $places }, o sabihing tumanggi sila
why-the-player-dealer-may-deal = puwedeng magpatuloy ang player-dealer; pangalanan ang papalit
why-nobody-is-left-to-ask = wala nang matatanong; { $said }
why-had-hands-in-a-row = { $n } sunod-sunod na ang { $places }: iba muna ang dapat mag-bank
why-may-not-bank-the-next = hindi puwedeng mag-bank ang { $places } sa susunod na hand
why-this-game-has-no-player = walang umiikot na posisyon ng player-dealer sa larong ito
why-the-position-moves-between-hands = sa pagitan lang ng hands lumilipat ang posisyon

## Corrections and taking back

why-the-round-is-over-the = tapos na ang round; floor ang magtatama
why-the-round-began-with-it = dito nagsimula ang round; puwedeng i-void ng floor
why-a-card-was-exposed-by = may na-expose na baraha dahil dito; floor ang magtatama
why-money-was-settled-by-it = may nabayaran na dahil dito; floor ang magtatama
why-something-has-happened-since-the = may nangyari na pagkatapos; floor ang magtatama
why-did-it-and-takes-it = si { $name } ang gumawa, siya ang babawi; o floor ang magtatama
why-nothing-would-be-left-of = walang matitira sa round; i-void na lang
why-taken-back = binawi

## The table's settings

why-rules-seats-and-limits-change = sa pagitan lang ng rounds nagbabago ang rules, seats at limits
why-rules-and-limits-change-between = sa pagitan lang ng rounds nagbabago ang rules at limits
why-seats-and-player-dealer-change = sa pagitan lang ng rounds nagbabago ang seats at player-dealer
why-a-seat-is-named-twice = dalawang beses ang upuan; isang beses lang bawat isa
why-the-least-wager-would-be = mas mataas ang minimum kaysa maximum
why-this-table-plays-no-other = sariling rules lang ang nilalaro ng mesang ito
why-the-table-is-open = bukas ang mesa
why-state-what-was-found = sabihin kung ano ang nakita
why-it-is-cleared-when = mawawala kapag { $said }
why-has-acknowledged-it-before = naasikaso na ni { $name }
why-poker-needs-two-players-seat = kailangan ng dalawang player: magdagdag ng isa
why-nobody-has-the-button-say = walang may button: sabihin kung sino
why-no-betting-structure-is-posted = walang naka-post na betting structure: pumili
why-no-bring-in-is-posted = walang bring-in at walang blind na pagkukunan: magtakda ng isa
why-chinese-poker-needs-two-players = kailangan ng Chinese Poker ng dalawang player: magdagdag
why-nobody-has-the-buttons-say = walang may buttons: sabihin kung sino
why-panguingue-needs-two-players-seat = kailangan ng Panguingue ng dalawang player: magdagdag
why-fewer-than-two-players-are = wala pang dalawang player ang kasali
why-the-upper-limit-is-below = mas mababa ang upper limit ({ $n }) sa lower ({ $n2 })
why-seat-is-not-in-the = { $name }: wala sa laro ang upuan { $seat }; ang mga upuan ay { $seats }
why-set-the-player-dealer-and = itakda ang player-dealer at mga upuan, 1 hanggang { $n }
why-set-the-seats-that-take = itakda ang mga upuang kasali
why-the-game-is-played-by = { $n } hanggang { $n2 } player ang laro, { $n3 } ang narito
why-no-seat-has-an-ante = walang upuang may ante
why-no-seat-has-an-ante-and = walang upuang may ante at katumbas na blind
why-no-seat-has-a-pai = walang upuang may Pai Gow wager
why-no-seat-has-a-wager = walang upuang may taya
why-no-circle-has-a-wager = walang circle na may taya

## Acts of the games

why-seat-has-bet-a-play = naka-bet na ang upuan { $seat }; final ang play wager
why-seat-has-drawn-a-card = naka-draw na ang upuan { $seat }
why-seat-may-not-double-this = hindi puwedeng mag-double ang upuan { $seat }
why-seat-may-not-split-this = hindi puwedeng mag-split ang upuan { $seat }
why-seat-may-not-surrender-this = hindi puwedeng mag-surrender ang upuan { $seat }
why-seat-has-and-must-hit = { $hand } ang upuan { $seat }, dapat mag-hit
why-seat-has-and-must-stand = { $hand } ang upuan { $seat }, dapat mag-stand
why-against-this-up-card-a = hit o stand lang laban sa up card na ito
why-insurance-is-not-offered-at = walang insurance sa mesang ito
why-seat-has-hands-no-more = { $n } hands na ang upuan { $seat }; wala nang split
why-seat = upuan { $seat }: { $act }
why-the-two-cards-in-front = dapat mas mababa ang dalawa sa harap kaysa lima sa likod; i-set ulit
why-two-cards-go-in-front = dalawang baraha sa harap
why-name-two-different-cards-of = pangalanan ang dalawang magkaibang baraha ng hand
why-the-table-has-no-chart = walang chart ng house way ang mesa; pangalanan ang dalawa sa harap
why-the-chart-of-the-house = ibang baraha ang nasa harap ayon sa chart ng house
why-the-house-way-has-no = walang row ang house way para sa hand na ito
why-seat-the-two-cards-in = upuan { $seat }: hindi mas mababa ang dalawa sa harap; foul ang hand
why-that-is-not-a-card = hindi iyon baraha
why-a-card-that-does-not = barahang hindi kasama sa deck na ito
why-a-card-of-which-every = barahang lumabas na ang lahat ng kopya
why-a-card-was-not-read = { $who }: may hindi nabasang baraha; i-key ito
why-no-hand-is-being-dealt = walang hand na dine-deal
why-no-hand-is-being-played = walang hand na nilalaro
why-the-seat-is-not-in = wala sa hand ang upuan
why-that-seat-has-no-wager = walang taya ang upuang iyon
why-that-seat-has-no-card = wala pang baraha ang upuang iyon
why-it-is-not-that-seat = hindi pa turno ng upuang iyon
why-name-the-cards = pangalanan ang mga baraha
why-say-which-seat = sabihin kung aling upuan
why-say-how-much-153 = sabihin kung magkano
why-that-seat-has-not-opened = hindi iyon ang nag-open ng pot
why-a-card-is-named-that = pinangalanan ang barahang wala sa hand
why-that-card-is-not-in = wala sa kamay ng upuan ang barahang iyon
why-chips-are-due-from-each = { $n } chip mula sa bawat aktibong player
why-eleven-cards-lie-in-melds = labing-isa na ang nasa meld: mag-out

## Beside the rounds

why-name-the-seat-of-the = pangalanan ang upuan ng player
why-name-the-seat-of-a = pangalanan ang upuan ng wala
why-seat-is-away-already = wala na ang upuan { $seat }
why-seat-is-not-in-the-game = wala sa laro ang upuan { $seat }
why-the-shuffling-machine-does-not = hindi gumagana ang shuffler; i-shuffle sa kamay
why-the-deck-is-cut-before = i-cut ang deck bago lumabas ang unang baraha
why-cut-again-at-least-cards = i-cut ulit: di bababa sa { $n } baraha mula sa ibabaw at ilalim ng { $n2 }
why-the-buy-in-is-or = { $money } o higit pa ang buy-in
why-a-short-re-buy-is = { $money } o higit pa ang short re-buy
why-chips-are-put-in-front = sa pagitan ng hands naglalagay ng chips: ang naroon lang nang dumating ang baraha ang kasali
why-this-game-is-not-played = walang stacks sa larong ito
why-a-seat-is-taken-away = sa pagitan lang ng rounds kinukuha ang upuan
why-the-game-has-broken-down = naputol ang laro
why-nobody-is-signed-on-to = walang naka-sign on na dealer
why-deals-already = { $name } na ang nagde-deal
why-state-why = sabihin kung bakit

## Signing in and sending

why-name-and-pin-do-not = Hindi tugma ang pangalan at PIN.
why-this-badge-is-nobody-s = Walang may-ari ng badge na ito rito.
why-too-many-people-sign-in = Sabay-sabay ang nagsa-sign in; subukan muli mamaya.
why-too-many-wrong-tries-here = Masyadong maraming maling subok; maghintay ng { $n } segundo.
why-name-and-pin-do-not-fit = Hindi tugma ang pangalan at PIN. Sobra na sa subok; maghintay ng { $n } segundo.
why-this-badge-is-nobody-s-here = Walang may-ari ng badge na ito. Sobra na sa subok; maghintay ng { $n } segundo.
why-nobody-is-on-the-staff = Wala pang staff: { $name }.
why-send-a-name-or-staff = Magpadala ng pangalan o number na may PIN, o badge.
why-the-table-is-starting-try = Nagsisimula pa ang mesa; subukan muli.
why-only-a-device-can-report = Device lang ang puwedeng mag-report niyan.
why-a-dealer-may-not-do = Hindi iyan puwedeng gawin ng dealer.
why-a-floor-may-not-do = Hindi iyan puwedeng gawin ng floor.
why-the-shoe-reads-the-cards = Ang shoe mismo ang nagbabasa ng baraha.
why-it-cannot-be-written-down = Hindi maitala: { $name }
why-sign-in-first-post-api = Mag-sign in muna.

## Readings

why-readings-are-not-confirmed-by = { $n } reading ang hindi pa kumpirmado ng house: { $name }

## Calls

why-floor-not-called = hindi tinawag ang floor
why-floor-called-already = natawag na ang floor
