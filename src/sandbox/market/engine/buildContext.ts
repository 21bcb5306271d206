import type { Address } from '../../../base/solana/address';
import { JITO_TIP_ACCOUNTS } from '../../../base/solana/programs';
import type { BuildLookupTable, BuildTerms } from '../../../engine/assembly/types';
import type { Chain } from '../../chain/types';
import type { UnitOfWork } from '../../store/unitOfWork';
import type { Market } from '../types';
import type { PendingBuilds } from './pendingBuilds';
import type { WorldSettings } from './settings';

/** Everything that building operations needs. */
export interface BuildContext {
  readonly market: Market;
  readonly chain: Chain;
  readonly unit: UnitOfWork;
  readonly issued: PendingBuilds;
  readonly settings: WorldSettings;
  /** The router's lookup table, which swaps take accounts from. */
  readonly lookupTable: BuildLookupTable;
  /** Returns random bytes; keys of new positions come from it. */
  readonly random: (byteCount: number) => Uint8Array;
}

/** Tip of every operation. */
const TIP_LAMPORTS = 200_000n;
const MICRO_LAMPORTS_PER_COMPUTE_UNIT = 25_000n;
/** Prices per operation: the variant without a tip bids one micro-lamport more for a compute unit. */
const PRICES_PER_OPERATION = 2;
const DISTINCT_OPERATIONS = 25_000;

/**
 * Terms that all transactions of an operation share. The operation's number determines the tip account. Two operations with the same blockhash
 * have different priority fees: otherwise they could have an identical transaction (for instance, to unwrap SOL), and the second one would be
 * refused as a duplicate. With another blockhash the same operation costs the same again.
 */
export function buildTerms({ issued, settings, lookupTable }: BuildContext, owner: Address, blockhash: string): BuildTerms {
  const number = issued.nextNumber;
  const account = JITO_TIP_ACCOUNTS[number % JITO_TIP_ACCOUNTS.length];
  if (account === undefined) {
    throw new RangeError('There are no tip accounts');
  }
  const distinguisher = BigInt(PRICES_PER_OPERATION * (issued.sameBlockhash(blockhash) % DISTINCT_OPERATIONS));
  const { transactions: format } = settings.current;
  const microLamportsPerComputeUnit = MICRO_LAMPORTS_PER_COMPUTE_UNIT;
  return { owner, blockhash, microLamportsPerComputeUnit, distinguisher, format, lookupTable, tip: { account, lamports: TIP_LAMPORTS } };
}
