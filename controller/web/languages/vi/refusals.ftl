## Why something is refused

why-it-is-seat-s-turn = đến lượt ghế { $seat }
why-it-is-seat-s-turn-1 = đến lượt ghế { $seats }
why-is-not-offered = { $said }; không có '{ $name }'
why-no-more-bets = đã khóa cược; { $said }
why-the-table-waits-for-something = bàn đang chờ việc khác: { $said }
why-the-table-waits = bàn đang chờ: { $said }
why-that-was-asked-before-now = đó là câu hỏi trước; bây giờ: { $said }
why-has-cards-to-name = { $who } có { $n } lá cần gọi tên
why-the-wagers-cannot-be-closed = chưa thể khóa cược
why-the-player-dealer-s-wager = tiền của nhà cái không thể âm
why-a-wager-cannot-be-negative = tiền cược không thể âm
why-is-not-a-betting-place = '{ $name }' không phải ô cược
why-seat-does-not-take-part = ghế { $seat } không tham gia ván này
why-dice-show-1-to-6 = { $n } xúc xắc, mỗi viên 1 đến 6
why-a-card-left-before-the = một lá đã ra trước khi phí vào hộp
why-the-dice-cup-was-opened = chén xúc xắc mở trước khi phí vào hộp
why-cards-belong-into-the-pack = bộ bài phải có { $n } lá
why-is-not-offered-there-is = không có '{ $bet }'; có { $bets }
why-is-not-for-seat = { $bet } không dành cho ghế { $seat }
why-is-not-open-at-this = { $bet } không mở ở bàn này
why-not-behind-seat-only-on = { $bet }: không đặt sau ghế { $seat }, chỉ ở ô của ghế
why-a-seat-has-spots-for = { $bet }: mỗi ghế có { $n } ô
why-needs-on-the-same-place = { $bet } cần { $bets } ở cùng ô
why-must-equal-the-wager = { $bet } phải bằng cược { $bet2 }
why-one-on-a-place-and = { $bet }: mỗi ô một, và đã có
why-may-not-be-above-the = { $bet } không được hơn cược { $bet2 }
why-at-least = { $bet }: tối thiểu { $money }
why-at-most = { $bet }: tối đa { $money }
why-in-steps-of = { $bet }: theo bước { $money }
why-seat-at-most-in-all = ghế { $seat }: tổng tối đa { $money }
why-all-on-one-square-bet = { $bet }: cùng một ô cược như nhau
why-seat-plays-hands-already-more = ghế { $seat } đã chơi { $n } tay; thêm cần quản lý và nhà cái đồng ý
why-seat-plays-1-hand-already = ghế { $seat } đã chơi 1 tay; thêm cần quản lý và nhà cái đồng ý
why-the-hand-must-be-opened = phải mở bài trước
why-seat-has-in-all-for = ghế { $seat } có tổng { $money } cho vòng này
why-no-raise-here-call-or = không được tố: theo hoặc bỏ bài
why-the-bring-in-is-not = bring-in chưa đủ cược: bù đủ, theo hoặc bỏ bài
why-there-is-a-bet-to = có cược: theo, tố hoặc bỏ bài
why-nothing-is-bet = chưa có cược
why-nothing-is-bet-bet-do = chưa có cược: hãy cược, đừng tố
why-there-is-a-bet-raise = có cược: tố, theo hoặc bỏ bài
why-say-how-much = { $act }: cho biết bao nhiêu
why-not = { $act }, không phải { $money }
why-to-at-least = { $act } ít nhất { $money }
why-to-at-most = { $act } tối đa { $money }
why-at-least-45 = ít nhất { $money }
why-at-most-46 = tối đa { $money }
why-choose-a-pile-from-1 = chọn chồng từ 1 đến { $n }
why-name-to-cards-given = { $act }: gọi tên { $n } đến { $n2 } lá, đã cho { $n3 }
why-is-not-among-the-cards = { $card } không nằm trong các lá để chọn
why-this-card-was-not-read = lá này chưa đọc được; phải gọi tên trước
why-the-floor-may = quản lý có thể { $acts }
why-the-floor-holds-the-table = quản lý đang tạm dừng bàn
why-no-round-is-being-dealt = không có ván nào; không có gì để hủy
why-a-card-left-the-shoe = một lá ra khi hộp bài bị khóa
why-the-round-is-void-begin = ván đã hủy; bắt đầu ván sau
why-a-card-left-the-shoe-after = một lá ra khỏi hộp sau khi hủy ván
why-a-card-left-the-shoe-but = một lá ra khỏi hộp, nhưng { $said }
why-finish-or-void-the-round = xong hoặc hủy ván trước khi có hộp mới
why-finish-or-void-the-round-first = xong hoặc hủy ván trước
why-the-shoe-is-empty-after = hộp hết sau { $n } lá; đã xáo và đếm { $n2 }
why-cards-have-left-the-shoe = { $n } lá đã ra khỏi hộp; đã xáo và đếm { $n2 }
why-cards-were-shuffled-and-counted = đã xáo và đếm { $n } lá, cho vào hộp { $n2 }
why-cards-were-counted-belong-into = đếm được { $n } lá, bộ bài phải có { $n2 }
why-decks-are-in-the-shoe = có { $n } bộ trong hộp, đúng là { $n2 }
why-the-cards-come-in-the = bài ra theo thứ tự bộ mới
why-the-cards-come-in-the-order = bài ra theo thứ tự ngược của bộ mới
why-the-shoe-repeats-itself = hộp bài lặp lại
why-the-cards-come-as-in = bài ra như hộp trước
why-the-player-dealer-s-wager-was = chưa ghi tiền nhà cái: không rõ phí
why-no-rule-is-posted-by = không có luật niêm yết để miễn phí ván
why-the-fees-of-this-hand = đã miễn phí ván này
why-fees-are-waived-before-the = miễn phí phải trước lá đầu
why-fees-are-waived-before-the-player = miễn phí phải trước khi mở bài nhà cái
why-the-player-dealer-s-burn = nhà cái đã dùng lượt đốt của hộp này
why-this-room-seats-players-at = phòng này { $n } người một bàn, đang đặt { $n2 }
why-this-room-seats-players-at-a = phòng này { $n } người một bàn, kể cả nhà cái, đang đặt { $n2 }

## The bank

why-state-why-and-after-what = nêu lý do và sau bao lâu tiếp tục
why-the-position-is-not-offered = vị trí không mời { $places }
why-cannot-take-the-position-and = { $places } không thể vừa nhận vừa từ chối
why-offer-it-to-first-or = mời { $places } trước, hoặc ghi họ đã từ chối
why-the-player-dealer-may-deal = nhà cái có thể tiếp; nêu ai thay
why-nobody-is-left-to-ask = không còn ai để hỏi; { $said }
why-had-hands-in-a-row = { $places } đã { $n } ván liền: người khác phải làm cái trước
why-may-not-bank-the-next = { $places } không được làm cái ván sau
why-this-game-has-no-player = trò này không có vị trí nhà cái luân phiên
why-the-position-moves-between-hands = vị trí chỉ đổi giữa các ván

## Corrections and taking back

why-the-round-is-over-the = ván đã xong; quản lý sửa
why-the-round-began-with-it = ván bắt đầu bằng nó; quản lý có thể hủy
why-a-card-was-exposed-by = đã lộ bài vì nó; quản lý sửa
why-money-was-settled-by-it = đã thanh toán vì nó; quản lý sửa
why-something-has-happened-since-the = đã có việc sau đó; quản lý sửa
why-did-it-and-takes-it = { $name } đã làm, tự rút lại; hoặc quản lý sửa
why-nothing-would-be-left-of = ván sẽ không còn gì; hãy hủy
why-taken-back = đã rút lại

## The table's settings

why-rules-seats-and-limits-change = luật, ghế và giới hạn chỉ đổi giữa các ván
why-rules-and-limits-change-between = luật và giới hạn chỉ đổi giữa các ván
why-seats-and-player-dealer-change = ghế và nhà cái chỉ đổi giữa các ván
why-a-seat-is-named-twice = một ghế nêu hai lần; nêu mỗi ghế một lần
why-the-least-wager-would-be = mức thấp nhất sẽ cao hơn mức cao nhất
why-this-table-plays-no-other = bàn này chỉ chơi luật của mình
why-the-table-is-open = bàn đang mở
why-state-what-was-found = nêu đã thấy gì
why-it-is-cleared-when = xóa khi { $said }
why-has-acknowledged-it-before = { $name } đã xem trước đó
why-poker-needs-two-players-seat = poker cần hai người: thêm người
why-nobody-has-the-button-say = không ai có nút: nêu ai có
why-no-betting-structure-is-posted = chưa niêm yết thể thức cược: chọn một
why-no-bring-in-is-posted = chưa có bring-in, cũng không có blind: đặt một trong hai
why-chinese-poker-needs-two-players = Chinese Poker cần hai người: thêm người
why-nobody-has-the-buttons-say = không ai có các nút: nêu ai có
why-panguingue-needs-two-players-seat = Panguingue cần hai người: thêm người
why-fewer-than-two-players-are = chưa đủ hai người được chia
why-the-upper-limit-is-below = giới hạn trên ({ $n }) thấp hơn dưới ({ $n2 })
why-seat-is-not-in-the = { $name }: ghế { $seat } không trong ván; các ghế là { $seats }
why-set-the-player-dealer-and = đặt nhà cái và các ghế, 1 đến { $n }
why-set-the-seats-that-take = đặt các ghế tham gia
why-the-game-is-played-by = trò này { $n } đến { $n2 } người, đang có { $n3 }
why-no-seat-has-an-ante = không ghế nào có ante
why-no-seat-has-an-ante-and = không ghế nào có ante và blind bằng nhau
why-no-seat-has-a-pai = không ghế nào có cược Pai Gow
why-no-seat-has-a-wager = không ghế nào có cược
why-no-circle-has-a-wager = không ô nào có cược

## Acts of the games

why-seat-has-bet-a-play = ghế { $seat } đã cược; cược play là cuối cùng
why-seat-has-drawn-a-card = ghế { $seat } đã rút bài
why-seat-may-not-double-this = ghế { $seat } không được gấp đôi
why-seat-may-not-split-this = ghế { $seat } không được tách
why-seat-may-not-surrender-this = ghế { $seat } không được đầu hàng
why-seat-has-and-must-hit = ghế { $seat } có { $hand } và phải rút
why-seat-has-and-must-stand = ghế { $seat } có { $hand } và phải dằn
why-against-this-up-card-a = gặp lá ngửa này chỉ được rút hoặc dằn
why-insurance-is-not-offered-at = bàn này không có bảo hiểm
why-seat-has-hands-no-more = ghế { $seat } có { $n } tay; không tách thêm
why-seat = ghế { $seat }: { $act }
why-the-two-cards-in-front = hai lá trước phải nhỏ hơn năm lá sau; xếp lại
why-two-cards-go-in-front = hai lá đặt phía trước
why-name-two-different-cards-of = gọi tên hai lá khác nhau của bài này
why-the-table-has-no-chart = bàn không có bảng house way; gọi tên hai lá trước
why-the-chart-of-the-house = bảng của nhà đặt lá khác phía trước
why-the-house-way-has-no = house way không có dòng cho bài này
why-seat-the-two-cards-in = ghế { $seat }: hai lá trước không nhỏ hơn năm lá sau; phạm luật
why-that-is-not-a-card = đó không phải lá bài
why-a-card-that-does-not = lá không thuộc bộ bài này
why-a-card-of-which-every = lá mà mọi bản đã ra
why-a-card-was-not-read = { $who }: một lá không đọc được; hãy nhập
why-no-hand-is-being-dealt = không có ván nào đang chia
why-no-hand-is-being-played = không có ván nào đang chơi
why-the-seat-is-not-in = ghế không ở trong ván
why-that-seat-has-no-wager = ghế đó không có cược
why-that-seat-has-no-card = ghế đó chưa có lá nào
why-it-is-not-that-seat = chưa đến lượt ghế đó
why-name-the-cards = gọi tên các lá
why-say-which-seat = cho biết ghế nào
why-say-how-much-153 = cho biết bao nhiêu
why-that-seat-has-not-opened = ghế đó chưa mở pot
why-a-card-is-named-that = gọi tên lá không có trong bài
why-that-card-is-not-in = lá đó không có trong bài của ghế
why-chips-are-due-from-each = mỗi người đang chơi trả { $n } chip
why-eleven-cards-lie-in-melds = mười một lá đã hạ: ù

## Beside the rounds

why-name-the-seat-of-the = nêu ghế của người chơi
why-name-the-seat-of-a = nêu ghế của người vắng
why-seat-is-away-already = ghế { $seat } đã vắng
why-seat-is-not-in-the-game = ghế { $seat } không trong ván
why-the-shuffling-machine-does-not = máy xáo không chạy; xáo tay
why-the-deck-is-cut-before = cắt bài trước khi lá đầu ra
why-cut-again-at-least-cards = cắt lại: ít nhất { $n } lá từ trên và dưới của { $n2 }
why-the-buy-in-is-or = mua chip từ { $money } trở lên
why-a-short-re-buy-is = mua thêm ngắn từ { $money }
why-chips-are-put-in-front = chip đặt giữa hai ván: chỉ tính số có khi chia bài
why-this-game-is-not-played = trò này không chơi bằng chip riêng
why-a-seat-is-taken-away = chỉ lấy ghế giữa các ván
why-the-game-has-broken-down = ván bài bị gián đoạn
why-nobody-is-signed-on-to = chưa ai đăng nhập chia bài
why-deals-already = { $name } đang chia bài
why-state-why = nêu lý do

## Signing in and sending

why-name-and-pin-do-not = Tên và mã PIN không khớp.
why-this-badge-is-nobody-s = Thẻ này không của ai ở đây.
why-too-many-people-sign-in = Quá nhiều người đăng nhập; thử lại sau giây lát.
why-too-many-wrong-tries-here = Sai quá nhiều lần; chờ { $n } giây.
why-name-and-pin-do-not-fit = Tên và mã PIN không khớp. Quá nhiều lần; chờ { $n } giây.
why-this-badge-is-nobody-s-here = Thẻ này không của ai ở đây. Quá nhiều lần; chờ { $n } giây.
why-nobody-is-on-the-staff = Chưa có nhân viên nào: { $name }.
why-send-a-name-or-staff = Nhập tên hoặc số với mã PIN, hoặc thẻ.
why-the-table-is-starting-try = Bàn đang khởi động; thử lại.
why-only-a-device-can-report = Chỉ thiết bị mới báo được.
why-a-dealer-may-not-do = Dealer không được làm việc đó.
why-a-floor-may-not-do = Quản lý không được làm việc đó.
why-the-shoe-reads-the-cards = Hộp bài tự đọc bài.
why-it-cannot-be-written-down = Không thể ghi lại: { $name }
why-sign-in-first-post-api = Hãy đăng nhập trước.

## Readings

why-readings-are-not-confirmed-by = { $n } cách hiểu chưa được nhà xác nhận: { $name }

## Calls

why-floor-not-called = chưa gọi quản lý
why-floor-called-already = đã gọi quản lý rồi
