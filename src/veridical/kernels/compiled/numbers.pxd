"""Ids and numbers in dictionaries, as far as they need no careful reader."""

from cpython.exc cimport PyErr_Clear, PyErr_Occurred
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_Check, PyFloat_CheckExact
from cpython.long cimport PyLong_CheckExact
from cpython.object cimport PyObject
from libc.math cimport fabs, isnan

cdef extern from "Python.h":
    # Declared without exceptions: they are looked for, and cleared, where they can arise.
    double PyLong_AsDouble(object)


cdef inline bint number(PyObject *value, double *result) noexcept:
    """Read a float (one of numpy's too) or an int, and no NaN."""
    if PyFloat_CheckExact(<object> value):
        result[0] = PyFloat_AS_DOUBLE(<object> value)
    elif PyLong_CheckExact(<object> value):
        result[0] = PyLong_AsDouble(<object> value)
        if result[0] == -1.0 and PyErr_Occurred() is not NULL:
            PyErr_Clear()
            return False
    elif PyFloat_Check(<object> value):
        result[0] = PyFloat_AS_DOUBLE(<object> value)
    else:
        return False
    return not isnan(result[0])


cdef inline bint is_grade(double value) noexcept nogil:
    return fabs(value) <= 9007199254740992.0  # 2**53: sums of gains stay exact
