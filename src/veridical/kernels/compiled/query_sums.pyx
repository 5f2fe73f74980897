# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What metrics of rankings add up over the judged documents of each query, in one pass.

Nothing but buffers goes in and out, so that whoever needs no numpy need not load it.
"""

from libc.stdint cimport int64_t


cdef inline Py_ssize_t end_of(
    const int64_t[::1] starts, Py_ssize_t query, Py_ssize_t first, Py_ssize_t rows
) noexcept:
    """Return where a query ends; whatever the starts say, in the rows from ``first`` on."""
    return max(first, min(<Py_ssize_t> starts[query + 1], rows))


cdef inline Py_ssize_t least(Py_ssize_t one, Py_ssize_t other) noexcept:
    return one if one < other else other


def relevant_counts(
    const int64_t[::1] starts, const double[::1] grades, double rel, double[::1] counts
):
    """Count the documents of a grade of at least ``rel``."""
    cdef Py_ssize_t first = 0, end, i, q
    cdef int64_t relevant
    for q in range(least(counts.shape[0], starts.shape[0] - 1)):
        end = end_of(starts, q, first, grades.shape[0])
        relevant = 0
        for i in range(first, end):
            relevant += grades[i] >= rel
        counts[q] = <double> relevant
        first = end


def hit_counts(
    const int64_t[::1] starts, const int64_t[::1] rank, const double[::1] grades,
    int64_t k, double rel, double[::1] counts,
):
    """Count the relevant documents of a rank up to k."""
    cdef Py_ssize_t rows = least(rank.shape[0], grades.shape[0]), first = 0, end, i, q
    cdef int64_t hits
    for q in range(least(counts.shape[0], starts.shape[0] - 1)):
        end = end_of(starts, q, first, rows)
        hits = 0
        for i in range(first, end):
            hits += (rank[i] <= k) & (grades[i] >= rel)
        counts[q] = <double> hits
        first = end


def first_ranks(
    const int64_t[::1] starts, const int64_t[::1] rank, const double[::1] grades,
    int64_t k, double rel, double[::1] ranks,
):
    """Find the rank of the first relevant document, 0 without one of a rank up to k."""
    cdef Py_ssize_t rows = least(rank.shape[0], grades.shape[0]), first = 0, end, i, q
    for q in range(least(ranks.shape[0], starts.shape[0] - 1)):
        end = end_of(starts, q, first, rows)
        ranks[q] = 0.0
        for i in range(first, end):
            if grades[i] >= rel and rank[i] <= k:
                ranks[q] = <double> rank[i]
                break
        first = end


def precision_sums(
    const int64_t[::1] starts, const int64_t[::1] rank, const double[::1] grades,
    int64_t k, double rel, double[::1] sums,
):
    """Add up the precision at each relevant document of a rank up to k, best rank first."""
    cdef Py_ssize_t rows = least(rank.shape[0], grades.shape[0]), first = 0, end, i, q
    cdef double hits, total
    cdef bint relevant
    for q in range(least(sums.shape[0], starts.shape[0] - 1)):
        end = end_of(starts, q, first, rows)
        hits = total = 0.0
        for i in range(first, end):
            # No branch: which documents are relevant is not to be foreseen.
            relevant = grades[i] >= rel
            hits += relevant
            total += (relevant & (rank[i] <= k)) * (hits / <double> rank[i])
        sums[q] = total
        first = end


def discounted_sums(
    const int64_t[::1] starts, const int64_t[::1] rank, const double[::1] gains,
    int64_t k, const double[::1] discounts, double[::1] sums,
):
    """Add up gain over discount down to rank k; a gain below 0 counts 0.

    ``discounts`` has one of each rank that is counted, from rank 0.
    """
    cdef Py_ssize_t rows = least(rank.shape[0], gains.shape[0]), first = 0, end, i, q
    cdef double total
    k = min(k, <int64_t> discounts.shape[0] - 1)
    for q in range(least(sums.shape[0], starts.shape[0] - 1)):
        end = end_of(starts, q, first, rows)
        total = 0.0
        for i in range(first, end):
            if 0 < rank[i] <= k:
                total += max(gains[i], 0.0) / discounts[rank[i]]
        sums[q] = total
        first = end


def discounted_list_sums(
    const int64_t[::1] starts, const double[::1] gains,
    int64_t k, const double[::1] discounts, double[::1] sums,
):
    """Do the same where the rank of a document is its place in its query."""
    cdef Py_ssize_t first = 0, end, i, q
    cdef double total
    k = min(k, <int64_t> discounts.shape[0] - 1)
    for q in range(least(sums.shape[0], starts.shape[0] - 1)):
        end = end_of(starts, q, first, gains.shape[0])
        total = 0.0
        for i in range(least(end - first, <Py_ssize_t> k)):
            total += max(gains[first + i], 0.0) / discounts[i + 1]
        sums[q] = total
        first = end


def exact_sum(const double[::1] values, const unsigned char[::1] among):
    """Return the sum of those that are marked, rounded once; None where two doubles are too few.

    ``high + low`` is all that was added, without any rounding: what adding to ``high`` rounds away
    goes to ``low``, and nothing may be rounded away there.
    """
    cdef double high = 0.0, low = 0.0, total, rest
    cdef Py_ssize_t i
    for i in range(least(values.shape[0], among.shape[0])):
        if not among[i]:
            continue
        total = high + values[i]
        rest = rounded_away(high, values[i], total)
        high = total
        total = low + rest
        if rounded_away(low, rest, total) != 0.0:  # NaN too: something is infinite
            return None
        low = total
    total = high + low
    return total if total - total == 0.0 else None


def quotients(
    const double[::1] numerator, const double[::1] denominator, double[::1] found
):
    """Divide each by each, or by the only one; 0 where the denominator is 0 or less."""
    cdef Py_ssize_t i, n = found.shape[0]
    cdef bint many = numerator.shape[0] >= n, several = denominator.shape[0] >= n
    cdef double below
    for i in range(n if min(numerator.shape[0], denominator.shape[0]) > 0 else 0):
        below = denominator[i * several]
        found[i] = numerator[i * many] / below if below > 0.0 else 0.0


def top_counts(const int64_t[::1] retrieved, int64_t k, double[::1] found):
    """Count the documents of each list down to rank k."""
    cdef Py_ssize_t q
    for q in range(least(retrieved.shape[0], found.shape[0])):
        found[q] = <double> min(retrieved[q], k)


def positive(const double[::1] values, unsigned char[::1] marks):
    """Mark the values above 0."""
    cdef Py_ssize_t i
    for i in range(least(values.shape[0], marks.shape[0])):
        marks[i] = values[i] > 0.0


def both(
    const unsigned char[::1] one, const unsigned char[::1] other, unsigned char[::1] marks
):
    """Mark what is marked twice."""
    cdef Py_ssize_t i
    for i in range(least(least(one.shape[0], other.shape[0]), marks.shape[0])):
        marks[i] = one[i] & other[i]


def starts_of(const int64_t[::1] counts, int64_t[::1] starts):
    """Add up lengths, so that each part begins where the one before it ends."""
    cdef Py_ssize_t q
    for q in range(least(counts.shape[0], starts.shape[0] - 1)):
        starts[q + 1] = starts[q] + counts[q]


cdef inline double rounded_away(double a, double b, double total) noexcept:
    """Return a + b - total exactly, total being a + b as a double (Knuth's two-sum)."""
    cdef double of_b = total - a
    return (a - (total - of_b)) + (b - of_b)
