// Copies descriptor 0 to descriptor 3 byte by byte, with no C library and no other system call.
static long call(long number, long a, long b, long c) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c)
                   : "rcx", "r11", "memory");
  return result;
}

void _start(void) {
  char byte;
  while (call(0, 0, (long)&byte, 1) == 1) call(1, 3, (long)&byte, 1);
  call(231, 0, 0, 0);
}
