#pragma once
#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_LOCAL 4
void *dlopen(const char *path, int mode);
void *dlsym(void *library, const char *name);
char *dlerror(void);
