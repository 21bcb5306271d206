import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import bs58 from 'bs58';
import type { AddParameters, DecreaseParameters, LandParameters } from '../../../../../src/engine/engine';
import { openWorld, type World } from '../../../../../src/sandbox/market/engine/world';
import type { MarketPool, Position } from '../../../../../src/sandbox/market/types';
import { Database } from '../../../../../src/sandbox/store/database';
import type { WireAdd, WireDecrease } from '../../../../../src/engine/wire/transactions';
import { address, addressFromBytes, type Address } from '../../../../../src/base/solana/address';
import type { RentRate } from '../../../../../src/base/solana/rent';
import { signAll } from '../../sign';

/** 2026-11-20T12:00:00Z. */
export const NOON = 1_795_176_000_000;
const HOUR_MS = 3_600_000;
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A wallet that signs: its address, and its secret key as the sandbox prints it. */
export interface Wallet {
  readonly owner: Address;
  readonly secretKey: string;
}

/** The wallet whose seed is this byte, thirty-two times. */
export function walletOf(byte: number): Wallet {
  const seed = Buffer.alloc(32, byte);
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  return { owner: addressFromBytes(publicKey), secretKey: bs58.encode(Buffer.concat([seed, publicKey])) };
}

/** Which of the two bundles of an operation. */
export type Variant = 'withJito' | 'plain';

/** What a test says of an entry; the rest is filled in. */
export type Entry = Partial<AddParameters> & Pick<AddParameters, 'input'>;

/** A world for the tests of a `describe`: made when it is first needed, gone after them. */
export function useWorld(): TestWorld {
  const test = new TestWorld();
  after(() => test.close());
  return test;
}

/** What a world is made from. `rent`: the highest known by default. */
interface WorldOrigin {
  readonly seed: number;
  readonly pastHours: number;
  readonly rent?: RentRate | undefined;
}

/** A world with a short past, a clock of its own and an owner who signs; made when it is first needed. */
export class TestWorld {
  readonly wallet = walletOf(7);
  now = NOON;
  #opened: World | undefined;
  #memory: Database | undefined;
  #drawn = 0;

  readonly #made: WorldOrigin;

  constructor(made: WorldOrigin = { seed: 1, pastHours: 6 }) {
    this.#made = made;
  }

  get database(): Database {
    return (this.#memory ??= Database.inMemory());
  }

  get world(): World {
    return (this.#opened ??= this.#open(this.#made));
  }

  get owner(): Address {
    return this.wallet.owner;
  }

  /** Opens what the database has a second time, as a start does; the first one is to be forgotten. */
  restart(): void {
    this.#opened = this.#open({ seed: 99, pastHours: 0 });
  }

  close(): void {
    this.#memory?.close();
  }

  /** Lets time pass. */
  advance(ms: number): void {
    this.now += ms;
    this.world.engine.advance();
  }

  pool(key: string): MarketPool {
    const pool = this.world.market.pools.find(({ spec }) => spec.key === key);
    if (pool === undefined) {
      throw new Error(`There is no pool ${key}`);
    }
    return pool;
  }

  position(of: string): Readonly<Position> {
    const position = this.world.market.positions.at(address(of));
    if (position === undefined) {
      throw new Error(`There is no position ${of}`);
    }
    return position;
  }

  lamports(of: Address = this.owner): bigint {
    return this.world.chain.lamports(of);
  }

  tokens(mint: Address): bigint {
    return this.world.chain.tokenBalance(this.owner, mint);
  }

  /** Builds an entry; in pools with bins twenty-one of them about the active one where nothing else is said. */
  add(pool: MarketPool, { input, ...given }: Entry): WireAdd {
    const range =
      pool.type === 'bins'
        ? { fromBinId: pool.activeBinId - 10, toBinId: pool.activeBinId + 10 }
        : { fromBinId: undefined, toBinId: undefined };
    return this.world.engine.buildAdd({
      pool: pool.address,
      owner: this.owner,
      strategy: 'Spot',
      slippageBps: 500,
      ...range,
      ...given,
      input,
    });
  }

  /** An entry with so much SOL, half of it for each token. */
  zapIn(pool: MarketPool, lamports: bigint, given: Partial<AddParameters> = {}): WireAdd {
    return this.add(pool, { ...given, input: { mode: 'zap-in', lamports, percentX: 0.5 } });
  }

  decrease(position: string, bps: number, given: Partial<DecreaseParameters> = {}): WireDecrease {
    return this.world.engine.buildDecrease({
      positionId: position,
      bps,
      owner: this.owner,
      slippageBps: 500,
      output: 'allBaseToken',
      protocol: undefined,
      fromBinId: undefined,
      toBinId: undefined,
      ...given,
    });
  }

  /** The transactions of an entry, signed. */
  signedAdd(built: WireAdd, variant: Variant = 'withJito'): LandParameters {
    const [first, second] =
      variant === 'withJito' ? [built.swapTxsWithJito, built.addLiquidityTxsWithJito] : [built.swapTxs, built.addLiquidityTxs];
    return { first: this.sign(first), second: this.sign(second) };
  }

  /** The transactions of a withdrawal, signed. */
  signedDecrease(built: WireDecrease, variant: Variant = 'withJito'): LandParameters {
    const [first, second] = variant === 'withJito' ? [built.closeTxsWithJito, built.swapTxsWithJito] : [built.closeTxs, built.swapTxs];
    return { first: this.sign(first), second: this.sign(second) };
  }

  sign(transactions: readonly string[]): string[] {
    return signAll(transactions, this.wallet.secretKey);
  }

  landAdd(built: WireAdd, variant: Variant = 'withJito'): string {
    return this.world.engine.land('add', this.signedAdd(built, variant)).signature;
  }

  landDecrease(built: WireDecrease, variant: Variant = 'withJito'): string {
    return this.world.engine.land('decrease', this.signedDecrease(built, variant)).signature;
  }

  /** Zaps in and lands; gives the position. */
  entered(pool: MarketPool, lamports: bigint, given: Partial<AddParameters> = {}): string {
    const built = this.zapIn(pool, lamports, given);
    this.landAdd(built);
    return built.meta.positionPubKey;
  }

  #open({ seed, pastHours, rent }: WorldOrigin): World {
    return openWorld({
      database: this.database,
      seed,
      now: () => this.now,
      owner: this.owner,
      random: (count) => {
        this.#drawn += 1;
        return new Uint8Array(createHash('shake256', { outputLength: count }).update(String(this.#drawn)).digest());
      },
      protocols: { bins: 'meteora', product: 'meteora_damm_v2' },
      pastMs: pastHours * HOUR_MS,
      rent,
    });
  }
}
