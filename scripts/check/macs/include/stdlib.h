#pragma once
#include <stddef.h>
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *place, size_t size);
void free(void *place);
char *getenv(const char *name);
