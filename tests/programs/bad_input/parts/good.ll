define i32 @main() {
  %x = add i32 3, 4
  ret i32 %x
}
