/* Streams that keep their trace alive, and capsules. */
#include <etl/etl.h>

#include <stdlib.h>

/* A stream whose release also drops a reference to the Python object that owns the trace. */
struct owned_stream {
    struct ArrowArrayStream inner;
    PyObject *owner;
};

static struct owned_stream *owned(struct ArrowArrayStream *stream) {
    return (struct owned_stream *)stream->private_data;
}

static int owned_schema(struct ArrowArrayStream *stream, struct ArrowSchema *to) {
    return owned(stream)->inner.get_schema(&owned(stream)->inner, to);
}

static int owned_next(struct ArrowArrayStream *stream, struct ArrowArray *to) {
    return owned(stream)->inner.get_next(&owned(stream)->inner, to);
}

static const char *owned_error(struct ArrowArrayStream *stream) {
    return owned(stream)->inner.get_last_error(&owned(stream)->inner);
}

static void owned_release(struct ArrowArrayStream *stream) {
    struct owned_stream *self = owned(stream);
    PyGILState_STATE state = PyGILState_Ensure();
    self->inner.release(&self->inner);
    Py_DECREF(self->owner);
    PyGILState_Release(state);
    free(self);
    stream->release = NULL;
}

/* `owner` is a PyObject. Without memory, the stream is released. */
static void etl_py_own_stream(struct ArrowArrayStream *stream, void *owner) {
    struct owned_stream *self = (struct owned_stream *)malloc(sizeof *self);
    PyGILState_STATE state;
    if (self == NULL) {
        stream->release(stream);
        return;
    }
    self->inner = *stream;
    self->owner = (PyObject *)owner;
    state = PyGILState_Ensure();
    Py_INCREF(self->owner);
    PyGILState_Release(state);
    stream->get_schema = owned_schema;
    stream->get_next = owned_next;
    stream->get_last_error = owned_error;
    stream->release = owned_release;
    stream->private_data = self;
}

static struct ArrowArrayStream *etl_py_new_stream(void) {
    return (struct ArrowArrayStream *)calloc(1, sizeof(struct ArrowArrayStream));
}

static void etl_py_free_stream(struct ArrowArrayStream *stream) {
    if (stream != NULL && stream->release != NULL) {
        stream->release(stream);
    }
    free(stream);
}

/* The destructor of a capsule, which a consumer may have emptied. */
static void free_capsule(PyObject *capsule) {
    etl_py_free_stream(
        (struct ArrowArrayStream *)PyCapsule_GetPointer(capsule, "arrow_array_stream"));
}

static void *etl_py_capsule_destructor(void) {
    return (void *)free_capsule;
}

static int etl_py_next(struct ArrowArrayStream *stream, struct ArrowArray *to) {
    return stream->get_next(stream, to);
}

static int etl_py_schema(struct ArrowArrayStream *stream, struct ArrowSchema *to) {
    return stream->get_schema(stream, to);
}

static const char *etl_py_stream_error(struct ArrowArrayStream *stream) {
    return stream->get_last_error(stream);
}

static void etl_py_release_stream(struct ArrowArrayStream *stream) {
    if (stream->release != NULL) {
        stream->release(stream);
    }
}

static void etl_py_release_array(struct ArrowArray *array) {
    if (array->release != NULL) {
        array->release(array);
    }
}

static void etl_py_release_schema(struct ArrowSchema *schema) {
    if (schema->release != NULL) {
        schema->release(schema);
    }
}
