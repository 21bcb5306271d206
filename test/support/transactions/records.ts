import type { Address } from '../../../src/base/solana/address';
import type { JournalForecast } from '../../../src/transactions/journal/forecast';
import { recordOf } from '../../../src/transactions/journal/states';
import type { JournalEvent, OperationRecord } from '../../../src/transactions/journal/types';
import { OWNER, POOL, POSITION } from '../review/bundles';

/** The beginning of an operation. */
export type Created = Extract<JournalEvent, { kind: 'created' }>;

/** The beginning of a zap-out of all of the position that the tests of the review withdraw from. */
export function zapOutCreated(atMs: number, shareBps = 10_000): Created {
  return {
    ...{
      atMs,
      kind: 'created',
      operation: 'zapOut',
      service: 'https://service.example',
      owner: OWNER,
      pool: POOL,
      poolType: 'dlmm',
      pairName: 'MINT/SOL',
      parent: undefined,
    },
    plan: {
      kind: 'zapOut',
      position: POSITION,
      positionId: 'service-id',
      shareBps,
      output: 'allBaseToken',
      slippageBps: 300,
      before: { amount0: '1000', amount1: '0.5', price0Usd: '0.05', price1Usd: '150', outputUsd: undefined },
    },
  };
}

/** The beginning of a zap-in to their pool, where no position was open. */
export function zapInCreated(atMs: number): Created {
  return {
    ...{
      atMs,
      kind: 'created',
      operation: 'zapIn',
      service: 'https://service.example',
      owner: OWNER,
      pool: POOL,
      poolType: 'dlmm',
      pairName: 'MINT/SOL',
      parent: undefined,
    },
    plan: {
      kind: 'zapIn',
      inputLamports: 1_000_000_000n,
      percentX: 0.5,
      strategy: 'Spot',
      fromBinId: -5,
      toBinId: 5,
      slippageBps: 300,
      openBefore: [],
    },
  };
}

/** What a node's `getTransaction` says of a message besides its accounts; web3.js rejects answers without it. */
export const MESSAGE = {
  header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 0 },
  recentBlockhash: POOL,
  instructions: [],
} as const;

const NO_SPENDS = {
  ...{ consumedLamports: 0n, wrappedLamports: 0n, networkFeeLamports: 0n, priorityFeeLamports: 0n, tipLamports: 0n },
  ...{ refundableRentLamports: 0n, spentRentLamports: 0n, otherLamports: 0n },
};

/**
 * An operation of which all transactions have landed.
 * @param position the one that its build names
 * @param forecast what was expected of it
 */
export function landedRecord(
  created: Created,
  position: Address | undefined,
  signatures: readonly string[],
  forecast?: JournalForecast,
): OperationRecord {
  const { atMs } = created;
  return recordOf(`${created.operation} ${position} ${atMs}`, [
    created,
    { kind: 'built', atMs, position, transactions: signatures.length, messageHashes: [], blockhashes: [], lastValidBlockHeight: undefined },
    { kind: 'reviewed', atMs, verdict: 'allow', rules: [] },
    { kind: 'approved', atMs, by: 'user', forecast },
    { kind: 'signed', atMs, signatures, spends: NO_SPENDS },
    { kind: 'submitted', atMs, lamportsBefore: undefined },
    { kind: 'settled', atMs, lamportsBack: undefined, shortfall: undefined },
  ]);
}
