#pragma once
int pipe(int ends[2]);
int pipe2(int ends[2], int flags);
