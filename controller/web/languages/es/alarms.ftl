## What is wrong

alarm-is = { $name } { $state }: { $name2 }
alarm-box = caja { $name }: { $said }
alarm-the-box-is-out = la caja está fuera
alarm-the-door-is-open = la puerta está abierta
alarm-its-sensor-restarted-what-fell = su sensor se reinició; no se sabe qué cayó mientras tanto
alarm-its-counter-went-where-it = su contador dio un valor imposible
alarm-its-sensor-reports-a-fault = su sensor informa una falla
alarm-its-sensor-does-not-answer = su sensor no responde
alarm-owes-the-box-fell = { $whose } debe { $money } a la caja { $name }; cayó { $pieces }
alarm-owes-the-box-fell-at = { $whose } debe { $money } a la caja { $name }; cayó { $pieces }, al menos { $money2 }
alarm-owes-the-box-fell-which = { $whose } debe { $money } a la caja { $name }; cayó { $pieces }, que no puede ser ese monto
alarm-owes-the-box-fell-as = { $whose } debe { $money } a la caja { $name }; cayó { $pieces }, según se sabe: { $said }
alarm-its-sensor-restarted-meanwhile = su sensor se reinició mientras tanto
alarm-its-counter-went-where-it-cannot = su contador dio un valor imposible mientras tanto
alarm-fell-into-the-box-that = cayó { $pieces } en la caja { $name } sin que nadie la debiera
alarm-fell-through-the-slot-of = cayó { $pieces } por la ranura { $name } sin caja puesta
alarm-of-not-seen-to-fall = no se vio caer { $money } de { $whose }
alarm-id-and-seal-of-the = no se marcaron número y sello de la caja
alarm-the-box-was-taken-out = la caja { $name } se retiró durante una ronda
alarm-number-left-number-was-expected = salió el número { $n }, se esperaba el { $n2 }: { $n3 } salieron sin informe
alarm-number-left-a-second-time = el número { $n } salió por segunda vez, se esperaba el { $n2 }
alarm-its-event-came-event-was = llegó su evento { $n }, se esperaba el { $n2 }: lo intermedio se perdió
alarm-its-event-came-a-second = su evento { $n } llegó por segunda vez, se esperaba el { $n2 }
alarm-cards-are-left-in-it = según su cuenta quedan { $n } cartas, deberían ser { $n2 }
alarm-a-card-left-it-and = salió una carta y ya no debía quedar ninguna
alarm-of-have-left-the-shoe = salieron { $n } de { $card } del zapato, las barajas tienen { $n2 }: { $name }
alarm-cards-came-out-of-the = salieron { $n } cartas de la barajadora, debían ser { $n2 }
alarm-too-many-wrong-pins-or = demasiados PIN o credenciales erróneos
alarm-wrong-pins-or-badges-at = PIN o credenciales erróneos en { $name }, desde { $name2 }
alarm-entry-of-the-journal-does = la entrada { $n } del diario no coincide: { $name }
alarm-sent-a-message-that-kind = { $name } envió un mensaje ilegible ({ $name2 }): tipo { $name3 }, { $n } bytes; están en el diario
alarm-the-board-s-clock-was = el reloj de la placa se adelantó { $name }
alarm-the-board-s-clock-was-set = el reloj de la placa se atrasó { $name }

## What to do about it

alarm-check-the-power-and-the = Revise la corriente y el cable de { $name }. Si no vuelve, llame a un técnico (`cutcard doctor`). La ronda que recibe de él sus cartas queda en pausa.
alarm-take-the-deck-out-of = Saque la baraja de { $name }, cuéntela y ponga otra. Guárdela si faltan cartas.
alarm-look-for-a-card-on = Busque una carta en el suelo, cuente las cartas de { $name } y revise el video. Cargue un zapato nuevo o indique qué se encontró.
alarm-find-out-what-happened-at = Averigüe qué pasó en { $name } en ese momento e indíquelo. Llame a un técnico: su firmware puede ser más nuevo o defectuoso.
alarm-look-at-the-cable-of = Revise el cable de { $name } de punta a punta por equipos ajenos y llame a vigilancia. Indique qué se encontró.
alarm-call-a-technician-find-out = Llame a un técnico: averigüe qué se hizo a { $name }, luego `cutcard firmware enroll { $name2 }` o `cutcard firmware accept { $name3 }`.
alarm-do-not-deal-from-this = No reparta de este zapato. Si se leyó mal una carta, corrija la ronda. Si no, cuente el zapato, llame a vigilancia y cargue otro. Para seguir con él, indique qué halló la inspección.
alarm-look-for-a-card-on-the = Busque una carta en el suelo y en el zapato, cuente las cartas y cargue un zapato nuevo. Para seguir con este, indique el resultado del conteo.
alarm-load-a-shoe-with-the = Cargue un zapato con el número de barajas que pide el reglamento.
alarm-do-not-deal-from-this-shoe = No reparta de este zapato. Déjelo como está, llame a vigilancia y cargue otro. Para seguir con él, indique qué halló la inspección.
alarm-put-the-box-in-while = Ponga la caja { $name }. Mientras el equipo la cambia, no hay nada más que hacer.
alarm-close-the-door-of-the = Cierre la puerta de la caja { $name }.
alarm-nothing-at-once-the-count = Nada inmediato: decide el conteo. Indique qué se encontró si no debe esperar a la próxima recogida.
alarm-clean-the-slot-of-the = Limpie la ranura de la caja { $name }. Si la falla sigue, llame a un técnico: cable u otro sensor.
alarm-drop-what-is-missing-if = Deposite lo que falta. Si no se puede, revise el video y explique la caja. Caja sin etiqueta: marque su número y sello.
alarm-call-a-technician-move-archives = Llame a un técnico: mueva los archivos a otro disco y averigüe qué más lo llena.
alarm-call-a-technician-at-once = Llame a un técnico de inmediato: mueva los archivos a otro disco y averigüe qué más lo llena.
alarm-find-out-who-it-is = Averigüe quién es, si no lo sabe. Un técnico lo termina con Ctrl-C, o termina solo.
alarm-ask-who-it-was-then = Pregunte quién fue y luego inicie sesión como supervisor.
alarm-call-a-technician-cutcard-config = Llame a un técnico: `cutcard config check`, corrija el archivo, `cutcard config apply`.
alarm-sign-in-at-the-console = Inicie sesión como supervisor. Envíenos el registro (`journalctl -u cutcard`).
alarm-the-table-is-held-read = La mesa está en pausa. Lea qué difiere y luego siga, o anule la ronda, e indique el motivo.
alarm-call-a-technician-make-room = Llame a un técnico: libere espacio en el disco o cámbielo. Los dispositivos reenvían lo no recibido.
alarm-compare-the-board-s-clock = Compare el reloj de la placa con uno correcto. Si está mal, llame a un técnico: batería, servidor de hora (`timedatectl`). Luego indique qué se encontró.

## What ends it

said-ends = { $ends }
end-a-new-shoe-is-loaded = se cargue un zapato nuevo
end-the-floor-states-what-the = el supervisor indique qué halló la inspección
end-the-floor-states-what-was = el supervisor indique qué se encontró
end-answers-again = { $name } responda de nuevo
end-is-taken-out-of-the = se quite de la configuración
end-is-taken-out-of-the-configuration = { $name } se quite de la configuración
end-reports-a-good-deck = { $name } informe una baraja correcta
end-is-enrolled = { $name } se registre
end-accepted = se acepte
end-is-as-it-was-again = vuelva a estar como antes
end-a-correction-shows-that-a = una corrección muestre que se leyó mal una carta
end-a-shoe-with-the-right = se cargue un zapato con el número correcto de barajas
end-another-game-is-chosen = se elija otro juego
end-a-box-is-in-the = haya una caja en la ranura
end-the-door-is-closed = se cierre la puerta
end-the-box-is-exchanged = se cambie la caja { $name }
end-the-sensor-reports-no-fault = el sensor no informe fallas
end-what-was-missing-has-fallen = caiga lo que faltaba
end-the-floor-has-explained-the = el supervisor explique la caja
end-the-box-is-keyed = se marque la caja
end-another-box-is-in = haya otra caja
end-there-is-room-again-it = haya espacio de nuevo; se revisa cada diez segundos
end-a-floor-person-signs-in = un supervisor inicie sesión
end-a-good-file-was-read = se lea un archivo correcto
end-nobody-records-any-more = nadie grabe más
end-the-floor-resumes-the-table = el supervisor reanude la mesa
end-voids-the-round = anule la ronda
end-an-entry-can-be-written = se pueda escribir; se intenta cada diez segundos

## Of the drop

pieces-nothing = nada
pieces-one = 1 pieza
pieces-n = { $n } piezas
whose-round = la ronda { $n }
whose-clock = el reloj
whose-rounds = las rondas { $name }
whose-earlier = rondas anteriores
state-offline = no responde
state-faulty = con falla
state-wrong-device = no es el dispositivo correcto
state-not-trusted = no es de confianza

## A call

alarm-floor-is-called = se llamó al supervisor
alarm-go-to-the-table = Vaya a la mesa. `Atendido` muestra al crupier que alguien viene; `El supervisor estuvo aquí` termina la llamada.
end-somebody-ends-the-call = alguien en la mesa termina la llamada
