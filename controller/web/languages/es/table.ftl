## What the table waits for

said-decision = { $who }: { $acts }
said-decision-asks = { $who }: { $acts } — { $said }
said-decision-seats = Asientos { $seats }: { $acts }
said-decision-seats-asks = Asientos { $seats }: { $acts } — { $said }
said-bets = Hagan sus apuestas
said-bets-next = Hagan sus apuestas para la próxima ronda
said-closed = La mesa está cerrada
said-over = La ronda terminó
said-void = Ronda anulada, se devuelven todas las apuestas
said-new-shoe = Barajar y cargar un zapato nuevo
said-new-shoe-why = Barajar y cargar un zapato nuevo: { $said }
said-waiting-shoe = En espera de un zapato barajado
said-pack-n = Barajar y contar la baraja de { $n } cartas; luego declararla
said-pack = Barajar y contar la baraja; luego declararla
said-held = En pausa, llamar al supervisor: { $said }
said-no-new-round = Sin nueva ronda: { $said }
said-floor-decides = El supervisor decide: seguir, corregir o anular
said-burn = Quemar una carta
said-burn-small = quemar una carta
said-burn-first = Quemar la primera carta, boca arriba
said-burn-nth = Quemar una carta, { $n } de { $n2 }
said-burn-nth-why = Quemar una carta, { $n } de { $n2 }: { $said }
said-burn-asked = Quemar una carta: lo pidió el jugador-banca
said-draws = { $who } toma carta
said-draws-one = { $who } toma una carta
said-card-to = Carta { $n } para { $who }
said-card-to-down = Carta { $n } para { $who }, boca abajo
said-tile-to = Ficha { $n } para { $who }
said-tile-to-down = Ficha { $n } para { $who }, boca abajo
said-cards-to = { $n } cartas para { $who }
said-cards-to-down = { $n } cartas para { $who }, boca abajo
said-tiles-to-down = { $n } fichas para { $who }, boca abajo
said-tiles-to = { $n } fichas para { $who }
said-key-card = { $who }: marcar la carta
said-key-card-asks = { $who }: marcar la carta — { $said }
said-key-cards = { $who }: marcar las { $n } cartas
said-key-cards-asks = { $who }: marcar las { $n } cartas — { $said }
said-key-tile = { $who }: marcar la ficha
said-key-tiles = { $who }: marcar las { $n } fichas
said-key-tiles-asks = { $who }: marcar las { $n } fichas — { $said }
said-dice = Agitar y abrir el cubilete ({ $n } dados)
said-drop = Depositar { $fees } antes de { $before }
fee-into = { $money } en la caja { $box }
box-fee = de cuota
box-jackpot = de jackpot
box-tip = de propinas
box-collection = de cuota
before-first-card = la primera carta
before-cup = abrir el cubilete
before-next = seguir la ronda
said-flop = Abrir { $street }
street-flop = el flop
street-turn = el turn
street-river = el river
said-new-flop = Abrir el nuevo flop, sin quemar
said-turn-community = Abrir la carta común
said-straddle-or = Hasta la primera carta: { $said }
said-who-banks = ¿Quién toma la banca? Ofrecer la posición de jugador-banca a { $places }
said-who-banks-next = ¿Quién toma la banca ahora? { $place } ya dio { $n } manos: ofrecerla a { $places }
said-who-banks-next-one = ¿Quién toma la banca ahora? { $place } ya dio 1 mano: ofrecerla a { $places }
said-nobody-banks = Nadie toma la banca: { $said }; otra persona debe tomarla ({ $places })
said-nobody-else = Nadie más puede tomar la banca: { $said }
said-has-dealt = { $place } ya dio { $n } manos
said-has-dealt-one = { $place } ya dio 1 mano
place-seat = asiento { $seat }
place-seats = asientos { $seats }
place-players = los jugadores
said-broken = El juego se interrumpe: nadie más toma la posición de jugador-banca. Otra persona debe tomar la banca
said-broken-floor = El juego se interrumpe: nadie más toma la posición de jugador-banca. Otra persona debe tomar la banca, o el supervisor lo reanuda tras un tiempo razonable

## How a round ended

said-tie-at = Empate a { $n }
said-wins = { $who } gana { $n } a { $n2 }
said-seat-wins = El asiento { $seat } gana { $money }
said-player-has = Jugador tiene { $n }, el crupier muestra { $name }
said-pd-not-qualify = El jugador-banca no califica.
said-pd-no-fours = El jugador-banca no tiene par de cuatros.
said-pd-no-pair = El jugador-banca no tiene par; se devuelven los antes.
said-pd-has = El jugador-banca tiene { $n }
said-pd-has-half = El jugador-banca tiene { $total }
said-pd-over = El jugador-banca se pasó con { $n }
said-pd-over-cards = El jugador-banca se pasó con { $n } en { $n2 } cartas
said-pd-natural = El jugador-banca tiene un Natural { $n }
said-pd-natural-small = El jugador-banca tiene un natural de { $n }
said-pd-eights = El jugador-banca tiene tres ochos
said-pd-pure = El jugador-banca tiene un Pure 21.5
said-goes-out = El asiento { $seat } cierra
said-seat-verdict = asiento { $seat } { $verdict }
said-outcomes = { $outcomes }
outcome-wins = gana el asiento { $seat }
outcome-loses = pierde el asiento { $seat }
outcome-pushes = empata el asiento { $seat }
outcome-folds = se retira el asiento { $seat }
outcome-dead = mano muerta en el asiento { $seat }
outcome-no-action = sin acción el asiento { $seat }

## The middle

said-button = Botón: asiento { $seat }
said-pot-money = { $pot } { $money }
said-pot-among = { $pot } { $money } entre { $seats }
said-uncalled = Sin igualar { $money } del asiento { $seat }
said-bets-in-front = Apuestas: { $seatbets }
seatbet-one = asiento { $seat } { $money }
pot-main = Bote
pot-side = Bote lateral
pot-side-n = Bote lateral { $n }
pot-uncalled = Sin igualar
pot-the = el bote
pot-the-main = el bote principal

## What became of a seat

verdict-win = gana
verdict-lose = pierde
verdict-push = empate
verdict-folded = retirado
verdict-fold = retirado
verdict-dead = muerta
verdict-no-action = sin acción
verdict-surrendered = rendida
verdict-busted = se pasó
verdict-foul = falta
verdict-out = fuera

## Marks of a round

mark-qualified = califica
mark-busted = jugador-banca se pasó
mark-pd-natural = natural del jugador-banca
mark-pd-pure = pure del jugador-banca
mark-pd-888 = 888 del jugador-banca
mark-natural = natural
mark-banker-pair = par de la banca
mark-player-pair = par del jugador

## What a poker table posts

stakes-blinds = { $structure }, ciegas { $moneys }
stakes-blinds-ante = { $structure }, ciegas { $moneys }, ante { $money }
stakes-ante = { $structure }, ante { $money }
structure-limit = Límite { $money }/{ $money2 }
structure-spread = Límite variable { $money }/{ $money2 }
structure-straight = Límite fijo { $money }
structure-no-limit = Sin límite
structure-pot-limit = Límite del bote
structure-fixed-limit = Límite fijo
structure-spread-limit = Límite variable
said-card-unexpected = salió del zapato una carta que nadie esperaba
said-doubles = { $who } dobla: una carta
said-redoubles = { $who } redobla: una carta
said-hits = { $who } pide carta
said-second-card = { $who }: segunda carta
said-must-hit = { $who } tiene { $hand } y debe pedir
said-left-hit = { $who } tiene { $hand } y falta: pedir carta
said-pd-draws-hand = El jugador-banca tiene { $hand } y toma carta
said-draws-block = { $who } toma del mazo
said-gets-cards = { $who } recibe { $n } cartas, salieron { $n2 }
said-gets-tiles = { $who } recibe { $n } fichas, salieron { $n2 }
said-look = revisar las cartas
said-nobody-claims = nadie reclama un bote; seguir para volver a mostrar, o anular
said-no-rule = { $happening }: el reglamento no lo dice
said-no-room-rule = { $happening }: esta sala no tiene regla para ello
said-odd = algo raro
said-deal-missing = Dar { $missing } al asiento { $seat }, boca abajo
missing-card = la carta que falta
missing-cards = las { $n } cartas que faltan
said-replace-exposed = Cambiar la carta expuesta del asiento { $seat }, boca abajo
said-shuffle-last = Barajar la última carta y { $n } descartes, luego quemar
said-shuffle-discards = Barajar los descartes, cargar el zapato y quemar una carta
said-both-burned = Se quemaron ambas cartas: volver a dar la carta
said-one-from-deck = Asiento { $seat }: una carta ({ $name }) de la baraja
said-five-centre = Asiento { $seat }: cinco del centro
said-button-card = Asiento { $seat }: una carta abierta por el botón
said-aside = Apartar la carta quemada
said-not-enough = No alcanzan las cartas: quemar una para la carta común
said-scramble = Revolver la última carta y las quemadas, cortar, quemar una
said-scramble-community = Revolver la última carta y las quemadas, cortar, quemar una para la carta común
said-who-outcome = { $who }: { $verdict }
said-banks-next-first = Sigue en la banca el asiento { $seat }, primera mano
said-banks-next-second = Sigue en la banca el asiento { $seat }, segunda mano
said-banks-next-first-name = Sigue en la banca el asiento { $seat } ({ $name }), primera mano
said-banks-next-second-name = Sigue en la banca el asiento { $seat } ({ $name }), segunda mano
said-banks-next = Sigue en la banca el asiento { $seat }
said-from-seat = del asiento { $seat }
said-from-pd = del jugador-banca
said-from-pot = del bote
said-into-box = en la caja { $box }
said-not-called = sin igualar
said-the-wagers = las apuestas

## A hand by its ranks

hand-run = { $run }
said-dealer-stops = el crupier ha detenido el juego
said-reader-away = { $name } no responde: no da cartas
said-reader-back = { $name } no respondía y responde de nuevo
said-lifts-both = Solo el supervisor la libera: reanudar o anular la ronda.
said-lifts-void = Solo el supervisor la libera: anular la ronda.
said-lifts-resume = Solo el supervisor la libera: reanudar.
said-lifts-set = Continúa por sí sola cuando la mesa está preparada.
said-lifts-journal = Continúa por sí sola cuando se pueda escribir de nuevo el diario.
stakes-bring-in = { $structure }, bring-in { $money }

## As a schedule has it

structure-from-to = apuestas de { $money } a { $money2 }
structure-least = { $structure } con apuesta mínima de { $money }
structure-three = límite { $money }/{ $money2 }/{ $money3 }
