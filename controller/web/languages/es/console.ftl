## The console

page-other-hand =
    .aria-label = Botones para la otra mano
page-choose-language =
    .aria-label = Idioma
page-may-be-old = Lo que se muestra puede ser antiguo. No se envía nada.
page-what-next =
    .aria-label = Qué hacer ahora
page-the-table =
    .aria-label = La mesa
page-pay-and-take-section =
    .aria-label = Pagar y cobrar
page-pay-and-take = Pagar y cobrar
page-wagers =
    .aria-label = Apuestas
page-more =
    .aria-label = Más
page-alarms-section =
    .aria-label = Alarmas
page-alarms = Alarmas
page-floor-section =
    .aria-label = Supervisor
page-floor = Supervisor
page-table-section =
    .aria-label = Mesa
page-table = Mesa
page-correct-section =
    .aria-label = Corregir
page-correct = Corregir
page-reports-section =
    .aria-label = Informes
page-reports = Informes
page-shift-report = Informe del turno
page-act =
    .aria-label = Actuar
page-chips =
    .aria-label = Fichas
page-more-offers =
    .aria-label = Más opciones
page-cancel = Cancelar
page-ok = Aceptar
page-sign-in = Iniciar sesión
page-sign-out = cerrar sesión
page-floor-please = Supervisor, por favor
page-pin-too = Marque también el PIN, o acerque de nuevo la credencial al lector.
page-not-reached = No se pudo contactar la mesa. Compruebe si se hizo antes de intentarlo de nuevo.
page-sign-in-name = Nombre o número de empleado
page-sign-in-pin = PIN
page-sign-in-badge = o acerque una credencial al lector
page-role-dealer = crupier
page-role-floor = supervisor
page-role-technician = técnico
page-role-monitor = observador
page-role-store = almacén
page-out-of-date = Esta página no está al día. No se envía nada hasta que vuelva a estar en vivo.
page-second-tap = Fue un segundo toque inmediato. No se envió nada por él.
page-still-sending = El anterior aún se está enviando. No se envió nada por este toque.
page-held-down = No se envió nada: la tecla quedó presionada.
page-key-it = Otro
page-bank = Banca
page-button = Botón
page-seat = Asiento { $seat }
page-seat-column = Asiento
page-behind = { $money } detrás
page-bet = Apostar
page-bet-on = Apostar en el asiento { $seat }
page-begin-at = empezar en el asiento { $seat }
page-bank-even = Jugador-banca a la par.
page-bank-net = Jugador-banca { $money }.
page-goes-back = se devuelven { $money }
page-no-cover = { $money } sin cobertura
page-does-take = Cobrar
page-does-pay = Pagar
page-does-push = Empate
page-does-back = Devolver
page-does-fee = Depositar
page-why = Por qué
page-this-changes = Esto cambia
page-correct-it = Corregir
page-strike = No ocurrió: eliminarlo
page-nothing-seen = Nada que alguien haya visto.
page-joker-key = Comodín
page-take-last-back = deshacer la última
page-take-digit-back = borrar el último dígito
page-min = Mín { $money }
page-max = Máx { $money }
page-next-spot = Siguiente lugar
page-or-more = { $least } o más
page-to = de { $least } a { $most }
page-must-be = Debe ser { $range }.
page-must-be-steps = Debe ser { $range }, en pasos de { $step }.
page-same-for-all = Igual para todos
page-die = Dado { $die }
page-key-or-scan = Márquelo o escanéelo
page-few-words = En pocas palabras
page-not-complete = No está completo.
page-round-n = Ronda { $round }
page-round-small = ronda { $round }
page-shoe-n =
    Zapato { $shoe }, { $hands } { $hands ->
        [one] mano
       *[other] manos
    }
page-held = En pausa: { $text }
page-bank-hand-1 = primera mano
page-bank-hand-2 = segunda mano
page-bank-hand = mano { $hand }
page-bank-at = Banca: asiento { $place }, { $hand }
page-not-sent = { $cards }: no enviada; la mesa no espera ninguna carta.
page-done = Hecho: { $what }
page-wager-of = Asiento { $seat }, { $bet }: { $text }
page-place = Poner
page-alarm-count =
    { $alarms } { $alarms ->
        [one] alarma
       *[other] alarmas
    }
page-alarm-count-seen =
    { $alarms } { $alarms ->
        [one] alarma atendida
       *[other] alarmas atendidas
    }
page-cleared-when = Se borra cuando { $ends }.
page-seen-to-by = Atendido por { $name }.
page-nobody-signed-in = Nadie inició sesión. No se envió nada.
page-set = Fijar
page-choose = Elija: { $what }.
page-in-dollars = { $what }, en dólares
page-signed-in = Sesión iniciada: { $name }
