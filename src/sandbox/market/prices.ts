import * as z from 'zod';
import { SOL_KEY, TOKENS, type TokenSpec } from './catalog';
import type { Random } from './random';

/** How a token's price stands, in logarithms: where it hovers, how far it is from there by itself, how restless it is. */
export const TokenState = z.object({
  /** Logarithm of the US dollar price to which it returns. */
  anchor: z.number(),
  /** Its own distance from the anchor; what it shares with SOL comes on top. */
  own: z.number(),
  /** Logarithm of a factor on its volatility. */
  restlessness: z.number(),
});
export type TokenState = z.output<typeof TokenState>;

/** All tokens by key. */
export const TokenStates = z.record(z.string(), TokenState);
export type TokenStates = z.output<typeof TokenStates>;

const SECONDS_A_DAY = 86_400;
const SECONDS_A_YEAR = 365 * SECONDS_A_DAY;
/** A price that has gone astray is half way back after about this long. */
const REVERSION_SECONDS = 14 * SECONDS_A_DAY;
/** Pegged tokens (no jumps of their own) come back sooner. */
const PEG_REVERSION_SECONDS = SECONDS_A_DAY / 4;
const RESTLESSNESS_SECONDS = 3 * 3_600;
const RESTLESSNESS_SPREAD = 0.4;
/** A jump, as a part of a year's volatility. */
const JUMP_SIZE = 0.03;

/** Where a scripted price has to be, and when: how far from the anchor, in so many seconds. */
export interface Waypoint {
  readonly own: number;
  readonly inSeconds: number;
}

/** What the tokens start from. Prices differ a little from seed to seed. */
export function startingTokens(random: Random): TokenStates {
  const solShift = 0.06 * random.normal();
  return Object.fromEntries(
    TOKENS.map((token) => {
      const ownShift = isPegged(token) || token.key === SOL_KEY ? 0 : 0.12 * random.normal();
      return [token.key, { anchor: Math.log(token.priceUsd) + token.beta * solShift + ownShift, own: 0, restlessness: 0 }];
    }),
  );
}

/** US dollars for one whole token. */
export function usdPrice(tokens: TokenStates, token: TokenSpec): number {
  const state = stateOf(tokens, token.key);
  const shared = token.key === SOL_KEY ? 0 : token.beta * stateOf(tokens, SOL_KEY).own;
  return Math.exp(state.anchor + shared + state.own);
}

/**
 * Moves a token's price on: a random walk with changing volatility and jumps that is drawn back to its anchor; or, on the
 * way to a waypoint, a bridge that reaches it in time.
 */
export function moveToken(state: TokenState, token: TokenSpec, random: Random, seconds: number, waypoint?: Waypoint): void {
  if (token.volatility === 0) {
    return;
  }
  const calm = Math.exp(-seconds / RESTLESSNESS_SECONDS);
  state.restlessness = state.restlessness * calm + RESTLESSNESS_SPREAD * Math.sqrt(1 - calm * calm) * random.normal();
  const deviation = token.volatility * Math.exp(state.restlessness) * Math.sqrt(seconds / SECONDS_A_YEAR);
  if (waypoint !== undefined) {
    const part = Math.min(1, seconds / waypoint.inSeconds);
    state.own += (waypoint.own - state.own) * part + deviation * Math.sqrt(1 - part) * random.normal();
    return;
  }
  const back = Math.exp(-seconds / (isPegged(token) ? PEG_REVERSION_SECONDS : REVERSION_SECONDS));
  const jumps = random.count((token.jumpsPerDay * seconds) / SECONDS_A_DAY);
  const jump = jumps === 0 ? 0 : Math.sqrt(jumps) * JUMP_SIZE * token.volatility * random.normal();
  state.own = state.own * back + deviation * random.normal() + jump;
}

/** The state of a token; every token of the catalogue has one. @throws RangeError where the store lost it. */
export function stateOf(tokens: TokenStates, key: string): TokenState {
  const state = tokens[key];
  if (state === undefined) {
    throw new RangeError(`No price of ${key}`);
  }
  return state;
}

function isPegged(token: TokenSpec): boolean {
  return token.volatility < 0.1;
}
