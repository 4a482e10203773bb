# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, annotation_typing=False
"""One game's rules in the compiled gear. Written by forge: change the rules or forge, not this file."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from time import perf_counter


cdef extern from "_rules.h" nogil:
    ctypedef struct tt_state:
        pass
    ctypedef struct tt_dice:
        pass
    ctypedef struct tt_tree:
        pass
    ctypedef struct tt_fault_t:
        int kind
        int site
        int64_t value
        int64_t limit
    ctypedef struct tt_site_t:
        const char *file
        int line
        const char *what
    tt_fault_t tt_fault
    tt_site_t *tt_sites
    enum:
        TT_INDEX
        TT_RANGE
        TT_ZERO
        TT_ASSERT
        TT_SHIFT
        TT_MAX_SEATS
        TT_MAX_ACTIONS
        TT_PLANES
        TT_EVENT_SIZE
    int64_t TT_POSITION
    int64_t TT_STRIDE
    const char *TT_FINGERPRINT
    const char *TT_SOURCES
    int32_t *tt_log_n(tt_state *s)
    int32_t *tt_log_numbers(tt_state *s)
    uint8_t *tt_log_quiet(tt_state *s)
    int64_t tt_area(tt_state *s)
    int32_t tt_edge_action(tt_tree *tree, int32_t edge)
    int32_t tt_edge_visits(tt_tree *tree, int32_t edge)
    int32_t tt_edge_value(tt_tree *tree, int32_t edge)
    int tt_seed(tt_dice *dice, uint32_t low, uint32_t high)
    int tt_used_bytes(tt_state *s, int64_t *out)
    int tt_setup(tt_state *s, uint32_t low, uint32_t high)
    int tt_step(tt_state *s, int32_t *actions)
    int tt_seats(tt_state *s, int64_t *out)
    int tt_to_act(tt_state *s, int64_t *out)
    int tt_over(tt_state *s, int64_t *out)
    int tt_why_illegal(tt_state *s, int64_t seat, int64_t action, int64_t *out)
    int tt_legal(tt_state *s, int64_t seat, int32_t *list, int64_t *out)
    int tt_candidates(tt_state *s, int64_t seat, int32_t *list, int64_t *out)
    int tt_default_action(tt_state *s, int64_t seat, int64_t *out)
    int tt_score(tt_state *s, int64_t seat, int64_t *out)
    int tt_place(tt_state *s, int64_t seat, int64_t *out)
    int tt_reward(tt_state *s, int64_t seat, int64_t *out)
    int tt_estimate(tt_state *s, int64_t seat, int64_t *out)
    int tt_observe(tt_state *s, int64_t seat, uint8_t *planes, int64_t size)
    int tt_redeal(tt_state *s, int64_t seat, uint32_t low, uint32_t high)
    int tt_playout(tt_state *s, tt_dice *dice, int64_t limit, int64_t *out)
    int tt_playouts(tt_state *s, tt_state *scratch, tt_dice *dice, int64_t count, int64_t limit, int64_t *out)
    int tt_start_tree(tt_tree *tree, uint32_t low, uint32_t high)
    int tt_grow_tree(tt_tree *tree, tt_state *root, tt_state *scratch, int64_t seat, int64_t iterations)
    int tt_root_edges(tt_tree *tree, int64_t seat, int32_t *list, int64_t *out)
    int tt_begin(tt_state *s, tt_state *fresh, uint32_t low, uint32_t high)
    int tt_batch_step(char *states, tt_state *fresh, int32_t *actions, float *rewards, uint8_t *done, uint8_t *to_act, int64_t first, int64_t last)
    int tt_batch_observe(char *states, uint8_t *out, int64_t size, int64_t first, int64_t last)
    int tt_batch_legal(char *states, uint8_t *out, int64_t first, int64_t last)
    int tt_batch_choose(char *states, int32_t *actions, tt_dice *dice, int64_t matches)


FINGERPRINT = TT_FINGERPRINT.decode()
SOURCES = TT_SOURCES.decode().split()
POSITION = TT_POSITION
MAX_SEATS = TT_MAX_SEATS
MAX_ACTIONS = TT_MAX_ACTIONS
PLANES = TT_PLANES


cdef int64_t NO_LIMIT = 2147483647

# What positions are read as outside, and what stands before their bytes; given once by core.compiled.
bound_root = None
bound_header = b""


def bind(root, bytes header):
    global bound_root, bound_header
    bound_root = root
    bound_header = header


cdef int fault(int kind) except -1:
    """Raise what stopped the rules: the same kinds of exception as the interpreted gear."""
    cdef int64_t value = tt_fault.value
    cdef int64_t limit = tt_fault.limit
    what = tt_sites[tt_fault.site].what.decode()
    where = "%s:%d" % (tt_sites[tt_fault.site].file.decode(), tt_sites[tt_fault.site].line)
    if kind == TT_INDEX:
        raise IndexError("%s[%d]: the index must be 0 to %d (%s)" % (what, value, limit - 1, where))
    if kind == TT_RANGE:
        raise OverflowError("%s = %d does not fit its type (%s)" % (what, value, where))
    if kind == TT_ZERO:
        raise ZeroDivisionError("%s divides by zero (%s)" % (what, where))
    if kind == TT_ASSERT:
        raise AssertionError("%s (%s)" % (what, where))
    if kind == TT_SHIFT:
        raise ValueError("%s shifts by %d (%s)" % (what, limit, where))
    raise OverflowError("%s is beyond 64 bits (%s)" % (what, where))


cdef inline int check(int kind) except -1:
    if kind != 0:
        fault(kind)
    return 0


cdef class State:
    """One match. Its face is core.gears.State; positions come and go as bytes."""

    cdef tt_state *s
    cdef bint broken

    def __cinit__(self):
        self.s = <tt_state *> malloc(TT_STRIDE)
        if self.s is NULL:
            raise MemoryError()
        tt_log_n(self.s)[0] = 0
        tt_log_quiet(self.s)[0] = 0

    def __dealloc__(self):
        free(self.s)

    @staticmethod
    def from_position(bytes position):
        """A state from the bytes of a position, which must be POSITION long."""
        cdef State made = State.__new__(State)
        if len(position) != TT_POSITION:
            raise ValueError("a position has %d bytes, not %d" % (TT_POSITION, len(position)))
        memcpy(made.s, <char *> position, TT_POSITION)
        return made

    def setup(self, uint32_t low, uint32_t high):
        tt_log_n(self.s)[0] = 0
        check(tt_setup(self.s, low, high))

    def position(self):
        """The bytes of the position; what is not in use is zero."""
        cdef int64_t used
        check(tt_used_bytes(self.s, &used))
        if used == TT_POSITION:
            return (<char *> self.s)[:TT_POSITION]
        return (<char *> self.s)[:used] + bytes(TT_POSITION - used)

    cpdef State clone(self):
        cdef State made = State.__new__(State)
        cdef int64_t used
        check(tt_used_bytes(self.s, &used))
        memcpy(made.s, self.s, used)
        made.broken = self.broken
        return made

    def __copy__(self):
        return self.clone()

    def __deepcopy__(self, memo):
        return self.clone()

    def __eq__(self, other):
        if not isinstance(other, State):
            return NotImplemented
        return self.position() == (<State> other).position()

    def __hash__(self):
        return hash(self.position())

    def quiet(self, bint on):
        tt_log_quiet(self.s)[0] = on

    def seats(self):
        cdef int64_t out
        check(tt_seats(self.s, &out))
        return out

    def to_act(self):
        cdef int64_t out
        check(tt_to_act(self.s, &out))
        return out

    def over(self):
        cdef int64_t out
        check(tt_over(self.s, &out))
        return out != 0

    def why_illegal(self, int64_t seat, int64_t action):
        cdef int64_t out
        check(tt_why_illegal(self.s, seat, action, &out))
        return out

    def legal(self, int64_t seat):
        cdef int32_t out[TT_MAX_ACTIONS]
        cdef int64_t n, k
        check(tt_legal(self.s, seat, out, &n))
        return [out[k] for k in range(n)]

    def candidates(self, int64_t seat):
        cdef int32_t out[TT_MAX_ACTIONS]
        cdef int64_t n, k
        check(tt_candidates(self.s, seat, out, &n))
        return [out[k] for k in range(n)]

    def default_action(self, int64_t seat):
        cdef int64_t out
        check(tt_default_action(self.s, seat, &out))
        return out

    def score(self, int64_t seat):
        cdef int64_t out
        check(tt_score(self.s, seat, &out))
        return out

    def place(self, int64_t seat):
        cdef int64_t out
        check(tt_place(self.s, seat, &out))
        return out

    def reward(self, int64_t seat):
        cdef int64_t out
        check(tt_reward(self.s, seat, &out))
        return out / 1000

    def estimate(self, int64_t seat):
        cdef int64_t out
        check(tt_estimate(self.s, seat, &out))
        return out

    def step(self, actions):
        cdef int32_t given[TT_MAX_SEATS]
        cdef int k = 0
        cdef int kind
        if self.broken:
            raise RuntimeError("this match was stopped by a fault of its rules")
        memset(given, 0, sizeof(given))
        if len(actions) > TT_MAX_SEATS:
            raise ValueError("actions for %d seats: there are at most %d" % (len(actions), TT_MAX_SEATS))
        if type(actions) is tuple:  # two ways that Cython knows well, and one for all else
            for k in range(len(<tuple> actions)):
                given[k] = (<tuple> actions)[k]
        elif type(actions) is list:
            for k in range(len(<list> actions)):
                given[k] = (<list> actions)[k]
        else:
            for k in range(len(actions)):
                given[k] = actions[k]
        kind = tt_step(self.s, given)
        if kind != 0:
            self.broken = True
            fault(kind)

    def observe(self, int64_t seat):
        cdef int64_t size = TT_PLANES * tt_area(self.s)
        cdef bytes out = PyBytes_FromStringAndSize(NULL, size)
        check(tt_observe(self.s, seat, <uint8_t *> PyBytes_AS_STRING(out), size))
        return out

    def redeal(self, int64_t seat, seed):
        """A copy in which all that `seat` cannot know is drawn anew."""
        cdef State made = self.clone()
        check(tt_redeal(made.s, seat, seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF))
        return made

    def events(self):
        cdef int32_t *numbers = tt_log_numbers(self.s)
        cdef int32_t n = tt_log_n(self.s)[0]
        cdef int32_t *e
        cdef int32_t k
        told = []
        for k in range(n):
            e = numbers + k * TT_EVENT_SIZE
            told.append((e[0], e[1], e[2], e[3], e[4], e[5]))
        return told

    def record(self):
        """A snapshot as the game's root record in plain Python."""
        return bound_root.from_position(self.position())

    def to_bytes(self):
        return bound_header + self.position()

    def playout(self, seed, int64_t limit=0):
        """Play on at random, in place; the number of steps."""
        cdef tt_dice dice
        cdef int64_t out
        cdef int kind
        if limit <= 0:
            limit = NO_LIMIT
        check(tt_seed(&dice, seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF))
        with nogil:
            kind = tt_playout(self.s, &dice, limit, &out)
        if kind != 0:
            self.broken = True
            fault(kind)
        return out

    def playouts(self, seed, int64_t count, int64_t limit=0):
        """The number of steps of so many playouts, each from a copy of this position."""
        cdef tt_dice dice
        cdef int64_t out
        cdef int kind
        cdef State scratch = State.__new__(State)
        if limit <= 0:
            limit = NO_LIMIT
        check(tt_seed(&dice, seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF))
        with nogil:
            kind = tt_playouts(self.s, scratch.s, &dice, count, limit, &out)
        check(kind)
        return out

    def search(self, int64_t seat, seed, double milliseconds=0, int64_t iterations=0):
        """Tree search within a budget: (action, visits, mean value 0..1), most visited first."""
        cdef tt_tree *tree
        cdef State scratch = State.__new__(State)
        cdef int32_t edges[TT_MAX_ACTIONS]
        cdef int64_t k, n, done = 0, chunk = 8
        cdef int kind
        cdef double begun = perf_counter(), now, seconds = milliseconds / 1000
        if seconds <= 0 and iterations <= 0:
            raise ValueError("a search needs a budget: milliseconds or iterations")
        tree = <tt_tree *> calloc(1, sizeof(tt_tree))
        if tree is NULL:
            raise MemoryError()
        try:
            check(tt_start_tree(tree, seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF))
            while True:
                if iterations > 0 and done + chunk > iterations:
                    chunk = iterations - done
                with nogil:
                    kind = tt_grow_tree(tree, self.s, scratch.s, seat, chunk)
                check(kind)
                done += chunk
                if iterations > 0 and done >= iterations:
                    break
                if seconds > 0:
                    now = perf_counter() - begun
                    if now >= seconds:
                        break
                    # About a twentieth of the budget at a time: the clock is read rarely, the end is kept.
                    chunk = <int64_t> (done / now * seconds / 20) + 1
            check(tt_root_edges(tree, seat, edges, &n))
            found = [
                (
                    tt_edge_action(tree, edges[k]),
                    tt_edge_visits(tree, edges[k]),
                    tt_edge_value(tree, edges[k]) / 1000 / max(1, tt_edge_visits(tree, edges[k])),
                )
                for k in range(n)
            ]
        finally:
            free(tree)
        found.sort(key=lambda tried: (-tried[1], tried[0]))
        return found


cdef class Batch:
    """Many matches in one block of memory. The arrays are NumPy's, owned, shaped and kept alive by
    core.compiled, and known here by their addresses only."""

    cdef char *states
    cdef State fresh
    cdef readonly int64_t matches

    def __cinit__(self, bytes position, int64_t matches):
        self.matches = matches
        self.fresh = State.from_position(position)
        self.states = <char *> calloc(matches, TT_STRIDE)
        if self.states is NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.states)

    def begin(self, seeds):
        cdef int64_t k
        for k, (low, high) in enumerate(seeds):
            check(tt_begin(<tt_state *> (self.states + k * TT_STRIDE), self.fresh.s, low, high))

    def to_act_into(self, size_t out):
        cdef int64_t bits, k
        for k in range(self.matches):
            check(tt_to_act(<tt_state *> (self.states + k * TT_STRIDE), &bits))
            (<uint8_t *> out)[k] = bits

    def step_slice(self, size_t actions, size_t rewards, size_t done, size_t to_act, int64_t first, int64_t last):
        cdef int kind
        with nogil:
            kind = tt_batch_step(self.states, self.fresh.s, <int32_t *> actions, <float *> rewards,
                                 <uint8_t *> done, <uint8_t *> to_act, first, last)
        check(kind)

    def observe_slice(self, size_t out, int64_t size, int64_t first, int64_t last):
        cdef int kind
        with nogil:
            kind = tt_batch_observe(self.states, <uint8_t *> out, size, first, last)
        check(kind)

    def legal_slice(self, size_t out, int64_t first, int64_t last):
        cdef int kind
        with nogil:
            kind = tt_batch_legal(self.states, <uint8_t *> out, first, last)
        check(kind)

    def choose(self, size_t actions, seed):
        cdef tt_dice dice
        cdef int kind
        check(tt_seed(&dice, seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF))
        with nogil:
            kind = tt_batch_choose(self.states, <int32_t *> actions, &dice, self.matches)
        check(kind)

    def state(self, int64_t match):
        cdef State made = State.__new__(State)
        if match < 0 or match >= self.matches:
            raise IndexError("match %d: there are %d" % (match, self.matches))
        memcpy(made.s, self.states + match * TT_STRIDE, TT_POSITION)
        return made
