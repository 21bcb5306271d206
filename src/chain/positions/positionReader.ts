import { CpAmm } from '@meteora-ag/cp-amm-sdk';
import { binArraysOf } from '../../base/dlmm/bins';
import { type Address, addressFromBytes } from '../../base/solana/address';
import { dammPositionNftAccount, dlmmBinArray } from '../../base/solana/pda';
import { CLOCK_ADDRESS, readClock } from './clock';
import { ChainRpcError } from '../rpc/errors';
import { type RawAccount, readAccounts } from './accounts';
import {
  type DammCoder,
  dammContents,
  type DammPool,
  type DammPosition,
  dammWaitingRewards,
  readDammPool,
  readDammPosition,
} from './dammAccounts';
import { dlmmContents, type DlmmPosition, readDlmmPosition } from './dlmmAccounts';
import { dlmmWaitingRewards } from './dlmmRewards';
import { type FoundPosition, PositionFinder, type PositionFinderOptions } from './findPositions';
import { LruMap } from './lruMap';
import type { OnchainPosition, OwnPositions, PositionReader } from './types';

/** Place of the owner in a token account, behind the mint. */
const TOKEN_OWNER_AT = 32;
const ADDRESS_BYTES = 32;

/** What was learned of a position or a pool: which accounts belong to it. It only saves a request, and is checked against the accounts. */
const MOST_REMEMBERED = 10_000;
/** Other NFTs in wallets, whose addresses need not be read again. */
const MOST_OTHER_NFTS = 50_000;

/** Nodes behind one address may lag: only an account that is missing again after this time counts as not there. */
const CERTAIN_AFTER_MS = 60_000;

/** An NFT that belongs to no position, as far as is known. */
interface OtherNft {
  readonly since: number;
  readonly isCertain: boolean;
}

/** Which accounts a position needs besides its own. */
interface PositionNeeds {
  readonly pool: Address;
  readonly range: { readonly lowerBinId: number; readonly upperBinId: number } | undefined;
}

/** A position whose own account is read. */
type ReadPosition = { readonly found: FoundPosition } & (
  | { readonly program: 'dlmm'; readonly state: DlmmPosition }
  | { readonly program: 'damm'; readonly state: DammPosition }
);

/**
 * Reads open positions. What was needed the last time is asked for at once, so a list takes one request for its accounts (one for each
 * hundred), and a second one only for what is new.
 */
export class ChainPositionReader implements PositionReader {
  readonly #options: PositionFinderOptions;
  readonly #finder: PositionFinder;
  readonly #dammCoder: DammCoder;
  readonly #needs = new LruMap<Address, PositionNeeds>(MOST_REMEMBERED);
  readonly #binArrays = new LruMap<string, Address>(MOST_REMEMBERED);
  /** By the address that a position with the NFT would have: since when there is no account. */
  readonly #otherNfts = new LruMap<Address, OtherNft>(MOST_OTHER_NFTS);

  constructor(options: PositionFinderOptions) {
    this.#options = options;
    this.#finder = new PositionFinder(options);
    this.#dammCoder = new CpAmm(options.rpc.connection)._program.coder;
  }

  async openPositions(owner: Address): Promise<OwnPositions> {
    const [dlmm, damm] = await Promise.all([this.#finder.dlmm(owner), this.#finder.damm(owner)]);
    const found = [...dlmm.found, ...damm.found.filter(({ address: of }) => this.#otherNfts.get(of)?.isCertain !== true)];
    return { positions: await this.read(found), history: dlmm.history ?? damm.history };
  }

  async openPosition(position: Address): Promise<OnchainPosition | undefined> {
    const accounts = await readAccounts(this.#options.rpc, [position]);
    const account = accounts.get(position);
    if (account === undefined) {
      return undefined;
    }
    const dlmm = readDlmmPosition(account);
    if (dlmm !== undefined) {
      const [open] = await this.read([{ address: position, program: 'dlmm', owner: dlmm.owner, pool: dlmm.pool }]);
      return open;
    }
    const damm = readDammPosition(this.#dammCoder, account);
    const owner = damm === undefined ? undefined : await this.#holderOf(damm.nftMint);
    if (damm === undefined || owner === undefined) {
      return undefined;
    }
    const [open] = await this.read([{ address: position, program: 'damm', owner, pool: damm.pool }]);
    return open;
  }

  /** The owner of an NFT. It is nearly always where the program has put it. */
  async #holderOf(nftMint: Address): Promise<Address | undefined> {
    const first = await this.#ownerOfNftIn(dammPositionNftAccount(nftMint));
    if (first !== undefined) {
      return first;
    }
    const holder = await this.#finder.holderOf(nftMint);
    return holder === undefined ? undefined : await this.#ownerOfNftIn(holder);
  }

  async #ownerOfNftIn(tokenAccount: Address): Promise<Address | undefined> {
    const data = (await readAccounts(this.#options.rpc, [tokenAccount])).get(tokenAccount)?.data;
    const amountAt = TOKEN_OWNER_AT + ADDRESS_BYTES;
    return data === undefined || data.length < amountAt + 8 || data.readBigUInt64LE(amountAt) !== 1n
      ? undefined
      : addressFromBytes(data.subarray(TOKEN_OWNER_AT, amountAt));
  }

  /** Reads positions that were found, in their order. Those that were closed meanwhile are left out. */
  async read(found: readonly FoundPosition[]): Promise<readonly OnchainPosition[]> {
    if (found.length === 0) {
      return [];
    }
    const accounts = new Map<Address, RawAccount>();
    const asked = new Set<Address>();
    const fetch = async (addresses: Iterable<Address>): Promise<void> => {
      const missing = [...new Set(addresses)].filter((one) => !asked.has(one));
      missing.forEach((one) => asked.add(one));
      for (const [one, account] of await readAccounts(this.#options.rpc, missing)) {
        accounts.set(one, account);
      }
    };
    await fetch(found.flatMap((position) => this.#expected(position)));
    const positions = found.flatMap((position) => this.#positionOf(position, accounts.get(position.address)));
    await fetch(positions.flatMap(({ found: { address: of } }) => this.#neededBy(of)));
    const pools = this.#dammPoolsOf(positions, accounts);
    return positions.map((position) => this.#openPosition(position, pools, accounts));
  }

  /** The accounts of a position, as far as they are known before it is read. */
  #expected({ address: of, program, pool }: FoundPosition): readonly Address[] {
    const known = this.#neededBy(of);
    return [of, ...(known.length === 0 && program === 'damm' && pool !== undefined ? [pool] : known)];
  }

  /** The pool and the clock, for what the rewards have earned until now; and in bins, their arrays. */
  #neededBy(position: Address): readonly Address[] {
    const needs = this.#needs.get(position);
    if (needs === undefined) {
      return [];
    }
    const { pool, range } = needs;
    const indexes = range === undefined ? [] : binArraysOf(range.lowerBinId, range.upperBinId);
    return [CLOCK_ADDRESS, pool, ...indexes.map((index) => this.#binArray(pool, index))];
  }

  /** Deriving an address takes as long as reading a position. */
  #binArray(pool: Address, index: number): Address {
    const key = `${pool} ${index}`;
    const known = this.#binArrays.get(key);
    if (known !== undefined) {
      return known;
    }
    const derived = dlmmBinArray(pool, index);
    this.#binArrays.set(key, derived);
    return derived;
  }

  /** A position from its account; empty if it was closed since it was found. */
  #positionOf(found: FoundPosition, account: RawAccount | undefined): readonly ReadPosition[] {
    if (account === undefined) {
      if (found.program === 'damm') {
        const now = this.#options.now();
        const since = this.#otherNfts.get(found.address)?.since ?? now;
        this.#otherNfts.set(found.address, { since, isCertain: now - since >= CERTAIN_AFTER_MS });
      }
      return [];
    }
    if (found.program === 'dlmm') {
      const state = readDlmmPosition(account);
      if (state === undefined || state.owner !== found.owner) {
        return [];
      }
      this.#needs.set(found.address, { pool: state.pool, range: { lowerBinId: state.lowerBinId, upperBinId: state.upperBinId } });
      return [{ found, program: 'dlmm', state }];
    }
    const state = readDammPosition(this.#dammCoder, account);
    if (state === undefined) {
      return [];
    }
    this.#needs.set(found.address, { pool: state.pool, range: undefined });
    return [{ found, program: 'damm', state }];
  }

  #dammPoolsOf(positions: readonly ReadPosition[], accounts: ReadonlyMap<Address, RawAccount>): ReadonlyMap<Address, DammPool> {
    const pools = new Map<Address, DammPool>();
    for (const { program, state } of positions) {
      const account = program === 'damm' && !pools.has(state.pool) ? accounts.get(state.pool) : undefined;
      const pool = account === undefined ? undefined : readDammPool(this.#dammCoder, account);
      if (pool !== undefined) {
        pools.set(state.pool, pool);
      }
    }
    return pools;
  }

  /** @throws ChainRpcError if an account is missing: a list without a position, or with less in it, would be wrong */
  #openPosition(
    { found, ...position }: ReadPosition,
    pools: ReadonlyMap<Address, DammPool>,
    accounts: ReadonlyMap<Address, RawAccount>,
  ): OnchainPosition {
    const { address: of, owner } = found;
    const clock = readClock(accounts.get(CLOCK_ADDRESS));
    const base = { address: of, owner, pool: position.state.pool, program: position.program };
    if (position.program === 'dlmm') {
      const { lowerBinId, upperBinId, pool } = position.state;
      const arrayAt = (index: number): RawAccount | undefined => accounts.get(this.#binArray(pool, index));
      const contents = dlmmContents(position.state, arrayAt) ?? incomplete(of);
      const rewards = dlmmWaitingRewards(position.state, accounts.get(pool) ?? incomplete(of), arrayAt, clock);
      const { amounts, unclaimedFees, liquidity } = contents;
      const range = { lowerBinId, upperBinId };
      return { ...base, range, amounts, withdrawableShare: 1, unclaimedFees, rewards, liquidity: liquidity.toString() };
    }
    const pool = pools.get(position.state.pool) ?? incomplete(of);
    const contents = dammContents(position.state, pool);
    const rewards = dammWaitingRewards(position.state, pool, clock);
    return { ...base, range: undefined, ...contents, rewards, liquidity: contents.liquidity.toString() };
  }
}

function incomplete(position: Address): never {
  throw new ChainRpcError('unavailable', 'getMultipleAccounts', `The RPC has not all accounts of the position ${position}. Try again.`);
}
