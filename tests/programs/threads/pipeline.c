// Stages connected by queues of messages on the heap; condition variables with several waiters; broadcast at the end.
// levels: -O0 -O2
// seeds: 1 2 3 4
// expect-output: 12 662
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct message {
    struct message *next;
    int value;
};

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t arrived;
    struct message *head, **tail;
    int closed;
};

static struct queue queues[3];

static void init(struct queue *q) {
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->arrived, NULL);
    q->head = NULL;
    q->tail = &q->head;
    q->closed = 0;
}

static void send(struct queue *q, int v) {
    struct message *m = malloc(sizeof *m);
    m->next = NULL;
    m->value = v;
    pthread_mutex_lock(&q->lock);
    *q->tail = m;
    q->tail = &m->next;
    pthread_cond_signal(&q->arrived);
    pthread_mutex_unlock(&q->lock);
}

static int receive(struct queue *q, int *v) {
    pthread_mutex_lock(&q->lock);
    while (!q->head && !q->closed) {
        pthread_cond_wait(&q->arrived, &q->lock);
    }
    struct message *m = q->head;
    if (m) {
        q->head = m->next;
        if (!q->head) {
            q->tail = &q->head;
        }
        *v = m->value;
    }
    pthread_mutex_unlock(&q->lock);
    free(m);
    return m != NULL;
}

static void close_queue(struct queue *q) {
    pthread_mutex_lock(&q->lock);
    q->closed = 1;
    pthread_cond_broadcast(&q->arrived);
    pthread_mutex_unlock(&q->lock);
}

static void *square(void *unused) {
    int v;
    while (receive(&queues[0], &v)) {
        send(&queues[1], v * v);
    }
    return unused;
}

static void *add_one(void *unused) {
    int v;
    while (receive(&queues[1], &v)) {
        send(&queues[2], v + 1);
    }
    return unused;
}

int main(void) {
    pthread_t squares[2], adder;
    for (int i = 0; i < 3; i++) {
        init(&queues[i]);
    }
    pthread_create(&squares[0], NULL, square, NULL);
    pthread_create(&squares[1], NULL, square, NULL);
    pthread_create(&adder, NULL, add_one, NULL);
    for (int i = 1; i <= 12; i++) {
        send(&queues[0], i);
    }
    close_queue(&queues[0]);
    pthread_join(squares[0], NULL);
    pthread_join(squares[1], NULL);
    close_queue(&queues[1]);
    pthread_join(adder, NULL);
    close_queue(&queues[2]);
    int v, n = 0;
    long sum = 0;
    while (receive(&queues[2], &v)) {
        n++;
        sum += v;
    }
    printf("%d %ld\n", n, sum);
    return 0;
}
