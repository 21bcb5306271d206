import bs58 from 'bs58';
import * as z from 'zod';
import { type Address, address } from '../../base/solana/address';
import { dammVault, dlmmReserve } from '../../base/solana/pda';
import { PROGRAMS } from '../../base/solana/programs';
import type { PoolProgram } from '../index/types';
import { ChainRpcError } from '../rpc/errors';
import type { ChainRpc } from '../rpc/types';
import { readAccounts } from './accounts';
import { LiveBinPool } from './binPool';
import type { LivePool } from './livePool';
import { LiveProductPool } from './productPool';

/** Places of the two mints in the accounts of pools (IDLs of lb_clmm 0.12.0 and cp_amm 0.2.5), and where their tokens are. */
const LAYOUTS: Readonly<Record<PoolProgram, Layout>> = {
  dlmm: { program: PROGRAMS.dlmm, discriminator: '210b3162b565b10d', mints: [88, 120], vault: dlmmReserve },
  damm: { program: PROGRAMS.dammV2, discriminator: 'f19a6d0411b16dbc', mints: [168, 200], vault: dammVault },
};

interface Layout {
  readonly program: Address;
  /** Hexadecimal. */
  readonly discriminator: string;
  readonly mints: readonly [number, number];
  readonly vault: (pool: Address, mint: Address) => Address;
}

/** The amount in a token account. */
const AMOUNT_AT = 64;

/** How long the pools of a pair are remembered. New pools are rare, and looking for them is expensive. */
const REMEMBERED_MS = 600_000;
/** Pairs that are remembered. */
const MOST_PAIRS = 500;
/** Pools of a pair whose size is read. */
const MOST_FOUND = 400;
/** Pools of each program that a quote asks: those with the most of the token that is bought. */
const MOST_CANDIDATES = 3;

const Listed = z.array(z.object({ pubkey: z.string() }));

interface FoundPool {
  readonly address: Address;
  readonly program: PoolProgram;
}

/** Gives the pools of a pair. */
export interface PoolSource {
  /** The largest pools that sell `buy` for `sell`, or the other way round. */
  pools(sell: Address, buy: Address): Promise<readonly LivePool[]>;
}

/** Finds pools by their tokens. Nodes that refuse `getProgramAccounts` find none. */
export class PoolSearch {
  readonly #rpc: ChainRpc;
  readonly #log: (text: string) => void;
  readonly #now: () => number;
  readonly #found = new Map<string, { readonly atMs: number; readonly pools: Promise<readonly FoundPool[]> }>();
  #isRefusalLogged = false;

  constructor(rpc: ChainRpc, log: (text: string) => void, now: () => number = () => performance.now()) {
    this.#rpc = rpc;
    this.#log = log;
    this.#now = now;
  }

  /** The largest pools of pairs for one request of a client: each pair is read once. @param rpc where they are read */
  once(rpc: ChainRpc): PoolSource {
    const read = new Map<string, Promise<readonly LivePool[]>>();
    return {
      pools: (sell, buy) => {
        const pair = [sell, buy].sort().join(' ');
        const reading = read.get(pair) ?? this.#pools(rpc, sell, buy);
        read.set(pair, reading);
        return reading;
      },
    };
  }

  async #pools(rpc: ChainRpc, sell: Address, buy: Address): Promise<readonly LivePool[]> {
    const found = await this.#candidates(sell, buy);
    const of = (program: PoolProgram): readonly Address[] => found.filter((one) => one.program === program).map((one) => one.address);
    const [bins, products] = await Promise.all([LiveBinPool.readAll(rpc, of('dlmm')), LiveProductPool.readAll(rpc, of('damm'))]);
    return [...bins, ...products];
  }

  #candidates(sell: Address, buy: Address): Promise<readonly FoundPool[]> {
    const key = `${sell} ${buy}`;
    const known = this.#found.get(key);
    if (known !== undefined && this.#now() - known.atMs < REMEMBERED_MS) {
      return known.pools;
    }
    const pools = this.#search(sell, buy);
    this.#found.delete(key);
    this.#found.set(key, { atMs: this.#now(), pools });
    pools.catch(() => this.#found.delete(key));
    const [oldest] = this.#found.keys();
    if (this.#found.size > MOST_PAIRS && oldest !== undefined) {
      this.#found.delete(oldest);
    }
    return pools;
  }

  async #search(sell: Address, buy: Address): Promise<readonly FoundPool[]> {
    const lists = await Promise.all(
      (['dlmm', 'damm'] as const).map(async (program) => {
        const both = await Promise.all([this.#list(program, sell, buy), this.#list(program, buy, sell)]);
        return this.#largest(program, buy, both.flat().slice(0, MOST_FOUND));
      }),
    );
    return lists.flat();
  }

  async #list(program: PoolProgram, first: Address, second: Address): Promise<readonly Address[]> {
    const { program: id, discriminator, mints } = LAYOUTS[program];
    const filters = [
      { memcmp: { offset: 0, bytes: bs58.encode(Buffer.from(discriminator, 'hex')) } },
      { memcmp: { offset: mints[0], bytes: first } },
      { memcmp: { offset: mints[1], bytes: second } },
    ];
    try {
      const options = { encoding: 'base64', commitment: 'confirmed', dataSlice: { offset: 0, length: 0 }, filters };
      const found = await this.#rpc.call('getProgramAccounts', [id, options], Listed);
      return found.map(({ pubkey }) => address(pubkey));
    } catch (error) {
      if (!(error instanceof ChainRpcError) || error.kind === 'cancelled') {
        throw error;
      }
      this.#noteRefusal(error);
      return [];
    }
  }

  #noteRefusal(error: ChainRpcError): void {
    if (!this.#isRefusalLogged) {
      this.#isRefusalLogged = true;
      this.#log(`${error.message} Swaps only go through the pool of the operation itself.`);
    }
  }

  async #largest(program: PoolProgram, buy: Address, pools: readonly Address[]): Promise<readonly FoundPool[]> {
    const vaults = new Map(pools.map((pool) => [pool, LAYOUTS[program].vault(pool, buy)]));
    const accounts = await readAccounts(this.#rpc, [...vaults.values()]);
    const held = (pool: Address): bigint => {
      const data = accounts.get(vaults.get(pool) ?? pool)?.data;
      return data === undefined || data.length < AMOUNT_AT + 8 ? 0n : data.readBigUInt64LE(AMOUNT_AT);
    };
    return pools
      .map((pool) => ({ address: pool, program, held: held(pool) }))
      .filter((pool) => pool.held > 0n)
      .sort((one, other) => (one.held < other.held ? 1 : -1))
      .slice(0, MOST_CANDIDATES);
  }
}
