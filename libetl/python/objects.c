/* Values of fields as objects of Python, made here because a call per field from Python takes longer than decoding the event.
 * The results are left in `slot`, a list of one element; of a failure, the exception. */

#include <string.h>

/* Functions of Python that make the objects for which the stable interface has no function. */
static PyObject *make_time;  /* of a FILETIME */
static PyObject *make_guid;  /* of 16 bytes in the order of Windows */

/* `time` and `guid` are the functions, which live as long as the module. */
static void etl_py_set_makers(void *time, void *guid) {
    PyGILState_STATE state = PyGILState_Ensure();
    make_time = (PyObject *)time;
    make_guid = (PyObject *)guid;
    Py_INCREF(make_time);
    Py_INCREF(make_guid);
    PyGILState_Release(state);
}

static PyObject *text_object(etl_text text) {
    return text.data == NULL ? PyErr_NoMemory()
                             : PyUnicode_DecodeUTF8(text.data, (Py_ssize_t)text.size, "replace");
}

/* Takes `argument`. */
static PyObject *made(PyObject *maker, PyObject *argument) {
    PyObject *result = argument == NULL ? NULL : PyObject_CallFunctionObjArgs(maker, argument, NULL);
    Py_XDECREF(argument);
    return result;
}

static PyObject *field_object(etl_field field);

/* Adds a member by its name, or as `name#2` if the name is taken. Takes `value`. */
static int add_member(PyObject *to, etl_field field, PyObject *value) {
    PyObject *name = value == NULL ? NULL : text_object(etl_field_name(field));
    PyObject *key = name;
    int number = 1;
    int is_taken = 0;
    Py_XINCREF(key);
    while (key != NULL && (is_taken = PyDict_Contains(to, key)) == 1) {
        Py_DECREF(key);
        key = PyUnicode_FromFormat("%U#%d", name, ++number);
    }
    if (key == NULL || is_taken < 0 || PyDict_SetItem(to, key, value) != 0) {
        is_taken = -1;
    }
    Py_XDECREF(key);
    Py_XDECREF(name);
    Py_XDECREF(value);
    return is_taken;
}

/* Returns a dict of a field and those after it. */
static PyObject *members_object(etl_field field) {
    PyObject *members = PyDict_New();
    for (; members != NULL && field.node != NULL; field = etl_field_next(field)) {
        if (add_member(members, field, field_object(field)) != 0) {
            Py_CLEAR(members);
        }
    }
    return members;
}

/* Returns a list of a field and those after it. */
static PyObject *elements_object(etl_field field) {
    PyObject *elements = PyList_New(0);
    for (; elements != NULL && field.node != NULL; field = etl_field_next(field)) {
        PyObject *element = field_object(field);
        if (element == NULL || PyList_Append(elements, element) != 0) {
            Py_CLEAR(elements);
        }
        Py_XDECREF(element);
    }
    return elements;
}

static PyObject *value_object(etl_field field, const etl_value *value) {
    switch (value->type) {
    case ETL_TYPE_NULL:
        Py_INCREF(Py_None);
        return Py_None;
    case ETL_TYPE_BOOL:
        return PyBool_FromLong(value->as.boolean);
    case ETL_TYPE_UNSIGNED:
        return PyLong_FromUnsignedLongLong(value->as.number);
    case ETL_TYPE_SIGNED:
        return PyLong_FromLongLong(value->as.integer);
    case ETL_TYPE_DOUBLE:
        return PyFloat_FromDouble(value->as.floating);
    case ETL_TYPE_TEXT:
    case ETL_TYPE_ADDRESS:
    case ETL_TYPE_SID:
        return text_object(value->as.text);
    case ETL_TYPE_BYTES:
        return PyBytes_FromStringAndSize((const char *)value->as.bytes.data,
                                         (Py_ssize_t)value->as.bytes.size);
    case ETL_TYPE_GUID:
        return made(make_guid, PyBytes_FromStringAndSize((const char *)value->as.guid.bytes, 16));
    case ETL_TYPE_TIME:
        return made(make_time, PyLong_FromLongLong(value->as.time));
    case ETL_TYPE_STRUCT:
        return members_object(etl_field_first(field));
    case ETL_TYPE_ARRAY:
        return elements_object(etl_field_first(field));
    default:
        return text_object(etl_field_text(field));
    }
}

/* Returns the object of a field, which exists. */
static PyObject *field_object(etl_field field) {
    etl_value value;
    return etl_field_value(field, &value, NULL) == ETL_OK ? value_object(field, &value) : PyErr_NoMemory();
}

/* Leaves an object, or the exception, in `slot`. Takes `object`. Returns whether it is an object. */
static bool leave(PyObject *object, PyObject *slot) {
    PyObject *type = NULL, *traceback = NULL;
    const bool is_made = object != NULL;
    if (!is_made) {
        PyErr_Fetch(&type, &object, &traceback);
        PyErr_NormalizeException(&type, &object, &traceback);
        Py_XDECREF(type);
        Py_XDECREF(traceback);
    }
    PyList_SetItem(slot, 0, object);
    return is_made;
}

/* Leaves the value of a field, which exists, in `slot`. */
static bool etl_py_value(etl_field field, void *slot) {
    PyGILState_STATE state = PyGILState_Ensure();
    const bool is_made = leave(field_object(field), (PyObject *)slot);
    PyGILState_Release(state);
    return is_made;
}

/* Leaves a dict of all fields of an event in `slot`. */
static bool etl_py_fields(etl_event *event, void *slot) {
    PyGILState_STATE state = PyGILState_Ensure();
    const bool is_made = leave(members_object(etl_event_fields(event)), (PyObject *)slot);
    PyGILState_Release(state);
    return is_made;
}

static PyObject *id_object(uint32_t id) {
    if (id == ETL_NO_ID) {
        Py_INCREF(Py_None);
        return Py_None;
    }
    return PyLong_FromUnsignedLong(id);
}

/* None: the record has no usable time. */
static PyObject *time_object(int64_t filetime) {
    if (filetime == 0) {
        Py_INCREF(Py_None);
        return Py_None;
    }
    return made(make_time, PyLong_FromLongLong(filetime));
}

/* Sets a value of a dict. Takes `value`. */
static bool set(PyObject *to, const char *key, PyObject *value) {
    const bool is_set = value != NULL && PyDict_SetItemString(to, key, value) == 0;
    Py_XDECREF(value);
    return is_set;
}

/* Adds the header and the fields of an event to the dict in `slot`. */
static bool etl_py_dict(etl_event *event, void *slot) {
    PyGILState_STATE state = PyGILState_Ensure();
    etl_event_header header = ETL_EVENT_HEADER_INIT;
    PyObject *dict = PyList_GetItem((PyObject *)slot, 0);
    bool is_made = etl_event_get_header(event, &header, NULL) == ETL_OK;
    if (!is_made) {
        PyErr_NoMemory();
    }
    Py_INCREF(dict);
    is_made = is_made && set(dict, "time", time_object(header.time)) &&
              set(dict, "id", PyLong_FromLong(header.id)) &&
              set(dict, "version", PyLong_FromLong(header.version)) &&
              set(dict, "level", PyLong_FromLong(header.level)) &&
              set(dict, "keyword", PyLong_FromUnsignedLongLong(header.keyword)) &&
              set(dict, "pid", id_object(header.process_id)) &&
              set(dict, "tid", id_object(header.thread_id)) &&
              set(dict, "cpu", PyLong_FromLong(header.processor)) &&
              set(dict, "data", members_object(etl_event_fields(event)));
    if (!is_made) {
        Py_CLEAR(dict);
    }
    is_made = leave(dict, (PyObject *)slot);
    PyGILState_Release(state);
    return is_made;
}

/* Returns the object of a value of a column. `previous` is that of the value before it, whose bytes end where these begin;
 * NULL: none. Equal ones share an object. */
static PyObject *element_object(const char *data, int32_t size, bool is_text, PyObject *previous,
                                int32_t previous_size) {
    if (previous != NULL && size == previous_size && memcmp(data, data - size, (size_t)size) == 0) {
        Py_INCREF(previous);
        return previous;
    }
    return is_text ? PyUnicode_DecodeUTF8(data, size, "replace") : PyBytes_FromStringAndSize(data, size);
}

/* Leaves a list of the texts or byte strings of a column of Arrow in `slot`. `offsets` has one more element than there are
 * values. */
static bool etl_py_texts(const int32_t *offsets, const char *data, size_t count, bool is_text, void *slot) {
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *values = PyList_New((Py_ssize_t)count);
    PyObject *value = NULL;
    int32_t size = 0;
    bool is_made;
    for (size_t i = 0; values != NULL && i < count; ++i) {
        const int32_t previous_size = size;
        size = offsets[i + 1] - offsets[i];
        value = element_object(data + offsets[i], size, is_text, value, previous_size);
        if (value == NULL) {
            Py_CLEAR(values);
        } else {
            PyList_SetItem(values, (Py_ssize_t)i, value);
        }
    }
    is_made = leave(values, (PyObject *)slot);
    PyGILState_Release(state);
    return is_made;
}
