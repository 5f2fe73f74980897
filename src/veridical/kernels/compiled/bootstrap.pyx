# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Ranking metrics of many resamples of the same slots."""

from libc.stdint cimport int64_t

import numpy as np


def sweep(
    const int64_t[:, ::1] positives, const int64_t[:, ::1] negatives, const double[::1] fprs
):
    """Return (ROC-AUC, average precision, recall at each FPR) of each row.

    ``negatives`` holds the slots in ascending order: between, tied, between, ..., between.  Every
    row holds both classes.
    """
    cdef Py_ssize_t replicates = positives.shape[0], r
    auc_array = np.empty(replicates)
    ap_array = np.empty(replicates)
    recall_array = np.zeros((replicates, fprs.shape[0]))
    cdef double[::1] auc = auc_array, ap = ap_array
    cdef double[:, ::1] recall = recall_array
    with nogil:
        for r in range(replicates):
            sweep_row(positives[r], negatives[r], fprs, &auc[r], &ap[r], recall[r])
    return auc_array, ap_array, recall_array


cdef void sweep_row(
    const int64_t[::1] positives, const int64_t[::1] negatives, const double[::1] fprs,
    double* auc, double* ap, double[::1] recall,
) noexcept nogil:
    cdef Py_ssize_t m = positives.shape[0], i, k
    cdef int64_t P = 0, N = 0, tp = 0, fp = 0, tied
    cdef double pairs = 0.0, precisions = 0.0, fpr
    for i in range(m):
        P += positives[i]
    for i in range(2 * m + 1):
        N += negatives[i]
    for i in range(m - 1, -1, -1):
        tied = negatives[2 * i + 1]
        tp += positives[i]
        fp += negatives[2 * i + 2] + tied
        if positives[i]:
            # A positive outranks the negatives below it, and half of those that tie with it.
            pairs += <double> positives[i] * (<double> (N - fp) + 0.5 * <double> tied)
            precisions += <double> positives[i] * (<double> tp / <double> (tp + fp))
        fpr = <double> fp / <double> N
        for k in range(fprs.shape[0]):
            if fpr <= fprs[k]:
                recall[k] = <double> tp / <double> P
    auc[0] = pairs / (<double> P * <double> N)
    ap[0] = precisions / <double> P
