/* The limit: Tron's playouts as one would write them in C by hand, without a check and without events.
 *
 * The same rules, dice and playout policy as games/tron, written apart from forge, so that the
 * compiled gear can be measured against it. bench/limit.py compiles it, compares the digests of
 * playouts with ours, and only then takes the time.
 */
#include <stdint.h>
#include <string.h>

enum { EMPTY, WALL, BOMB, LANDMINE, INVINCIBILITY, BONUS, GREY, TRAIL = 8 };
enum { UP, RIGHT, DOWN, LEFT };
enum { STRAIGHT = 0, TURN = 1, ACTIVATE = 5, INVINCIBLE_MOVES = 10, BLAST = 5 };

typedef struct { uint32_t a, b, c, counter; } dice_t;

typedef struct {
    int32_t cell, target, distance, bonus, died;
    uint8_t heading, held, invincible, alive, crashed, mined;
} cycle_t;

typedef struct {
    int32_t width, height, players, turn, travels_on;
    cycle_t cycles[4];
    uint8_t cells[2500];
    int16_t laid[2500];
} tron_t;

static inline uint32_t next_word(dice_t *d) {
    uint32_t word = d->a + d->b + d->counter++;
    d->a = d->b ^ (d->b >> 9);
    d->b = d->c + (d->c << 3);
    d->c = ((d->c << 21) | (d->c >> 11)) + word;
    return word;
}

static void seed(dice_t *d, uint32_t low, uint32_t high) {
    *d = (dice_t) {low, high, 0, 1};
    for (int i = 0; i < 12; i++) next_word(d);
}

static inline uint32_t below(dice_t *d, uint32_t n) {
    uint64_t product = (uint64_t) next_word(d) * n;
    if ((uint32_t) product < n) {
        uint32_t floor = -n % n;
        while ((uint32_t) product < floor) product = (uint64_t) next_word(d) * n;
    }
    return product >> 32;
}

static inline int ahead(const tron_t *t, int heading) {
    const int by[4] = {-t->width, 1, t->width, -1};
    return by[heading];
}

static int living(const tron_t *t) {
    int n = 0;
    for (int p = 0; p < t->players; p++) n += t->cycles[p].alive;
    return n;
}

static int over(const tron_t *t) {
    int left = living(t);
    return left == 0 || (left == 1 && !t->travels_on);
}

static int spared(const tron_t *t, int by, int what, int at) {
    for (int p = 0; p < t->players; p++) {
        const cycle_t *c = &t->cycles[p];
        if (c->alive && c->cell == at) return 1;
        if (what == LANDMINE && p > by) {
            if (c->alive ? c->cell - ahead(t, c->heading) == at : c->died == t->turn && c->cell == at) return 1;
        }
    }
    return 0;
}

static void explode(tron_t *t, int p, int what) {
    const cycle_t *c = &t->cycles[p];
    int x = c->cell % t->width, y = c->cell / t->width, h = c->heading;
    int left = h == RIGHT ? x : h == LEFT ? x - BLAST + 1 : x - BLAST / 2;
    int top = h == DOWN ? y : h == UP ? y - BLAST + 1 : y - BLAST / 2;
    for (int row = top < 0 ? 0 : top; row < top + BLAST && row < t->height; row++) {
        for (int column = left < 0 ? 0 : left; column < left + BLAST && column < t->width; column++) {
            int at = row * t->width + column;
            if (t->cells[at] >= GREY && !spared(t, p, what, at)) t->cells[at] = EMPTY, t->laid[at] = 0;
        }
    }
}

static void step(tron_t *t, const int32_t *actions) {
    t->turn++;
    for (int p = 0; p < t->players; p++) {
        cycle_t *c = &t->cycles[p];
        if (c->alive && actions[p] >= ACTIVATE && c->held) {
            int held = c->held;
            c->held = EMPTY;
            if (held == BOMB) explode(t, p, BOMB);
            else c->invincible = INVINCIBLE_MOVES;
        }
    }
    for (int p = 0; p < t->players; p++) {
        cycle_t *c = &t->cycles[p];
        if (!c->alive) continue;
        int turn = actions[p] >= ACTIVATE ? actions[p] - ACTIVATE : actions[p];
        if (turn != STRAIGHT && turn - TURN != (c->heading ^ 2)) c->heading = turn - TURN;
        c->target = c->cell + ahead(t, c->heading);
    }
    for (int p = 0; p < t->players; p++) {
        cycle_t *c = &t->cycles[p];
        if (!c->alive) continue;
        int content = t->cells[c->target];
        c->crashed = content == WALL || (content >= GREY && !c->invincible);
        for (int q = 0; q < t->players; q++) {
            const cycle_t *o = &t->cycles[q];
            if (q != p && o->alive && (o->target == c->target || (o->target == c->cell && c->target == o->cell))) c->crashed = 1;
        }
    }
    for (int p = 0; p < t->players; p++) {
        cycle_t *c = &t->cycles[p];
        if (c->alive && c->invincible) c->invincible--;
        if (c->crashed) c->alive = 0, c->died = t->turn, c->crashed = 0;
    }
    for (int p = 0; p < t->players; p++) {
        cycle_t *c = &t->cycles[p];
        if (!c->alive) continue;
        int found = t->cells[c->target];
        if (found >= TRAIL) {
            int when = t->laid[c->target];
            for (int at = 0; at < t->width * t->height; at++)
                if (t->cells[at] == found && t->laid[at] <= when) t->cells[at] = GREY, t->laid[at] = 0;
        }
        c->cell = c->target;
        c->distance++;
        t->cells[c->cell] = TRAIL + p;
        t->laid[c->cell] = t->turn;
        if (found >= BOMB && found <= BONUS) {
            c->bonus += found == BONUS ? 200 : 50;
            if (found == LANDMINE) c->mined = 1;
            else if (found != BONUS) c->held = found;
        }
    }
    for (int p = 0; p < t->players; p++) {
        if (t->cycles[p].mined) t->cycles[p].mined = 0, explode(t, p, LANDMINE);
    }
}

static int choose(const tron_t *t, int p, dice_t *d) {
    const cycle_t *c = &t->cycles[p];
    uint32_t draw = below(d, 64);
    int heading = draw & 3;
    for (int k = 0; k < 4; k++) {
        int content = t->cells[c->cell + ahead(t, heading)];
        int blocked = content == WALL || (content >= GREY && !c->invincible);
        if (heading != (c->heading ^ 2) && !blocked) break;
        heading = (heading + 1) & 3;
    }
    return (c->held && draw >= 56 ? ACTIVATE : 0) + TURN + heading;
}

static int64_t playout(tron_t *t, dice_t *d) {
    int64_t steps = 0;
    int32_t actions[4];
    while (!over(t)) {
        for (int p = 0; p < t->players; p++) actions[p] = t->cycles[p].alive ? choose(t, p, d) : 0;
        step(t, actions);
        steps++;
    }
    return steps;
}

static uint64_t digest(const tron_t *t) {
    uint64_t h = 1469598103934665603u;
    for (int at = 0; at < t->width * t->height; at++) h = (h ^ t->cells[at]) * 1099511628211u;
    for (int p = 0; p < t->players; p++) {
        h = (h ^ (uint64_t) t->cycles[p].cell) * 1099511628211u;
        h = (h ^ (uint64_t) t->cycles[p].distance) * 1099511628211u;
        h = (h ^ (uint64_t) t->cycles[p].bonus) * 1099511628211u;
    }
    return h;
}

/* Playouts from one first position: the number of steps; the digest of the last one's end in `last`. */
int64_t tron_playouts(int32_t width, int32_t height, int32_t players, int32_t travels_on, const uint8_t *cells,
                      const int32_t *starts, const uint8_t *headings, uint32_t low, uint32_t high, int64_t count,
                      uint64_t *last) {
    tron_t first = {.width = width, .height = height, .players = players, .travels_on = travels_on}, t;
    memcpy(first.cells, cells, width * height);
    for (int p = 0; p < players; p++) {
        first.cycles[p] = (cycle_t) {.cell = starts[p], .target = starts[p], .heading = headings[p], .alive = 1};
    }
    dice_t d;
    seed(&d, low, high);
    int64_t steps = 0;
    for (int64_t k = 0; k < count; k++) {
        t = first;
        steps += playout(&t, &d);
    }
    *last = digest(&t);
    return steps;
}
