// The functions whose default version is newer than the oldest glibc that the packages promise.
// scripts/build-program links the program with --wrap, so that it uses their older versions, which
// every glibc for x86-64 has.

__asm__(".symver old_hypot, hypot@GLIBC_2.2.5");
__asm__(".symver old_hypotf, hypotf@GLIBC_2.2.5");

double old_hypot(double x, double y);
float old_hypotf(float x, float y);

double __wrap_hypot(double x, double y) { return old_hypot(x, y); }
float __wrap_hypotf(float x, float y) { return old_hypotf(x, y); }
