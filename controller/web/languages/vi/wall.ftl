## The language itself

page-language = Tiếng Việt

## How numbers and money are written: a locale

page-numbers = vi-VN

## Between the parts of a list

page-list-comma = { ", " }
page-list-and = { " và " }
page-list-or = { " hoặc " }

## Both pages

page-test-strip =
    .aria-label = Chế độ thử
page-test-mode = Chế độ thử
page-not-live-game = không phải ván thật
page-connection-lost = Mất kết nối
page-no-connection = Chưa có kết nối
page-not-live-since = Không trực tiếp. Cập nhật lần cuối
page-never = chưa có
page-connecting = Đang kết nối
page-connecting-to-table = Đang kết nối với bàn
page-live = Trực tiếp
page-not-live = Không trực tiếp
page-phase-waiting = Đang chờ
page-phase-betting = Nhận cược
page-phase-dealing = Đang chia bài
page-phase-settled = Kết quả
page-phase-held = Tạm dừng
page-phase-closed = Đã đóng

## The players' display

page-bets = Mức cược
page-shoe = Hộp bài
page-round = Ván
page-current-round =
    .aria-label = Ván hiện tại
page-floor-called = Đang chờ quản lý:
page-seconds-left =
    .aria-label = Số giây đến khi khóa cược
page-big-road = Đường lớn
page-big-eye-boy = Đường mắt to
page-small-road = Đường nhỏ
page-cockroach-pig = Đường con gián
page-bead-plate = Bảng hạt
page-if-next-is = Nếu ván sau là
page-counts =
    .aria-label = Thống kê
page-results = Kết quả
page-this-shoe = Hộp này
page-previous = Hộp trước
page-naturals = Natural
page-hands = Số ván
page-wins = Thắng
page-cut-card-is-out = Lá cắt đã ra
page-cards-left = Còn { $left } trong { $cards } lá
page-pot-to = { $pot } về ghế { $seats }
page-stack = Chip { $money }
page-dealer-button = Nút dealer
page-bet-behind = { $bet }, sau
page-red = đỏ
page-blue = xanh
page-red-repeats = đỏ: lặp lại
page-blue-does-not = xanh: không lặp lại
page-road = { $marks } dấu, cuối cùng: { $last }
page-road-empty = trống

## Cards, for who listens to the page

page-face-down = úp
page-joker = lá joker
page-tile = quân { $code }
page-card = { $rank } { $suit }
page-suit-c = chuồn
page-suit-d = rô
page-suit-h = cơ
page-suit-s = bích
page-rank-A = át
page-rank-K = già
page-rank-Q = đầm
page-rank-J = bồi
page-rank-T = 10
page-rank-9 = 9
page-rank-8 = 8
page-rank-7 = 7
page-rank-6 = 6
page-rank-5 = 5
page-rank-4 = 4
page-rank-3 = 3
page-rank-2 = 2
