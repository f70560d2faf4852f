## What the table waits for

said-decision = { $who }: { $acts }
said-decision-asks = { $who }: { $acts } — { $said }
said-decision-seats = Ghế { $seats }: { $acts }
said-decision-seats-asks = Ghế { $seats }: { $acts } — { $said }
said-bets = Mời đặt cược
said-bets-next = Mời đặt cược cho ván sau
said-closed = Bàn đã đóng
said-over = Ván đã kết thúc
said-void = Ván bị hủy, trả lại mọi tiền cược
said-new-shoe = Xáo bài và nạp hộp bài mới
said-new-shoe-why = Xáo bài và nạp hộp bài mới: { $said }
said-waiting-shoe = Đang chờ hộp bài đã xáo
said-pack-n = Xáo và đếm bộ bài { $n } lá, rồi khai báo
said-pack = Xáo và đếm bộ bài, rồi khai báo
said-held = Tạm dừng, gọi quản lý: { $said }
said-no-new-round = Không mở ván mới: { $said }
said-floor-decides = Quản lý quyết định: tiếp tục, sửa hoặc hủy
said-burn = Đốt một lá
said-burn-small = đốt một lá
said-burn-first = Đốt lá đầu tiên, ngửa
said-burn-nth = Đốt một lá, { $n } trên { $n2 }
said-burn-nth-why = Đốt một lá, { $n } trên { $n2 }: { $said }
said-burn-asked = Đốt một lá: nhà cái yêu cầu
said-draws = { $who } rút bài
said-draws-one = { $who } rút một lá
said-card-to = Lá thứ { $n } cho { $who }
said-card-to-down = Lá thứ { $n } cho { $who }, úp
said-tile-to = Quân thứ { $n } cho { $who }
said-tile-to-down = Quân thứ { $n } cho { $who }, úp
said-cards-to = { $n } lá cho { $who }
said-cards-to-down = { $n } lá cho { $who }, úp
said-tiles-to-down = { $n } quân cho { $who }, úp
said-tiles-to = { $n } quân cho { $who }
said-key-card = { $who }: nhập lá bài
said-key-card-asks = { $who }: nhập lá bài — { $said }
said-key-cards = { $who }: nhập { $n } lá bài
said-key-cards-asks = { $who }: nhập { $n } lá bài — { $said }
said-key-tile = { $who }: nhập quân bài
said-key-tiles = { $who }: nhập { $n } quân bài
said-key-tiles-asks = { $who }: nhập { $n } quân bài — { $said }
said-dice = Lắc và mở chén ({ $n } xúc xắc)
said-drop = Bỏ { $fees } trước { $before }
fee-into = { $money } vào hộp { $box }
box-fee = phí
box-jackpot = jackpot
box-tip = tip
box-collection = phí
before-first-card = lá đầu tiên
before-cup = khi mở chén
before-next = khi ván tiếp tục
said-flop = Lật { $street }
street-flop = flop
street-turn = turn
street-river = river
said-new-flop = Lật flop mới, không đốt
said-turn-community = Lật lá chung
said-straddle-or = Trước lá đầu tiên: { $said }
said-who-banks = Ai làm cái? Mời { $places } làm nhà cái
said-who-banks-next = Ai làm cái tiếp? { $place } đã chia { $n } ván: mời { $places }
said-who-banks-next-one = Ai làm cái tiếp? { $place } đã chia 1 ván: mời { $places }
said-nobody-banks = Không ai nhận cái: { $said }, người khác phải làm cái ({ $places })
said-nobody-else = Không ai khác được làm cái: { $said }
said-has-dealt = { $place } đã chia { $n } ván
said-has-dealt-one = { $place } đã chia 1 ván
place-seat = ghế { $seat }
place-seats = ghế { $seats }
place-players = những người chơi
said-broken = Ván bài gián đoạn: không ai khác nhận làm cái. Người khác phải làm cái
said-broken-floor = Ván bài gián đoạn: không ai khác nhận làm cái. Người khác phải làm cái, hoặc quản lý cho tiếp tục sau một thời gian hợp lý

## How a round ended

said-tie-at = Hòa { $n }
said-wins = { $who } thắng { $n } - { $n2 }
said-seat-wins = Ghế { $seat } thắng { $money }
said-player-has = Con có { $n }, dealer lộ { $name }
said-pd-not-qualify = Nhà cái không đủ điều kiện.
said-pd-no-fours = Nhà cái không có đôi bốn.
said-pd-no-pair = Nhà cái không có đôi, trả lại ante.
said-pd-has = Nhà cái có { $n }
said-pd-has-half = Nhà cái có { $total }
said-pd-over = Nhà cái quắc với { $n }
said-pd-over-cards = Nhà cái quắc { $n } với { $n2 } lá
said-pd-natural = Nhà cái có Natural { $n }
said-pd-natural-small = Nhà cái có natural { $n }
said-pd-eights = Nhà cái có ba lá tám
said-pd-pure = Nhà cái có Pure 21.5
said-goes-out = Ghế { $seat } ù
said-seat-verdict = ghế { $seat } { $verdict }
said-outcomes = { $outcomes }
outcome-wins = ghế { $seat } thắng
outcome-loses = ghế { $seat } thua
outcome-pushes = ghế { $seat } hòa
outcome-folds = ghế { $seat } bỏ bài
outcome-dead = ghế { $seat } bài chết
outcome-no-action = ghế { $seat } không có action

## The middle

said-button = Nút: ghế { $seat }
said-pot-money = { $pot } { $money }
said-pot-among = { $pot } { $money } giữa { $seats }
said-uncalled = { $money } chưa được theo của ghế { $seat }
said-bets-in-front = Cược: { $seatbets }
seatbet-one = ghế { $seat } { $money }
pot-main = Pot
pot-side = Pot phụ
pot-side-n = Pot phụ { $n }
pot-uncalled = Chưa theo
pot-the = pot
pot-the-main = pot chính

## What became of a seat

verdict-win = thắng
verdict-lose = thua
verdict-push = hòa
verdict-folded = đã bỏ
verdict-fold = bỏ bài
verdict-dead = bài chết
verdict-no-action = không action
verdict-surrendered = đã đầu hàng
verdict-busted = quắc
verdict-foul = phạm luật
verdict-out = ra ngoài

## Marks of a round

mark-qualified = đủ điều kiện
mark-busted = nhà cái quắc
mark-pd-natural = nhà cái natural
mark-pd-pure = nhà cái pure
mark-pd-888 = nhà cái 888
mark-natural = natural
mark-banker-pair = cái đôi
mark-player-pair = con đôi

## What a poker table posts

stakes-blinds = { $structure }, blind { $moneys }
stakes-blinds-ante = { $structure }, blind { $moneys }, ante { $money }
stakes-ante = { $structure }, ante { $money }
structure-limit = Limit { $money }/{ $money2 }
structure-spread = Spread limit { $money }/{ $money2 }
structure-straight = Straight limit { $money }
structure-no-limit = No limit
structure-pot-limit = Pot limit
structure-fixed-limit = Fixed limit
structure-spread-limit = Spread limit
said-card-unexpected = một lá ra khỏi hộp mà không ai chờ
said-doubles = { $who } gấp đôi: một lá
said-redoubles = { $who } gấp đôi lần nữa: một lá
said-hits = { $who } rút
said-second-card = { $who }: lá thứ hai
said-must-hit = { $who } có { $hand } và phải rút
said-left-hit = { $who } có { $hand } và còn lại: rút
said-pd-draws-hand = Nhà cái có { $hand } và rút
said-draws-block = { $who } rút từ cọc bài
said-gets-cards = { $who } nhận { $n } lá, đã ra { $n2 }
said-gets-tiles = { $who } nhận { $n } quân, đã ra { $n2 }
said-look = xem lại bài
said-nobody-claims = không ai được nhận pot; tiếp tục để mở lại, hoặc hủy
said-no-rule = { $happening }: luật chơi không nêu
said-no-room-rule = { $happening }: phòng này không có luật cho việc đó
said-odd = điều bất thường
said-deal-missing = Chia { $missing } cho ghế { $seat }, úp
missing-card = lá còn thiếu
missing-cards = { $n } lá còn thiếu
said-replace-exposed = Thay lá bị lộ của ghế { $seat }, úp
said-shuffle-last = Xáo lá cuối và { $n } lá bỏ, rồi đốt
said-shuffle-discards = Xáo bài bỏ, nạp hộp và đốt một lá
said-both-burned = Cả hai lá đã đốt: chia lại
said-one-from-deck = Ghế { $seat }: một lá từ bộ bài ({ $name })
said-five-centre = Ghế { $seat }: năm lá từ giữa
said-button-card = Ghế { $seat }: một lá ngửa để chọn nút
said-aside = Để lá đốt sang bên
said-not-enough = Không đủ bài: đốt một lá cho lá chung
said-scramble = Trộn lá cuối và các lá đốt, cắt, đốt một lá
said-scramble-community = Trộn lá cuối và các lá đốt, cắt, đốt một lá cho lá chung
said-who-outcome = { $who }: { $verdict }
said-banks-next-first = Ghế { $seat } làm cái tiếp, ván đầu
said-banks-next-second = Ghế { $seat } làm cái tiếp, ván thứ hai
said-banks-next-first-name = Ghế { $seat } ({ $name }) làm cái tiếp, ván đầu
said-banks-next-second-name = Ghế { $seat } ({ $name }) làm cái tiếp, ván thứ hai
said-banks-next = Ghế { $seat } làm cái tiếp
said-from-seat = từ ghế { $seat }
said-from-pd = từ nhà cái
said-from-pot = từ pot
said-into-box = vào hộp { $box }
said-not-called = không được theo
said-the-wagers = tiền cược

## A hand by its ranks

hand-run = { $run }
said-dealer-stops = người chia bài đã dừng ván chơi
said-reader-away = { $name } không trả lời: không ra bài
said-reader-back = { $name } đã mất kết nối và trả lời lại
said-lifts-both = Chỉ quản lý mới cho tiếp tục: chơi tiếp, hoặc hủy ván.
said-lifts-void = Chỉ quản lý mới cho tiếp tục: hủy ván.
said-lifts-resume = Chỉ quản lý mới cho tiếp tục: chơi tiếp.
said-lifts-set = Bàn tự tiếp tục khi đã được thiết lập.
said-lifts-journal = Bàn tự tiếp tục khi ghi được nhật ký trở lại.
stakes-bring-in = { $structure }, bring-in { $money }

## As a schedule has it

structure-from-to = cược từ { $money } đến { $money2 }
structure-least = { $structure }, cược tối thiểu { $money }
structure-three = limit { $money }/{ $money2 }/{ $money3 }
