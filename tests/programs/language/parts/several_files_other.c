#include "several_files.h"

static int hidden = 100;
int defined_there[3] = {1, 2, 3};

static int helper(void) { return hidden--; }

int other_helper(void) { return helper(); }

int sum_there(void) { return defined_there[0] + defined_there[1] + defined_there[2]; }

int read_here(void) { return defined_here + inline_twice(1); }

int per_thread_there(void) { return per_thread * 10; }
