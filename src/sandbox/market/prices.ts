import * as z from 'zod';
import { DAY_S, HOUR_S } from '../../base/time';
import { SOL_KEY, TOKENS, type TokenSpec, mintOf, tokenSpec } from './catalog';
import { Random } from './random';
import { readJson } from '../store/meta';
import type { Database } from '../store/database';
import { WorkingSet } from '../store/workingSet';

/** State of a token's price, in logarithms. */
export const TokenState = z.object({
  /** Logarithm of the US dollar price to which the price reverts. */
  anchor: z.number(),
  /** The token's own distance from the anchor, without its share in SOL's movement. */
  own: z.number(),
  /** Logarithm of a factor on the volatility. */
  restlessness: z.number(),
});
export type TokenState = z.output<typeof TokenState>;

/** The states of tokens by key in the catalog. */
export interface TokenStates {
  get(key: string): Readonly<TokenState> | undefined;
  /** A state that the caller changes in place. */
  edit(key: string): TokenState | undefined;
}

const SECONDS_PER_YEAR = 365 * DAY_S;
/** Time constant of mean reversion. */
const REVERSION_SECONDS = 14 * DAY_S;
/** Time constant of pegged tokens. */
const PEG_REVERSION_SECONDS = DAY_S / 4;
const RESTLESSNESS_SECONDS = 3 * HOUR_S;
const RESTLESSNESS_SPREAD = 0.4;
/** Standard deviation of a jump, as a part of the yearly volatility. */
const JUMP_SIZE = 0.03;
/** Largest distance of a price from its anchor, as a logarithm. */
const FARTHEST = Math.log(1_000);
/** Tokens with a lower yearly volatility count as pegged. */
const PEGGED_BELOW = 0.1;

/** States in memory only. */
export function inMemory(states: Map<string, TokenState>): TokenStates {
  return { get: (key) => states.get(key), edit: (key) => states.get(key) };
}

/** Initial states of all tokens. Prices depend slightly on the seed. */
export function startingStates(seed: number): Map<string, TokenState> {
  const random = Random.seeded(seed, 'tokens');
  const solShift = 0.06 * random.normal();
  return new Map(
    TOKENS.map((token) => {
      const ownShift = isPegged(token) || token.key === SOL_KEY ? 0 : 0.12 * random.normal();
      return [token.key, { anchor: Math.log(token.priceUsd) + token.beta * solShift + ownShift, own: 0, restlessness: 0 }];
    }),
  );
}

/**
 * Prices of all tokens: mean-reverting random walks with changing volatility and jumps, correlated with SOL. Only {@link step} and
 * {@link move} change them, so future prices do not depend on trades.
 */
export class PriceWalk {
  readonly #states: TokenStates;
  readonly #random: Random;

  constructor(states: TokenStates, random: Random) {
    this.#states = states;
    this.#random = random;
  }

  /** An independent copy; the same steps lead to the same prices. */
  copy(): PriceWalk {
    const states = new Map(TOKENS.map(({ key }) => [key, { ...this.#stateOf(key) }]));
    return new PriceWalk(inMemory(states), Random.restored(this.#random.save()));
  }

  /** US dollars for one whole token. */
  usd(token: TokenSpec): number {
    const { anchor, own } = this.#stateOf(token.key);
    const shared = token.key === SOL_KEY ? 0 : token.beta * this.#stateOf(SOL_KEY).own;
    return Math.exp(anchor + shared + own);
  }

  /** Factor on a token's usual volatility, around 1. */
  volatilityFactor(token: TokenSpec): number {
    return Math.exp(this.#stateOf(token.key).restlessness);
  }

  /** Advances all prices by a number of seconds. */
  step(seconds: number): void {
    for (const token of TOKENS) {
      if (token.volatility > 0) {
        walk(this.#edited(token.key), token, this.#random, seconds);
      }
    }
  }

  /**
   * Multiplies a token's price by `factor`. Prices that are correlated with SOL follow SOL.
   * @throws RangeError if the result is not a price, or differs from the anchor by a factor of more than a thousand
   */
  move(token: TokenSpec, factor: number): void {
    const own = this.#stateOf(token.key).own + Math.log(factor);
    if (!(Math.abs(own) <= FARTHEST)) {
      throw new RangeError(
        `The price of ${token.symbol} cannot be ${factor} times what it is: it stays within a thousand times of where it hovers`,
      );
    }
    this.#edited(token.key).own = own;
  }

  #stateOf(key: string): Readonly<TokenState> {
    return known(this.#states.get(key), key);
  }

  #edited(key: string): TokenState {
    return known(this.#states.edit(key), key);
  }
}

function walk(state: TokenState, token: TokenSpec, random: Random, seconds: number): void {
  const calm = Math.exp(-seconds / RESTLESSNESS_SECONDS);
  state.restlessness = state.restlessness * calm + RESTLESSNESS_SPREAD * Math.sqrt(1 - calm * calm) * random.normal();
  const deviation = token.volatility * Math.exp(state.restlessness) * Math.sqrt(seconds / SECONDS_PER_YEAR);
  const back = Math.exp(-seconds / (isPegged(token) ? PEG_REVERSION_SECONDS : REVERSION_SECONDS));
  const jumps = random.count((token.jumpsPerDay * seconds) / DAY_S);
  const jump = jumps === 0 ? 0 : Math.sqrt(jumps) * JUMP_SIZE * token.volatility * random.normal();
  state.own = state.own * back + deviation * random.normal() + jump;
}

function isPegged(token: TokenSpec): boolean {
  return token.volatility < PEGGED_BELOW;
}

/** @throws RangeError if there is no state; every token of the catalog has one */
function known<State>(state: State | undefined, key: string): State {
  if (state === undefined) {
    throw new RangeError(`No price of ${key}`);
  }
  return state;
}

const StateRow = z.object({ state: z.string() });

function stored(database: Database, key: string): TokenState | undefined {
  const row = database.get(StateRow, 'SELECT state FROM token WHERE key = ?', key);
  return row === undefined ? undefined : readJson(TokenState, row.state, `The price of ${key}`);
}

/** The table `token`: price states by key in the catalog. A token without a row starts with the state of the seed. */
export function tokenStates(database: Database, seed: number): WorkingSet<string, TokenState> {
  const starting = startingStates(seed);
  return new WorkingSet<string, TokenState>({
    load: (key) => stored(database, key) ?? starting.get(key),
    save: (key, state) =>
      database.run(
        'INSERT INTO token (key, mint, state) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET state = excluded.state',
        key,
        mintOf(seed, tokenSpec(key)),
        JSON.stringify(state),
      ),
    remove: (key) => database.run('DELETE FROM token WHERE key = ?', key),
    copy: (state) => ({ ...state }),
  });
}
