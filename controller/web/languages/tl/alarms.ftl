## What is wrong

alarm-is = { $name } ay { $state }: { $name2 }
alarm-box = { $name } box: { $said }
alarm-the-box-is-out = nakalabas ang box
alarm-the-door-is-open = bukas ang pinto
alarm-its-sensor-restarted-what-fell = nag-restart ang sensor; hindi alam kung ano ang nahulog
alarm-its-counter-went-where-it = imposible ang counter nito
alarm-its-sensor-reports-a-fault = may sira ayon sa sensor
alarm-its-sensor-does-not-answer = hindi sumasagot ang sensor
alarm-owes-the-box-fell = utang ng { $whose } sa { $name } box ang { $money }; { $pieces } ang nahulog
alarm-owes-the-box-fell-at = utang ng { $whose } sa { $name } box ang { $money }; { $pieces } ang nahulog, di bababa sa { $money2 }
alarm-owes-the-box-fell-which = utang ng { $whose } sa { $name } box ang { $money }; { $pieces } ang nahulog, hindi maaaring iyon ang halaga
alarm-owes-the-box-fell-as = utang ng { $whose } sa { $name } box ang { $money }; { $pieces } ang nahulog, ayon sa alam: { $said }
alarm-its-sensor-restarted-meanwhile = nag-restart ang sensor samantala
alarm-its-counter-went-where-it-cannot = imposible ang counter samantala
alarm-fell-into-the-box-that = { $pieces } ang nahulog sa { $name } box na walang may utang
alarm-fell-through-the-slot-of = { $pieces } ang nahulog sa slot ng { $name } box nang walang box
alarm-of-not-seen-to-fall = hindi nakitang nahulog ang { $money } ng { $whose }
alarm-id-and-seal-of-the = hindi na-key ang id at selyo ng box
alarm-the-box-was-taken-out = inalis ang { $name } box habang may round
alarm-number-left-number-was-expected = lumabas ang numero { $n }, inaasahan ang { $n2 }: { $n3 } ang lumabas nang walang report
alarm-number-left-a-second-time = lumabas ulit ang numero { $n }, inaasahan ang { $n2 }
alarm-its-event-came-event-was = dumating ang event { $n }, inaasahan ang { $n2 }: nawala ang nasa pagitan
alarm-its-event-came-a-second = dumating ulit ang event { $n }, inaasahan ang { $n2 }
alarm-cards-are-left-in-it = { $n } baraha ang natira sa bilang nito, { $n2 } dapat
alarm-a-card-left-it-and = may lumabas na baraha, at wala na dapat laman
alarm-of-have-left-the-shoe = { $n } { $card } ang lumabas, { $n2 } lang sa decks: { $name }
alarm-cards-came-out-of-the = { $n } baraha ang lumabas sa shuffler, { $n2 } dapat
alarm-too-many-wrong-pins-or = masyadong maraming maling PIN o badge
alarm-wrong-pins-or-badges-at = maling PIN o badge sa { $name }, mula sa { $name2 }
alarm-entry-of-the-journal-does = hindi pareho ang entry { $n } ng journal: { $name }
alarm-sent-a-message-that-kind = nagpadala ang { $name } ng di-mabasang mensahe ({ $name2 }): uri { $name3 }, { $n } bytes; nasa journal
alarm-the-board-s-clock-was = inabante ang orasan ng board nang { $name }
alarm-the-board-s-clock-was-set = inatras ang orasan ng board nang { $name }

## What to do about it

alarm-check-the-power-and-the = Suriin ang kuryente at kable ng { $name }. Kung hindi bumalik, tumawag ng technician (`cutcard doctor`). Naka-hold ang round na kumukuha rito ng baraha.
alarm-take-the-deck-out-of = Ilabas ang deck mula sa { $name }, bilangin at palitan. Itabi kung may kulang.
alarm-look-for-a-card-on = Maghanap ng baraha sa sahig, bilangin ang nasa { $name }, at tingnan ang video. Mag-load ng bagong shoe, o sabihin ang nakita.
alarm-find-out-what-happened-at = Alamin ang nangyari sa { $name } noon, at sabihin. Tumawag ng technician: maaaring mas bago o sira ang firmware nito.
alarm-look-at-the-cable-of = Suriin ang buong kable ng { $name } para sa kagamitang di dapat naroon, at tawagan ang surveillance. Sabihin ang nakita.
alarm-call-a-technician-find-out = Tumawag ng technician: alamin ang ginawa sa { $name }, saka `cutcard firmware enroll { $name2 }` o `cutcard firmware accept { $name3 }`.
alarm-do-not-deal-from-this = Huwag mag-deal mula sa shoe na ito. Kung mali ang basa, itama ang round. Kung hindi, bilangin ang shoe, tawagan ang surveillance at mag-load ng bago. Para ituloy, sabihin ang nakita sa inspection.
alarm-look-for-a-card-on-the = Maghanap ng baraha sa sahig at sa shoe, bilangin at mag-load ng bagong shoe. Para ituloy ito, sabihin ang nabilang.
alarm-load-a-shoe-with-the = Mag-load ng shoe na may tamang bilang ng deck.
alarm-do-not-deal-from-this-shoe = Huwag mag-deal mula rito. Panatilihin ito, tawagan ang surveillance at mag-load ng bago. Para ituloy, sabihin ang nakita sa inspection.
alarm-put-the-box-in-while = Ilagay ang { $name } box. Habang pinapalitan ito ng drop team, wala nang ibang gagawin.
alarm-close-the-door-of-the = Isara ang pinto ng { $name } box.
alarm-nothing-at-once-the-count = Wala muna: ang count room ang magpapasya. Sabihin ang nakita kung hindi dapat maghintay ng susunod na drop.
alarm-clean-the-slot-of-the = Linisin ang slot ng { $name } box. Kung may sira pa rin, tumawag ng technician: kable o ibang sensor.
alarm-drop-what-is-missing-if = I-drop ang kulang. Kung hindi magawa, tingnan sa video at ipaliwanag. Kung walang tag ang box: i-key ang id at selyo.
alarm-call-a-technician-move-archives = Tumawag ng technician: ilipat ang archives sa ibang disk, at alamin ang nakakapuno.
alarm-call-a-technician-at-once = Tumawag agad ng technician: ilipat ang archives sa ibang disk, at alamin ang nakakapuno.
alarm-find-out-who-it-is = Alamin kung sino, kung hindi alam. Tinatapos ito ng technician gamit ang Ctrl-C, o kusang matatapos.
alarm-ask-who-it-was-then = Itanong kung sino, saka mag-sign in sa console bilang floor.
alarm-call-a-technician-cutcard-config = Tumawag ng technician: `cutcard config check`, itama ang file, `cutcard config apply`.
alarm-sign-in-at-the-console = Mag-sign in bilang floor. Ipadala sa amin ang log (`journalctl -u cutcard`).
alarm-the-table-is-held-read = Naka-hold ang mesa. Basahin ang kaibhan, saka ituloy, o i-void ang round, at magbigay ng dahilan.
alarm-call-a-technician-make-room = Tumawag ng technician: magbakante ng disk o palitan. Ipapadala ulit ng devices ang hindi natanggap.
alarm-compare-the-board-s-clock = Ihambing ang orasan ng board sa tama. Kung mali, tumawag ng technician: battery, time server (`timedatectl`). Saka sabihin ang nakita.

## What ends it

said-ends = { $ends }
end-a-new-shoe-is-loaded = na-load ang bagong shoe
end-the-floor-states-what-the = sinabi ng floor ang nakita sa inspection
end-the-floor-states-what-was = sinabi ng floor ang nakita
end-answers-again = sumagot ulit ang { $name }
end-is-taken-out-of-the = inalis sa configuration
end-is-taken-out-of-the-configuration = inalis ang { $name } sa configuration
end-reports-a-good-deck = nag-report ang { $name } ng maayos na deck
end-is-enrolled = na-enroll ang { $name }
end-accepted = tinanggap
end-is-as-it-was-again = bumalik sa dati
end-a-correction-shows-that-a = ipinakita ng correction na mali ang basa
end-a-shoe-with-the-right = na-load ang shoe na may tamang bilang ng deck
end-another-game-is-chosen = pumili ng ibang laro
end-a-box-is-in-the = may box na sa slot
end-the-door-is-closed = sarado ang pinto
end-the-box-is-exchanged = napalitan ang { $name } box
end-the-sensor-reports-no-fault = walang sira ayon sa sensor
end-what-was-missing-has-fallen = nahulog na ang kulang
end-the-floor-has-explained-the = ipinaliwanag ng floor ang drop
end-the-box-is-keyed = na-key ang box
end-another-box-is-in = may ibang box na
end-there-is-room-again-it = may espasyo ulit; tinitingnan bawat sampung segundo
end-a-floor-person-signs-in = may nag-sign in na floor
end-a-good-file-was-read = may nabasang maayos na file
end-nobody-records-any-more = wala nang nagre-record
end-the-floor-resumes-the-table = itinuloy ng floor ang mesa
end-voids-the-round = na-void ang round
end-an-entry-can-be-written = makapagsulat na; sinusubukan bawat sampung segundo

## Of the drop

pieces-nothing = wala
pieces-one = 1 piraso
pieces-n = { $n } piraso
whose-round = round { $n }
whose-clock = ang orasan
whose-rounds = mga round { $name }
whose-earlier = mga naunang round
state-offline = offline
state-faulty = may sira
state-wrong-device = maling device
state-not-trusted = hindi pinagkakatiwalaan

## A call

alarm-floor-is-called = tinawag ang floor
alarm-go-to-the-table = Pumunta sa mesa. Ipinapakita ng `Naasikaso` sa dealer na may paparating; tinatapos ng `Nakapunta na ang floor` ang tawag.
end-somebody-ends-the-call = tinapos ng isang nasa mesa ang tawag
