/* store/ask.c - changes from any thread: copied, checked, queued; those that wait for their answer. */
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "store/content.h"
#include "store/inner.h"
#include "store/moves.h"

/* The change is not even queued: its answer comes from here. */
static void answer_now(store_done *done, void *context, cuzk_status status, const char *text)
{
    struct store_answer answer = { .attached = false };

    answer.status = err_set(&answer.err, status, "%s", text);
    if (done)
        done(context, &answer);
}

static struct change *ask(enum change_kind kind, const char *id, const void *data, size_t bytes, store_done *done,
                          void *context)
{
    struct change *c = NULL;

    if (bytes > STORE_PROOF_BYTES_MAX)
        answer_now(done, context, CUZK_E_INPUT, "a proof or result is too large to keep");
    else if (strnlen(id, STORE_ID_BYTES) == STORE_ID_BYTES)
        answer_now(done, context, CUZK_E_NOT_FOUND, "there is no job with so long a name");
    else if (!(c = change_new(kind, data, bytes, done, context)))
        answer_now(done, context, CUZK_E_IO, "no memory for a change of the store");
    else
        (void)snprintf(c->asked.id, sizeof c->asked.id, "%s", id);
    return c;
}

/* ---- payloads and jobs ---- */

cuzk_status store_payload_begin(struct store_payload **out, struct store *s, struct cuzk_err *err)
{
    return payload_begin(out, &s->folder, err);
}

static void copy(char *out, size_t out_bytes, const char *text)
{
    (void)snprintf(out, out_bytes, "%s", text ? text : "");
}

static cuzk_status submit_fill(struct change *c, struct store_payload **payload, const struct store_request *request,
                               struct cuzk_err *err)
{
    struct store_job *job = &c->asked;
    cuzk_status       st;

    TRY(request_check(request, err));
    copy(job->id, sizeof job->id, request->job_id);
    copy(job->tenant, sizeof job->tenant, request->tenant);
    copy(job->request_id, sizeof job->request_id, request->request_id);
    copy(job->kind, sizeof job->kind, request->kind);
    copy(job->circuit, sizeof job->circuit, request->circuit);
    job->priority = request->priority;
    job->parts = request->parts;
    job->deadline_ms = request->deadline_ms;
    job->detached = request->detached;
    TRY(payload_seal(&c->file, payload, PLACE_PAYLOADS, err));
    job->payload_bytes = c->file.bytes;
    TRY(content_digest(job->content, request, c->file.digest, err));
out:
    return st;
}

void store_submit(struct store *s, struct store_payload **payload, const struct store_request *request,
                  store_done *done, void *context)
{
    struct change *c = ask(CHANGE_SUBMIT, "", NULL, 0, done, context);

    if (c) {
        c->answer.status = submit_fill(c, payload, request, &c->answer.err);
        c->over = c->answer.status != CUZK_OK;
        store_push(s, c);
    }
    store_payload_abandon(payload);
}

void store_running(struct store *s, const char *id, store_done *done, void *context)
{
    struct change *c = ask(CHANGE_RUNNING, id, NULL, 0, done, context);

    if (c)
        store_push(s, c);
}

void store_part(struct store *s, const char *id, uint32_t part, const void *proof, size_t bytes, store_done *done,
                void *context)
{
    struct change *c = ask(CHANGE_PART, id, proof, bytes, done, context);

    if (!c)
        return;
    c->part = part;
    store_push(s, c);
}

void store_finish(struct store *s, const char *id, const struct store_outcome *outcome, store_done *done, void *context)
{
    bool           is_done = outcome->state == JOB_DONE;
    struct change *c;

    cuzk_check(is_done ? outcome->error == CUZK_OK : outcome->state == JOB_FAILED && outcome->error != CUZK_OK);
    c = ask(CHANGE_FINISH, id, outcome->result, is_done ? outcome->result_bytes : 0, done, context);
    if (!c)
        return;
    c->asked.state = outcome->state;
    c->asked.error = outcome->error;
    text_cut(c->asked.error_text, sizeof c->asked.error_text, outcome->error_text);
    c->asked.synth_ns = outcome->synth_ns;
    c->asked.device_ns = outcome->device_ns;
    c->asked.finish_ns = outcome->finish_ns;
    store_push(s, c);
}

void store_cancel(struct store *s, const char *id, const char *reason, store_done *done, void *context)
{
    struct change *c = ask(CHANGE_CANCEL, id, NULL, 0, done, context);

    if (!c)
        return;
    text_cut(c->asked.error_text, sizeof c->asked.error_text, reason);
    store_push(s, c);
}

void store_expire(struct store *s, store_done *done, void *context)
{
    struct change *c = ask(CHANGE_EXPIRE, "", NULL, 0, done, context);

    if (c)
        store_push(s, c);
}

/* ---- changes whose asker waits ---- */

struct wait {
    pthread_mutex_t  lock; /* store thread -> the one who waits; protects answered.  Leaf, O(1). */
    pthread_cond_t   wake;
    bool             answered;
    cuzk_status      status;
    struct cuzk_err *err;
};

static void wait_end(void *context, const struct store_answer *answer)
{
    struct wait *w = context;

    w->status = answer->status;
    if (answer->status != CUZK_OK && w->err)
        *w->err = answer->err;
    pthread_mutex_lock(&w->lock);
    w->answered = true;
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->lock);
}

/* Pushes c, unless c is NULL: then the answer has come already. */
static cuzk_status wait_for(struct store *s, struct change *c, struct wait *w)
{
    cuzk_check(!pthread_equal(pthread_self(), s->thread)); /* it would wait for itself */
    if (c)
        store_push(s, c);
    pthread_mutex_lock(&w->lock);
    while (!w->answered)
        pthread_cond_wait(&w->wake, &w->lock);
    pthread_mutex_unlock(&w->lock);
    (void)pthread_cond_destroy(&w->wake);
    (void)pthread_mutex_destroy(&w->lock);
    return w->status;
}

#define WAIT(err_)                                                                         \
    {                                                                                      \
        .lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER, .err = (err_) \
    }

cuzk_status store_start(struct store *s, struct cuzk_err *err)
{
    struct wait w = WAIT(err);

    return wait_for(s, ask(CHANGE_START, "", NULL, 0, wait_end, &w), &w);
}

cuzk_status store_check(struct store *s, struct cuzk_err *err)
{
    struct wait w = WAIT(err);

    return wait_for(s, ask(CHANGE_CHECK, "", NULL, 0, wait_end, &w), &w);
}

cuzk_status store_circuit_add(struct store *s, struct store_payload **payload, struct store_circuit *circuit,
                              bool replace, struct cuzk_err *err)
{
    struct wait    w = WAIT(err);
    struct change *c = NULL;
    cuzk_status    st;

    TRY(circuit_check(circuit, !*payload, err));
    c = ask(CHANGE_CIRCUIT_ADD, "", NULL, 0, wait_end, &w);
    if (c && *payload) {
        st = payload_seal(&c->file, payload, PLACE_CIRCUITS, err);
        if (st != CUZK_OK) {
            mem_free(c);
            return st;
        }
        memcpy(circuit->digest, c->file.digest, sizeof circuit->digest);
        circuit->bytes = c->file.bytes;
        circuit->owned = true;
    } else {
        circuit->owned = false;
    }
    if (c) {
        c->circuit = circuit;
        c->replace = replace;
    }
    st = wait_for(s, c, &w);
out:
    store_payload_abandon(payload);
    return st;
}

cuzk_status store_circuit_remove(struct store *s, const char *name, struct cuzk_err *err)
{
    struct wait          w = WAIT(err);
    struct store_circuit circuit = { .owned = false };
    struct change       *c;

    if (strnlen(name, sizeof circuit.name) == sizeof circuit.name)
        return err_set(err, CUZK_E_NOT_FOUND, "there is no circuit with so long a name");
    copy(circuit.name, sizeof circuit.name, name);
    c = ask(CHANGE_CIRCUIT_REMOVE, "", NULL, 0, wait_end, &w);
    if (c)
        c->circuit = &circuit;
    return wait_for(s, c, &w);
}
