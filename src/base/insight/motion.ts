import { normalBelow, normalDensity, scaledErfc } from './normal';

// How a price moves that has no trend: p(t) = p(0)·exp(u(t)), u(t) = −σ²t/2 + σW(t), so that its expected value stays p(0) (a martingale).
// Distances are logarithms of price ratios, σ is per square root of a day, times are days.

/** Distances from the price to the two ends of a range, both positive inside of it. */
export interface Ends {
  readonly below: number;
  readonly above: number;
}

/** With a smaller σ√T the factor exp(−σ²t/8) is 1 to seven digits, and the closed form with it would lose as many. */
const NO_TREND = 1e-3;
/** Terms of a series of Gaussians or sines that decreases at least like exp(−n²). */
const MOST_TERMS = 60;
/** The width of a range over σ√T up to which the series of sines needs fewer terms than the one of images. */
const WIDE = 1.5;

/**
 * The expected time that the price spends below a distance, days: ∫₀ᵀ P(u(t) < b) dt, in closed form.
 *
 * Integration by parts leaves ∫t^(−1/2)·E and ∫t^(1/2)·E with E = exp(−b²/(2σ²t) − σ²t/8). The first is a difference of two error functions; the
 * derivative of √t·E gives the second from it (Borodin, Salminen, "Handbook of Brownian Motion", part II, 2.1.4).
 */
export function expectedTimeBelow(distance: number, sigmaPerDay: number, days: number): number {
  const root = Math.sqrt(days);
  const spread = sigmaPerDay * root;
  const ahead = normalBelow(distance / spread + spread / 2);
  if (spread < NO_TREND) {
    return days * (ahead + Math.exp(-distance / 2) * withoutTrend(distance / spread, spread));
  }
  // In units of T = 1: distance / σ√T, and half of σ√T for the trend.
  const size = Math.abs(distance) / spread;
  const trend = spread / 2;
  const decay = Math.exp(-(size * size + trend * trend) / 2);
  // e^(trend·size)·Φ(−size − trend), and e^(−trend·size)·Φ(trend − size).
  const far = 0.5 * decay * scaledErfc((size + trend) * Math.SQRT1_2);
  const near =
    size >= trend ? 0.5 * decay * scaledErfc((size - trend) * Math.SQRT1_2) : Math.exp(-trend * size) * normalBelow(trend - size);
  const inverseRoot = (near - far) / trend;
  const rootIntegral = (inverseRoot / 2 + (size * (near + far)) / 2 - decay * normalDensity(0)) * (2 / (trend * trend));
  return days * (ahead + Math.exp(-distance / 2) * ((distance / spread / 2) * inverseRoot - (spread / 4) * rootIntegral));
}

/** The two integrals for E = exp(−b²/(2σ²t)), combined as in {@link expectedTimeBelow}. */
function withoutTrend(place: number, spread: number): number {
  const size = Math.abs(place);
  const density = normalDensity(place);
  if (density === 0) {
    return 0;
  }
  const inverseRoot = 2 * (density - size * normalBelow(-size));
  const rootIntegral = (2 / 3) * (density - ((size * size) / 2) * inverseRoot);
  return (place / 2) * inverseRoot - (spread / 4) * rootIntegral;
}

/** The expected share of the time, 0 to 1, that the price spends between two distances. */
export function shareOfTime({ below, above }: Ends, sigmaPerDay: number, days: number): number {
  return clampShare((expectedTimeBelow(above, sigmaPerDay, days) - expectedTimeBelow(-below, sigmaPerDay, days)) / days);
}

/**
 * The probability that the price stays inside of a range all the time, 0 to 1; 0 if it starts outside.
 *
 * Two absorbing barriers (Karatzas, Shreve, "Brownian Motion and Stochastic Calculus", 2.8), by the method of images if the range is wide beside
 * σ√T, else as a series of sines; with Girsanov's factor for the trend −σ²/2.
 */
export function probabilityToStay({ below, above }: Ends, sigmaPerDay: number, days: number): number {
  if (below <= 0 || above <= 0) {
    return 0;
  }
  const spread = sigmaPerDay * Math.sqrt(days);
  return clampShare((below + above) / spread > WIDE ? byImages(below, above, spread) : bySines(below, above, spread));
}

/**
 * The start and its mirror images at both ends, again and again: of the Gaussian around each the part inside the range. A Gaussian that starts at
 * `from` counts exp(−from/2) times, which is the trend of the logarithm, and moves by −σ²T/2.
 */
function byImages(below: number, above: number, spread: number): number {
  const width = below + above;
  // Of two values near 1 the difference would be rounding: it is taken on the side of the smaller tails.
  const inside = (center: number): number => {
    const [from, to] = [(-below - center) / spread, (above - center) / spread];
    return from > 0 ? normalBelow(-from) - normalBelow(-to) : normalBelow(to) - normalBelow(from);
  };
  let sum = 0;
  for (let image = -MOST_TERMS; image <= MOST_TERMS; image += 1) {
    const shift = 2 * image * width;
    const mirrored = 2 * above - shift;
    sum += weighted(shift, inside(shift - (spread * spread) / 2)) - weighted(mirrored, inside(mirrored - (spread * spread) / 2));
  }
  return sum;
}

/** A probability times exp(−from/2), which may be infinite where the probability is 0. */
function weighted(from: number, probability: number): number {
  return probability === 0 ? 0 : Math.exp(-from / 2) * probability;
}

function bySines(below: number, above: number, spread: number): number {
  const width = below + above;
  let sum = 0;
  for (let term = 1; term <= MOST_TERMS; term += 1) {
    const wave = (term * Math.PI) / width;
    const decay = Math.exp(-(spread * spread * (wave * wave + 0.25)) / 2);
    // ∫ exp(−u/2)·sin(wave·(u + below)) du over the range.
    const end = Math.exp(-above / 2) * (term % 2 === 0 ? 1 : -1);
    const integral = (wave * (Math.exp(below / 2) - end)) / (wave * wave + 0.25);
    sum += (2 / width) * decay * Math.sin(wave * below) * integral;
  }
  return sum;
}

/**
 * The expected time until the price leaves a range, days; 0 if it starts outside. As p is a martingale, it leaves upwards with the probability
 * q = (1 − e^−D)/(e^U − e^−D), and E[u] = −σ²/2·E[time] at that moment; about D·U/σ².
 */
export function expectedExit({ below, above }: Ends, sigmaPerDay: number): number {
  if (below <= 0 || above <= 0) {
    return 0;
  }
  const fall = -Math.expm1(-below);
  const rise = Math.expm1(above);
  const downwards = rise / (rise + fall);
  return (2 * (downwards * below - (1 - downwards) * above)) / (sigmaPerDay * sigmaPerDay);
}

/** A probability without the rounding that takes it out of 0 to 1. */
function clampShare(share: number): number {
  return Math.min(Math.max(share, 0), 1);
}
