// The normal distribution to 15 digits. Source: W. J. Cody, "Rational Chebyshev Approximations for the Error Function", Math. Comp. 23 (1969),
// with the coefficients of his CALERF.

const SMALL_A = [3.1611237438705655, 113.86415415105016, 377.485237685302, 3209.3775891384694, 0.18577770618460315] as const;
const SMALL_B = [23.601290952344122, 244.02463793444417, 1282.6165260773723, 2844.236833439171] as const;
const MIDDLE_C = [
  0.5641884969886701, 8.883149794388377, 66.11919063714163, 298.6351381974001, 881.952221241769, 1712.0476126340707, 2051.0783778260716,
  1230.3393547979972, 2.1531153547440383e-8,
] as const;
const MIDDLE_D = [
  15.744926110709835, 117.6939508913125, 537.1811018620099, 1621.3895745666903, 3290.7992357334597, 4362.619090143247, 3439.3676741437216,
  1230.3393548037495,
] as const;
const LARGE_P = [
  0.30532663496123236, 0.36034489994980445, 0.12578172611122926, 0.016083785148742275, 0.0006587491615298378, 0.016315387137302097,
] as const;
const LARGE_Q = [2.568520192289822, 1.8729528499234673, 0.5279051029514285, 0.06051834131244132, 0.0023352049762686918] as const;

const SMALL = 0.46875;
const MIDDLE = 4;
const INVERSE_SQRT_PI = 0.5641895835477563;
const INVERSE_SQRT_2PI = 0.3989422804014327;

/** exp(x²)·erfc(x) for x ≥ 0: erfc without its exponential decay, so that products with large exponentials neither overflow nor vanish. */
export function scaledErfc(x: number): number {
  if (x <= SMALL) {
    return Math.exp(x * x) * (1 - smallErf(x));
  }
  if (x <= MIDDLE) {
    let above = MIDDLE_C[8] * x;
    let below = x;
    for (let index = 0; index < 7; index += 1) {
      above = (above + (MIDDLE_C[index] ?? 0)) * x;
      below = (below + (MIDDLE_D[index] ?? 0)) * x;
    }
    return (above + MIDDLE_C[7]) / (below + MIDDLE_D[7]);
  }
  const square = 1 / (x * x);
  let above = LARGE_P[5] * square;
  let below = square;
  for (let index = 0; index < 4; index += 1) {
    above = (above + (LARGE_P[index] ?? 0)) * square;
    below = (below + (LARGE_Q[index] ?? 0)) * square;
  }
  return (INVERSE_SQRT_PI - (square * (above + LARGE_P[4])) / (below + LARGE_Q[4])) / x;
}

/** The probability that a standard normal variable is at most `z`. */
export function normalBelow(z: number): number {
  const x = Math.abs(z) * Math.SQRT1_2;
  if (x <= SMALL) {
    return 0.5 + (Math.sign(z) * smallErf(x)) / 2;
  }
  const tail = 0.5 * Math.exp(-x * x) * scaledErfc(x);
  return z > 0 ? 1 - tail : tail;
}

/** The density of a standard normal variable. */
export function normalDensity(z: number): number {
  return INVERSE_SQRT_2PI * Math.exp((-z * z) / 2);
}

/** erf(x) for 0 ≤ x ≤ 0.46875. */
function smallErf(x: number): number {
  const square = x * x;
  let above = SMALL_A[4] * square;
  let below = square;
  for (let index = 0; index < 3; index += 1) {
    above = (above + (SMALL_A[index] ?? 0)) * square;
    below = (below + (SMALL_B[index] ?? 0)) * square;
  }
  return (x * (above + SMALL_A[3])) / (below + SMALL_B[3]);
}
