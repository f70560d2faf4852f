## The language itself

page-language = 简体中文

## How numbers and money are written: a locale

page-numbers = zh-Hans-CN

## Between the parts of a list

page-list-comma = { "，" }
page-list-and = { "、" }
page-list-or = { "或" }

## Both pages

page-test-strip =
    .aria-label = 测试模式
page-test-mode = 测试模式
page-not-live-game = 非正式游戏
page-connection-lost = 连接中断
page-no-connection = 尚未连接
page-not-live-since = 非实时。最后更新
page-never = 从未
page-connecting = 正在连接
page-connecting-to-table = 正在连接牌桌
page-live = 实时
page-not-live = 非实时
page-phase-waiting = 等待
page-phase-betting = 接受下注
page-phase-dealing = 发牌中
page-phase-settled = 结果
page-phase-held = 暂停
page-phase-closed = 关闭

## The players' display

page-bets = 注额
page-shoe = 牌靴
page-round = 局
page-current-round =
    .aria-label = 本局
page-floor-called = 等待楼面主管：
page-seconds-left =
    .aria-label = 距停止下注的秒数
page-big-road = 大路
page-big-eye-boy = 大眼仔路
page-small-road = 小路
page-cockroach-pig = 曱甴路
page-bead-plate = 珠盘路
page-if-next-is = 下一局若为
page-counts =
    .aria-label = 统计
page-results = 结果
page-this-shoe = 本靴
page-previous = 上一靴
page-naturals = 例牌
page-hands = 局数
page-wins = 赢
page-cut-card-is-out = 切牌已出
page-cards-left = 剩 { $left } 张，共 { $cards } 张
page-pot-to = { $pot }归座位 { $seats }
page-stack = 筹码 { $money }
page-dealer-button = 庄位按钮
page-bet-behind = { $bet }（后注）
page-red = 红
page-blue = 蓝
page-red-repeats = 红：重复
page-blue-does-not = 蓝：不重复
page-road = { $marks } 个记号，最后为：{ $last }
page-road-empty = 空

## Cards, for who listens to the page

page-face-down = 牌面朝下
page-joker = 鬼牌（Joker）
page-tile = 骨牌 { $code }
page-card = { $suit }{ $rank }
page-suit-c = 梅花
page-suit-d = 方块
page-suit-h = 红心
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
