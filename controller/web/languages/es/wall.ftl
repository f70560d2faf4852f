## The language itself

page-language = Español

## How numbers and money are written: a locale

page-numbers = es-US

## Between the parts of a list

page-list-comma = { ", " }
page-list-and = { " y " }
page-list-or = { " o " }

## Both pages

page-test-strip =
    .aria-label = Modo de prueba
page-test-mode = Modo de prueba
page-not-live-game = no es un juego real
page-connection-lost = Se perdió la conexión
page-no-connection = Aún sin conexión
page-not-live-since = No está en vivo. Última actualización
page-never = nunca
page-connecting = Conectando
page-connecting-to-table = Conectando con la mesa
page-live = En vivo
page-not-live = No está en vivo
page-phase-waiting = En espera
page-phase-betting = Apuestas abiertas
page-phase-dealing = Repartiendo
page-phase-settled = Resultado
page-phase-held = En pausa
page-phase-closed = Cerrada

## The players' display

page-bets = Apuestas
page-shoe = Zapato
page-round = Ronda
page-current-round =
    .aria-label = Ronda actual
page-floor-called = Se espera al supervisor:
page-seconds-left =
    .aria-label = Segundos hasta el cierre de apuestas
page-big-road = Camino grande
page-big-eye-boy = Ojo grande
page-small-road = Camino pequeño
page-cockroach-pig = Cucaracha
page-bead-plate = Plato de cuentas
page-if-next-is = Si sigue
page-counts =
    .aria-label = Conteo
page-results = Resultados
page-this-shoe = Este zapato
page-previous = Anterior
page-naturals = Naturales
page-hands = Manos
page-wins = Gana
page-cut-card-is-out = Salió la carta de corte
page-cards-left = Quedan { $left } de { $cards } cartas
page-pot-to =
    { $count ->
        [one] { $pot }: asiento { $seats }
       *[other] { $pot }: asientos { $seats }
    }
page-stack = Fichas { $money }
page-dealer-button = Botón del repartidor
page-bet-behind = { $bet }, detrás
page-red = rojo
page-blue = azul
page-red-repeats = rojo: se repite
page-blue-does-not = azul: no se repite
page-road = { $marks } marcas, las últimas: { $last }
page-road-empty = vacío

## Cards, for who listens to the page

page-face-down = boca abajo
page-joker = comodín
page-tile = ficha { $code }
page-card = { $rank } de { $suit }
page-suit-c = tréboles
page-suit-d = diamantes
page-suit-h = corazones
page-suit-s = picas
page-rank-A = as
page-rank-K = rey
page-rank-Q = reina
page-rank-J = jota
page-rank-T = 10
page-rank-9 = 9
page-rank-8 = 8
page-rank-7 = 7
page-rank-6 = 6
page-rank-5 = 5
page-rank-4 = 4
page-rank-3 = 3
page-rank-2 = 2
