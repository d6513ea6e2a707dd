// What preprocessed files have of GCC, of a C library for 32 bits, and of C as it was: types that GCC knows by itself, attributes with arguments, size_t of 32 bits, a
// mutex that is shorter than ours, a function that is not declared, one whose parameters are declared outside of the parentheses.
// check: sc,tso,pso --search stateful --property unreach-call => Violation reach-error
typedef unsigned int size_t;
extern void *malloc (size_t __size) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__malloc__)) __attribute__ ((__alloc_size__ (1))) ;
extern void free (void *__ptr) __attribute__ ((__nothrow__ , __leaf__));
extern void *twin (size_t __size) __attribute__ ((__malloc__ (free, 1)));
extern _Float32 strtof32 (const char *__restrict __nptr, char **__restrict __endptr);
extern _Float128 strtof128 (const char *__restrict __nptr, char **__restrict __endptr);
extern void __pthread_register_cancel (void *__buf) __attribute__ ((__regparm__ (1)));
typedef unsigned long int pthread_t;
typedef struct slist { struct slist *next; } slist_t;
typedef union
{
  struct { int __lock; unsigned int __count; int __owner; int __kind; unsigned int __nusers; __extension__ union { int spins; slist_t list; }; } __data;
  char __size[24];
  long int __align;
} pthread_mutex_t;
typedef union { char __size[4]; int __align; } pthread_mutexattr_t;
union pthread_attr_t { char __size[36]; long int __align; };
typedef union pthread_attr_t pthread_attr_t;
extern int pthread_create (pthread_t *__restrict __newthread, const pthread_attr_t *__restrict __attr, void *(*__start_routine) (void *), void *__restrict __arg) __attribute__ ((__nothrow__)) __attribute__ ((__nonnull__ (1, 3)));
extern int pthread_join (pthread_t __th, void **__thread_return);
extern int pthread_mutex_init (pthread_mutex_t *__mutex, const pthread_mutexattr_t *__mutexattr) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__nonnull__ (1)));
extern int pthread_mutex_lock (pthread_mutex_t *__mutex) __attribute__ ((__nothrow__)) __attribute__ ((__nonnull__ (1)));
extern int pthread_mutex_unlock (pthread_mutex_t *__mutex) __attribute__ ((__nothrow__)) __attribute__ ((__nonnull__ (1)));
extern void abort(void);
void reach_error(){}
pthread_mutex_t *mutex;
int data;
void *add(arg)
  void *arg;
{
  pthread_mutex_lock(mutex);
  __VERIFIER_atomic_begin();
  data += *(int *)arg;
  __VERIFIER_atomic_end();
  pthread_mutex_unlock(mutex);
  return ((void *)0);
}
int main()
{
  pthread_t t[2];
  static int one = 1, two = 2;
  mutex = malloc(sizeof(pthread_mutex_t));
  if (!mutex) { abort(); }
  pthread_mutex_init(mutex, ((void *)0));
  pthread_create(&t[0], 0, add, &one);
  pthread_create(&t[1], 0, add, &two);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  free(mutex);
  if (data == 3) { ERROR: {reach_error();abort();} }
  return 0;
}
