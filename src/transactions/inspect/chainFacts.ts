import * as l10n from '@vscode/l10n';
import { type Address, address, addressFromBytes } from '../../base/solana/address';
import { dammPositionNftAccount } from '../../base/solana/pda';
import { PROGRAMS } from '../../base/solana/programs';
import type { RentRate } from '../../base/solana/rent';
import { errorText } from '../../base/thrown';
import {
  type ChainFacts,
  type KnownPool,
  type LookupTable,
  type MintRisk,
  NO_FACTS,
  type OpenQuestions,
  type PoolFact,
  type PositionFact,
  type TokenAccountFact,
} from '../../review/facts/facts';
import { dammPositionFact, dammPositionState, dlmmPositionFact, POSITION_PREFIX_BYTES } from '../../review/facts/accounts';
import type { AccountsRequest, RpcAccount, SolanaRpc } from '../../rpc/types';
import { mintDecimals, mintRisks, TOKEN_ACCOUNT_PREFIX_BYTES, tokenAccountFact } from './tokenFacts';

// Pool accounts, as far as the review needs them. Offsets count from the start of the account and follow from the programs' IDLs: `LbPair` of
// lb_clmm 0.12.0, `Pool` of cp_amm 0.2.5. All integers are little-endian.

const LB_PAIR = { discriminator: '210b3162b565b10d', activeBinId: 76, binStepBps: 80, tokenX: 88, tokenY: 120, end: 152 } as const;
const DAMM_POOL = {
  discriminator: 'f19a6d0411b16dbc',
  tokenX: 168,
  tokenY: 200,
  sqrtMinPrice: 424,
  sqrtMaxPrice: 440,
  sqrtPrice: 456,
  end: 472,
  collectFeeMode: 484,
} as const;
/** `CollectFeeMode::Compounding`: liquidity is a share of the reserves, whatever the range says. */
const COMPOUNDING = 2;
const DISCRIMINATOR_BYTES = 8;
const U64_BYTES = 8;

/** Bytes of an account that {@link poolFact} needs. */
export const POOL_PREFIX_BYTES = Math.max(LB_PAIR.end, DAMM_POOL.collectFeeMode + 1);

/** Reads a pool account. A missing account, or one that is not a Meteora pool, is a fact too (`none`). */
export function poolFact(account: RpcAccount | undefined): PoolFact {
  return (account && knownPool(account)) ?? { kind: 'none', program: account?.program };
}

/** The tokens and the price of a pool; `undefined` if the account (or its first {@link POOL_PREFIX_BYTES} bytes) is not one of a Meteora pool. */
function knownPool({ program, data }: RpcAccount): KnownPool | undefined {
  const discriminator = Buffer.from(data.subarray(0, DISCRIMINATOR_BYTES)).toString('hex');
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const key = (offset: number): Address => addressFromBytes(data.slice(offset, offset + KEY_BYTES));
  if (program === PROGRAMS.dlmm && discriminator === LB_PAIR.discriminator && data.length >= LB_PAIR.end) {
    const { activeBinId, binStepBps, tokenX, tokenY } = LB_PAIR;
    return {
      kind: 'dlmm',
      tokenX: key(tokenX),
      tokenY: key(tokenY),
      activeBinId: view.getInt32(activeBinId, true),
      binStepBps: view.getUint16(binStepBps, true),
    };
  }
  if (program === PROGRAMS.dammV2 && discriminator === DAMM_POOL.discriminator && data.length >= DAMM_POOL.end) {
    const { sqrtPrice, sqrtMinPrice, sqrtMaxPrice, collectFeeMode, tokenX, tokenY } = DAMM_POOL;
    const wide = (offset: number): bigint => (view.getBigUint64(offset + U64_BYTES, true) << 64n) | view.getBigUint64(offset, true);
    const feeMode = data[collectFeeMode];
    return {
      kind: 'dammV2',
      tokenX: key(tokenX),
      tokenY: key(tokenY),
      sqrtPriceQ64: wide(sqrtPrice),
      ...(feeMode === undefined || feeMode === COMPOUNDING ? {} : { range: { minQ64: wide(sqrtMinPrice), maxQ64: wide(sqrtMaxPrice) } }),
    };
  }
  return undefined;
}

/**
 * Reads the owners of positions at the commitment *finalized*: on a fork that is dropped, someone else may open the same address. Addresses
 * without a readable position are missing from the result.
 * @throws RpcError if the RPC does not answer.
 */
async function readPositions(
  addresses: readonly Address[],
  rpc: SolanaRpc,
  signal: AbortSignal,
): Promise<ReadonlyMap<Address, PositionFact>> {
  const facts = new Map<Address, PositionFact>();
  if (addresses.length === 0) {
    return facts;
  }
  const { value: accounts } = await rpc.accounts({ addresses, firstBytes: POSITION_PREFIX_BYTES, isFinal: true }, { signal });
  const products = addresses.flatMap((position, at) => {
    const account = accounts[at];
    const fact = account && dlmmPositionFact(account);
    if (fact !== undefined) {
      facts.set(position, fact);
    }
    const state = account && dammPositionState(account);
    return state === undefined ? [] : [{ position, state, nftAccount: dammPositionNftAccount(state.nftMint) }];
  });
  if (products.length > 0) {
    const { value: holders } = await rpc.accounts(
      { addresses: products.map(({ nftAccount }) => nftAccount), firstBytes: TOKEN_ACCOUNT_PREFIX_BYTES, isFinal: true },
      { signal },
    );
    products.forEach(({ position, state }, at) => {
      const holder = holders[at];
      const fact = holder && dammPositionFact(state, holder);
      if (fact !== undefined) {
        facts.set(position, fact);
      }
    });
  }
  return facts;
}

/** The program that owns lookup tables. */
const LOOKUP_TABLE_PROGRAM = address('AddressLookupTab1e1111111111111111111111111');

// Layout of a lookup table: solana-address-lookup-table-interface, `state.rs`.
const TABLE_KIND = 1;
const DEACTIVATION_SLOT_OFFSET = 4;
const NEVER_DEACTIVATED = 0xffff_ffff_ffff_ffffn;
const TABLE_META_BYTES = 56;
const KEY_BYTES = 32;
const MOST_ADDRESSES = 256;
/** One byte more than the largest table, so a longer account is noticed. */
const TABLE_PREFIX_BYTES = TABLE_META_BYTES + MOST_ADDRESSES * KEY_BYTES + 1;

/** Limits on the questions of each kind. An honest operation has a handful. */
const MOST_QUESTIONS: Readonly<Record<keyof OpenQuestions, number>> = {
  lookupTables: 64,
  tokenAccounts: 300,
  mints: 8,
  pools: 1,
  positions: 16,
  blockhashes: 16,
  rent: 1,
};

/** The questions of `open` that are not in `asked`, up to the limit of each kind. */
export function newQuestions(open: OpenQuestions, asked: OpenQuestions): OpenQuestions {
  const fresh = <Item>(name: keyof OpenQuestions, items: readonly Item[], before: readonly Item[]): readonly Item[] =>
    [...new Set(items)].filter((item) => !before.includes(item)).slice(0, Math.max(0, MOST_QUESTIONS[name] - before.length));
  return {
    lookupTables: fresh('lookupTables', open.lookupTables, asked.lookupTables),
    tokenAccounts: fresh('tokenAccounts', open.tokenAccounts, asked.tokenAccounts),
    mints: fresh('mints', open.mints, asked.mints),
    pools: fresh('pools', open.pools, asked.pools),
    positions: fresh('positions', open.positions, asked.positions),
    blockhashes: fresh('blockhashes', open.blockhashes, asked.blockhashes),
    rent: fresh('rent', open.rent, asked.rent),
  };
}

export function isEmpty(questions: OpenQuestions): boolean {
  return Object.values(questions).every((list: readonly unknown[]) => list.length === 0);
}

export function joined(one: OpenQuestions, other: OpenQuestions): OpenQuestions {
  return {
    lookupTables: [...one.lookupTables, ...other.lookupTables],
    tokenAccounts: [...one.tokenAccounts, ...other.tokenAccounts],
    mints: [...one.mints, ...other.mints],
    pools: [...one.pools, ...other.pools],
    positions: [...one.positions, ...other.positions],
    blockhashes: [...one.blockhashes, ...other.blockhashes],
    rent: [...one.rent, ...other.rent],
  };
}

/** Collects the answers of an RPC and its failures. {@link facts} can be read at any time, also while questions are open. */
export class FactSheet {
  readonly #lookupTables = new Map<Address, LookupTable>();
  readonly #tokenAccounts = new Map<Address, TokenAccountFact>();
  readonly #mints = new Map<Address, readonly MintRisk[]>();
  readonly #decimals = new Map<Address, number>();
  readonly #pools = new Map<Address, PoolFact>();
  readonly #positions = new Map<Address, PositionFact>();
  readonly #blockhashes = new Map<string, boolean>();
  #rent: RentRate | undefined;
  readonly #problems = new Set<string>();

  get facts(): ChainFacts {
    const problem = [...this.#problems].join(' ');
    return {
      ...NO_FACTS,
      lookupTables: new Map(this.#lookupTables),
      tokenAccounts: new Map(this.#tokenAccounts),
      mints: new Map(this.#mints),
      decimals: new Map(this.#decimals),
      pools: new Map(this.#pools),
      positions: new Map(this.#positions),
      blockhashes: new Map(this.#blockhashes),
      ...(this.#rent === undefined ? {} : { rent: this.#rent }),
      ...(problem === '' ? {} : { problem }),
    };
  }

  /** @param sentence for the user */
  addProblem(sentence: string): void {
    this.#problems.add(sentence);
  }

  /** Asks all questions at once. A failed one becomes a problem and does not affect the others. Never rejects. */
  async ask(
    { lookupTables, tokenAccounts, mints, pools, positions, blockhashes, rent }: OpenQuestions,
    rpc: SolanaRpc,
    signal: AbortSignal,
  ): Promise<void> {
    const each = async (
      addresses: readonly Address[],
      how: Omit<AccountsRequest, 'addresses'>,
      take: (at: Address, account: RpcAccount | undefined) => void,
    ): Promise<void> => {
      if (addresses.length > 0) {
        const { value } = await rpc.accounts({ addresses, ...how }, { signal });
        addresses.forEach((at, index) => take(at, value[index]));
      }
    };
    const asked = await Promise.allSettled([
      // The content of a table can make the review less strict, so only finalized content counts: on a fork its authority could append another address.
      each(lookupTables, { firstBytes: TABLE_PREFIX_BYTES, isFinal: true }, (at, account) => this.#takeTable(at, account)),
      // These facts only make the review stricter, so the newest state counts.
      each(tokenAccounts, { firstBytes: TOKEN_ACCOUNT_PREFIX_BYTES }, (at, account) =>
        setIfKnown(this.#tokenAccounts, at, account && tokenAccountFact(account)),
      ),
      each(mints, {}, (at, account) => {
        setIfKnown(this.#mints, at, account && mintRisks(account));
        setIfKnown(this.#decimals, at, account && mintDecimals(account));
      }),
      each(pools, { firstBytes: POOL_PREFIX_BYTES }, (at, account) => this.#pools.set(at, poolFact(account))),
      readPositions(positions, rpc, signal).then((read) => read.forEach((fact, position) => this.#positions.set(position, fact))),
      ...blockhashes.map(async (blockhash) => this.#blockhashes.set(blockhash, await rpc.isBlockhashValid(blockhash, { signal }))),
      ...rent.map(async () => {
        this.#rent = await rpc.rentRate({ signal });
      }),
    ]);
    for (const { reason } of asked.filter((outcome) => outcome.status === 'rejected')) {
      this.addProblem(errorText(reason));
    }
  }

  #takeTable(at: Address, account: RpcAccount | undefined): void {
    const table = account && lookupTable(account);
    if (table === undefined) {
      this.addProblem(l10n.t`The transactions name a lookup table at ${at}, but there is none.`);
    }
    setIfKnown(this.#lookupTables, at, table);
  }
}

/** Parses a lookup table; `undefined` if the account is not a readable one. */
export function lookupTable({ program, data }: RpcAccount): LookupTable | undefined {
  const addressBytes = data.length - TABLE_META_BYTES;
  if (program !== LOOKUP_TABLE_PROGRAM || addressBytes < 0 || addressBytes % KEY_BYTES !== 0 || addressBytes > MOST_ADDRESSES * KEY_BYTES) {
    return undefined;
  }
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (view.getUint32(0, true) !== TABLE_KIND) {
    return undefined;
  }
  const addresses = Array.from({ length: addressBytes / KEY_BYTES }, (_, index) => {
    const start = TABLE_META_BYTES + index * KEY_BYTES;
    return addressFromBytes(data.slice(start, start + KEY_BYTES));
  });
  return { addresses, isDeactivated: view.getBigUint64(DEACTIVATION_SLOT_OFFSET, true) !== NEVER_DEACTIVATED };
}

function setIfKnown<Key, Value>(map: Map<Key, Value>, key: Key, value: Value | undefined): void {
  if (value !== undefined) {
    map.set(key, value);
  }
}
