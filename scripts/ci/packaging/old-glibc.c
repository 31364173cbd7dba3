// The functions that are newer than the oldest glibc that the packages promise, or whose default
// version is. scripts/ci/packaging/build-program links the program with --wrap, so that it uses their older
// versions, which every glibc for x86-64 has, or the one below.

#include <stdint.h>
#include <sys/random.h>

__asm__(".symver old_hypot, hypot@GLIBC_2.2.5");
__asm__(".symver old_hypotf, hypotf@GLIBC_2.2.5");

double old_hypot(double x, double y);
float old_hypotf(float x, float y);

double __wrap_hypot(double x, double y) { return old_hypot(x, y); }
float __wrap_hypotf(float x, float y) { return old_hypotf(x, y); }

uint32_t __wrap_arc4random(void) {
  uint32_t value = 0;
  while (getrandom(&value, sizeof value, 0) != sizeof value) {}
  return value;
}
