## Why something is refused

why-it-is-seat-s-turn = 轮到座位 { $seat }
why-it-is-seat-s-turn-1 = 轮到座位 { $seats }
why-is-not-offered = { $said }；不提供“{ $name }”
why-no-more-bets = 已停止下注；{ $said }
why-the-table-waits-for-something = 牌桌在等其他操作：{ $said }
why-the-table-waits = 牌桌在等待：{ $said }
why-that-was-asked-before-now = 那是之前的询问；现在：{ $said }
why-has-cards-to-name = { $who }须指明 { $n } 张牌
why-the-wagers-cannot-be-closed = 尚不能停止下注
why-the-player-dealer-s-wager = 庄家注码不能为负
why-a-wager-cannot-be-negative = 注码不能为负
why-is-not-a-betting-place = “{ $name }”不是注位
why-seat-does-not-take-part = 座位 { $seat } 未参加本局
why-dice-show-1-to-6 = { $n } 粒骰子各为 1 至 6
why-a-card-left-before-the = 台费入箱前已出牌
why-the-dice-cup-was-opened = 台费入箱前已开盅
why-cards-belong-into-the-pack = 牌副应有 { $n } 张
why-is-not-offered-there-is = 不提供“{ $bet }”；有{ $bets }
why-is-not-for-seat = { $bet }不适用于座位 { $seat }
why-is-not-open-at-this = 本桌不开{ $bet }
why-not-behind-seat-only-on = { $bet }：不能在座位 { $seat } 后面下，只能在其注位
why-a-seat-has-spots-for = { $bet }：每座位有 { $n } 个注位
why-needs-on-the-same-place = { $bet }须在同一注位有{ $bets }
why-must-equal-the-wager = { $bet }须等于{ $bet2 }
why-one-on-a-place-and = { $bet }：每注位一注，已经有了
why-may-not-be-above-the = { $bet }不得高于{ $bet2 }
why-at-least = { $bet }：最少 { $money }
why-at-most = { $bet }：最多 { $money }
why-in-steps-of = { $bet }：以 { $money } 递增
why-seat-at-most-in-all = 座位 { $seat }：合计最多 { $money }
why-all-on-one-square-bet = { $bet }：同一方格须下相同注码
why-seat-plays-hands-already-more = 座位 { $seat } 已玩 { $n } 手；更多须经理与庄家同意
why-seat-plays-1-hand-already = 座位 { $seat } 已玩 1 手；更多须经理与庄家同意
why-the-hand-must-be-opened = 须先开注
why-seat-has-in-all-for = 座位 { $seat } 本轮共有 { $money }
why-no-raise-here-call-or = 此处不能加注：跟注或弃牌
why-the-bring-in-is-not = 强制开注不是完整注：补足、跟注或弃牌
why-there-is-a-bet-to = 已有下注：须跟注、加注或弃牌
why-nothing-is-bet = 尚无下注
why-nothing-is-bet-bet-do = 尚无下注：请下注，不是加注
why-there-is-a-bet-raise = 已有下注：请加注、跟注或弃牌
why-say-how-much = { $act }：请说明金额
why-not = { $act }，不是 { $money }
why-to-at-least = { $act }至少到 { $money }
why-to-at-most = { $act }最多到 { $money }
why-at-least-45 = 至少 { $money }
why-at-most-46 = 最多 { $money }
why-choose-a-pile-from-1 = 选 1 至 { $n } 的牌堆
why-name-to-cards-given = { $act }：请指明 { $n } 至 { $n2 } 张牌，给了 { $n3 } 张
why-is-not-among-the-cards = { $card } 不在可选的牌中
why-this-card-was-not-read = 此牌未读到；须先指明
why-the-floor-may = 楼面主管可以{ $acts }
why-the-floor-holds-the-table = 楼面主管暂停了牌桌
why-no-round-is-being-dealt = 没有进行中的局；无可作废
why-a-card-left-the-shoe = 牌靴锁定时出了一张牌
why-the-round-is-void-begin = 本局作废；请开始下一局
why-a-card-left-the-shoe-after = 本局作废后牌靴出了一张牌
why-a-card-left-the-shoe-but = 牌靴出了一张牌，但{ $said }
why-finish-or-void-the-round = 请先完成或作废本局，再换新牌靴
why-finish-or-void-the-round-first = 请先完成或作废本局
why-the-shoe-is-empty-after = 牌靴出了 { $n } 张后已空；洗好并清点的是 { $n2 } 张
why-cards-have-left-the-shoe = 牌靴已出 { $n } 张；洗好并清点的是 { $n2 } 张
why-cards-were-shuffled-and-counted = 洗好并清点 { $n } 张，放入牌靴 { $n2 } 张
why-cards-were-counted-belong-into = 清点 { $n } 张，应有 { $n2 } 张
why-decks-are-in-the-shoe = 牌靴有 { $n } 副，应有 { $n2 } 副
why-the-cards-come-in-the = 出牌顺序与新牌相同
why-the-cards-come-in-the-order = 出牌顺序与新牌相反
why-the-shoe-repeats-itself = 牌靴重复
why-the-cards-come-as-in = 出牌与之前的牌靴相同
why-the-player-dealer-s-wager-was = 庄家注码未登记：台费不明
why-no-rule-is-posted-by = 没有张贴可免台费的规定
why-the-fees-of-this-hand = 本手台费已免
why-fees-are-waived-before-the = 须在发第一张牌前免台费
why-fees-are-waived-before-the-player = 须在庄家开牌前免台费
why-the-player-dealer-s-burn = 本靴庄家烧牌已用
why-this-room-seats-players-at = 本场每桌 { $n } 位玩家，现有 { $n2 } 位
why-this-room-seats-players-at-a = 本场每桌 { $n } 位玩家（含庄家），现有 { $n2 } 位

## The bank

why-state-why-and-after-what = 请说明原因及多久后恢复
why-the-position-is-not-offered = 庄家位置不提供给{ $places }
why-cannot-take-the-position-and = { $places }不能既接受又拒绝
why-offer-it-to-first-or = 请先提供给{ $places }，或注明其已拒绝
why-the-player-dealer-may-deal = 庄家可继续；请指明接手者
why-nobody-is-left-to-ask = 已无人可问；{ $said }
why-had-hands-in-a-row = { $places }已连续 { $n } 局：须先由他人坐庄
why-may-not-bank-the-next = { $places }不能在下一手坐庄
why-this-game-has-no-player = 此游戏没有轮流的庄家位置
why-the-position-moves-between-hands = 庄家位置只能在两手之间变动

## Corrections and taking back

why-the-round-is-over-the = 本局已结束；由楼面主管更正
why-the-round-began-with-it = 本局由此开始；楼面主管可作废本局
why-a-card-was-exposed-by = 已因此露牌；由楼面主管更正
why-money-was-settled-by-it = 已因此结算；由楼面主管更正
why-something-has-happened-since-the = 此后已有变化；由楼面主管更正
why-did-it-and-takes-it = 由 { $name } 操作，由其撤回；或由楼面主管更正
why-nothing-would-be-left-of = 本局将不剩任何内容；请改为作废
why-taken-back = 已撤回

## The table's settings

why-rules-seats-and-limits-change = 规则、座位与限额只能在两局之间更改
why-rules-and-limits-change-between = 规则与限额只能在两局之间更改
why-seats-and-player-dealer-change = 座位与庄家只能在两局之间更改
why-a-seat-is-named-twice = 座位重复；每个座位只写一次
why-the-least-wager-would-be = 最低注将高于最高注
why-this-table-plays-no-other = 本桌只用自己的规则
why-the-table-is-open = 牌桌已开
why-state-what-was-found = 请说明发现了什么
why-it-is-cleared-when = { $said }时解除
why-has-acknowledged-it-before = { $name } 已处理
why-poker-needs-two-players-seat = 扑克需两位玩家：请再加一位
why-nobody-has-the-button-say = 无人持按钮：请指明
why-no-betting-structure-is-posted = 未张贴下注结构：请选择
why-no-bring-in-is-posted = 未定强制开注，也无盲注可取：请设定其一
why-chinese-poker-needs-two-players = Chinese Poker 需两位玩家：请再加一位
why-nobody-has-the-buttons-say = 无人持按钮：请指明
why-panguingue-needs-two-players-seat = Panguingue 需两位玩家：请再加一位
why-fewer-than-two-players-are = 参加发牌的玩家少于两位
why-the-upper-limit-is-below = 上限（{ $n }）低于下限（{ $n2 }）
why-seat-is-not-in-the = { $name }：座位 { $seat } 未参加；座位有 { $seats }
why-set-the-player-dealer-and = 请设定庄家与座位，1 至 { $n }
why-set-the-seats-that-take = 请设定参加的座位
why-the-game-is-played-by = 此游戏 { $n } 至 { $n2 } 人，现有 { $n3 } 人
why-no-seat-has-an-ante = 没有座位下底注
why-no-seat-has-an-ante-and = 没有座位下相等的底注与盲注
why-no-seat-has-a-pai = 没有座位下牌九注
why-no-seat-has-a-wager = 没有座位下注
why-no-circle-has-a-wager = 没有注圈下注

## Acts of the games

why-seat-has-bet-a-play = 座位 { $seat } 已下注；跟玩注不可更改
why-seat-has-drawn-a-card = 座位 { $seat } 已要牌
why-seat-may-not-double-this = 座位 { $seat } 此手不能加倍
why-seat-may-not-split-this = 座位 { $seat } 此手不能分牌
why-seat-may-not-surrender-this = 座位 { $seat } 此手不能投降
why-seat-has-and-must-hit = 座位 { $seat } 有 { $hand }，须要牌
why-seat-has-and-must-stand = 座位 { $seat } 有 { $hand }，须停牌
why-against-this-up-card-a = 对此明牌只能要牌或停牌
why-insurance-is-not-offered-at = 本桌不提供保险
why-seat-has-hands-no-more = 座位 { $seat } 已有 { $n } 手；不能再分
why-seat = 座位 { $seat }：{ $act }
why-the-two-cards-in-front = 前面两张须小于后面五张；请重新摆牌
why-two-cards-go-in-front = 前面须两张牌
why-name-two-different-cards-of = 请指明本手两张不同的牌
why-the-table-has-no-chart = 本桌无庄家摆法表；请指明前面两张
why-the-chart-of-the-house = 庄家摆法表前面放其他牌
why-the-house-way-has-no = 庄家摆法没有此手牌的规定
why-seat-the-two-cards-in = 座位 { $seat }：前两张不小于后五张；犯规
why-that-is-not-a-card = 那不是一张牌
why-a-card-that-does-not = 不属于此副的牌
why-a-card-of-which-every = 此牌所有张数均已出
why-a-card-was-not-read = { $who }：有一张牌未读到；请输入
why-no-hand-is-being-dealt = 没有正在发的牌
why-no-hand-is-being-played = 没有正在进行的牌
why-the-seat-is-not-in = 该座位不在本手
why-that-seat-has-no-wager = 该座位无注码
why-that-seat-has-no-card = 该座位尚无牌
why-it-is-not-that-seat = 未轮到该座位
why-name-the-cards = 请指明牌
why-say-which-seat = 请说明哪个座位
why-say-how-much-153 = 请说明多少
why-that-seat-has-not-opened = 该座位没有开注
why-a-card-is-named-that = 指明了本手没有的牌
why-that-card-is-not-in = 该座位手中没有此牌
why-chips-are-due-from-each = 每位参与玩家须付 { $n } 枚筹码
why-eleven-cards-lie-in-melds = 已铺十一张：胡出

## Beside the rounds

why-name-the-seat-of-the = 请指明玩家座位
why-name-the-seat-of-a = 请指明离开的玩家座位
why-seat-is-away-already = 座位 { $seat } 已离开
why-seat-is-not-in-the-game = 座位 { $seat } 未参加
why-the-shuffling-machine-does-not = 洗牌机故障；请人手洗牌
why-the-deck-is-cut-before = 须在出第一张牌前切牌
why-cut-again-at-least-cards = 重新切牌：{ $n2 } 张中距上下至少 { $n } 张
why-the-buy-in-is-or = 买入至少 { $money }
why-a-short-re-buy-is = 短补码至少 { $money }
why-chips-are-put-in-front = 筹码须在两手之间放上：只有发牌时已在的才算
why-this-game-is-not-played = 此游戏不用筹码量
why-a-seat-is-taken-away = 座位只能在两局之间收回
why-the-game-has-broken-down = 牌局已中断
why-nobody-is-signed-on-to = 没有荷官登录
why-deals-already = { $name } 已在发牌
why-state-why = 请说明原因

## Signing in and sending

why-name-and-pin-do-not = 姓名与 PIN 不符。
why-this-badge-is-nobody-s = 此工牌在此无人登记。
why-too-many-people-sign-in = 同时登录的人太多；请稍后再试。
why-too-many-wrong-tries-here = 错误次数过多；请等 { $n } 秒。
why-name-and-pin-do-not-fit = 姓名与 PIN 不符。次数过多；请等 { $n } 秒。
why-this-badge-is-nobody-s-here = 此工牌在此无人登记。次数过多；请等 { $n } 秒。
why-nobody-is-on-the-staff = 尚无员工登记：{ $name }。
why-send-a-name-or-staff = 请输入姓名或员工号及 PIN，或刷工牌。
why-the-table-is-starting-try = 牌桌正在启动；请重试。
why-only-a-device-can-report = 只有设备可以报告。
why-a-dealer-may-not-do = 荷官不能这样做。
why-a-floor-may-not-do = 楼面主管不能这样做。
why-the-shoe-reads-the-cards = 牌靴会自行读牌。
why-it-cannot-be-written-down = 无法记录：{ $name }
why-sign-in-first-post-api = 请先登录。

## Readings

why-readings-are-not-confirmed-by = 有 { $n } 项规则解读未经本场确认：{ $name }

## Calls

why-floor-not-called = 未呼叫楼面主管
why-floor-called-already = 已呼叫楼面主管
