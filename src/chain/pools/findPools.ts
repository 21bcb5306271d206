import bs58 from 'bs58';
import * as z from 'zod';
import { type Address, parseAddress } from '../../base/solana/address';
import { dammVault, dlmmReserve } from '../../base/solana/pda';
import { PROGRAMS, USDC_MINT, USDT_MINT, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { HistoryIndex, PoolProgram } from '../index/types';
import { readAccounts } from '../positions/accounts';
import { ChainRpcError, type ChainRpcErrorKind } from '../rpc/errors';
import type { ChainRpc } from '../rpc/types';
import { SharedAnswers } from '../positions/sharedAnswers';

/** What finding pools needs. */
export interface PoolFinderOptions {
  readonly rpc: ChainRpc;
  readonly index: Pick<HistoryIndex, 'pools'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: (line: string) => void;
}

/** The pools of a token, and where its mint is in their accounts. */
const SEARCHES: Readonly<
  Record<PoolProgram, { readonly program: Address; readonly discriminator: string; readonly x: number; readonly y: number }>
> = {
  dlmm: { program: PROGRAMS.dlmm, discriminator: '210b3162b565b10d', x: 88, y: 120 },
  damm: { program: PROGRAMS.dammV2, discriminator: 'f19a6d0411b16dbc', x: 168, y: 200 },
};
/** Tokens of a large part of all pools: the answer would have a hundred thousand. */
const TOO_COMMON: ReadonlySet<Address> = new Set([WRAPPED_SOL_MINT, USDC_MINT, USDT_MINT]);
/** Failures that another try would repeat: the RPC does not search, or not that much. */
export const NO_SEARCH: ReadonlySet<ChainRpcErrorKind> = new Set(['refusedMethod', 'refused', 'timeout', 'invalidResponse']);
/** After this time a search is repeated, also a failed one. */
const GOOD_FOR_MS = 60_000;
const MOST_SEARCHES = 200;
/** Most pools of one search. */
const MOST_FOUND = 1_000;
const SHORT_LIST = 50;
/** Place of the amount in a token account, behind mint and owner. */
const AMOUNT_AT = 64;

/** The addresses are checked after the list is cut: a token may be in a hundred thousand pools. */
const Found = z.array(z.object({ pubkey: z.string() }));

/** Finds pools by the index and the chain. */
export class PoolFinder {
  readonly #options: PoolFinderOptions;
  readonly #found: SharedAnswers<string, readonly Address[]>;
  #isRefusalLogged = false;

  constructor(options: PoolFinderOptions) {
    this.#options = options;
    this.#found = new SharedAnswers({ most: MOST_SEARCHES, goodForMs: GOOD_FOR_MS, now: options.now });
  }

  /** At most so many pools in which any known owner has or had a position. */
  known(program: PoolProgram | undefined, most: number): readonly Address[] {
    return this.#options.index.pools(program, most);
  }

  /** The pools that trade a token; none if the RPC refuses to search, or the token is in too many of them. */
  async trading(mint: Address, program: PoolProgram): Promise<readonly Address[]> {
    return TOO_COMMON.has(mint) ? [] : await this.#found.of(`${program} ${mint}`, () => this.#searchOrNone(mint, program));
  }

  async #searchOrNone(mint: Address, program: PoolProgram): Promise<readonly Address[]> {
    try {
      return await this.#search(mint, program);
    } catch (error) {
      if (!(error instanceof ChainRpcError) || !NO_SEARCH.has(error.kind)) {
        throw error;
      }
      if (!this.#isRefusalLogged) {
        this.#isRefusalLogged = true;
        this.#options.log(
          `The RPC does not search accounts: of the pools of a token, only those of known positions are listed. ${error.message}`,
        );
      }
      return [];
    }
  }

  /** Most pools of a token are empty: a long list is ordered by what they have of it. */
  async #largestFirst(pools: readonly Address[], mint: Address, program: PoolProgram): Promise<readonly Address[]> {
    if (pools.length <= SHORT_LIST) {
      return pools;
    }
    const vaultOf = program === 'dlmm' ? dlmmReserve : dammVault;
    const vaults = pools.map((pool) => ({ pool, vault: vaultOf(pool, mint) }));
    const accounts = await readAccounts(
      this.#options.rpc,
      vaults.map(({ vault }) => vault),
    );
    const amountIn = (vault: Address): number => {
      const data = accounts.get(vault)?.data;
      return data === undefined || data.length < AMOUNT_AT + 8 ? 0 : Number(data.readBigUInt64LE(AMOUNT_AT));
    };
    return vaults
      .map(({ pool, vault }) => ({ pool, amount: amountIn(vault) }))
      .sort((one, other) => other.amount - one.amount)
      .map(({ pool }) => pool);
  }

  async #search(mint: Address, of: PoolProgram): Promise<readonly Address[]> {
    const { program, discriminator, ...places } = SEARCHES[of];
    const found = await Promise.all(
      [places.x, places.y].map((offset) =>
        this.#options.rpc.call(
          'getProgramAccounts',
          [
            program,
            {
              encoding: 'base64',
              commitment: 'confirmed',
              dataSlice: { offset: 0, length: 0 },
              filters: [
                { memcmp: { offset: 0, bytes: bs58.encode(Buffer.from(discriminator, 'hex')) } },
                { memcmp: { offset, bytes: mint } },
              ],
            },
          ],
          Found,
        ),
      ),
    );
    const addresses = [...new Set(found.flat().map(({ pubkey }) => pubkey))].slice(0, MOST_FOUND);
    return await this.#largestFirst(
      addresses.flatMap((text) => parseAddress(text) ?? []),
      mint,
      of,
    );
  }
}
