## The language itself

page-language = 繁體中文

## How numbers and money are written: a locale

page-numbers = zh-Hant-TW

## Between the parts of a list

page-list-comma = { "，" }
page-list-and = { "、" }
page-list-or = { "或" }

## Both pages

page-test-strip =
    .aria-label = 測試模式
page-test-mode = 測試模式
page-not-live-game = 非正式遊戲
page-connection-lost = 連接中斷
page-no-connection = 尚未連接
page-not-live-since = 非實時。最後更新
page-never = 從未
page-connecting = 正在連接
page-connecting-to-table = 正在連接牌桌
page-live = 實時
page-not-live = 非實時
page-phase-waiting = 等待
page-phase-betting = 接受下注
page-phase-dealing = 發牌中
page-phase-settled = 結果
page-phase-held = 暫停
page-phase-closed = 關閉

## The players' display

page-bets = 注額
page-shoe = 牌靴
page-round = 局
page-current-round =
    .aria-label = 本局
page-floor-called = 等待樓面主管：
page-seconds-left =
    .aria-label = 距停止下注的秒數
page-big-road = 大路
page-big-eye-boy = 大眼仔路
page-small-road = 小路
page-cockroach-pig = 曱甴路
page-bead-plate = 珠盤路
page-if-next-is = 下一局若為
page-counts =
    .aria-label = 統計
page-results = 結果
page-this-shoe = 本靴
page-previous = 上一靴
page-naturals = 例牌
page-hands = 局數
page-wins = 贏
page-cut-card-is-out = 切牌已出
page-cards-left = 剩 { $left } 張，共 { $cards } 張
page-pot-to = { $pot }歸座位 { $seats }
page-stack = 籌碼 { $money }
page-dealer-button = 莊位按鈕
page-bet-behind = { $bet }（後注）
page-red = 紅
page-blue = 藍
page-red-repeats = 紅：重複
page-blue-does-not = 藍：不重複
page-road = { $marks } 個記號，最後為：{ $last }
page-road-empty = 空

## Cards, for who listens to the page

page-face-down = 牌面朝下
page-joker = 鬼牌（Joker）
page-tile = 骨牌 { $code }
page-card = { $suit }{ $rank }
page-suit-c = 梅花
page-suit-d = 方塊
page-suit-h = 紅心
page-suit-s = 黑桃
page-rank-A = A
page-rank-K = K
page-rank-Q = Q
page-rank-J = J
page-rank-T = 10
page-rank-9 = 9
page-rank-8 = 8
page-rank-7 = 7
page-rank-6 = 6
page-rank-5 = 5
page-rank-4 = 4
page-rank-3 = 3
page-rank-2 = 2
