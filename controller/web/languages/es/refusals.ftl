## Why something is refused

why-it-is-seat-s-turn = es el turno del asiento { $seat }
why-it-is-seat-s-turn-1 = es el turno del asiento { $seats }
why-is-not-offered = { $said }; «{ $name }» no está disponible
why-no-more-bets = no más apuestas; { $said }
why-the-table-waits-for-something = la mesa espera otra cosa: { $said }
why-the-table-waits = la mesa espera: { $said }
why-that-was-asked-before-now = eso se pidió antes; ahora: { $said }
why-has-cards-to-name = { $who } tiene { $n } cartas por nombrar
why-the-wagers-cannot-be-closed = las apuestas aún no se pueden cerrar
why-the-player-dealer-s-wager = la apuesta del jugador-banca no puede ser negativa
why-a-wager-cannot-be-negative = una apuesta no puede ser negativa
why-is-not-a-betting-place = «{ $name }» no es un lugar de apuesta
why-seat-does-not-take-part = el asiento { $seat } no participa en esta ronda
why-dice-show-1-to-6 = { $n } dados muestran del 1 al 6 cada uno
why-a-card-left-before-the = salió una carta antes de que las cuotas estuvieran en la caja
why-the-dice-cup-was-opened = se abrió el cubilete antes de que las cuotas estuvieran en la caja
why-cards-belong-into-the-pack = la baraja lleva { $n } cartas
why-is-not-offered-there-is = «{ $bet }» no se ofrece; hay { $bets }
why-is-not-for-seat = { $bet } no es para el asiento { $seat }
why-is-not-open-at-this = { $bet } no está abierta en esta mesa
why-not-behind-seat-only-on = { $bet }: no detrás del asiento { $seat }, solo en su propio lugar
why-a-seat-has-spots-for = { $bet }: un asiento tiene { $n } lugares para ella
why-needs-on-the-same-place = { $bet } necesita { $bets } en el mismo lugar
why-must-equal-the-wager = { $bet } debe ser igual a la apuesta { $bet2 }
why-one-on-a-place-and = { $bet }: una por lugar, y ya está
why-may-not-be-above-the = { $bet } no puede superar la apuesta { $bet2 }
why-at-least = { $bet }: mínimo { $money }
why-at-most = { $bet }: máximo { $money }
why-in-steps-of = { $bet }: en pasos de { $money }
why-seat-at-most-in-all = asiento { $seat }: máximo { $money } en total
why-all-on-one-square-bet = { $bet }: todos en un cuadro apuestan lo mismo
why-seat-plays-hands-already-more = el asiento { $seat } ya juega { $n } manos; más requieren la aprobación del gerente y del jugador-banca
why-seat-plays-1-hand-already = el asiento { $seat } ya juega 1 mano; más requieren la aprobación del gerente y del jugador-banca
why-the-hand-must-be-opened = hay que abrir la mano
why-seat-has-in-all-for = el asiento { $seat } tiene { $money } en total para esta ronda
why-no-raise-here-call-or = aquí no se sube: igualar o retirarse
why-the-bring-in-is-not = el bring-in no es una apuesta completa: completar, igualar o retirarse
why-there-is-a-bet-to = hay una apuesta: igualar, subir o retirarse
why-nothing-is-bet = no hay apuesta
why-nothing-is-bet-bet-do = no hay apuesta: apostar, no subir
why-there-is-a-bet-raise = hay una apuesta: subirla, igualar o retirarse
why-say-how-much = { $act }: diga cuánto
why-not = { $act }, no { $money }
why-to-at-least = { $act }: al menos { $money }
why-to-at-most = { $act }: como máximo { $money }
why-at-least-45 = al menos { $money }
why-at-most-46 = como máximo { $money }
why-choose-a-pile-from-1 = elija una pila de 1 a { $n }
why-name-to-cards-given = { $act }: nombre de { $n } a { $n2 } cartas; se dieron { $n3 }
why-is-not-among-the-cards = { $card } no está entre las cartas para elegir
why-this-card-was-not-read = esta carta no se leyó; primero hay que nombrarla
why-the-floor-may = el supervisor puede { $acts }
why-the-floor-holds-the-table = el supervisor tiene la mesa en pausa
why-no-round-is-being-dealt = no se está repartiendo; no hay nada que anular
why-a-card-left-the-shoe = salió una carta con el zapato bloqueado
why-the-round-is-void-begin = la ronda es nula; empiece la siguiente
why-a-card-left-the-shoe-after = salió una carta después de anular la ronda
why-a-card-left-the-shoe-but = salió una carta del zapato, pero { $said }
why-finish-or-void-the-round = termine o anule la ronda antes de un zapato nuevo
why-finish-or-void-the-round-first = termine o anule primero la ronda
why-the-shoe-is-empty-after = el zapato quedó vacío tras { $n } cartas; se barajaron y contaron { $n2 }
why-cards-have-left-the-shoe = salieron { $n } cartas del zapato; se barajaron y contaron { $n2 }
why-cards-were-shuffled-and-counted = se barajaron y contaron { $n } cartas, se pusieron { $n2 } en el zapato
why-cards-were-counted-belong-into = se contaron { $n } cartas, la baraja lleva { $n2 }
why-decks-are-in-the-shoe = hay { $n } barajas en el zapato, corresponden { $n2 }
why-the-cards-come-in-the = las cartas salen en el orden de una baraja nueva
why-the-cards-come-in-the-order = las cartas salen en el orden inverso de una baraja nueva
why-the-shoe-repeats-itself = el zapato se repite
why-the-cards-come-as-in = las cartas salen como en un zapato anterior
why-the-player-dealer-s-wager-was = no se puso el dinero del jugador-banca: no se conoce su cuota
why-no-rule-is-posted-by = no hay regla publicada para condonar las cuotas de una mano
why-the-fees-of-this-hand = las cuotas de esta mano están condonadas
why-fees-are-waived-before-the = las cuotas se condonan antes de la primera carta
why-fees-are-waived-before-the-player = las cuotas se condonan antes de abrir la mano del jugador-banca
why-the-player-dealer-s-burn = ya se usó la quema del jugador-banca en este zapato
why-this-room-seats-players-at = esta sala sienta { $n } jugadores por mesa y hay { $n2 }
why-this-room-seats-players-at-a = esta sala sienta { $n } jugadores por mesa, incluido el jugador-banca, y hay { $n2 }

## The bank

why-state-why-and-after-what = indique por qué y tras cuánto tiempo se reanuda
why-the-position-is-not-offered = la posición no se ofrece a { $places }
why-cannot-take-the-position-and = { $places }: no se puede tomar la posición y rechazarla
why-offer-it-to-first-or = ofrézcala primero a { $places }, o indique que rechazaron
why-the-player-dealer-may-deal = el jugador-banca puede seguir; diga quién toma el relevo
why-nobody-is-left-to-ask = no queda nadie a quien preguntar; { $said }
why-had-hands-in-a-row = { $places } tuvo { $n } manos seguidas: primero debe hacer banca otra persona
why-may-not-bank-the-next = { $places } no puede hacer banca en la próxima mano
why-this-game-has-no-player = este juego no tiene posición de jugador-banca que rote
why-the-position-moves-between-hands = la posición solo cambia entre manos

## Corrections and taking back

why-the-round-is-over-the = la ronda terminó; la corrige el supervisor
why-the-round-began-with-it = la ronda empezó con eso; el supervisor puede anularla
why-a-card-was-exposed-by = con eso se expuso una carta; la corrige el supervisor
why-money-was-settled-by-it = con eso se pagó dinero; lo corrige el supervisor
why-something-has-happened-since-the = ocurrió algo después; lo corrige el supervisor
why-did-it-and-takes-it = lo hizo { $name }, y lo deshace; o lo corrige el supervisor
why-nothing-would-be-left-of = no quedaría nada de la ronda; anúlela
why-taken-back = deshecho

## The table's settings

why-rules-seats-and-limits-change = reglas, asientos y límites solo cambian entre rondas
why-rules-and-limits-change-between = reglas y límites solo cambian entre rondas
why-seats-and-player-dealer-change = asientos y jugador-banca solo cambian entre rondas
why-a-seat-is-named-twice = un asiento se nombró dos veces; nómbrelo una vez
why-the-least-wager-would-be = la apuesta mínima superaría la máxima
why-this-table-plays-no-other = esta mesa no juega otras reglas que las suyas
why-the-table-is-open = la mesa está abierta
why-state-what-was-found = indique qué se encontró
why-it-is-cleared-when = se borra cuando { $said }
why-has-acknowledged-it-before = { $name } ya lo atendió
why-poker-needs-two-players-seat = el póker necesita dos jugadores: siente a otro
why-nobody-has-the-button-say = nadie tiene el botón: diga quién lo tiene
why-no-betting-structure-is-posted = no hay estructura de apuestas publicada: elija una
why-no-bring-in-is-posted = no hay bring-in publicado ni ciega de la cual tomarlo: fije uno
why-chinese-poker-needs-two-players = Chinese Poker necesita dos jugadores: siente a otro
why-nobody-has-the-buttons-say = nadie tiene los botones: diga quién los tiene
why-panguingue-needs-two-players-seat = Panguingue necesita dos jugadores: siente a otro
why-fewer-than-two-players-are = reciben cartas menos de dos jugadores
why-the-upper-limit-is-below = el límite superior ({ $n }) es menor que el inferior ({ $n2 })
why-seat-is-not-in-the = { $name }: el asiento { $seat } no está en el juego; los asientos son { $seats }
why-set-the-player-dealer-and = fije el jugador-banca y los asientos, 1 a { $n }
why-set-the-seats-that-take = fije los asientos que participan
why-the-game-is-played-by = el juego es de { $n } a { $n2 } jugadores, hay { $n3 }
why-no-seat-has-an-ante = ningún asiento tiene ante
why-no-seat-has-an-ante-and = ningún asiento tiene ante y ciega iguales
why-no-seat-has-a-pai = ningún asiento tiene apuesta Pai Gow
why-no-seat-has-a-wager = ningún asiento tiene apuesta
why-no-circle-has-a-wager = ningún círculo tiene apuesta

## Acts of the games

why-seat-has-bet-a-play = el asiento { $seat } ya apostó; la jugada es definitiva
why-seat-has-drawn-a-card = el asiento { $seat } ya tomó carta
why-seat-may-not-double-this = el asiento { $seat } no puede doblar esta mano
why-seat-may-not-split-this = el asiento { $seat } no puede dividir esta mano
why-seat-may-not-surrender-this = el asiento { $seat } no puede rendirse con esta mano
why-seat-has-and-must-hit = el asiento { $seat } tiene { $hand } y debe pedir
why-seat-has-and-must-stand = el asiento { $seat } tiene { $hand } y debe plantarse
why-against-this-up-card-a = contra esta carta solo se puede pedir o plantarse
why-insurance-is-not-offered-at = esta mesa no ofrece seguro
why-seat-has-hands-no-more = el asiento { $seat } tiene { $n } manos; no se divide más
why-seat = asiento { $seat }: { $act }
why-the-two-cards-in-front = las dos cartas del frente deben ser menores que las cinco de atrás; ordene de nuevo
why-two-cards-go-in-front = dos cartas van al frente
why-name-two-different-cards-of = nombre dos cartas distintas de esta mano
why-the-table-has-no-chart = la mesa no tiene tabla de house way; nombre las dos cartas del frente
why-the-chart-of-the-house = la tabla de la casa pone otras cartas al frente
why-the-house-way-has-no = el house way no tiene fila para esta mano
why-seat-the-two-cards-in = asiento { $seat }: las dos del frente no son menores que las cinco de atrás; la mano es falta
why-that-is-not-a-card = eso no es una carta
why-a-card-that-does-not = una carta que no es de esta baraja
why-a-card-of-which-every = una carta cuyas copias ya salieron todas
why-a-card-was-not-read = { $who }: no se leyó una carta; márquela
why-no-hand-is-being-dealt = no se está repartiendo ninguna mano
why-no-hand-is-being-played = no se está jugando ninguna mano
why-the-seat-is-not-in = el asiento no está en la mano
why-that-seat-has-no-wager = ese asiento no tiene apuesta
why-that-seat-has-no-card = ese asiento aún no tiene carta
why-it-is-not-that-seat = no es el turno de ese asiento
why-name-the-cards = nombre las cartas
why-say-which-seat = diga qué asiento
why-say-how-much-153 = diga cuánto
why-that-seat-has-not-opened = ese asiento no abrió el bote
why-a-card-is-named-that = se nombró una carta que esta mano no tiene
why-that-card-is-not-in = esa carta no está en la mano del asiento
why-chips-are-due-from-each = cada jugador activo debe { $n } fichas
why-eleven-cards-lie-in-melds = hay once cartas bajadas: cerrar

## Beside the rounds

why-name-the-seat-of-the = nombre el asiento del jugador
why-name-the-seat-of-a = nombre el asiento de un jugador ausente
why-seat-is-away-already = el asiento { $seat } ya está ausente
why-seat-is-not-in-the-game = el asiento { $seat } no está en el juego
why-the-shuffling-machine-does-not = la barajadora no funciona; baraje a mano
why-the-deck-is-cut-before = se corta antes de que salga la primera carta
why-cut-again-at-least-cards = cortar de nuevo: al menos { $n } cartas desde arriba y desde abajo de { $n2 }
why-the-buy-in-is-or = la compra es de { $money } o más
why-a-short-re-buy-is = una recompra corta es de { $money } o más
why-chips-are-put-in-front = las fichas se ponen entre manos: solo juega lo que había al salir las cartas
why-this-game-is-not-played = este juego no se juega con fichas propias
why-a-seat-is-taken-away = un asiento se quita solo entre rondas
why-the-game-has-broken-down = el juego se interrumpió
why-nobody-is-signed-on-to = nadie ha iniciado sesión para repartir
why-deals-already = { $name } ya está repartiendo
why-state-why = indique por qué

## Signing in and sending

why-name-and-pin-do-not = El nombre y el PIN no coinciden.
why-this-badge-is-nobody-s = Esta credencial no es de nadie aquí.
why-too-many-people-sign-in = Demasiadas personas inician sesión a la vez; intente en un momento.
why-too-many-wrong-tries-here = Demasiados intentos fallidos aquí; espere { $n } segundos.
why-name-and-pin-do-not-fit = El nombre y el PIN no coinciden. Demasiados intentos; espere { $n } segundos.
why-this-badge-is-nobody-s-here = Esta credencial no es de nadie aquí. Demasiados intentos; espere { $n } segundos.
why-nobody-is-on-the-staff = Aún no hay personal registrado: { $name }.
why-send-a-name-or-staff = Envíe un nombre o número con su PIN, o una credencial.
why-the-table-is-starting-try = La mesa está arrancando; intente de nuevo.
why-only-a-device-can-report = Solo un dispositivo puede informar eso.
why-a-dealer-may-not-do = Un crupier no puede hacer eso.
why-a-floor-may-not-do = Un supervisor no puede hacer eso.
why-the-shoe-reads-the-cards = El zapato lee las cartas por sí mismo.
why-it-cannot-be-written-down = No se puede registrar: { $name }
why-sign-in-first-post-api = Inicie sesión primero.

## Readings

why-readings-are-not-confirmed-by = la casa no ha confirmado { $n } lecturas: { $name }

## Calls

why-floor-not-called = no se llamó al supervisor
why-floor-called-already = ya se llamó al supervisor
