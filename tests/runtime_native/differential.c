// Compares functions of runtime/ (here under names with h_ before them) with those of the C library, on random inputs. See
// run.sh.
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// What the machine would do for the library.
void* h_memcpy(void* to, const void* from, size_t n) { return memcpy(to, from, n); }
void* h_memmove(void* to, const void* from, size_t n) { return memmove(to, from, n); }
void* h_memset(void* to, int byte, size_t n) { return memset(to, byte, n); }
void h___heddle_output(int fd, const void* p, size_t n) { fwrite(p, 1, n, fd == 1 ? stdout : stderr); }
void h___heddle_fail(int kind, const char* message) {
    printf("trap %d: %s\n", kind, message);
    exit(1);
}
void h___heddle_exit(int status) { exit(status); }
void h___heddle_lock(int* word) { *word = 1; }
void h___heddle_unlock(int* word) { *word = 0; }
void* h___heddle_alloc(size_t size, size_t align, int zeroed) { return align <= 16 && !zeroed ? malloc(size) : calloc(1, size); }
void h___heddle_free(void* p) { free(p); }
size_t h___heddle_object_size(const void* p) { return p == NULL; }
int h___heddle_argc;
char* h___heddle_argv[1];
void h___heddle_init_array(void) {}
void h___heddle_fini_array(void) {}
int h_main(void) { return 0; }

#define SAME(result, name, ...) extern result h_##name(__VA_ARGS__);
SAME(int, snprintf, char*, size_t, const char*, ...)
SAME(double, strtod, const char*, char**)
SAME(float, strtof, const char*, char**)
SAME(long double, strtold, const char*, char**)
SAME(long, strtol, const char*, char**, int)
SAME(unsigned long, strtoul, const char*, char**, int)
SAME(int*, __errno_location, void)
SAME(long, random, void)
SAME(void, srandom, unsigned)
SAME(int, rand_r, unsigned*)
SAME(double, drand48, void)
SAME(long, lrand48, void)
SAME(long, mrand48, void)
SAME(void, srand48, long)
SAME(int, strcmp, const char*, const char*)
SAME(int, strncmp, const char*, const char*, size_t)
SAME(int, memcmp, const void*, const void*, size_t)
SAME(int, strcasecmp, const char*, const char*)
SAME(int, strncasecmp, const char*, const char*, size_t)
SAME(char*, strchr, const char*, int)
SAME(char*, strrchr, const char*, int)
SAME(char*, strchrnul, const char*, int)
SAME(char*, strstr, const char*, const char*)
SAME(char*, strcasestr, const char*, const char*)
SAME(char*, strpbrk, const char*, const char*)
SAME(size_t, strspn, const char*, const char*)
SAME(size_t, strcspn, const char*, const char*)
SAME(size_t, strnlen, const char*, size_t)
SAME(void*, memchr, const void*, int, size_t)
SAME(void*, memrchr, const void*, int, size_t)
SAME(void*, memmem, const void*, size_t, const void*, size_t)
SAME(char*, strncpy, char*, const char*, size_t)
SAME(char*, strncat, char*, const char*, size_t)
SAME(char*, strtok, char*, const char*)
SAME(char*, strsep, char**, const char*)
SAME(char*, strerror, int)
SAME(const unsigned short**, __ctype_b_loc, void)
SAME(const int32_t**, __ctype_tolower_loc, void)
SAME(const int32_t**, __ctype_toupper_loc, void)

static int differences;

/// Counts a difference; true for the first few, which are worth showing.
static int differs(void) { return differences++ < 20; }

static uint64_t below(uint64_t n) {
    static uint64_t state = 88172645463325252;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return n == 0 ? state : state % n;
}

static double random_double(void) {
    uint64_t bits = below(0);
    double value;
    switch (below(6)) {
    case 0:
        break;
    case 1:
        return (double)below(2000001) - 1000000;
    case 2:
        return (double)below(1000000) / 1000;
    case 3:
        bits %= 100; // the smallest there are
        break;
    case 4:
        return ldexp((double)below(64), -(int)below(12)); // exact halves
    default:
        return (below(2) ? 1 : -1) * pow(10, (int)below(40) - 20) * (double)below(10);
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

static long double random_long_double(void) {
    struct {
        uint64_t mantissa;
        uint16_t top;
    } parts = {below(0) | UINT64_C(1) << 63, (uint16_t)below(0)};
    switch (below(4)) {
    case 0:
        break;
    case 1:
        parts.mantissa = parts.mantissa << 1 >> 1 >> below(63);
        parts.top &= 0x8000;
        break;
    default:
        return (long double)random_double() / (long double)(1 + below(7));
    }
    long double value = 0;
    memcpy(&value, &parts, 10);
    return value;
}

#define COMPARE_FORMAT(format, ...)                                                                                              \
    do {                                                                                                                         \
        static char theirs[40000], ours[40000];                                                                                  \
        int a = snprintf(theirs, sizeof theirs, format, __VA_ARGS__);                                                            \
        int b = h_snprintf(ours, sizeof ours, format, __VA_ARGS__);                                                              \
        if ((a != b || strcmp(theirs, ours) != 0) && differs()) {                                                                \
            printf("%s: %d [%.200s], ours %d [%.200s]\n", format, a, theirs, b, ours);                                           \
        }                                                                                                                        \
    } while (0)

static void compare_printf(void) {
    char flags[8] = "", width[8] = "", precision[8] = "", format[64];
    int n = 0;
    for (int i = 0; i < 5; i++) {
        if (below(4) == 0) {
            flags[n++] = "-+ #0"[i];
        }
    }
    if (below(2)) {
        sprintf(width, "%d", (int)below(30));
    }
    if (below(2)) {
        sprintf(precision, ".%d", (int)below(below(10) == 0 ? 400 : 25));
    }
    double d = random_double();
    sprintf(format, "<%%%s%s%s%c>", flags, width, precision, "fFeEgGaA"[below(8)]);
    COMPARE_FORMAT(format, d);
    long double l = random_long_double();
    sprintf(format, "<%%%s%s%sL%c>", flags, width, precision, "fFeEgGaA"[below(8)]);
    if (below(4) == 0) {
        COMPARE_FORMAT(format, l);
    }
    static const char* const lengths[] = {"hh", "h", "", "l", "ll", "z", "j", "t"};
    long value = below(3) ? (long)below(0) >> below(64) : (long)below(3);
    sprintf(format, "<%%%s%s%s%s%c>", flags, width, precision, lengths[below(8)], "diuoxX"[below(6)]);
    COMPARE_FORMAT(format, value);
    sprintf(format, "<%%%s%sc|%%%s%s%ss>", flags[0] == '-' ? "-" : "", width, flags[0] == '-' ? "-" : "", width, precision);
    const char* text = below(20) ? "hello world" : NULL;
    COMPARE_FORMAT(format, 'x', text);
    int given_width = (int)below(20) - 10;
    COMPARE_FORMAT("%p %*d %-*d %.*f", (void*)value, given_width, 7, 9, 8, 3, d);
}

/// A text that is, or nearly is, a number.
static void random_number_text(char* t) {
    static const char* const special[] = {"inf",
                                          "INFINITY",
                                          "nan",
                                          "infinit",
                                          "0x",
                                          "0x.p1",
                                          "0x1p",
                                          "1e",
                                          "1e+",
                                          "..5",
                                          ".",
                                          "-",
                                          "0x1.fffffffffffff8p0",
                                          "1e400",
                                          "1e-400",
                                          "1e-5000",
                                          "1e5000",
                                          "0e99999999999",
                                          "2.4703282292062327e-324",
                                          "2.4703282292062328e-324",
                                          "1.7976931348623158e308",
                                          "1.7976931348623159e308",
                                          "0x1p-1075",
                                          "0x1.8p-1075",
                                          "nan(",
                                          "000000"};
    if (below(10) == 0) {
        *t++ = ' ';
    }
    if (below(3) == 0) {
        *t++ = "+-"[below(2)];
    }
    double d = fabs(random_double());
    switch (below(7)) {
    case 0:
        t += sprintf(t, "%.*e", (int)below(40), d);
        break;
    case 1:
        t += sprintf(t, "%a", d);
        break;
    case 2:
        t += sprintf(t, "%La", random_long_double());
        break;
    case 3:
        t += sprintf(t, "%lu.%lue%d", (unsigned long)below(0), (unsigned long)below(0), (int)below(700) - 350);
        break;
    case 4: // the middle between two neighbours
        d = isfinite(d) && d != 0 ? d : 1.5;
        t += sprintf(t, "%.*Le", below(2) ? 1100 : 15 + (int)below(50),
                     ((long double)d + (long double)nextafter(d, INFINITY)) / 2);
        break;
    case 5:
        t += sprintf(t, "%s", special[below(sizeof special / sizeof special[0])]);
        break;
    default:
        t += sprintf(t, "%.*Le", (int)below(40), random_long_double());
        break;
    }
    if (below(5) == 0) {
        strcpy(t, "xyz");
    }
}

#define COMPARE_PARSER(type, bytes, name, ...)                                                                                   \
    do {                                                                                                                         \
        char *end = NULL, *our_end = NULL;                                                                                       \
        errno = *h___errno_location() = 0;                                                                                       \
        type theirs = name(text, &end __VA_OPT__(, ) __VA_ARGS__);                                                               \
        type ours = h_##name(text, &our_end __VA_OPT__(, ) __VA_ARGS__);                                                         \
        if ((end != our_end || memcmp(&theirs, &ours, bytes) != 0 || errno != *h___errno_location()) && differs()) {             \
            printf(#name " '%.200s': %La, errno %d, ours %La, errno %d\n", text, (long double)theirs, errno, (long double)ours,  \
                   *h___errno_location());                                                                                       \
        }                                                                                                                        \
    } while (0)

static void compare_parsers(void) {
    char text[1300];
    random_number_text(text);
    COMPARE_PARSER(double, 8, strtod);
    COMPARE_PARSER(float, 4, strtof);
    COMPARE_PARSER(long double, 10, strtold);
    char* t = text;
    t += sprintf(t, "%s%s", below(5) == 0 ? " " : "", below(3) == 0 ? "-" : "");
    t += sprintf(t, "%s", below(3) == 0 ? "0" : below(3) == 0 ? "0x" : "");
    for (uint64_t n = below(25); n > 0; n--) {
        *t++ = "0123456789abcdefzGX9999"[below(below(2) ? 10 : 23)];
    }
    *t = '\0';
    int base = below(4) == 0 ? 0 : 2 + (int)below(35);
    COMPARE_PARSER(long, 8, strtol, base);
    COMPARE_PARSER(unsigned long, 8, strtoul, base);
}

static int sign(int x) { return (x > 0) - (x < 0); }

#define COMPARE(theirs, ours)                                                                                                    \
    do {                                                                                                                         \
        if ((theirs) != (ours) && differs()) {                                                                                   \
            printf("%s on '%s' '%s' %zu %d\n", #ours, x, y, n, c);                                                               \
        }                                                                                                                        \
    } while (0)

static void compare_splitting(const char* x, const char* y) {
    size_t n = strlen(x) + 1;
    int c = 0;
    char p[40], q[40];
    strcpy(p, x);
    strcpy(q, x);
    for (char *a = strtok(p, y), *b = h_strtok(q, y); a != NULL || b != NULL; a = strtok(NULL, y), b = h_strtok(NULL, y)) {
        COMPARE(a == NULL ? -1 : a - p, b == NULL ? -1 : b - q);
        if (a == NULL || b == NULL) {
            break;
        }
    }
    COMPARE(memcmp(p, q, n), 0);
    strcpy(p, x);
    strcpy(q, x);
    char *p_rest = p, *q_rest = q, *a, *b;
    do {
        a = strsep(&p_rest, y);
        b = h_strsep(&q_rest, y);
        COMPARE(a == NULL ? -1 : a - p, b == NULL ? -1 : b - q);
    } while (a != NULL && b != NULL);
}

static void compare_strings(void) {
    char x[40], y[40];
    size_t x_length = below(30), y_length = below(below(2) ? 4 : 30);
    for (size_t i = 0; i < sizeof x; i++) {
        x[i] = i < x_length ? "abAB\xff"[below(5)] : '\0';
        y[i] = i >= y_length ? '\0' : below(3) == 0 ? x[i] : "abAB\xff"[below(5)];
    }
    size_t n = below(35);
    int c = "abAB\xffq\0"[below(7)];
    COMPARE(sign(strcmp(x, y)), sign(h_strcmp(x, y)));
    COMPARE(sign(strncmp(x, y, n)), sign(h_strncmp(x, y, n)));
    COMPARE(sign(memcmp(x, y, n)), sign(h_memcmp(x, y, n)));
    COMPARE(strcasecmp(x, y), h_strcasecmp(x, y));
    COMPARE(strncasecmp(x, y, n), h_strncasecmp(x, y, n));
    COMPARE(strchr(x, c), h_strchr(x, c));
    COMPARE(strrchr(x, c), h_strrchr(x, c));
    COMPARE(strchrnul(x, c), h_strchrnul(x, c));
    COMPARE(strstr(x, y), h_strstr(x, y));
    COMPARE(strcasestr(x, y), h_strcasestr(x, y));
    COMPARE(strpbrk(x, y), h_strpbrk(x, y));
    COMPARE(strspn(x, y), h_strspn(x, y));
    COMPARE(strcspn(x, y), h_strcspn(x, y));
    COMPARE(strnlen(x, n), h_strnlen(x, n));
    COMPARE(memchr(x, c, n), h_memchr(x, c, n));
    COMPARE(memrchr(x, c, n), h_memrchr(x, c, n));
    COMPARE(memmem(x, x_length, y, y_length), h_memmem(x, x_length, y, y_length));
    char p[100], q[100];
    memset(p, 1, sizeof p);
    memset(q, 1, sizeof q);
    strncpy(p, x, n);
    h_strncpy(q, x, n);
    COMPARE(memcmp(p, q, sizeof p), 0);
    strcpy(p, x);
    strcpy(q, x);
    strncat(p, y, n);
    h_strncat(q, y, n);
    COMPARE(memcmp(p, q, sizeof p), 0);
    compare_splitting(x, y);
}

static void compare_generators(void) {
    for (unsigned seed = 1; seed < 3000000000u; seed += 99999989) {
        srandom(seed);
        h_srandom(seed);
        srand48((long)seed);
        h_srand48((long)seed);
        unsigned a = seed, b = seed;
        for (int i = 0; i < 100; i++) {
            int same = random() == h_random() && drand48() == h_drand48() && lrand48() == h_lrand48() &&
                       mrand48() == h_mrand48() && rand_r(&a) == h_rand_r(&b);
            if (!same && differs()) {
                printf("random numbers of seed %u\n", seed);
            }
        }
    }
}

static void compare_tables(void) {
    for (int c = -128; c < 256; c++) {
        if (((*__ctype_b_loc())[c] != (*h___ctype_b_loc())[c] || (*__ctype_tolower_loc())[c] != (*h___ctype_tolower_loc())[c] ||
             (*__ctype_toupper_loc())[c] != (*h___ctype_toupper_loc())[c]) &&
            differs()) {
            printf("character %d\n", c);
        }
    }
    for (int error = 0; error < 134; error++) {
        const char* ours = h_strerror(error);
        if (strcmp(ours, "Unknown error") != 0 && strcmp(ours, strerror(error)) != 0 && differs()) {
            printf("error %d: %s, ours %s\n", error, strerror(error), ours);
        }
    }
}

int main(int argc, char** argv) {
    long rounds = argc > 1 ? atol(argv[1]) : 1000;
    for (long i = 0; i < rounds; i++) {
        compare_printf();
        compare_parsers();
        compare_strings();
    }
    compare_generators();
    compare_tables();
    printf("%ld rounds, %d differences\n", rounds, differences);
    return differences != 0;
}
