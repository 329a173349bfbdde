/**
 * The four replaceable slots, as the engine sees them: every call leaves this module through the lane's glue, which
 * copies the inputs into the memory of the module that serves the slot and its output back. Addresses are of THIS
 * memory; weights are named by their number, because the glue holds a mirror of each in the slot's own memory.
 */

/** out[rows][n] = x[rows][k] times the transpose of matrix `matrix`, which is [n][k]. */
@external("slots", "matmul")
export declare function matmul(out: usize, x: usize, matrix: i32, rows: i32): void;

/** The rows of the key and value caches of `layer` at `position` are new: mirror them. */
@external("slots", "keep")
export declare function keep(layer: i32, position: i32): void;

/** One query [heads][head_dim] over the first `length` cached positions of `layer`. */
@external("slots", "attention")
export declare function attention(out: usize, q: usize, layer: i32, length: i32): void;

/** out[rows][hidden] from gate_up[rows][2 * hidden], gate first. */
@external("slots", "silu_and_mul")
export declare function siluAndMul(out: usize, gateUp: usize, rows: i32): void;

/** RMSNorm of x[rows][dim] with weight vector `norm`. */
@external("slots", "rmsnorm")
export declare function rmsnorm(out: usize, x: usize, norm: i32, rows: i32): void;
