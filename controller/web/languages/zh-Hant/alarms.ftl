## What is wrong

alarm-is = { $name } { $state }：{ $name2 }
alarm-box = { $name }錢箱：{ $said }
alarm-the-box-is-out = 錢箱已取出
alarm-the-door-is-open = 門開着
alarm-its-sensor-restarted-what-fell = 傳感器已重啓；期間投入的不明
alarm-its-counter-went-where-it = 計數器數值不可能
alarm-its-sensor-reports-a-fault = 傳感器報告故障
alarm-its-sensor-does-not-answer = 傳感器無響應
alarm-owes-the-box-fell = { $whose }欠{ $name }錢箱 { $money }；落下 { $pieces }
alarm-owes-the-box-fell-at = { $whose }欠{ $name }錢箱 { $money }；落下 { $pieces }，至少 { $money2 }
alarm-owes-the-box-fell-which = { $whose }欠{ $name }錢箱 { $money }；落下 { $pieces }，不可能是該金額
alarm-owes-the-box-fell-as = { $whose }欠{ $name }錢箱 { $money }；就所知落下 { $pieces }：{ $said }
alarm-its-sensor-restarted-meanwhile = 其間傳感器重啓
alarm-its-counter-went-where-it-cannot = 其間計數器數值不可能
alarm-fell-into-the-box-that = { $name }錢箱落下 { $pieces }，無人應付
alarm-fell-through-the-slot-of = { $name }錢箱不在時有 { $pieces } 落入
alarm-of-not-seen-to-fall = { $whose }的 { $money } 未見落下
alarm-id-and-seal-of-the = 未輸入錢箱編號與封條
alarm-the-box-was-taken-out = 進行中取出了{ $name }錢箱
alarm-number-left-number-was-expected = 出了第 { $n } 號，應為第 { $n2 } 號：{ $n3 } 張未報告
alarm-number-left-a-second-time = 第 { $n } 號重複，應為第 { $n2 } 號
alarm-its-event-came-event-was = 收到其事件 { $n }，應為 { $n2 }：中間已丟失
alarm-its-event-came-a-second = 事件 { $n } 重複，應為 { $n2 }
alarm-cards-are-left-in-it = 自身計數剩 { $n } 張，應為 { $n2 } 張
alarm-a-card-left-it-and = 出了一張牌，本應已無牌
alarm-of-have-left-the-shoe = { $card } 已出 { $n } 張，牌副只有 { $n2 } 張：{ $name }
alarm-cards-came-out-of-the = 洗牌機出 { $n } 張，應為 { $n2 } 張
alarm-too-many-wrong-pins-or = PIN 或工牌錯誤過多
alarm-wrong-pins-or-badges-at = { $name } 的 PIN 或工牌錯誤，來自 { $name2 }
alarm-entry-of-the-journal-does = 日誌第 { $n } 條不一致：{ $name }
alarm-sent-a-message-that-kind = { $name } 發來無法讀取的消息（{ $name2 }）：類型 { $name3 }，{ $n } 字節；已入日誌
alarm-the-board-s-clock-was = 主板時鐘調快了 { $name }
alarm-the-board-s-clock-was-set = 主板時鐘調慢了 { $name }

## What to do about it

alarm-check-the-power-and-the = 檢查 { $name } 的電源和線纜。若仍無響應，叫技術員（`cutcard doctor`）。由它供牌的一局會暫停。
alarm-take-the-deck-out-of = 從 { $name } 取出牌副，清點並換上另一副。若缺牌請保留。
alarm-look-for-a-card-on = 找地上的牌，清點 { $name } 內的牌，並查看錄像。裝入新牌靴，或説明發現了什麼。
alarm-find-out-what-happened-at = 查明當時 { $name } 發生了什麼並説明。叫技術員：固件可能比本程序新，或有故障。
alarm-look-at-the-cable-of = 檢查 { $name } 的線纜全程是否有外來設備，並通知監控。説明發現了什麼。
alarm-call-a-technician-find-out = 叫技術員：查明 { $name } 被做了什麼，然後 `cutcard firmware enroll { $name2 }` 或 `cutcard firmware accept { $name3 }`。
alarm-do-not-deal-from-this = 不要再從此牌靴發牌。若誤讀牌，請更正本局。否則清點牌靴、通知監控並換新牌靴。若要繼續使用，請説明檢查結果。
alarm-look-for-a-card-on-the = 在地上和牌靴中找牌，清點後裝入新牌靴。若要繼續使用此靴，請説明清點結果。
alarm-load-a-shoe-with-the = 請裝入規則要求副數的牌靴。
alarm-do-not-deal-from-this-shoe = 不要再從此牌靴發牌。保持原狀，通知監控並換新牌靴。若要繼續使用，請説明檢查結果。
alarm-put-the-box-in-while = 放入{ $name }錢箱。收箱人員更換期間無需其他操作。
alarm-close-the-door-of-the = 關上{ $name }錢箱的門。
alarm-nothing-at-once-the-count = 暫不處理：以點鈔房數字為準。若不應等到下次收箱，請説明發現了什麼。
alarm-clean-the-slot-of-the = 清潔{ $name }錢箱的投口。若故障仍在，叫技術員：線纜或更換傳感器。
alarm-drop-what-is-missing-if = 投入所缺金額。若無法投入，請查錄像並説明差額。無標籤的錢箱：輸入編號與封條。
alarm-call-a-technician-move-archives = 叫技術員：將歸檔移到其他磁盤，並查明佔用原因。
alarm-call-a-technician-at-once = 立即叫技術員：將歸檔移到其他磁盤，並查明佔用原因。
alarm-find-out-who-it-is = 若不清楚，請查明是誰。技術員以 Ctrl-C 結束，或到時自動結束。
alarm-ask-who-it-was-then = 查明是誰，然後以樓面主管身份登錄。
alarm-call-a-technician-cutcard-config = 叫技術員：`cutcard config check`，更正文件，`cutcard config apply`。
alarm-sign-in-at-the-console = 以樓面主管身份登錄。將日誌發給我們（`journalctl -u cutcard`）。
alarm-the-table-is-held-read = 牌桌已暫停。看清差異後繼續，或作廢當時的一局，並説明原因。
alarm-call-a-technician-make-room = 叫技術員：騰出磁盤空間或更換。設備會重發未收到的內容。
alarm-compare-the-board-s-clock = 將主板時鐘與準確時鐘比對。若不對，叫技術員：電池、時間服務器（`timedatectl`）。然後説明發現了什麼。

## What ends it

said-ends = { $ends }
end-a-new-shoe-is-loaded = 裝入新牌靴
end-the-floor-states-what-the = 樓面主管説明檢查結果
end-the-floor-states-what-was = 樓面主管説明發現的情況
end-answers-again = { $name } 恢復響應
end-is-taken-out-of-the = 從配置中移除
end-is-taken-out-of-the-configuration = { $name } 從配置中移除
end-reports-a-good-deck = { $name } 報告牌副正確
end-is-enrolled = { $name } 登記
end-accepted = 被接受
end-is-as-it-was-again = 恢復原狀
end-a-correction-shows-that-a = 更正顯示誤讀了牌
end-a-shoe-with-the-right = 裝入副數正確的牌靴
end-another-game-is-chosen = 選擇其他遊戲
end-a-box-is-in-the = 投口放入錢箱
end-the-door-is-closed = 門已關
end-the-box-is-exchanged = 更換{ $name }錢箱
end-the-sensor-reports-no-fault = 傳感器不再報告故障
end-what-was-missing-has-fallen = 所缺已落下
end-the-floor-has-explained-the = 樓面主管已説明差額
end-the-box-is-keyed = 已輸入錢箱
end-another-box-is-in = 換上另一錢箱
end-there-is-room-again-it = 再有空間；每十秒檢查一次
end-a-floor-person-signs-in = 樓面主管登錄
end-a-good-file-was-read = 讀到正確的文件
end-nobody-records-any-more = 不再有人記錄
end-the-floor-resumes-the-table = 樓面主管恢復牌桌
end-voids-the-round = 作廢本局
end-an-entry-can-be-written = 可以寫入；每十秒嘗試一次

## Of the drop

pieces-nothing = 無
pieces-one = 1 枚
pieces-n = { $n } 枚
whose-round = 第 { $n } 局
whose-clock = 時鐘
whose-rounds = 第 { $name } 局
whose-earlier = 之前各局
state-offline = 離線
state-faulty = 故障
state-wrong-device = 不是正確的設備
state-not-trusted = 不受信任

## A call

alarm-floor-is-called = 已呼叫樓面主管到場
alarm-go-to-the-table = 請前往牌桌。`已處理` 告知荷官有人正在趕來；`樓面主管已到場` 結束呼叫。
end-somebody-ends-the-call = 牌桌上有人結束呼叫
