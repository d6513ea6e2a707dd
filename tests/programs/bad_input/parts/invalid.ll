define i32 @main() {
  %x = add i32 1, %undefined_name
  ret i32 %x
}
