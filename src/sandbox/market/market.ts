import * as z from 'zod';
import type { Address } from '../../solana/address';
import { mintOf, poolAddressOf, POOLS, SOL_KEY, TOKENS, tokenSpec, USDC_KEY, type PoolSpec } from './catalog';
import { cursorAt, Pool, PoolState, type PoolToken } from './pool';
import { PositionState } from './position';
import { moveToken, startingTokens, stateOf, TokenStates, usdPrice, type Waypoint } from './prices';
import { Random, RandomState } from './random';
import { emptySeries } from './series';
import { HOUR, SECOND } from './spans';
import { addBinArrays, trade } from './trading';

/** Everything that the market remembers. */
export const MarketState = z.object({
  seed: z.int(),
  /** When the sandbox was made, and up to when the market has been played; milliseconds since 1970. */
  startedAt: z.number(),
  now: z.number(),
  random: RandomState,
  tokens: TokenStates,
  /** By key of the catalogue. */
  pools: z.record(z.string(), PoolState),
  positions: z.array(PositionState),
});
export type MarketState = z.output<typeof MarketState>;

/** A pause is caught up on in at most so many steps, however long it was. */
const MOST_STEPS = 600;

/** Where scripted prices have to be; `undefined`: the token walks freely. */
export type Script = (tokenKey: string) => Waypoint | undefined;

/** Tokens, pools and positions, moving in time. Nothing happens but by {@link advance} and {@link shock}. */
export class Market {
  readonly tokens: readonly PoolToken[];
  readonly pools: readonly Pool[];
  private readonly random: Random;

  private constructor(
    private readonly state: MarketState,
    private readonly priceSpeed: number,
  ) {
    const { seed } = state;
    this.random = Random.restored(state.random);
    this.tokens = TOKENS.map((spec) => ({ spec, mint: mintOf(seed, spec) }));
    this.pools = POOLS.map((spec) => this.poolOf(spec));
  }

  /** A market as the catalogue has it, standing at `now`: nothing has been traded yet. Ages count from `startedAt`. */
  static blank(seed: number, startedAt: number, now: number, priceSpeed: number): Market {
    const tokens = startingTokens(Random.seeded(seed, 'tokens'));
    const pools = Object.fromEntries(POOLS.map((spec) => [spec.key, blankPool()]));
    const random = Random.seeded(seed, 'market').save();
    const market = new Market({ seed, startedAt, now, random, tokens, pools, positions: [] }, priceSpeed);
    market.place({});
    return market;
  }

  /** Goes on where {@link save} was called. */
  static restored(state: MarketState, priceSpeed: number): Market {
    return new Market(state, priceSpeed);
  }

  /** The state itself, up to date; to be written at once, not kept. */
  save(): MarketState {
    this.state.random = this.random.save();
    return this.state;
  }

  get seed(): number {
    return this.state.seed;
  }

  get now(): number {
    return this.state.now;
  }

  get startedAt(): number {
    return this.state.startedAt;
  }

  get positions(): readonly PositionState[] {
    return this.state.positions;
  }

  get sol(): PoolToken {
    return this.tokenByKey(SOL_KEY);
  }

  get usdc(): PoolToken {
    return this.tokenByKey(USDC_KEY);
  }

  tokenByMint(mint: Address): PoolToken | undefined {
    return this.tokens.find((token) => token.mint === mint);
  }

  poolAt(address: string): Pool | undefined {
    return this.pools.find((pool) => pool.address === address);
  }

  positionAt(address: string): PositionState | undefined {
    return this.state.positions.find((position) => position.address === address);
  }

  addPosition(position: PositionState): void {
    this.state.positions.push(position);
  }

  /** US dollars for one whole token. */
  usd(token: PoolToken): number {
    return usdPrice(this.state.tokens, token.spec);
  }

  get usdSol(): number {
    return this.usd(this.sol);
  }

  /** How restless a token is, as a yearly volatility. */
  volatilityOf(token: PoolToken): number {
    return token.spec.volatility * Math.exp(stateOf(this.state.tokens, token.spec.key).restlessness);
  }

  /** Plays the market up to `now`: second by second, or in longer steps after a pause. Never goes back. */
  advance(now: number): void {
    let left = Math.floor((now - this.state.now) / SECOND);
    const most = Math.max(1, Math.ceil(left / MOST_STEPS));
    while (left > 0) {
      const seconds = Math.min(most, left);
      this.step(seconds);
      left -= seconds;
    }
  }

  /** One step of so many seconds; with a script, prices go where it says. */
  step(seconds: number, script?: Script): void {
    this.state.now += seconds * SECOND;
    for (const { spec } of this.tokens) {
      moveToken(stateOf(this.state.tokens, spec.key), spec, this.random, seconds * this.priceSpeed, script?.(spec.key));
    }
    for (const pool of this.pools) {
      if (pool.createdAt <= this.state.now) {
        this.tradeIn(pool, seconds);
      } else {
        this.settle(pool);
      }
    }
  }

  /** Moves the price of the pool's token X by so many percent, at once and for all pools that trade it. */
  shock(pool: Pool, percent: number): void {
    stateOf(this.state.tokens, pool.tokenX.spec.key).own += Math.log1p(percent / 100);
    for (const affected of this.pools) {
      this.tradeIn(affected, 0);
    }
  }

  /** Puts tokens at so many from their anchors (logarithms), and the pools where those prices belong: how a script begins. */
  place(own: Readonly<Record<string, number>>): void {
    for (const [key, distance] of Object.entries(own)) {
      stateOf(this.state.tokens, key).own = distance;
    }
    for (const pool of this.pools) {
      this.settle(pool);
    }
  }

  /** Remembers positions and bins; the function that is returned puts them back. */
  checkpoint(): () => void {
    const positions = structuredClone(this.state.positions);
    const pools = this.pools.map(({ state }) => structuredClone({ bins: state.bins, binArrays: state.binArrays }));
    return () => {
      this.state.positions = positions;
      this.pools.forEach((pool, index) => Object.assign(pool.state, pools[index]));
    };
  }

  private tradeIn(pool: Pool, seconds: number): void {
    const { restlessness } = stateOf(this.state.tokens, pool.tokenX.spec.key);
    trade(pool, {
      now: this.state.now,
      seconds,
      usdX: this.usd(pool.tokenX),
      usdY: this.usd(pool.tokenY),
      activity: Math.exp(restlessness),
      random: this.random,
    });
  }

  private settle(pool: Pool): void {
    pool.state.cursor = cursorAt((this.usd(pool.tokenX) / this.usd(pool.tokenY)) * 10 ** (pool.tokenY.spec.decimals - pool.tokenX.spec.decimals), pool.spec.binStepBps);
    pool.state.center = pool.state.cursor;
    pool.state.binArrays = [];
    addBinArrays(pool);
  }

  private poolOf(spec: PoolSpec): Pool {
    const state = this.state.pools[spec.key];
    if (state === undefined) {
      throw new RangeError(`No state of pool ${spec.key}`);
    }
    const address = poolAddressOf(this.state.seed, spec);
    return new Pool(spec, address, this.tokenByKey(spec.tokenX), this.tokenByKey(spec.tokenY), this.state.startedAt - spec.ageHours * HOUR, state);
  }

  private tokenByKey(key: string): PoolToken {
    const spec = tokenSpec(key);
    return { spec, mint: mintOf(this.state.seed, spec) };
  }
}

function blankPool(): PoolState {
  return {
    cursor: 0,
    center: 0,
    depth: 0,
    volatility: { accumulator: 0, reference: 0, referenceBin: 0, tradedAt: 0 },
    bins: {},
    binArrays: [],
    series: emptySeries(),
  };
}
