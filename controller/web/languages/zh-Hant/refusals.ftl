## Why something is refused

why-it-is-seat-s-turn = 輪到座位 { $seat }
why-it-is-seat-s-turn-1 = 輪到座位 { $seats }
why-is-not-offered = { $said }；不提供“{ $name }”
why-no-more-bets = 已停止下注；{ $said }
why-the-table-waits-for-something = 牌桌在等其他操作：{ $said }
why-the-table-waits = 牌桌在等待：{ $said }
why-that-was-asked-before-now = 那是之前的詢問；現在：{ $said }
why-has-cards-to-name = { $who }須指明 { $n } 張牌
why-the-wagers-cannot-be-closed = 尚不能停止下注
why-the-player-dealer-s-wager = 莊家注碼不能為負
why-a-wager-cannot-be-negative = 注碼不能為負
why-is-not-a-betting-place = “{ $name }”不是注位
why-seat-does-not-take-part = 座位 { $seat } 未參加本局
why-dice-show-1-to-6 = { $n } 粒骰子各為 1 至 6
why-a-card-left-before-the = 台費入箱前已出牌
why-the-dice-cup-was-opened = 台費入箱前已開盅
why-cards-belong-into-the-pack = 牌副應有 { $n } 張
why-is-not-offered-there-is = 不提供“{ $bet }”；有{ $bets }
why-is-not-for-seat = { $bet }不適用於座位 { $seat }
why-is-not-open-at-this = 本桌不開{ $bet }
why-not-behind-seat-only-on = { $bet }：不能在座位 { $seat } 後面下，只能在其注位
why-a-seat-has-spots-for = { $bet }：每座位有 { $n } 個注位
why-needs-on-the-same-place = { $bet }須在同一注位有{ $bets }
why-must-equal-the-wager = { $bet }須等於{ $bet2 }
why-one-on-a-place-and = { $bet }：每注位一注，已經有了
why-may-not-be-above-the = { $bet }不得高於{ $bet2 }
why-at-least = { $bet }：最少 { $money }
why-at-most = { $bet }：最多 { $money }
why-in-steps-of = { $bet }：以 { $money } 遞增
why-seat-at-most-in-all = 座位 { $seat }：合計最多 { $money }
why-all-on-one-square-bet = { $bet }：同一方格須下相同注碼
why-seat-plays-hands-already-more = 座位 { $seat } 已玩 { $n } 手；更多須經理與莊家同意
why-seat-plays-1-hand-already = 座位 { $seat } 已玩 1 手；更多須經理與莊家同意
why-the-hand-must-be-opened = 須先開注
why-seat-has-in-all-for = 座位 { $seat } 本輪共有 { $money }
why-no-raise-here-call-or = 此處不能加注：跟注或棄牌
why-the-bring-in-is-not = 強制開注不是完整注：補足、跟注或棄牌
why-there-is-a-bet-to = 已有下注：須跟注、加注或棄牌
why-nothing-is-bet = 尚無下注
why-nothing-is-bet-bet-do = 尚無下注：請下注，不是加注
why-there-is-a-bet-raise = 已有下注：請加注、跟注或棄牌
why-say-how-much = { $act }：請説明金額
why-not = { $act }，不是 { $money }
why-to-at-least = { $act }至少到 { $money }
why-to-at-most = { $act }最多到 { $money }
why-at-least-45 = 至少 { $money }
why-at-most-46 = 最多 { $money }
why-choose-a-pile-from-1 = 選 1 至 { $n } 的牌堆
why-name-to-cards-given = { $act }：請指明 { $n } 至 { $n2 } 張牌，給了 { $n3 } 張
why-is-not-among-the-cards = { $card } 不在可選的牌中
why-this-card-was-not-read = 此牌未讀到；須先指明
why-the-floor-may = 樓面主管可以{ $acts }
why-the-floor-holds-the-table = 樓面主管暫停了牌桌
why-no-round-is-being-dealt = 沒有進行中的局；無可作廢
why-a-card-left-the-shoe = 牌靴鎖定時出了一張牌
why-the-round-is-void-begin = 本局作廢；請開始下一局
why-a-card-left-the-shoe-after = 本局作廢後牌靴出了一張牌
why-a-card-left-the-shoe-but = 牌靴出了一張牌，但{ $said }
why-finish-or-void-the-round = 請先完成或作廢本局，再換新牌靴
why-finish-or-void-the-round-first = 請先完成或作廢本局
why-the-shoe-is-empty-after = 牌靴出了 { $n } 張後已空；洗好並清點的是 { $n2 } 張
why-cards-have-left-the-shoe = 牌靴已出 { $n } 張；洗好並清點的是 { $n2 } 張
why-cards-were-shuffled-and-counted = 洗好並清點 { $n } 張，放入牌靴 { $n2 } 張
why-cards-were-counted-belong-into = 清點 { $n } 張，應有 { $n2 } 張
why-decks-are-in-the-shoe = 牌靴有 { $n } 副，應有 { $n2 } 副
why-the-cards-come-in-the = 出牌順序與新牌相同
why-the-cards-come-in-the-order = 出牌順序與新牌相反
why-the-shoe-repeats-itself = 牌靴重複
why-the-cards-come-as-in = 出牌與之前的牌靴相同
why-the-player-dealer-s-wager-was = 莊家注碼未登記：台費不明
why-no-rule-is-posted-by = 沒有張貼可免台費的規定
why-the-fees-of-this-hand = 本手台費已免
why-fees-are-waived-before-the = 須在發第一張牌前免台費
why-fees-are-waived-before-the-player = 須在莊家開牌前免台費
why-the-player-dealer-s-burn = 本靴莊家燒牌已用
why-this-room-seats-players-at = 本場每桌 { $n } 位玩家，現有 { $n2 } 位
why-this-room-seats-players-at-a = 本場每桌 { $n } 位玩家（含莊家），現有 { $n2 } 位

## The bank

why-state-why-and-after-what = 請説明原因及多久後恢復
why-the-position-is-not-offered = 莊家位置不提供給{ $places }
why-cannot-take-the-position-and = { $places }不能既接受又拒絕
why-offer-it-to-first-or = 請先提供給{ $places }，或注明其已拒絕
why-the-player-dealer-may-deal = 莊家可繼續；請指明接手者
why-nobody-is-left-to-ask = 已無人可問；{ $said }
why-had-hands-in-a-row = { $places }已連續 { $n } 局：須先由他人坐莊
why-may-not-bank-the-next = { $places }不能在下一手坐莊
why-this-game-has-no-player = 此遊戲沒有輪流的莊家位置
why-the-position-moves-between-hands = 莊家位置只能在兩手之間變動

## Corrections and taking back

why-the-round-is-over-the = 本局已結束；由樓面主管更正
why-the-round-began-with-it = 本局由此開始；樓面主管可作廢本局
why-a-card-was-exposed-by = 已因此露牌；由樓面主管更正
why-money-was-settled-by-it = 已因此結算；由樓面主管更正
why-something-has-happened-since-the = 此後已有變化；由樓面主管更正
why-did-it-and-takes-it = 由 { $name } 操作，由其撤回；或由樓面主管更正
why-nothing-would-be-left-of = 本局將不剩任何內容；請改為作廢
why-taken-back = 已撤回

## The table's settings

why-rules-seats-and-limits-change = 規則、座位與限額只能在兩局之間更改
why-rules-and-limits-change-between = 規則與限額只能在兩局之間更改
why-seats-and-player-dealer-change = 座位與莊家只能在兩局之間更改
why-a-seat-is-named-twice = 座位重複；每個座位只寫一次
why-the-least-wager-would-be = 最低注將高於最高注
why-this-table-plays-no-other = 本桌只用自己的規則
why-the-table-is-open = 牌桌已開
why-state-what-was-found = 請説明發現了什麼
why-it-is-cleared-when = { $said }時解除
why-has-acknowledged-it-before = { $name } 已處理
why-poker-needs-two-players-seat = 撲克需兩位玩家：請再加一位
why-nobody-has-the-button-say = 無人持按鈕：請指明
why-no-betting-structure-is-posted = 未張貼下注結構：請選擇
why-no-bring-in-is-posted = 未定強制開注，也無盲注可取：請設定其一
why-chinese-poker-needs-two-players = Chinese Poker 需兩位玩家：請再加一位
why-nobody-has-the-buttons-say = 無人持按鈕：請指明
why-panguingue-needs-two-players-seat = Panguingue 需兩位玩家：請再加一位
why-fewer-than-two-players-are = 參加發牌的玩家少於兩位
why-the-upper-limit-is-below = 上限（{ $n }）低於下限（{ $n2 }）
why-seat-is-not-in-the = { $name }：座位 { $seat } 未參加；座位有 { $seats }
why-set-the-player-dealer-and = 請設定莊家與座位，1 至 { $n }
why-set-the-seats-that-take = 請設定參加的座位
why-the-game-is-played-by = 此遊戲 { $n } 至 { $n2 } 人，現有 { $n3 } 人
why-no-seat-has-an-ante = 沒有座位下底注
why-no-seat-has-an-ante-and = 沒有座位下相等的底注與盲注
why-no-seat-has-a-pai = 沒有座位下牌九注
why-no-seat-has-a-wager = 沒有座位下注
why-no-circle-has-a-wager = 沒有注圈下注

## Acts of the games

why-seat-has-bet-a-play = 座位 { $seat } 已下注；跟玩注不可更改
why-seat-has-drawn-a-card = 座位 { $seat } 已要牌
why-seat-may-not-double-this = 座位 { $seat } 此手不能加倍
why-seat-may-not-split-this = 座位 { $seat } 此手不能分牌
why-seat-may-not-surrender-this = 座位 { $seat } 此手不能投降
why-seat-has-and-must-hit = 座位 { $seat } 有 { $hand }，須要牌
why-seat-has-and-must-stand = 座位 { $seat } 有 { $hand }，須停牌
why-against-this-up-card-a = 對此明牌只能要牌或停牌
why-insurance-is-not-offered-at = 本桌不提供保險
why-seat-has-hands-no-more = 座位 { $seat } 已有 { $n } 手；不能再分
why-seat = 座位 { $seat }：{ $act }
why-the-two-cards-in-front = 前面兩張須小於後面五張；請重新擺牌
why-two-cards-go-in-front = 前面須兩張牌
why-name-two-different-cards-of = 請指明本手兩張不同的牌
why-the-table-has-no-chart = 本桌無莊家擺法表；請指明前面兩張
why-the-chart-of-the-house = 莊家擺法表前面放其他牌
why-the-house-way-has-no = 莊家擺法沒有此手牌的規定
why-seat-the-two-cards-in = 座位 { $seat }：前兩張不小於後五張；犯規
why-that-is-not-a-card = 那不是一張牌
why-a-card-that-does-not = 不屬於此副的牌
why-a-card-of-which-every = 此牌所有張數均已出
why-a-card-was-not-read = { $who }：有一張牌未讀到；請輸入
why-no-hand-is-being-dealt = 沒有正在發的牌
why-no-hand-is-being-played = 沒有正在進行的牌
why-the-seat-is-not-in = 該座位不在本手
why-that-seat-has-no-wager = 該座位無注碼
why-that-seat-has-no-card = 該座位尚無牌
why-it-is-not-that-seat = 未輪到該座位
why-name-the-cards = 請指明牌
why-say-which-seat = 請説明哪個座位
why-say-how-much-153 = 請説明多少
why-that-seat-has-not-opened = 該座位沒有開注
why-a-card-is-named-that = 指明瞭本手沒有的牌
why-that-card-is-not-in = 該座位手中沒有此牌
why-chips-are-due-from-each = 每位參與玩家須付 { $n } 枚籌碼
why-eleven-cards-lie-in-melds = 已鋪十一張：胡出

## Beside the rounds

why-name-the-seat-of-the = 請指明玩家座位
why-name-the-seat-of-a = 請指明離開的玩家座位
why-seat-is-away-already = 座位 { $seat } 已離開
why-seat-is-not-in-the-game = 座位 { $seat } 未參加
why-the-shuffling-machine-does-not = 洗牌機故障；請人手洗牌
why-the-deck-is-cut-before = 須在出第一張牌前切牌
why-cut-again-at-least-cards = 重新切牌：{ $n2 } 張中距上下至少 { $n } 張
why-the-buy-in-is-or = 買入至少 { $money }
why-a-short-re-buy-is = 短補碼至少 { $money }
why-chips-are-put-in-front = 籌碼須在兩手之間放上：只有發牌時已在的才算
why-this-game-is-not-played = 此遊戲不用籌碼量
why-a-seat-is-taken-away = 座位只能在兩局之間收回
why-the-game-has-broken-down = 牌局已中斷
why-nobody-is-signed-on-to = 沒有荷官登錄
why-deals-already = { $name } 已在發牌
why-state-why = 請説明原因

## Signing in and sending

why-name-and-pin-do-not = 姓名與 PIN 不符。
why-this-badge-is-nobody-s = 此工牌在此無人登記。
why-too-many-people-sign-in = 同時登錄的人太多；請稍後再試。
why-too-many-wrong-tries-here = 錯誤次數過多；請等 { $n } 秒。
why-name-and-pin-do-not-fit = 姓名與 PIN 不符。次數過多；請等 { $n } 秒。
why-this-badge-is-nobody-s-here = 此工牌在此無人登記。次數過多；請等 { $n } 秒。
why-nobody-is-on-the-staff = 尚無員工登記：{ $name }。
why-send-a-name-or-staff = 請輸入姓名或員工號及 PIN，或刷工牌。
why-the-table-is-starting-try = 牌桌正在啓動；請重試。
why-only-a-device-can-report = 只有設備可以報告。
why-a-dealer-may-not-do = 荷官不能這樣做。
why-a-floor-may-not-do = 樓面主管不能這樣做。
why-the-shoe-reads-the-cards = 牌靴會自行讀牌。
why-it-cannot-be-written-down = 無法記錄：{ $name }
why-sign-in-first-post-api = 請先登錄。

## Readings

why-readings-are-not-confirmed-by = 有 { $n } 項規則解讀未經本場確認：{ $name }

## Calls

why-floor-not-called = 未呼叫樓面主管
why-floor-called-already = 已呼叫樓面主管
