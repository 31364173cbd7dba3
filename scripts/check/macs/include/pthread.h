#pragma once
#include <signal.h>
typedef struct { long state; char rest[64]; } pthread_once_t;
#define PTHREAD_ONCE_INIT {0}
int pthread_once(pthread_once_t *once, void (*routine)(void));
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
