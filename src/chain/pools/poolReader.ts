import type { Clock } from '../../base/async/clock';
import type { Address } from '../../base/solana/address';
import { HOUR_MS } from '../../base/time';
import { type RawAccount, readAccounts } from '../positions/accounts';
import { LruMap } from '../positions/lruMap';
import { ChainRpcError } from '../rpc/errors';
import type { ChainRpc } from '../rpc/types';
import { CLOCK_ADDRESS, type ChainClock, readClock } from '../positions/clock';
import { DammPools } from './dammPool';
import { DlmmPools } from './dlmmPool';
import { metadataAddress, type MintFacts, mintFacts } from './mints';
import type { PoolAccount } from './poolAccount';
import { SharedAnswers } from '../positions/sharedAnswers';
import type { PoolReader, OnchainPool } from './types';

/** A pool with all that its accounts say. */
export interface PoolDetails {
  readonly state: OnchainPool;
  readonly x: MintFacts;
  readonly y: MintFacts;
  readonly account: PoolAccount;
  /** When the accounts were read. */
  readonly clock: ChainClock;
}

/** What reading pools needs. */
export interface PoolReaderOptions {
  readonly rpc: ChainRpc;
  readonly clock: Clock;
}

/** How long an answer is shared, and how many are: a decoded pool is some ten kilobytes. */
const SHARED_MS = 1_000;
const MOST_SHARED = 500;
/** The texts of a token may change. */
const MINT_GOOD_FOR_MS = HOUR_MS;
const MOST_POOLS = 5_000;
const MOST_MINTS = 5_000;
/** Place of the amount in a token account, behind mint and owner. */
const AMOUNT_AT = 64;

/**
 * Reads pools from their accounts: one request for known pools (up to 33 of them), a second one for the mints, metadata and vaults of new ones.
 */
export class ChainPoolReader implements PoolReader {
  readonly #rpc: ChainRpc;
  readonly #clock: Clock;
  readonly #dlmm: DlmmPools;
  readonly #damm: DammPools;
  readonly #shared: SharedAnswers<Address, PoolDetails | undefined>;
  /** The vaults of a pool never change. */
  readonly #vaults = new LruMap<Address, PoolAccount['vaults']>(MOST_POOLS);
  readonly #mints = new LruMap<Address, { readonly facts: MintFacts; readonly at: number }>(MOST_MINTS);

  constructor({ rpc, clock }: PoolReaderOptions) {
    this.#rpc = rpc;
    this.#clock = clock;
    this.#dlmm = new DlmmPools(rpc.connection);
    this.#damm = new DammPools(rpc.connection);
    this.#shared = new SharedAnswers({ most: MOST_SHARED, goodForMs: SHARED_MS, now: () => clock.now() });
  }

  async pool(address: Address): Promise<OnchainPool | undefined> {
    return (await this.details(address))?.state;
  }

  async pools(addresses: readonly Address[]): Promise<ReadonlyMap<Address, OnchainPool>> {
    return new Map([...(await this.detailsOf(addresses))].map(([address, { state }]) => [address, state]));
  }

  /** `undefined`: there is no pool of a known program at this address. */
  async details(address: Address): Promise<PoolDetails | undefined> {
    return (await this.detailsOf([address])).get(address);
  }

  /** Pools that do not exist are left out. */
  async detailsOf(addresses: readonly Address[]): Promise<ReadonlyMap<Address, PoolDetails>> {
    const wanted = [...new Set(addresses)];
    const shared = new Map(wanted.map((address) => [address, this.#shared.get(address)]));
    const missing = wanted.filter((address) => shared.get(address) === undefined);
    const reading = missing.length === 0 ? undefined : this.#read(missing);
    const found = await Promise.all(
      wanted.map((address) => shared.get(address) ?? this.#shared.of(address, async () => (await reading)?.get(address))),
    );
    return new Map(
      wanted.flatMap((address, place): readonly (readonly [Address, PoolDetails])[] => {
        const pool = found[place];
        return pool === undefined ? [] : [[address, pool]];
      }),
    );
  }

  /** Tokens by their mints. What is no mint is left out. */
  async mints(mints: readonly Address[]): Promise<ReadonlyMap<Address, MintFacts>> {
    const missing = mints.filter((mint) => this.#knownMint(mint) === undefined);
    if (missing.length > 0) {
      this.#rememberMints(missing, await readAccounts(this.#rpc, withMetadata(missing)));
    }
    return new Map(
      mints.flatMap((mint): readonly (readonly [Address, MintFacts])[] => {
        const facts = this.#knownMint(mint);
        return facts === undefined ? [] : [[mint, facts]];
      }),
    );
  }

  async #read(addresses: readonly Address[]): Promise<ReadonlyMap<Address, PoolDetails>> {
    const known = addresses.flatMap((address) => {
      const vaults = this.#vaults.get(address);
      return vaults === undefined ? [] : [vaults.x, vaults.y];
    });
    const first = await readAccounts(this.#rpc, [CLOCK_ADDRESS, ...addresses, ...known]);
    const pools = new Map(
      addresses.flatMap((address): readonly (readonly [Address, PoolAccount])[] => {
        const account = first.get(address);
        const pool = account === undefined ? undefined : (this.#dlmm.read(account) ?? this.#damm.read(account));
        return pool === undefined ? [] : [[address, pool]];
      }),
    );
    const accounts = new Map([...first, ...(await this.#missing([...pools.values()], first))]);
    const clock = readClock(first.get(CLOCK_ADDRESS));
    return new Map(
      [...pools].flatMap(([address, pool]): readonly (readonly [Address, PoolDetails])[] => {
        this.#vaults.set(address, pool.vaults);
        const [x, y] = [this.#mints.get(pool.mints.x)?.facts, this.#mints.get(pool.mints.y)?.facts];
        const rewardTokens = pool.rewardMints.flatMap((mint) => this.#mints.get(mint)?.facts ?? []);
        return x === undefined || y === undefined ? [] : [[address, detailsOf(address, pool, { x, y, rewardTokens }, accounts, clock)]];
      }),
    );
  }

  /** Vaults and mints that have not been read. */
  async #missing(pools: readonly PoolAccount[], read: ReadonlyMap<Address, RawAccount>): Promise<ReadonlyMap<Address, RawAccount>> {
    const mints = [...new Set(pools.flatMap(({ mints: { x, y }, rewardMints }) => [x, y, ...rewardMints]))].filter(
      (mint) => this.#knownMint(mint) === undefined,
    );
    const vaults = pools.flatMap(({ vaults: { x, y } }) => [x, y]).filter((vault) => !read.has(vault));
    if (mints.length + vaults.length === 0) {
      return new Map();
    }
    const accounts = await readAccounts(this.#rpc, [...vaults, ...withMetadata(mints)]);
    this.#rememberMints(mints, accounts);
    return accounts;
  }

  #knownMint(mint: Address): MintFacts | undefined {
    const known = this.#mints.get(mint);
    return known !== undefined && this.#clock.now() - known.at < MINT_GOOD_FOR_MS ? known.facts : undefined;
  }

  #rememberMints(mints: readonly Address[], accounts: ReadonlyMap<Address, RawAccount>): void {
    for (const mint of mints) {
      const account = accounts.get(mint);
      const facts = account === undefined ? undefined : mintFacts(mint, account, accounts.get(metadataAddress(mint)));
      if (facts !== undefined) {
        this.#mints.set(mint, { facts, at: this.#clock.now() });
      }
    }
  }
}

function withMetadata(mints: readonly Address[]): readonly Address[] {
  return mints.flatMap((mint) => [mint, metadataAddress(mint)]);
}

function detailsOf(
  address: Address,
  account: PoolAccount,
  tokens: Pick<PoolDetails, 'x' | 'y'> & Pick<OnchainPool, 'rewardTokens'>,
  accounts: ReadonlyMap<Address, RawAccount>,
  clock: ChainClock,
): PoolDetails {
  const { program, binStep, activeBinId, rawPrice, rewardMints, vaults } = account;
  const { x, y, rewardTokens } = tokens;
  const hasRewards = rewardMints.length > 0;
  const reserves = account.reserves({ x: amountIn(vaults.x, accounts), y: amountIn(vaults.y, accounts) });
  const fees = account.fees(clock);
  const state = { address, program, x, y, binStep, activeBinId, rawPrice, reserves, hasRewards, rewardTokens, fees };
  return { state, x, y, account, clock };
}

/** @throws ChainRpcError without the account: each pool has its vaults, so the RPC lags behind */
function amountIn(vault: Address, accounts: ReadonlyMap<Address, RawAccount>): bigint {
  const data = accounts.get(vault)?.data;
  if (data === undefined || data.length < AMOUNT_AT + 8) {
    throw new ChainRpcError(
      'unavailable',
      'getMultipleAccounts',
      `The RPC has a pool without its vault ${vault}: it may lag behind. Try again.`,
    );
  }
  return data.readBigUInt64LE(AMOUNT_AT);
}
