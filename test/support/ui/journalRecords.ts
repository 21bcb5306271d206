import { type Reason, told } from '../../../src/base/reasons/reason';
import { recordOf } from '../../../src/transactions/journal/states';
import type { JournalPlan } from '../../../src/transactions/journal/plans';
import type {
  DistributiveOmit,
  JournalEvent,
  JournalProblem,
  OperationJournal,
  OperationRecord,
} from '../../../src/transactions/journal/types';
import type { Spends } from '../../../src/review/types';
import { addressOf, openPosition, OWNER } from '../portfolio/fixtures';
import type { Subscription } from '../../../src/base/async/clock';

type Event = DistributiveOmit<JournalEvent, 'atMs'>;
type Created = Extract<JournalEvent, { kind: 'created' }>;

export const AT_MS = Date.parse('2026-11-20T10:03:12Z');
export const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
export const OTHER_SIGNATURE = SIGNATURE.replace('5VER', '4VER');

const SPENDS: Spends = {
  consumedLamports: 0n,
  wrappedLamports: 0n,
  networkFeeLamports: 5_000n,
  priorityFeeLamports: 0n,
  tipLamports: 0n,
  refundableRentLamports: 0n,
  spentRentLamports: 0n,
  otherLamports: 0n,
};

export const ZAP_OUT: Extract<JournalPlan, { kind: 'zapOut' }> = {
  kind: 'zapOut',
  position: openPosition(1).address ?? addressOf(1),
  positionId: 'id-1',
  shareBps: 5_000,
  output: 'allBaseToken',
  slippageBps: 300,
  before: { amount0: '1000', amount1: '0.5', price0Usd: undefined, price1Usd: undefined, outputUsd: undefined },
};

export const ZAP_IN: JournalPlan = {
  kind: 'zapIn',
  inputLamports: 750_000_000n,
  percentX: 0.5,
  strategy: 'Spot',
  fromBinId: -10,
  toBinId: 10,
  slippageBps: 100,
  openBefore: [],
};

export const REBALANCE: Extract<JournalPlan, { kind: 'rebalance' }> = {
  kind: 'rebalance',
  position: openPosition(1).address ?? addressOf(1),
  fromBinId: -10,
  toBinId: 10,
  halfWidthBins: 34,
  strategy: 'Spot',
  slippageBps: 100,
  reserveLamports: 50_000_000n,
};

const BUILT: Event = {
  kind: 'built',
  position: undefined,
  transactions: 2,
  messageHashes: [],
  blockhashes: [],
  lastValidBlockHeight: 1_000,
};

/** What comes before each state, and the event that leads to it. */
export const LEADING_TO = {
  created: [],
  built: [BUILT],
  reviewed: [BUILT, { kind: 'reviewed', verdict: 'confirm', rules: ['TIP-2'] }],
  approved: [BUILT, { kind: 'reviewed', verdict: 'allow', rules: [] }, { kind: 'approved', by: 'user' }],
  signed: [
    BUILT,
    { kind: 'reviewed', verdict: 'allow', rules: [] },
    { kind: 'approved', by: 'user' },
    { kind: 'signed', signatures: [SIGNATURE, OTHER_SIGNATURE], spends: SPENDS },
  ],
} as const satisfies Readonly<Record<string, readonly Event[]>>;

export const SUBMITTED: readonly Event[] = [...LEADING_TO.signed, { kind: 'submitted', lamportsBefore: undefined }];

/** An operation with these events after its beginning, one a second. */
export function record(events: readonly Event[], part: Partial<Created> = {}, id = 'one'): OperationRecord {
  const { plan = ZAP_OUT, atMs = AT_MS, ...rest } = part;
  const created: Created = {
    atMs,
    kind: 'created',
    operation: plan.kind,
    service: 'sandbox',
    owner: OWNER,
    pool: addressOf(500),
    poolType: 'dlmm',
    pairName: 'BONK/SOL',
    plan,
    parent: undefined,
    ...rest,
  };
  return recordOf(id, [created, ...events.map((event, index) => ({ ...event, atMs: atMs + 1_000 * (index + 1) }))]);
}

export const SETTLED = record([
  ...SUBMITTED,
  { kind: 'landed', signature: SIGNATURE },
  { kind: 'settled', lamportsBack: 1_234_567_890n, shortfall: undefined },
]);
/** A zap-out of which one of two transactions landed: 12,661 PENGO ($408) are not swapped. */
export function halfDoneZapOut(
  id: string,
  shortfall: Reason = told('1 of 2 transactions landed; the others no longer can.'),
): OperationRecord {
  const PENGO = addressOf(77);
  const changes = { lamports: 5n, tokens: [{ mint: PENGO, changeRaw: 12_661_000_000n }] };
  const tokens = [{ mint: PENGO, symbol: 'PENGO', decimals: 6, priceUsd: '0.03225' }];
  return record([...SUBMITTED, { kind: 'settled', lamportsBack: undefined, shortfall, landedTransactions: 1, changes }], { tokens }, id);
}

export const UNCONFIRMED = record([...SUBMITTED, { kind: 'unconfirmed', reason: told('It was sent, and no clear answer came back.') }]);
export const ABANDONED = record([{ kind: 'abandoned', reason: told('Binsight was closed before anything was sent.') }]);

/** A journal in memory, for reading only: what a test puts there is told of as if another window had written it. */
export class ShownJournal implements OperationJournal {
  records: readonly OperationRecord[] = [];
  problems: readonly JournalProblem[] = [];
  reads = 0;
  readonly #listeners = new Set<() => void>();

  /** Puts these there, newest first. */
  write(records: readonly OperationRecord[]): void {
    this.records = records;
    this.#listeners.forEach((listener) => listener());
  }

  nowFor(): number {
    return 0;
  }

  read(): Promise<{ readonly records: readonly OperationRecord[]; readonly problems: readonly JournalProblem[] }> {
    this.reads++;
    return Promise.resolve({ records: this.records, problems: this.problems });
  }

  onDidChange(listener: () => void): Subscription {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  begin(): never {
    throw new Error('The editor begins nothing itself');
  }

  resume(): never {
    throw new Error('The editor goes on with nothing itself');
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
