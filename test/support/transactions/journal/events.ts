import { told } from '../../../../src/base/reasons/reason';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JournalPlan } from '../../../../src/transactions/journal/plans';
import type { DistributiveOmit, JournalEvent } from '../../../../src/transactions/journal/types';
import { address } from '../../../../src/base/solana/address';

export const OWNER = address('7Y4f3Taf6YKqz3Y3h2Hj9uV5UT4Df9gRrfhDV9GdfZ8E');
export const POOL = address('5rCf1DM8LjKTw4YqhnoLcngyZYeNnQqztScTogYHAS6');
export const POSITION = address('So11111111111111111111111111111111111111112');

export type Created = Extract<JournalEvent, { kind: 'created' }>;
export type Happening = DistributiveOmit<JournalEvent, 'atMs'>;

const ZAP_OUT: JournalPlan = {
  kind: 'zapOut',
  position: POSITION,
  positionId: 'service-id',
  shareBps: 10_000,
  output: 'allBaseToken',
  slippageBps: 300,
  before: { amount0: '12.5', amount1: undefined, price0Usd: '0.1', price1Usd: undefined, outputUsd: '151.2' },
};

const ZAP_IN: JournalPlan = {
  kind: 'zapIn',
  inputLamports: 2_000_000_000n,
  percentX: 0.5,
  strategy: 'Spot',
  fromBinId: -34,
  toBinId: 34,
  slippageBps: 100,
  openBefore: [POSITION],
};

const CLAIM: JournalPlan = { kind: 'claim', positions: [{ position: POSITION, positionId: 'service-id', fee0: '1.5', fee1: undefined }] };

const ADD_LIQUIDITY: JournalPlan = {
  kind: 'addLiquidity',
  into: { position: POSITION, positionId: 'service-id', fee0: '1.5', fee1: undefined },
  before: { amount0: '2.5', amount1: undefined },
  source: 'wallet',
  inputLamports: 500_000_000n,
  percentX: 0.5,
  strategy: 'Spot',
  fromBinId: -20,
  toBinId: 19,
  slippageBps: 100,
};

const PENGO = { mint: POOL, symbol: 'PENGO', decimals: 6 };

const SWAP: JournalPlan = {
  kind: 'swap',
  sold: PENGO,
  bought: { mint: POSITION, symbol: 'SOL', decimals: 9 },
  amountRaw: 12_661_000_000n,
  slippageBps: 100,
};

const UNWRAP: JournalPlan = { kind: 'unwrap', lamports: 500_000_000n };

const REBALANCE: JournalPlan = {
  kind: 'rebalance',
  position: POSITION,
  fromBinId: -40,
  toBinId: 12,
  halfWidthBins: 34,
  strategy: 'Spot',
  slippageBps: 100,
  reserveLamports: 50_000_000n,
};

export const PLANS = {
  zapOut: ZAP_OUT,
  zapIn: ZAP_IN,
  claim: CLAIM,
  addLiquidity: ADD_LIQUIDITY,
  swap: SWAP,
  unwrap: UNWRAP,
  rebalance: REBALANCE,
} as const;

/** What `begin` takes. */
export function beginning(part: Partial<Omit<Created, 'atMs' | 'kind'>> = {}): Omit<Created, 'atMs' | 'kind'> {
  const operation = part.operation ?? 'zapOut';
  return {
    operation,
    service: 'sandbox',
    owner: OWNER,
    pool: POOL,
    poolType: 'dlmm',
    pairName: 'BONK/SOL',
    plan: PLANS[operation],
    parent: undefined,
    ...part,
  };
}

export function created(part: Partial<Omit<Created, 'kind'>> = {}): Created {
  return { atMs: 1_000, kind: 'created', ...beginning(part), ...part };
}

const SPENDS = {
  consumedLamports: 2_000_000_000n,
  wrappedLamports: 0n,
  networkFeeLamports: 10_000n,
  priorityFeeLamports: 3n,
  tipLamports: 0n,
  refundableRentLamports: 57_406_080n,
  spentRentLamports: 0n,
  otherLamports: 0n,
};

/** One of each kind that may follow. */
export const HAPPENINGS = {
  built: {
    kind: 'built',
    position: POSITION,
    transactions: 2,
    messageHashes: ['aa', 'bb'],
    blockhashes: ['cc'],
    lastValidBlockHeight: 1_234,
  },
  reviewed: { kind: 'reviewed', verdict: 'confirm', rules: ['SWP-3'] },
  approved: { kind: 'approved', by: 'user' },
  signed: { kind: 'signed', signatures: ['s1', 's2'], spends: SPENDS },
  submitted: { kind: 'submitted', lamportsBefore: 5_000_000_000n },
  landed: { kind: 'landed', signature: 's2' },
  unconfirmed: { kind: 'unconfirmed', reason: told('it does not show') },
  settled: { kind: 'settled', lamportsBack: 1_999_000_000n, shortfall: undefined },
  expired: { kind: 'expired', reason: told('It did not land: nothing happened.') },
  failed: { kind: 'failed', reason: told('slippage') },
  abandoned: { kind: 'abandoned', reason: told('declined') },
  seen: { kind: 'seen', reason: told('nothing is left to do') },
} as const satisfies { readonly [Kind in Exclude<JournalEvent['kind'], 'created'>]: Extract<Happening, { kind: Kind }> };

export type FollowingKind = keyof typeof HAPPENINGS;
export const FOLLOWING_KINDS = Object.keys(HAPPENINGS) as readonly FollowingKind[];

/** The straight way of an operation that goes well. */
export const GOING_WELL: readonly FollowingKind[] = ['built', 'reviewed', 'approved', 'signed', 'submitted', 'landed', 'settled'];

/** Runs `work` with a folder of its own, which is gone afterwards. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'binsight-journal-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
