/* The functions that the Cython wrapper calls: every one guarded, every one the same for all games.
 *
 * They answer 0, or the kind of fault that stopped the rules. Included behind a game's translated
 * rules, which define TT_ROOT and the functions f_...
 */

/* setjmp keeps a function's variables out of registers: whatever loops stands in one of its own. */
#define TT_APART __attribute__((noinline)) static

typedef TT_ROOT tt_state;
typedef R_Dice tt_dice;
typedef R_tt_Tree tt_tree;

static int tt_seed(tt_dice *dice, uint32_t low, uint32_t high) {
    TT_GUARD;
    memset(dice, 0, sizeof *dice); /* it may be fresh memory, and seeding reads what was planned */
    f_seed_dice(dice, low, high);
    return 0;
}

static int tt_used_bytes(tt_state *s, int64_t *out) {
    TT_GUARD;
    *out = tt_used(s);
    return 0;
}

static int tt_setup(tt_state *s, uint32_t low, uint32_t high) {
    TT_GUARD;
    f_seed_dice(&s->m_dice, low, high);
    f_setup(s);
    return 0;
}

static int tt_step(tt_state *s, int32_t *actions) {
    TT_GUARD;
    f_step(s, actions, TT_MAX_SEATS);
    return 0;
}

static int tt_seats(tt_state *s, int64_t *out) {
    TT_GUARD;
    *out = f_seats(s);
    return 0;
}

static int tt_to_act(tt_state *s, int64_t *out) {
    TT_GUARD;
    *out = f_to_act(s);
    return 0;
}

static int tt_over(tt_state *s, int64_t *out) {
    TT_GUARD;
    *out = f_over(s);
    return 0;
}

static int tt_why_illegal(tt_state *s, int64_t seat, int64_t action, int64_t *out) {
    TT_GUARD;
    *out = f_why_illegal(s, seat, action);
    return 0;
}

static int tt_legal(tt_state *s, int64_t seat, int32_t *list, int64_t *out) {
    TT_GUARD;
    *out = f_legal(s, seat, list, TT_MAX_ACTIONS);
    return 0;
}

static int tt_candidates(tt_state *s, int64_t seat, int32_t *list, int64_t *out) {
    TT_GUARD;
    *out = f_candidates(s, seat, list, TT_MAX_ACTIONS);
    return 0;
}

static int tt_default_action(tt_state *s, int64_t seat, int64_t *out) {
    TT_GUARD;
    *out = f_default_action(s, seat);
    return 0;
}

static int tt_score(tt_state *s, int64_t seat, int64_t *out) {
    TT_GUARD;
    *out = f_score(s, seat);
    return 0;
}

static int tt_place(tt_state *s, int64_t seat, int64_t *out) {
    TT_GUARD;
    *out = f_place(s, seat);
    return 0;
}

static int tt_reward(tt_state *s, int64_t seat, int64_t *out) {
    TT_GUARD;
    *out = f_tt_reward(s, seat);
    return 0;
}

static int tt_estimate(tt_state *s, int64_t seat, int64_t *out) {
    TT_GUARD;
    *out = f_estimate(s, seat);
    return 0;
}

static int tt_observe(tt_state *s, int64_t seat, uint8_t *planes, int64_t size) {
    TT_GUARD;
    f_observe(s, seat, planes, size);
    return 0;
}

static int tt_redeal(tt_state *s, int64_t seat, uint32_t low, uint32_t high) {
    TT_GUARD;
    f_seed_dice(&s->m_dice, low, high);
    f_redeal(s, seat);
    return 0;
}

TT_APART int64_t tt_playout_apart(tt_state *s, tt_dice *dice, int64_t limit) { return f_tt_playout(s, dice, limit); }

static int tt_playout(tt_state *s, tt_dice *dice, int64_t limit, int64_t *out) {
    TT_GUARD;
    *out = tt_playout_apart(s, dice, limit);
    return 0;
}

/* Many playouts from one position: what a benchmark and a Monte Carlo bot want. */
TT_APART int64_t tt_playouts_apart(tt_state *s, tt_state *scratch, tt_dice *dice, int64_t count, int64_t limit) {
    int64_t steps = 0, used = tt_used(s);
    for (int64_t k = 0; k < count; k++) {
        memcpy(scratch, s, used);
        scratch->m_log.m_quiet = 1;
        steps += f_tt_playout(scratch, dice, limit);
    }
    return steps;
}

static int tt_playouts(tt_state *s, tt_state *scratch, tt_dice *dice, int64_t count, int64_t limit, int64_t *out) {
    TT_GUARD;
    *out = tt_playouts_apart(s, scratch, dice, count, limit);
    return 0;
}

static int tt_start_tree(tt_tree *tree, uint32_t low, uint32_t high) {
    TT_GUARD;
    f_tt_start_tree(tree, low, high);
    return 0;
}

TT_APART void tt_grow_apart(tt_tree *tree, tt_state *root, tt_state *scratch, int64_t seat, int64_t iterations) {
    f_tt_grow_tree(tree, root, scratch, seat, iterations);
}

static int tt_grow_tree(tt_tree *tree, tt_state *root, tt_state *scratch, int64_t seat, int64_t iterations) {
    TT_GUARD;
    tt_grow_apart(tree, root, scratch, seat, iterations);
    return 0;
}

static int tt_root_edges(tt_tree *tree, int64_t seat, int32_t *list, int64_t *out) {
    TT_GUARD;
    *out = f_tt_root_edges(tree, seat, list, TT_MAX_ACTIONS);
    return 0;
}

static int tt_begin(tt_state *s, tt_state *fresh, uint32_t low, uint32_t high) {
    TT_GUARD;
    f_tt_begin(s, fresh, low, high);
    return 0;
}

/* Slices of a batch: what one thread does. */
static inline tt_state *tt_match(char *states, int64_t k) { return (tt_state *) (states + k * TT_STRIDE); }

TT_APART void tt_batch_step_apart(char *states, tt_state *fresh, int32_t *actions, float *rewards, uint8_t *done,
                                  uint8_t *to_act, int64_t first, int64_t last) {
    int32_t earned[TT_MAX_SEATS];
    for (int64_t k = first; k < last; k++) {
        tt_state *s = tt_match(states, k);
        memset(earned, 0, sizeof earned);
        done[k] = (uint8_t) f_tt_advance(s, fresh, actions + k * TT_MAX_SEATS, TT_MAX_SEATS, earned, TT_MAX_SEATS);
        for (int seat = 0; seat < TT_MAX_SEATS; seat++) rewards[k * TT_MAX_SEATS + seat] = (float) earned[seat] / 1000.0f;
        to_act[k] = (uint8_t) f_to_act(s);
    }
}

static int tt_batch_step(char *states, tt_state *fresh, int32_t *actions, float *rewards, uint8_t *done,
                         uint8_t *to_act, int64_t first, int64_t last) {
    TT_GUARD;
    tt_batch_step_apart(states, fresh, actions, rewards, done, to_act, first, last);
    return 0;
}

TT_APART void tt_batch_observe_apart(char *states, uint8_t *out, int64_t size, int64_t first, int64_t last) {
    for (int64_t k = first; k < last; k++) {
        tt_state *s = tt_match(states, k);
        int64_t bits = f_to_act(s);
        for (int64_t seat = 0; seat < TT_MAX_SEATS; seat++) {
            uint8_t *planes = out + (k * TT_MAX_SEATS + seat) * size;
            if (bits >> seat & 1) f_observe(s, seat, planes, size);
            else memset(planes, 0, size);
        }
    }
}

static int tt_batch_observe(char *states, uint8_t *out, int64_t size, int64_t first, int64_t last) {
    TT_GUARD;
    tt_batch_observe_apart(states, out, size, first, last);
    return 0;
}

TT_APART void tt_batch_legal_apart(char *states, uint8_t *out, int64_t first, int64_t last) {
    int32_t list[TT_MAX_ACTIONS];
    for (int64_t k = first; k < last; k++) {
        tt_state *s = tt_match(states, k);
        int64_t bits = f_to_act(s);
        for (int64_t seat = 0; seat < TT_MAX_SEATS; seat++) {
            uint8_t *mask = out + (k * TT_MAX_SEATS + seat) * TT_MAX_ACTIONS;
            memset(mask, 0, TT_MAX_ACTIONS);
            if (bits >> seat & 1) {
                int64_t n = f_legal(s, seat, list, TT_MAX_ACTIONS);
                f_tt_mask_legal(mask, TT_MAX_ACTIONS, list, TT_MAX_ACTIONS, n);
            }
        }
    }
}

static int tt_batch_legal(char *states, uint8_t *out, int64_t first, int64_t last) {
    TT_GUARD;
    tt_batch_legal_apart(states, out, first, last);
    return 0;
}

TT_APART void tt_batch_choose_apart(char *states, int32_t *actions, tt_dice *dice, int64_t matches) {
    for (int64_t k = 0; k < matches; k++) {
        tt_state *s = tt_match(states, k);
        f_tt_choose_rollout_actions(s, f_to_act(s), dice, actions + k * TT_MAX_SEATS, TT_MAX_SEATS);
    }
}

static int tt_batch_choose(char *states, int32_t *actions, tt_dice *dice, int64_t matches) {
    TT_GUARD;
    tt_batch_choose_apart(states, actions, dice, matches);
    return 0;
}
