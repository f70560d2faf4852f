## What the table waits for

said-decision = { $who }：{ $acts }
said-decision-asks = { $who }：{ $acts } — { $said }
said-decision-seats = 座位 { $seats }：{ $acts }
said-decision-seats-asks = 座位 { $seats }：{ $acts } — { $said }
said-bets = 请下注
said-bets-next = 请为下一局下注
said-closed = 牌桌已关闭
said-over = 本局结束
said-void = 本局作废，退还所有注码
said-new-shoe = 请洗牌并装入新牌靴
said-new-shoe-why = 请洗牌并装入新牌靴：{ $said }
said-waiting-shoe = 等待洗好的牌靴
said-pack-n = 请洗牌并清点 { $n } 张牌，然后申报
said-pack = 请洗牌并清点，然后申报
said-held = 已暂停，请叫楼面主管：{ $said }
said-no-new-round = 不能开新局：{ $said }
said-floor-decides = 由楼面主管决定：继续、更正或作废
said-burn = 烧一张牌
said-burn-small = 烧一张牌
said-burn-first = 烧第一张牌，牌面朝上
said-burn-nth = 烧牌，第 { $n } 张，共 { $n2 } 张
said-burn-nth-why = 烧牌，第 { $n } 张，共 { $n2 } 张：{ $said }
said-burn-asked = 烧一张牌：庄家要求
said-draws = { $who }补牌
said-draws-one = { $who }补一张牌
said-card-to = 发第 { $n } 张牌给{ $who }
said-card-to-down = 发第 { $n } 张牌给{ $who }，牌面朝下
said-tile-to = 发第 { $n } 张骨牌给{ $who }
said-tile-to-down = 发第 { $n } 张骨牌给{ $who }，牌面朝下
said-cards-to = 发 { $n } 张牌给{ $who }
said-cards-to-down = 发 { $n } 张牌给{ $who }，牌面朝下
said-tiles-to-down = 发 { $n } 张骨牌给{ $who }，牌面朝下
said-tiles-to = 发 { $n } 张骨牌给{ $who }
said-key-card = { $who }：请输入该牌
said-key-card-asks = { $who }：请输入该牌 — { $said }
said-key-cards = { $who }：请输入 { $n } 张牌
said-key-cards-asks = { $who }：请输入 { $n } 张牌 — { $said }
said-key-tile = { $who }：请输入该骨牌
said-key-tiles = { $who }：请输入 { $n } 张骨牌
said-key-tiles-asks = { $who }：请输入 { $n } 张骨牌 — { $said }
said-dice = 摇盅并开盅（{ $n } 粒骰子）
said-drop = { $before }前投入 { $fees }
fee-into = { $money } 到{ $box }钱箱
box-fee = 台费
box-jackpot = jackpot
box-tip = 小费
box-collection = 台费
before-first-card = 发第一张牌
before-cup = 开盅
before-next = 继续本局
said-flop = 翻开{ $street }
street-flop = 翻牌
street-turn = 转牌
street-river = 河牌
said-new-flop = 重新翻牌，不烧牌
said-turn-community = 翻开公共牌
said-straddle-or = 发第一张牌前：{ $said }
said-who-banks = 谁坐庄？请向{ $places }提供庄家位置
said-who-banks-next = 下一位谁坐庄？{ $place }已坐庄 { $n } 局：请向{ $places }提供
said-who-banks-next-one = 下一位谁坐庄？{ $place }已坐庄 1 局：请向{ $places }提供
said-nobody-banks = 无人接庄：{ $said }，须由他人坐庄（{ $places }）
said-nobody-else = 没有其他人可以坐庄：{ $said }
said-has-dealt = { $place }已坐庄 { $n } 局
said-has-dealt-one = { $place }已坐庄 1 局
place-seat = 座位 { $seat }
place-seats = 座位 { $seats }
place-players = 各位玩家
said-broken = 牌局中断：没有其他人接庄。须由他人坐庄
said-broken-floor = 牌局中断：没有其他人接庄。须由他人坐庄，或由楼面主管在合理时间后恢复

## How a round ended

said-tie-at = 和，{ $n } 点
said-wins = { $who }胜，{ $n } 比 { $n2 }
said-seat-wins = 座位 { $seat } 赢 { $money }
said-player-has = 闲 { $n } 点，庄家明牌 { $name }
said-pd-not-qualify = 庄家不够资格。
said-pd-no-fours = 庄家没有一对 4。
said-pd-no-pair = 庄家没有对子，底注退还。
said-pd-has = 庄家 { $n } 点
said-pd-has-half = 庄家 { $total }
said-pd-over = 庄家 { $n } 点，爆牌
said-pd-over-cards = 庄家 { $n2 } 张牌 { $n } 点，爆牌
said-pd-natural = 庄家天牌 { $n }
said-pd-natural-small = 庄家天牌 { $n }
said-pd-eights = 庄家有三张 8
said-pd-pure = 庄家 Pure 21.5
said-goes-out = 座位 { $seat } 胡出
said-seat-verdict = 座位 { $seat } { $verdict }
said-outcomes = { $outcomes }
outcome-wins = 座位 { $seat } 赢
outcome-loses = 座位 { $seat } 输
outcome-pushes = 座位 { $seat } 平
outcome-folds = 座位 { $seat } 弃牌
outcome-dead = 座位 { $seat } 死牌
outcome-no-action = 座位 { $seat } 无作用

## The middle

said-button = 按钮：座位 { $seat }
said-pot-money = { $pot } { $money }
said-pot-among = { $pot } { $money }，归 { $seats }
said-uncalled = 座位 { $seat } 未被跟注 { $money }
said-bets-in-front = 下注：{ $seatbets }
seatbet-one = 座位 { $seat } { $money }
pot-main = 底池
pot-side = 边池
pot-side-n = 边池 { $n }
pot-uncalled = 未被跟注
pot-the = 底池
pot-the-main = 主池

## What became of a seat

verdict-win = 赢
verdict-lose = 输
verdict-push = 平局
verdict-folded = 已弃牌
verdict-fold = 弃牌
verdict-dead = 死牌
verdict-no-action = 无作用
verdict-surrendered = 已投降
verdict-busted = 爆牌
verdict-foul = 犯规
verdict-out = 出局

## Marks of a round

mark-qualified = 够资格
mark-busted = 庄家爆牌
mark-pd-natural = 庄家天牌
mark-pd-pure = 庄家 pure
mark-pd-888 = 庄家 888
mark-natural = 例牌
mark-banker-pair = 庄对
mark-player-pair = 闲对

## What a poker table posts

stakes-blinds = { $structure }，盲注 { $moneys }
stakes-blinds-ante = { $structure }，盲注 { $moneys }，底注 { $money }
stakes-ante = { $structure }，底注 { $money }
structure-limit = 限注 { $money }/{ $money2 }
structure-spread = 区间限注 { $money }/{ $money2 }
structure-straight = 固定限注 { $money }
structure-no-limit = 无限注
structure-pot-limit = 底池限注
structure-fixed-limit = 固定限注
structure-spread-limit = 区间限注
said-card-unexpected = 牌靴出了一张无人预期的牌
said-doubles = { $who }加倍：一张牌
said-redoubles = { $who }再加倍：一张牌
said-hits = { $who }要牌
said-second-card = { $who }：第二张牌
said-must-hit = { $who }有 { $hand }，须要牌
said-left-hit = { $who }有 { $hand }，未处理：要牌
said-pd-draws-hand = 庄家 { $hand }，补牌
said-draws-block = { $who }从牌墩摸牌
said-gets-cards = { $who }应得 { $n } 张牌，出了 { $n2 } 张
said-gets-tiles = { $who }应得 { $n } 张骨牌，出了 { $n2 } 张
said-look = 查看牌
said-nobody-claims = 无人可取得底池；继续以重新亮牌，或作废
said-no-rule = { $happening }：规则未列明
said-no-room-rule = { $happening }：本场无此规定
said-odd = 异常情况
said-deal-missing = 补发{ $missing }给座位 { $seat }，牌面朝下
missing-card = 缺的一张牌
missing-cards = 缺的 { $n } 张牌
said-replace-exposed = 更换座位 { $seat } 露出的牌，牌面朝下
said-shuffle-last = 将最后一张与 { $n } 张弃牌洗牌，然后烧牌
said-shuffle-discards = 洗弃牌，装入牌靴并烧一张牌
said-both-burned = 两张牌均已烧：重新发要牌
said-one-from-deck = 座位 { $seat }：从牌堆（{ $name }）取一张
said-five-centre = 座位 { $seat }：从中央取五张
said-button-card = 座位 { $seat }：发一张明牌定按钮
said-aside = 将烧牌放一边
said-not-enough = 牌不够：烧一张，发公共牌
said-scramble = 将最后一张与烧牌混洗，切牌，烧一张
said-scramble-community = 将最后一张与烧牌混洗，切牌，烧一张，发公共牌
said-who-outcome = { $who }：{ $verdict }
said-banks-next-first = 下一局由座位 { $seat } 坐庄，第一手
said-banks-next-second = 下一局由座位 { $seat } 坐庄，第二手
said-banks-next-first-name = 下一局由座位 { $seat }（{ $name }）坐庄，第一手
said-banks-next-second-name = 下一局由座位 { $seat }（{ $name }）坐庄，第二手
said-banks-next = 下一局由座位 { $seat } 坐庄
said-from-seat = 由座位 { $seat }
said-from-pd = 由庄家
said-from-pot = 从底池
said-into-box = 放入{ $box }钱箱
said-not-called = 未被跟注
said-the-wagers = 注码

## A hand by its ranks

hand-run = { $run }
said-dealer-stops = 荷官已暂停游戏
said-reader-away = { $name } 没有回应：不出牌
said-reader-back = { $name } 曾断线，现已恢复回应
said-lifts-both = 只有楼面主管可以解除：继续，或作废本局。
said-lifts-void = 只有楼面主管可以解除：作废本局。
said-lifts-resume = 只有楼面主管可以解除：继续。
said-lifts-set = 牌桌设置完成后自动继续。
said-lifts-journal = 日志可以再次写入后自动继续。
stakes-bring-in = { $structure }，起始注 { $money }

## As a schedule has it

structure-from-to = 下注区间 { $money } 至 { $money2 }
structure-least = { $structure }，最低下注 { $money }
structure-three = 限注 { $money }/{ $money2 }/{ $money3 }
