#pragma once
typedef unsigned sigset_t;
#define SIG_BLOCK 1
#define SIG_SETMASK 3
#define SIGPIPE 13
int sigemptyset(sigset_t *set);
int sigfillset(sigset_t *set);
int sigaddset(sigset_t *set, int number);
