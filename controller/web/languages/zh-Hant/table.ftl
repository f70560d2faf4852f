## What the table waits for

said-decision = { $who }：{ $acts }
said-decision-asks = { $who }：{ $acts } — { $said }
said-decision-seats = 座位 { $seats }：{ $acts }
said-decision-seats-asks = 座位 { $seats }：{ $acts } — { $said }
said-bets = 請下注
said-bets-next = 請為下一局下注
said-closed = 牌桌已關閉
said-over = 本局結束
said-void = 本局作廢，退還所有注碼
said-new-shoe = 請洗牌並裝入新牌靴
said-new-shoe-why = 請洗牌並裝入新牌靴：{ $said }
said-waiting-shoe = 等待洗好的牌靴
said-pack-n = 請洗牌並清點 { $n } 張牌，然後申報
said-pack = 請洗牌並清點，然後申報
said-held = 已暫停，請叫樓面主管：{ $said }
said-no-new-round = 不能開新局：{ $said }
said-floor-decides = 由樓面主管決定：繼續、更正或作廢
said-burn = 燒一張牌
said-burn-small = 燒一張牌
said-burn-first = 燒第一張牌，牌面朝上
said-burn-nth = 燒牌，第 { $n } 張，共 { $n2 } 張
said-burn-nth-why = 燒牌，第 { $n } 張，共 { $n2 } 張：{ $said }
said-burn-asked = 燒一張牌：莊家要求
said-draws = { $who }補牌
said-draws-one = { $who }補一張牌
said-card-to = 發第 { $n } 張牌給{ $who }
said-card-to-down = 發第 { $n } 張牌給{ $who }，牌面朝下
said-tile-to = 發第 { $n } 張骨牌給{ $who }
said-tile-to-down = 發第 { $n } 張骨牌給{ $who }，牌面朝下
said-cards-to = 發 { $n } 張牌給{ $who }
said-cards-to-down = 發 { $n } 張牌給{ $who }，牌面朝下
said-tiles-to-down = 發 { $n } 張骨牌給{ $who }，牌面朝下
said-tiles-to = 發 { $n } 張骨牌給{ $who }
said-key-card = { $who }：請輸入該牌
said-key-card-asks = { $who }：請輸入該牌 — { $said }
said-key-cards = { $who }：請輸入 { $n } 張牌
said-key-cards-asks = { $who }：請輸入 { $n } 張牌 — { $said }
said-key-tile = { $who }：請輸入該骨牌
said-key-tiles = { $who }：請輸入 { $n } 張骨牌
said-key-tiles-asks = { $who }：請輸入 { $n } 張骨牌 — { $said }
said-dice = 搖盅並開盅（{ $n } 粒骰子）
said-drop = { $before }前投入 { $fees }
fee-into = { $money } 到{ $box }錢箱
box-fee = 台費
box-jackpot = jackpot
box-tip = 小費
box-collection = 台費
before-first-card = 發第一張牌
before-cup = 開盅
before-next = 繼續本局
said-flop = 翻開{ $street }
street-flop = 翻牌
street-turn = 轉牌
street-river = 河牌
said-new-flop = 重新翻牌，不燒牌
said-turn-community = 翻開公共牌
said-straddle-or = 發第一張牌前：{ $said }
said-who-banks = 誰坐莊？請向{ $places }提供莊家位置
said-who-banks-next = 下一位誰坐莊？{ $place }已坐莊 { $n } 局：請向{ $places }提供
said-who-banks-next-one = 下一位誰坐莊？{ $place }已坐莊 1 局：請向{ $places }提供
said-nobody-banks = 無人接莊：{ $said }，須由他人坐莊（{ $places }）
said-nobody-else = 沒有其他人可以坐莊：{ $said }
said-has-dealt = { $place }已坐莊 { $n } 局
said-has-dealt-one = { $place }已坐莊 1 局
place-seat = 座位 { $seat }
place-seats = 座位 { $seats }
place-players = 各位玩家
said-broken = 牌局中斷：沒有其他人接莊。須由他人坐莊
said-broken-floor = 牌局中斷：沒有其他人接莊。須由他人坐莊，或由樓面主管在合理時間後恢復

## How a round ended

said-tie-at = 和，{ $n } 點
said-wins = { $who }勝，{ $n } 比 { $n2 }
said-seat-wins = 座位 { $seat } 贏 { $money }
said-player-has = 閒 { $n } 點，莊家明牌 { $name }
said-pd-not-qualify = 莊家不夠資格。
said-pd-no-fours = 莊家沒有一對 4。
said-pd-no-pair = 莊家沒有對子，底注退還。
said-pd-has = 莊家 { $n } 點
said-pd-has-half = 莊家 { $total }
said-pd-over = 莊家 { $n } 點，爆牌
said-pd-over-cards = 莊家 { $n2 } 張牌 { $n } 點，爆牌
said-pd-natural = 莊家天牌 { $n }
said-pd-natural-small = 莊家天牌 { $n }
said-pd-eights = 莊家有三張 8
said-pd-pure = 莊家 Pure 21.5
said-goes-out = 座位 { $seat } 胡出
said-seat-verdict = 座位 { $seat } { $verdict }
said-outcomes = { $outcomes }
outcome-wins = 座位 { $seat } 贏
outcome-loses = 座位 { $seat } 輸
outcome-pushes = 座位 { $seat } 平
outcome-folds = 座位 { $seat } 棄牌
outcome-dead = 座位 { $seat } 死牌
outcome-no-action = 座位 { $seat } 無作用

## The middle

said-button = 按鈕：座位 { $seat }
said-pot-money = { $pot } { $money }
said-pot-among = { $pot } { $money }，歸 { $seats }
said-uncalled = 座位 { $seat } 未被跟注 { $money }
said-bets-in-front = 下注：{ $seatbets }
seatbet-one = 座位 { $seat } { $money }
pot-main = 底池
pot-side = 邊池
pot-side-n = 邊池 { $n }
pot-uncalled = 未被跟注
pot-the = 底池
pot-the-main = 主池

## What became of a seat

verdict-win = 贏
verdict-lose = 輸
verdict-push = 平局
verdict-folded = 已棄牌
verdict-fold = 棄牌
verdict-dead = 死牌
verdict-no-action = 無作用
verdict-surrendered = 已投降
verdict-busted = 爆牌
verdict-foul = 犯規
verdict-out = 出局

## Marks of a round

mark-qualified = 夠資格
mark-busted = 莊家爆牌
mark-pd-natural = 莊家天牌
mark-pd-pure = 莊家 pure
mark-pd-888 = 莊家 888
mark-natural = 例牌
mark-banker-pair = 莊對
mark-player-pair = 閒對

## What a poker table posts

stakes-blinds = { $structure }，盲注 { $moneys }
stakes-blinds-ante = { $structure }，盲注 { $moneys }，底注 { $money }
stakes-ante = { $structure }，底注 { $money }
structure-limit = 限注 { $money }/{ $money2 }
structure-spread = 區間限注 { $money }/{ $money2 }
structure-straight = 固定限注 { $money }
structure-no-limit = 無限注
structure-pot-limit = 底池限注
structure-fixed-limit = 固定限注
structure-spread-limit = 區間限注
said-card-unexpected = 牌靴出了一張無人預期的牌
said-doubles = { $who }加倍：一張牌
said-redoubles = { $who }再加倍：一張牌
said-hits = { $who }要牌
said-second-card = { $who }：第二張牌
said-must-hit = { $who }有 { $hand }，須要牌
said-left-hit = { $who }有 { $hand }，未處理：要牌
said-pd-draws-hand = 莊家 { $hand }，補牌
said-draws-block = { $who }從牌墩摸牌
said-gets-cards = { $who }應得 { $n } 張牌，出了 { $n2 } 張
said-gets-tiles = { $who }應得 { $n } 張骨牌，出了 { $n2 } 張
said-look = 查看牌
said-nobody-claims = 無人可取得底池；繼續以重新亮牌，或作廢
said-no-rule = { $happening }：規則未列明
said-no-room-rule = { $happening }：本場無此規定
said-odd = 異常情況
said-deal-missing = 補發{ $missing }給座位 { $seat }，牌面朝下
missing-card = 缺的一張牌
missing-cards = 缺的 { $n } 張牌
said-replace-exposed = 更換座位 { $seat } 露出的牌，牌面朝下
said-shuffle-last = 將最後一張與 { $n } 張棄牌洗牌，然後燒牌
said-shuffle-discards = 洗棄牌，裝入牌靴並燒一張牌
said-both-burned = 兩張牌均已燒：重新發要牌
said-one-from-deck = 座位 { $seat }：從牌堆（{ $name }）取一張
said-five-centre = 座位 { $seat }：從中央取五張
said-button-card = 座位 { $seat }：發一張明牌定按鈕
said-aside = 將燒牌放一邊
said-not-enough = 牌不夠：燒一張，發公共牌
said-scramble = 將最後一張與燒牌混洗，切牌，燒一張
said-scramble-community = 將最後一張與燒牌混洗，切牌，燒一張，發公共牌
said-who-outcome = { $who }：{ $verdict }
said-banks-next-first = 下一局由座位 { $seat } 坐莊，第一手
said-banks-next-second = 下一局由座位 { $seat } 坐莊，第二手
said-banks-next-first-name = 下一局由座位 { $seat }（{ $name }）坐莊，第一手
said-banks-next-second-name = 下一局由座位 { $seat }（{ $name }）坐莊，第二手
said-banks-next = 下一局由座位 { $seat } 坐莊
said-from-seat = 由座位 { $seat }
said-from-pd = 由莊家
said-from-pot = 從底池
said-into-box = 放入{ $box }錢箱
said-not-called = 未被跟注
said-the-wagers = 注碼

## A hand by its ranks

hand-run = { $run }
said-dealer-stops = 荷官已暫停遊戲
said-reader-away = { $name } 沒有回應：不出牌
said-reader-back = { $name } 曾斷線，現已恢復回應
said-lifts-both = 只有樓面主管可以解除：繼續，或作廢本局。
said-lifts-void = 只有樓面主管可以解除：作廢本局。
said-lifts-resume = 只有樓面主管可以解除：繼續。
said-lifts-set = 牌桌設定完成後自動繼續。
said-lifts-journal = 日誌可以再次寫入後自動繼續。
stakes-bring-in = { $structure }，起始注 { $money }

## As a schedule has it

structure-from-to = 下注區間 { $money } 至 { $money2 }
structure-least = { $structure }，最低下注 { $money }
structure-three = 限注 { $money }/{ $money2 }/{ $money3 }
