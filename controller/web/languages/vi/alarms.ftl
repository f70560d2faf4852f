## What is wrong

alarm-is = { $name } { $state }: { $name2 }
alarm-box = hộp { $name }: { $said }
alarm-the-box-is-out = hộp đã lấy ra
alarm-the-door-is-open = cửa đang mở
alarm-its-sensor-restarted-what-fell = cảm biến khởi động lại; không rõ đã rơi gì
alarm-its-counter-went-where-it = bộ đếm chạy sai
alarm-its-sensor-reports-a-fault = cảm biến báo lỗi
alarm-its-sensor-does-not-answer = cảm biến không trả lời
alarm-owes-the-box-fell = { $whose } nợ hộp { $name } { $money }; đã rơi { $pieces }
alarm-owes-the-box-fell-at = { $whose } nợ hộp { $name } { $money }; đã rơi { $pieces }, ít nhất { $money2 }
alarm-owes-the-box-fell-which = { $whose } nợ hộp { $name } { $money }; đã rơi { $pieces }, không thể là số đó
alarm-owes-the-box-fell-as = { $whose } nợ hộp { $name } { $money }; đã rơi { $pieces }, theo những gì biết: { $said }
alarm-its-sensor-restarted-meanwhile = cảm biến khởi động lại trong lúc đó
alarm-its-counter-went-where-it-cannot = bộ đếm chạy sai trong lúc đó
alarm-fell-into-the-box-that = { $pieces } rơi vào hộp { $name } mà không ai nợ
alarm-fell-through-the-slot-of = { $pieces } rơi qua khe { $name } khi không có hộp
alarm-of-not-seen-to-fall = không thấy rơi { $money } của { $whose }
alarm-id-and-seal-of-the = chưa nhập mã và niêm phong của hộp
alarm-the-box-was-taken-out = hộp { $name } bị lấy ra khi ván đang chạy
alarm-number-left-number-was-expected = số { $n } ra, chờ số { $n2 }: { $n3 } ra không báo
alarm-number-left-a-second-time = số { $n } ra lần hai, chờ số { $n2 }
alarm-its-event-came-event-was = sự kiện { $n } đến, chờ { $n2 }: phần giữa bị mất
alarm-its-event-came-a-second = sự kiện { $n } đến lần hai, chờ { $n2 }
alarm-cards-are-left-in-it = theo nó còn { $n } lá, đúng là { $n2 }
alarm-a-card-left-it-and = một lá ra, lẽ ra không còn lá nào
alarm-of-have-left-the-shoe = { $n } lá { $card } đã ra, bộ bài có { $n2 }: { $name }
alarm-cards-came-out-of-the = { $n } lá ra khỏi máy xáo, đúng là { $n2 }
alarm-too-many-wrong-pins-or = quá nhiều mã PIN hoặc thẻ sai
alarm-wrong-pins-or-badges-at = mã PIN hoặc thẻ sai ở { $name }, từ { $name2 }
alarm-entry-of-the-journal-does = mục { $n } của nhật ký không trùng: { $name }
alarm-sent-a-message-that-kind = { $name } gửi tin không đọc được ({ $name2 }): loại { $name3 }, { $n } byte; có trong nhật ký
alarm-the-board-s-clock-was = đồng hồ bảng được chỉnh nhanh { $name }
alarm-the-board-s-clock-was-set = đồng hồ bảng được chỉnh chậm { $name }

## What to do about it

alarm-check-the-power-and-the = Kiểm tra nguồn và dây của { $name }. Nếu vẫn mất, gọi kỹ thuật viên (`cutcard doctor`). Ván lấy bài từ nó bị tạm dừng.
alarm-take-the-deck-out-of = Lấy bộ bài khỏi { $name }, đếm và thay bộ khác. Giữ lại nếu thiếu lá.
alarm-look-for-a-card-on = Tìm lá rơi dưới sàn, đếm bài trong { $name } và xem lại video. Nạp hộp mới, hoặc nêu đã thấy gì.
alarm-find-out-what-happened-at = Tìm hiểu chuyện gì xảy ra ở { $name } lúc đó và nêu ra. Gọi kỹ thuật viên: firmware có thể mới hơn hoặc lỗi.
alarm-look-at-the-cable-of = Kiểm tra dây của { $name } từ đầu đến cuối xem có thiết bị lạ, và gọi giám sát. Nêu đã thấy gì.
alarm-call-a-technician-find-out = Gọi kỹ thuật viên: tìm hiểu { $name } đã bị làm gì, rồi `cutcard firmware enroll { $name2 }` hoặc `cutcard firmware accept { $name3 }`.
alarm-do-not-deal-from-this = Không chia từ hộp này. Nếu đọc sai lá, sửa ván. Nếu không, đếm hộp, gọi giám sát và nạp hộp mới. Để chia tiếp, nêu kết quả kiểm tra.
alarm-look-for-a-card-on-the = Tìm lá dưới sàn và trong hộp, đếm bài và nạp hộp mới. Để chia tiếp, nêu kết quả đếm.
alarm-load-a-shoe-with-the = Nạp hộp có đúng số bộ theo luật.
alarm-do-not-deal-from-this-shoe = Không chia từ hộp này. Giữ nguyên, gọi giám sát và nạp hộp mới. Để chia tiếp, nêu kết quả kiểm tra.
alarm-put-the-box-in-while = Lắp hộp { $name } vào. Khi đội thu hộp đang đổi thì không cần làm gì khác.
alarm-close-the-door-of-the = Đóng cửa hộp { $name }.
alarm-nothing-at-once-the-count = Chưa cần làm gì: số của phòng đếm quyết định. Nêu đã thấy gì nếu không nên chờ lần thu sau.
alarm-clean-the-slot-of-the = Lau khe hộp { $name }. Nếu vẫn lỗi, gọi kỹ thuật viên: dây hoặc cảm biến khác.
alarm-drop-what-is-missing-if = Bỏ phần còn thiếu. Nếu không thể, xem video và giải thích. Hộp không có thẻ: nhập mã và niêm phong.
alarm-call-a-technician-move-archives = Gọi kỹ thuật viên: chuyển kho lưu sang đĩa khác và xem gì làm đầy đĩa.
alarm-call-a-technician-at-once = Gọi kỹ thuật viên ngay: chuyển kho lưu sang đĩa khác và xem gì làm đầy đĩa.
alarm-find-out-who-it-is = Tìm hiểu là ai nếu chưa biết. Kỹ thuật viên kết thúc bằng Ctrl-C, hoặc tự hết giờ.
alarm-ask-who-it-was-then = Hỏi là ai, rồi đăng nhập quản lý ở bảng điều khiển.
alarm-call-a-technician-cutcard-config = Gọi kỹ thuật viên: `cutcard config check`, sửa tệp, `cutcard config apply`.
alarm-sign-in-at-the-console = Đăng nhập quản lý. Gửi nhật ký cho chúng tôi (`journalctl -u cutcard`).
alarm-the-table-is-held-read = Bàn đang tạm dừng. Đọc chỗ khác biệt rồi tiếp tục, hoặc hủy ván, và nêu lý do.
alarm-call-a-technician-make-room = Gọi kỹ thuật viên: giải phóng đĩa hoặc thay. Thiết bị gửi lại phần chưa nhận.
alarm-compare-the-board-s-clock = So đồng hồ bảng với đồng hồ đúng. Nếu sai, gọi kỹ thuật viên: pin, máy chủ giờ (`timedatectl`). Rồi nêu đã thấy gì.

## What ends it

said-ends = { $ends }
end-a-new-shoe-is-loaded = nạp hộp bài mới
end-the-floor-states-what-the = quản lý nêu kết quả kiểm tra
end-the-floor-states-what-was = quản lý nêu đã thấy gì
end-answers-again = { $name } trả lời lại
end-is-taken-out-of-the = bị bỏ khỏi cấu hình
end-is-taken-out-of-the-configuration = { $name } bị bỏ khỏi cấu hình
end-reports-a-good-deck = { $name } báo bộ bài tốt
end-is-enrolled = { $name } được ghi danh
end-accepted = được chấp nhận
end-is-as-it-was-again = trở lại như cũ
end-a-correction-shows-that-a = việc sửa cho thấy đọc sai lá
end-a-shoe-with-the-right = nạp hộp đúng số bộ
end-another-game-is-chosen = chọn trò khác
end-a-box-is-in-the = có hộp trong khe
end-the-door-is-closed = cửa đã đóng
end-the-box-is-exchanged = đổi hộp { $name }
end-the-sensor-reports-no-fault = cảm biến không báo lỗi
end-what-was-missing-has-fallen = phần thiếu đã rơi
end-the-floor-has-explained-the = quản lý đã giải thích
end-the-box-is-keyed = đã nhập hộp
end-another-box-is-in = đã có hộp khác
end-there-is-room-again-it = có chỗ trống lại; xem mỗi mười giây
end-a-floor-person-signs-in = quản lý đăng nhập
end-a-good-file-was-read = đọc được tệp tốt
end-nobody-records-any-more = không ai ghi nữa
end-the-floor-resumes-the-table = quản lý cho bàn tiếp tục
end-voids-the-round = hủy ván
end-an-entry-can-be-written = ghi được; thử mỗi mười giây

## Of the drop

pieces-nothing = không gì
pieces-one = 1 miếng
pieces-n = { $n } miếng
whose-round = ván { $n }
whose-clock = đồng hồ
whose-rounds = các ván { $name }
whose-earlier = các ván trước
state-offline = ngoại tuyến
state-faulty = bị lỗi
state-wrong-device = sai thiết bị
state-not-trusted = không tin cậy

## A call

alarm-floor-is-called = đã gọi quản lý đến bàn
alarm-go-to-the-table = Hãy đến bàn. `Đã xem` cho người chia bài biết có người đang đến; `Quản lý đã đến` kết thúc cuộc gọi.
end-somebody-ends-the-call = một người tại bàn kết thúc cuộc gọi
