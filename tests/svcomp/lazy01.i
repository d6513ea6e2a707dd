// As SV-COMP's programs come: preprocessed, with declarations in place of headers.
// check: sc,tso,pso --search stateful => Violation reach-error
typedef unsigned long int pthread_t;
typedef union { char size_[56]; long int align_; } pthread_attr_t;
typedef union { char size_[40]; long int align_; } pthread_mutex_t;
extern int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern void __VERIFIER_error(void);

pthread_mutex_t mutex;
int data = 0;

void *first(void *arg) {
    pthread_mutex_lock(&mutex);
    data++;
    pthread_mutex_unlock(&mutex);
    return 0;
}
void *second(void *arg) {
    pthread_mutex_lock(&mutex);
    data += 2;
    pthread_mutex_unlock(&mutex);
    return 0;
}
void *third(void *arg) {
    pthread_mutex_lock(&mutex);
    if (data >= 3) {
        __VERIFIER_error();
    }
    pthread_mutex_unlock(&mutex);
    return 0;
}
int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_create(&c, 0, third, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
