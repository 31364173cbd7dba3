#pragma once
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
float fabsf(float);
float fmaf(float, float, float);
float fmaxf(float, float);
float fminf(float, float);
float floorf(float);
float rintf(float);
float roundf(float);
float nearbyintf(float);
float sqrtf(float);
float expf(float);
float logf(float);
float tanhf(float);
float ldexpf(float, int);
double fabs(double);
double exp(double);
double log(double);
double sqrt(double);
double floor(double);
long lrintf(float);
