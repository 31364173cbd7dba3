#pragma once
#define O_CLOEXEC 0x1000000
#define F_SETFD 2
#define FD_CLOEXEC 1
int fcntl(int file, int command, ...);
