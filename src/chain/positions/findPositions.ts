import bs58 from 'bs58';
import * as z from 'zod';
import { type Address, addressFromBytes, parseAddress } from '../../base/solana/address';
import { dammPosition } from '../../base/solana/pda';
import { PROGRAMS } from '../../base/solana/programs';
import { HOLDING_BYTES, readHolding, tokenAmount } from '../../base/solana/tokenAccount';
import type { HistoryIndex, IndexProgress, PoolProgram } from '../index/types';
import { ChainRpcError } from '../rpc/errors';
import { OptionalMethod } from '../rpc/optionalMethod';
import type { ChainRpc } from '../rpc/types';
import { COMMITMENT, ProgramAccounts, TokenAccounts } from './accounts';
import { POSITION_DISCRIMINATOR, POSITION_LAYOUT } from './dlmmAccounts';
import { LruMap } from './lruMap';
import type { PublicPositions } from './publicPositions';

/** A position of an owner, before its account is read. */
export interface FoundPosition {
  readonly address: Address;
  readonly program: 'dlmm' | 'damm';
  readonly owner: Address;
  /** As far as it is known without the account. */
  readonly pool: Address | undefined;
}

/** Positions of an owner in one program. */
export interface FoundOfOwner {
  readonly found: readonly FoundPosition[];
  /** How far the owner's history was read, where they are from there. */
  readonly history: IndexProgress | undefined;
}

/** What finding positions needs. */
export interface PositionFinderOptions {
  readonly rpc: ChainRpc;
  readonly index: Pick<HistoryIndex, 'catchUp' | 'positions'>;
  /** `undefined`: without public data. */
  readonly publicPositions?: Pick<PublicPositions, 'open'> | undefined;
  /** Milliseconds, on a clock that never goes back. */
  readonly now: () => number;
  readonly log: (line: string) => void;
}

/** After a refusal `getProgramAccounts` is not tried again for this long. */
const REFUSAL_MS = 10 * 60_000;
/** How long a request waits for the history, where positions are known from there alone. The answer says that more may come. */
const HISTORY_WAIT_MS = 2_000;

const MOST_OWNERS = 1_000;

const ADDRESS_BYTES = 32;

const LargestAccounts = z.object({ value: z.array(z.object({ address: z.string(), amount: z.string() })) });

/** Finds the positions of owners, without their contents. */
export class PositionFinder {
  readonly #options: PositionFinderOptions;
  /** `undefined`: not refused. */
  #refusedAt: number | undefined;
  /** What was logged last about an owner's history: a client may ask every few seconds. */
  readonly #lastLogged = new LruMap<Address, string>(MOST_OWNERS);

  readonly #nftSearch: OptionalMethod;

  constructor(options: PositionFinderOptions) {
    this.#options = options;
    this.#nftSearch = new OptionalMethod({ ...options, without: "Open DAMM v2 positions are read from each owner's history." });
  }

  /** Positions in bins, by their owner. Where the RPC refuses to search accounts, from the owner's history. */
  async dlmm(owner: Address): Promise<FoundOfOwner> {
    const { now } = this.#options;
    if (this.#refusedAt !== undefined && now() - this.#refusedAt < REFUSAL_MS) {
      return await this.#fromHistory(owner);
    }
    try {
      const found = await this.#search(owner);
      this.#refusedAt = undefined;
      return { found, history: undefined };
    } catch (error) {
      if (!(error instanceof ChainRpcError) || error.kind !== 'refusedMethod') {
        throw error;
      }
      this.#refusedAt = now();
      this.#options.log(
        `The RPC does not search accounts: open DLMM positions are those of public data and of each owner's history. ${error.message}`,
      );
      return await this.#fromHistory(owner);
    }
  }

  /**
   * Positions without bins, by the NFTs among the owner's token accounts. Others' NFTs are in the list, too. Where they are not searched, from the owner's
   * history: an NFT that was received is not there. A failure never keeps positions in bins from being listed.
   */
  async damm(owner: Address): Promise<FoundOfOwner> {
    const found = await this.#nftSearch.try(() => this.#searchNfts(owner));
    return found === undefined ? await this.#fromHistory(owner, 'damm') : { found, history: undefined };
  }

  async #searchNfts(owner: Address): Promise<readonly FoundPosition[]> {
    const { value } = await this.#options.rpc.call(
      'getTokenAccountsByOwner',
      [
        owner,
        { programId: PROGRAMS.token2022 },
        { encoding: 'base64', commitment: COMMITMENT, dataSlice: { offset: 0, length: HOLDING_BYTES } },
      ],
      TokenAccounts,
    );
    return value.flatMap(({ account: { data } }): readonly FoundPosition[] =>
      data.length === HOLDING_BYTES && tokenAmount(data) === 1n
        ? [{ address: dammPosition(readHolding(data).mint), program: 'damm', owner, pool: undefined }]
        : [],
    );
  }

  /** The token account that holds an NFT; `undefined`: none does. @throws ChainRpcError also if the RPC does not offer the search */
  async holderOf(nftMint: Address): Promise<Address | undefined> {
    const { value } = await this.#options.rpc.call('getTokenLargestAccounts', [nftMint, { commitment: COMMITMENT }], LargestAccounts);
    const holder = value.find(({ amount }) => amount === '1');
    return holder === undefined ? undefined : parseAddress(holder.address);
  }

  async #search(owner: Address): Promise<readonly FoundPosition[]> {
    const { pool } = POSITION_LAYOUT;
    const found = await this.#options.rpc.call(
      'getProgramAccounts',
      [
        PROGRAMS.dlmm,
        {
          encoding: 'base64',
          commitment: COMMITMENT,
          dataSlice: { offset: pool, length: ADDRESS_BYTES },
          filters: [
            { memcmp: { offset: 0, bytes: bs58.encode(POSITION_DISCRIMINATOR) } },
            { memcmp: { offset: POSITION_LAYOUT.owner, bytes: owner } },
          ],
        },
      ],
      ProgramAccounts,
    );
    return found.map(({ pubkey, account: { data } }) => ({
      address: pubkey,
      program: 'dlmm',
      owner,
      pool: data.length === ADDRESS_BYTES ? addressFromBytes(data) : undefined,
    }));
  }

  /** From the owner's history, and from public data, whose positions are there before the history is read. Both are read from their accounts. */
  async #fromHistory(owner: Address, program: PoolProgram = 'dlmm'): Promise<FoundOfOwner> {
    const { index, publicPositions } = this.#options;
    const listed = program === 'dlmm' ? await publicPositions?.open(owner) : undefined;
    const progress = await index.catchUp(owner, listed === undefined ? HISTORY_WAIT_MS : 0);
    this.#logIncomplete(owner, incompleteness(progress));
    const pools = new Map<Address, Address>([
      ...(listed ?? []).flatMap(({ pool, positions }) => positions.map((position) => [position, pool] as const)),
      ...index.positions({ owner }).flatMap((one) => (one.program === program && !one.closed ? [[one.address, one.pool] as const] : [])),
    ]);
    const found = [...pools].map(([address, pool]): FoundPosition => ({ address, program, owner, pool }));
    return { found, history: progress };
  }

  #logIncomplete(owner: Address, why: string): void {
    if (why !== '' && this.#lastLogged.get(owner) !== why) {
      this.#options.log(`Open DLMM positions of ${owner} may be missing from the list: ${why}.`);
    }
    this.#lastLogged.set(owner, why);
  }
}

/** Why a history may lack positions; empty: it does not. */
function incompleteness({ state, prunedBeforeSlot, error }: IndexProgress): string {
  if (error !== undefined) {
    return `the history could not be read (${error})`;
  }
  if (state !== 'current') {
    return 'the history is still being read';
  }
  return prunedBeforeSlot === undefined ? '' : `the RPC has no history before slot ${prunedBeforeSlot}`;
}
