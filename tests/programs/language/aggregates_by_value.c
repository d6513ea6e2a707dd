// Structs of all the shapes that the calling convention treats differently, passed, returned, nested and assigned.
// levels: -O0 -O1 -O2
// expect-output: 5
// expect-output: 1 5 3
// expect-output: 2.5 1.5
// expect-output: 3 1 2
// expect-output: 5 4
// expect-output: 2.5
// expect-output: 3.5 -2
// expect-output: -0.5 6
// expect-output: 4.5 3
// expect-output: 0.75
// expect-output: 3 1 2
// expect-output: 3 -1
// expect-output: 3 4 12
// expect-output: 2 -1
// expect-output: 3 1 -2
// expect-output: -5 -10 -3
// expect-output: llo 1
// expect-output: 2 1 4 3
// expect-output: 11 0 1.5 5
// expect-output: 1065353217
// expect-output: 3 4 0
// expect-output: 128.5
// expect-output: 6
// expect-output: 1 4
// expect-output: 6
#include <stdio.h>

struct c1 { char a; };
struct c3 { char a[3]; };
struct ff { float x, y; };
struct fff { float x, y, z; };
struct ffff { float v[4]; };
struct d { double x; };
struct di { double x; int n; };
struct id { int n; double x; };
struct fi { float x; int n; };
struct ld { long double x; };
struct lll { long a, b, c; };
struct dd { double x, y; };
struct ddd { double x, y, z; };
struct ii { int a, b; };
struct iii { int a, b, c; };
struct cs { char c; short s; int i; };
struct p { const char *s; unsigned n; };
struct nested { struct ff f; struct ii i; };
struct big { int v[20]; struct dd d; };
struct empty {};
union u { int i; float f; char c[8]; };
struct arr { struct c3 v[5]; };

static struct c1 f_c1(struct c1 v) { v.a++; return v; }
static struct c3 f_c3(struct c3 v) { v.a[1] += v.a[2]; return v; }
static struct ff f_ff(struct ff v) { return (struct ff){v.y, v.x}; }
static struct fff f_fff(struct fff v) { return (struct fff){v.z, v.x, v.y}; }
static struct ffff f_ffff(struct ffff v) { v.v[0] += v.v[3]; return v; }
static struct d f_d(struct d v) { v.x *= 2; return v; }
static struct di f_di(struct di v) { v.x += v.n; v.n = -v.n; return v; }
static struct id f_id(struct id v) { v.x -= v.n; v.n *= 3; return v; }
static struct fi f_fi(struct fi v) { v.x *= (float)v.n; return v; }
static struct ld f_ld(struct ld v) { v.x /= 4; return v; }
static struct lll f_lll(struct lll v) { return (struct lll){v.c, v.a, v.b}; }
static struct dd f_dd(struct dd v) { return (struct dd){v.x + v.y, v.x - v.y}; }
static struct ddd f_ddd(struct ddd v) { v.z = v.x * v.y; return v; }
static struct ii f_ii(struct ii v) { return (struct ii){v.b, v.a}; }
static struct iii f_iii(struct iii v) { return (struct iii){v.c, v.a, v.b}; }
static struct cs f_cs(struct cs v) { v.s = (short)(v.c * 2); v.i += v.s; return v; }
static struct p f_p(struct p v) { v.s += v.n; v.n = 1; return v; }
static struct nested f_nested(struct nested v) { v.f = f_ff(v.f); v.i = f_ii(v.i); return v; }
static struct big f_big(struct big v) { v.v[19] = v.v[0] + v.v[1]; v.d.y = v.d.x; v.v[0] = 0; return v; }
static struct empty f_empty(struct empty v) { return v; }
static union u f_u(union u v) { v.i++; return v; }
static struct arr f_arr(struct arr v) { v.v[4] = v.v[0]; return v; }

static double many(int a, struct ff b, double c, struct di d, char e, struct big f, struct lll g, struct nested h, long double i,
                   struct c3 j, struct iii k, struct dd l, struct ii m) {
    return a + b.x + c + d.x + d.n + e + f.v[3] + f.d.x + (double)g.c + h.f.y + h.i.a + (double)i + j.a[2] + k.b + l.y + m.a;
}

int main(void) {
    printf("%d\n", f_c1((struct c1){4}).a);
    struct c3 c3 = f_c3((struct c3){{1, 2, 3}});
    printf("%d %d %d\n", c3.a[0], c3.a[1], c3.a[2]);
    struct ff ff = f_ff((struct ff){1.5f, 2.5f});
    printf("%g %g\n", ff.x, ff.y);
    struct fff fff = f_fff((struct fff){1, 2, 3});
    printf("%g %g %g\n", fff.x, fff.y, fff.z);
    struct ffff ffff = f_ffff((struct ffff){{1, 2, 3, 4}});
    printf("%g %g\n", ffff.v[0], ffff.v[3]);
    printf("%g\n", f_d((struct d){1.25}).x);
    struct di di = f_di((struct di){1.5, 2});
    printf("%g %d\n", di.x, di.n);
    struct id id = f_id((struct id){2, 1.5});
    printf("%g %d\n", id.x, id.n);
    struct fi fi = f_fi((struct fi){1.5f, 3});
    printf("%g %d\n", fi.x, fi.n);
    printf("%Lg\n", f_ld((struct ld){3}).x);
    struct lll lll = f_lll((struct lll){1, 2, 3});
    printf("%ld %ld %ld\n", lll.a, lll.b, lll.c);
    struct dd dd = f_dd((struct dd){1, 2});
    printf("%g %g\n", dd.x, dd.y);
    struct ddd ddd = f_ddd((struct ddd){3, 4, 5});
    printf("%g %g %g\n", ddd.x, ddd.y, ddd.z);
    struct ii ii = f_ii((struct ii){-1, 2});
    printf("%d %d\n", ii.a, ii.b);
    struct iii iii = f_iii((struct iii){1, -2, 3});
    printf("%d %d %d\n", iii.a, iii.b, iii.c);
    struct cs cs = f_cs((struct cs){-5, 6, 7});
    printf("%d %d %d\n", cs.c, cs.s, cs.i);
    struct p p = f_p((struct p){"hello", 2});
    printf("%s %u\n", p.s, p.n);
    struct nested nested = f_nested((struct nested){{1, 2}, {3, 4}});
    printf("%g %g %d %d\n", nested.f.x, nested.f.y, nested.i.a, nested.i.b);
    struct big big = {{5, 6, 7, 8}, {1.5, 0}};
    struct big other = f_big(big);
    printf("%d %d %g %d\n", other.v[19], other.v[0], other.d.y, big.v[0]);
    struct empty e = {};
    e = f_empty(e);
    union u u = {.f = 1.0f};
    u = f_u(u);
    printf("%d\n", u.i);
    struct arr arr = f_arr((struct arr){{{{1, 2, 3}}, {{4, 5, 6}}}});
    printf("%d %d %d\n", arr.v[4].a[2], arr.v[1].a[0], arr.v[2].a[1]);
    printf("%g\n", many(1, ff, 2.5, di, 'a', big, lll, nested, 2.5L, c3, iii, dd, ii));
    struct big (*f)(struct big) = f_big;
    printf("%d\n", f(other).v[19]);
    struct nested table[3] = {nested, f_nested(nested)};
    table[2] = table[1];
    printf("%g %d\n", table[2].f.x, table[2].i.b);
    printf("%d\n", f_big(f_big(big)).v[19]);
    return 0;
}
