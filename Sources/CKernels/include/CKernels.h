#ifndef CKERNELS_H
#define CKERNELS_H
#endif
