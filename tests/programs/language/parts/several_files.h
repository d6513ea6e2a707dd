extern int defined_here;
extern int defined_there[3];
extern _Thread_local int per_thread;

struct pair {
    int n;
    double x;
};

int other_helper(void);
int sum_there(void);
int read_here(void);
int per_thread_there(void);
struct pair make_pair(int n, double x);
const char *third_name(void);

static inline int inline_twice(int v) { return v * 2; }
