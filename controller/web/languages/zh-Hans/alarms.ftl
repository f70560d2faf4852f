## What is wrong

alarm-is = { $name } { $state }：{ $name2 }
alarm-box = { $name }钱箱：{ $said }
alarm-the-box-is-out = 钱箱已取出
alarm-the-door-is-open = 门开着
alarm-its-sensor-restarted-what-fell = 传感器已重启；期间投入的不明
alarm-its-counter-went-where-it = 计数器数值不可能
alarm-its-sensor-reports-a-fault = 传感器报告故障
alarm-its-sensor-does-not-answer = 传感器无响应
alarm-owes-the-box-fell = { $whose }欠{ $name }钱箱 { $money }；落下 { $pieces }
alarm-owes-the-box-fell-at = { $whose }欠{ $name }钱箱 { $money }；落下 { $pieces }，至少 { $money2 }
alarm-owes-the-box-fell-which = { $whose }欠{ $name }钱箱 { $money }；落下 { $pieces }，不可能是该金额
alarm-owes-the-box-fell-as = { $whose }欠{ $name }钱箱 { $money }；就所知落下 { $pieces }：{ $said }
alarm-its-sensor-restarted-meanwhile = 其间传感器重启
alarm-its-counter-went-where-it-cannot = 其间计数器数值不可能
alarm-fell-into-the-box-that = { $name }钱箱落下 { $pieces }，无人应付
alarm-fell-through-the-slot-of = { $name }钱箱不在时有 { $pieces } 落入
alarm-of-not-seen-to-fall = { $whose }的 { $money } 未见落下
alarm-id-and-seal-of-the = 未输入钱箱编号与封条
alarm-the-box-was-taken-out = 进行中取出了{ $name }钱箱
alarm-number-left-number-was-expected = 出了第 { $n } 号，应为第 { $n2 } 号：{ $n3 } 张未报告
alarm-number-left-a-second-time = 第 { $n } 号重复，应为第 { $n2 } 号
alarm-its-event-came-event-was = 收到其事件 { $n }，应为 { $n2 }：中间已丢失
alarm-its-event-came-a-second = 事件 { $n } 重复，应为 { $n2 }
alarm-cards-are-left-in-it = 自身计数剩 { $n } 张，应为 { $n2 } 张
alarm-a-card-left-it-and = 出了一张牌，本应已无牌
alarm-of-have-left-the-shoe = { $card } 已出 { $n } 张，牌副只有 { $n2 } 张：{ $name }
alarm-cards-came-out-of-the = 洗牌机出 { $n } 张，应为 { $n2 } 张
alarm-too-many-wrong-pins-or = PIN 或工牌错误过多
alarm-wrong-pins-or-badges-at = { $name } 的 PIN 或工牌错误，来自 { $name2 }
alarm-entry-of-the-journal-does = 日志第 { $n } 条不一致：{ $name }
alarm-sent-a-message-that-kind = { $name } 发来无法读取的消息（{ $name2 }）：类型 { $name3 }，{ $n } 字节；已入日志
alarm-the-board-s-clock-was = 主板时钟调快了 { $name }
alarm-the-board-s-clock-was-set = 主板时钟调慢了 { $name }

## What to do about it

alarm-check-the-power-and-the = 检查 { $name } 的电源和线缆。若仍无响应，叫技术员（`cutcard doctor`）。由它供牌的一局会暂停。
alarm-take-the-deck-out-of = 从 { $name } 取出牌副，清点并换上另一副。若缺牌请保留。
alarm-look-for-a-card-on = 找地上的牌，清点 { $name } 内的牌，并查看录像。装入新牌靴，或说明发现了什么。
alarm-find-out-what-happened-at = 查明当时 { $name } 发生了什么并说明。叫技术员：固件可能比本程序新，或有故障。
alarm-look-at-the-cable-of = 检查 { $name } 的线缆全程是否有外来设备，并通知监控。说明发现了什么。
alarm-call-a-technician-find-out = 叫技术员：查明 { $name } 被做了什么，然后 `cutcard firmware enroll { $name2 }` 或 `cutcard firmware accept { $name3 }`。
alarm-do-not-deal-from-this = 不要再从此牌靴发牌。若误读牌，请更正本局。否则清点牌靴、通知监控并换新牌靴。若要继续使用，请说明检查结果。
alarm-look-for-a-card-on-the = 在地上和牌靴中找牌，清点后装入新牌靴。若要继续使用此靴，请说明清点结果。
alarm-load-a-shoe-with-the = 请装入规则要求副数的牌靴。
alarm-do-not-deal-from-this-shoe = 不要再从此牌靴发牌。保持原状，通知监控并换新牌靴。若要继续使用，请说明检查结果。
alarm-put-the-box-in-while = 放入{ $name }钱箱。收箱人员更换期间无需其他操作。
alarm-close-the-door-of-the = 关上{ $name }钱箱的门。
alarm-nothing-at-once-the-count = 暂不处理：以点钞房数字为准。若不应等到下次收箱，请说明发现了什么。
alarm-clean-the-slot-of-the = 清洁{ $name }钱箱的投口。若故障仍在，叫技术员：线缆或更换传感器。
alarm-drop-what-is-missing-if = 投入所缺金额。若无法投入，请查录像并说明差额。无标签的钱箱：输入编号与封条。
alarm-call-a-technician-move-archives = 叫技术员：将归档移到其他磁盘，并查明占用原因。
alarm-call-a-technician-at-once = 立即叫技术员：将归档移到其他磁盘，并查明占用原因。
alarm-find-out-who-it-is = 若不清楚，请查明是谁。技术员以 Ctrl-C 结束，或到时自动结束。
alarm-ask-who-it-was-then = 查明是谁，然后以楼面主管身份登录。
alarm-call-a-technician-cutcard-config = 叫技术员：`cutcard config check`，更正文件，`cutcard config apply`。
alarm-sign-in-at-the-console = 以楼面主管身份登录。将日志发给我们（`journalctl -u cutcard`）。
alarm-the-table-is-held-read = 牌桌已暂停。看清差异后继续，或作废当时的一局，并说明原因。
alarm-call-a-technician-make-room = 叫技术员：腾出磁盘空间或更换。设备会重发未收到的内容。
alarm-compare-the-board-s-clock = 将主板时钟与准确时钟比对。若不对，叫技术员：电池、时间服务器（`timedatectl`）。然后说明发现了什么。

## What ends it

said-ends = { $ends }
end-a-new-shoe-is-loaded = 装入新牌靴
end-the-floor-states-what-the = 楼面主管说明检查结果
end-the-floor-states-what-was = 楼面主管说明发现的情况
end-answers-again = { $name } 恢复响应
end-is-taken-out-of-the = 从配置中移除
end-is-taken-out-of-the-configuration = { $name } 从配置中移除
end-reports-a-good-deck = { $name } 报告牌副正确
end-is-enrolled = { $name } 登记
end-accepted = 被接受
end-is-as-it-was-again = 恢复原状
end-a-correction-shows-that-a = 更正显示误读了牌
end-a-shoe-with-the-right = 装入副数正确的牌靴
end-another-game-is-chosen = 选择其他游戏
end-a-box-is-in-the = 投口放入钱箱
end-the-door-is-closed = 门已关
end-the-box-is-exchanged = 更换{ $name }钱箱
end-the-sensor-reports-no-fault = 传感器不再报告故障
end-what-was-missing-has-fallen = 所缺已落下
end-the-floor-has-explained-the = 楼面主管已说明差额
end-the-box-is-keyed = 已输入钱箱
end-another-box-is-in = 换上另一钱箱
end-there-is-room-again-it = 再有空间；每十秒检查一次
end-a-floor-person-signs-in = 楼面主管登录
end-a-good-file-was-read = 读到正确的文件
end-nobody-records-any-more = 不再有人记录
end-the-floor-resumes-the-table = 楼面主管恢复牌桌
end-voids-the-round = 作废本局
end-an-entry-can-be-written = 可以写入；每十秒尝试一次

## Of the drop

pieces-nothing = 无
pieces-one = 1 枚
pieces-n = { $n } 枚
whose-round = 第 { $n } 局
whose-clock = 时钟
whose-rounds = 第 { $name } 局
whose-earlier = 之前各局
state-offline = 离线
state-faulty = 故障
state-wrong-device = 不是正确的设备
state-not-trusted = 不受信任

## A call

alarm-floor-is-called = 已呼叫楼面主管到场
alarm-go-to-the-table = 请前往牌桌。`已处理` 告知荷官有人正在赶来；`楼面主管已到场` 结束呼叫。
end-somebody-ends-the-call = 牌桌上有人结束呼叫
