define i32 @f(i32 %x, i32 %y) {
  %z = add i32 %x, %y
  ret i32 %z
}

define i32 @main() {
  %x = call i32 @f(i32 1)
  ret i32 %x
}
