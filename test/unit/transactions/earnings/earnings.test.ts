import assert from 'node:assert/strict';
import type { RawTransaction } from '../../../../src/base/insight/flows';
import type { Address } from '../../../../src/base/solana/address';
import { dammPosition } from '../../../../src/base/solana/pda';
import { WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { EarningsReader, type Earnings, type EarningsSubject } from '../../../../src/transactions/earnings/earnings';
import { loggedFlows, type ReadLogs } from '../../../../src/transactions/earnings/loggedFlows';
import { told } from '../../../../src/base/reasons/reason';
import { chainOf } from '../../../../src/transactions/earnings/positionChain';
import type { JournalPlan } from '../../../../src/transactions/journal/plans';
import type { OperationRecord } from '../../../../src/transactions/journal/types';
import { key, OTHER, OWNER, POOL, POSITION, TOKEN, transaction } from '../../../support/base/insight/rawTransactions';
import { AT_MS, LEADING_TO, REBALANCE, record, SIGNATURE, SUBMITTED, ZAP_IN, ZAP_OUT } from '../../../support/ui/journalRecords';

const [BEFORE, AFTER] = [key(11), key(12)];
type Events = Parameters<typeof record>[0];

const SETTLED: Events = [...SUBMITTED, { kind: 'settled', lamportsBack: undefined, shortfall: undefined }];
const EXPIRED: Events = [...SUBMITTED, { kind: 'expired', reason: told('It expired.') }];

/** Operations of the owner in the pool, in the order in which they are written, an hour apart. */
function journal(
  ...entries: readonly { id: string; plan: JournalPlan; parent?: string; makes?: Address; ends?: Events; owner?: Address }[]
): readonly OperationRecord[] {
  return entries.map(({ id, plan, parent, makes, ends = SETTLED, owner = OWNER }, index) => {
    const events = ends.map((event) => (event.kind === 'built' ? { ...event, position: makes } : event));
    return record(events, { plan, parent, owner, pool: POOL, atMs: AT_MS + index * 3_600_000 }, id);
  });
}

const zapOut = (position: Address): JournalPlan => ({ ...ZAP_OUT, position });
const rebalance = (position: Address): JournalPlan => ({ ...REBALANCE, position });

/** BEFORE is opened and turned into POSITION, on the second attempt, and that into AFTER. */
const REBALANCED = journal(
  { id: 'open', plan: ZAP_IN, makes: BEFORE },
  { id: 'first', plan: rebalance(BEFORE), ends: [] },
  { id: 'first-out', plan: zapOut(BEFORE), parent: 'first' },
  { id: 'first-in-vain', plan: ZAP_IN, parent: 'first', makes: key(13), ends: EXPIRED },
  { id: 'first-in', plan: ZAP_IN, parent: 'first', makes: POSITION },
  { id: 'elsewhere', plan: ZAP_IN, makes: key(14) },
  { id: 'of-another', plan: zapOut(POSITION), owner: OTHER },
  { id: 'declined', plan: zapOut(POSITION), ends: LEADING_TO.approved },
  { id: 'second', plan: rebalance(POSITION), ends: [] },
  { id: 'second-out', plan: zapOut(POSITION), parent: 'second' },
  { id: 'second-in', plan: ZAP_IN, parent: 'second', makes: AFTER },
).toReversed();

describe('The chain of a position', () => {
  const where = { owner: OWNER, pool: POOL, poolType: 'dlmm' };

  it('It follows rebalances in both directions, and has all that was sent for them, attempts that failed included', () => {
    for (const position of [BEFORE, POSITION, AFTER]) {
      const { positions, operations } = chainOf(position, where, REBALANCED);
      assert.deepEqual(positions, [BEFORE, POSITION, AFTER]);
      assert.deepEqual(
        operations.map(({ id }) => id),
        ['open', 'first-out', 'first-in-vain', 'first-in', 'second-out', 'second-in'],
      );
    }
  });

  it('A position alone has what opened it, worked on it and closed it, so that each operation belongs to one position', () => {
    const idsOf = (position: Address): readonly string[] => {
      const { positions, operations } = chainOf(position, where, REBALANCED, 'position');
      assert.deepEqual(positions, [position]);
      return operations.map(({ id }) => id);
    };
    assert.deepEqual([BEFORE, POSITION, AFTER].map(idsOf), [['open', 'first-out'], ['first-in', 'second-out'], ['second-in']]);
  });
});

describe('The chain of a position of DAMM v2', () => {
  const mint = key(21);
  const position = dammPosition(mint);
  const where = { owner: OWNER, pool: POOL, poolType: 'dammV2' };
  const opened = journal(
    { id: 'open', plan: ZAP_IN, makes: mint },
    { id: 'out', plan: zapOut(mint) },
    { id: 'other', plan: zapOut(key(22)) },
  );

  it('It has the operations that name it by the mint of its NFT, and no others', () => {
    const chain = chainOf(position, where, opened);
    assert.deepEqual([chain.positions, chain.operations.map(({ id }) => id)], [[position], ['open', 'out']]);
    // A position of DLMM has no mint that stands for it.
    assert.deepEqual(chainOf(position, { ...where, poolType: 'dlmm' }, opened).operations, []);
  });
});

describe('Flows by the events of a service', () => {
  const pair = { x: TOKEN, y: WRAPPED_SOL_MINT };
  const log = (action: string, amount0?: bigint, amount1?: bigint) => ({ action, amount0, amount1, signature: SIGNATURE }) as never;
  const kinds = (...logs: readonly never[]) => {
    const flows = loggedFlows(logs, pair);
    return typeof flows === 'string' ? flows : flows.map(({ kind, amounts }) => [kind, amounts[TOKEN], amounts[WRAPPED_SOL_MINT]]);
  };

  it('Deposits, withdrawals and fees are flows; opening and closing only where they move something', () => {
    const flows = kinds(log('open'), log('deposit', 5n, 7n), log('claim_fee', 0n, 1n), log('close', 5n, 0n), log('close', 0n, 0n));
    assert.deepEqual(flows, [
      ['in', 5n, 7n],
      ['fees', 0n, 1n],
      ['out', 5n, 0n],
    ]);
  });

  it('Rewards and events that may have moved something unsaid make all of it unknown', () => {
    assert.equal(kinds(log('deposit', 5n, 7n), log('claim_reward', 1n, 0n)), 'rewards');
    assert.equal(kinds(log('deposit', 5n)), 'notUnderstood');
    assert.equal(kinds(log('migrate', 0n, 0n)), 'notUnderstood');
  });
});

describe('What a chain of positions really earned', () => {
  const SUBJECT: EarningsSubject = {
    owner: OWNER,
    position: POSITION,
    scope: 'chain',
    pool: { address: POOL, poolType: 'dlmm', x: TOKEN, y: WRAPPED_SOL_MINT, decimalsX: 5, decimalsY: 9, binStepBps: 10 },
    open: undefined,
    pricesNow: {},
    solUsdNow: 150,
    reportedPnlSol: undefined,
    isHistoryWhole: true,
  };
  const signaturesOf = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `signature-${index}`);

  /** Reads a closed position whose events name these transactions, of which the node has some. */
  function read(
    signatures: readonly string[],
    has: (signature: string) => boolean,
    more: Partial<EarningsSubject> = {},
  ): Promise<Earnings> {
    const raws = (signature: string): RawTransaction | undefined => (has(signature) ? transaction({ signature }) : undefined);
    const reader = new EarningsReader({
      journal: () => Promise.resolve({ read: () => Promise.resolve({ records: [], problems: [] }) }),
      rpc: () => Promise.resolve({ transactionWithCalls: (signature: string) => Promise.resolve(raws(signature)) } as never),
    });
    const items = signatures.map((signature) => ({ action: 'deposit', amount0: 5n, amount1: 7n, signature }) as never);
    const readLogs: ReadLogs = () => Promise.resolve({ items });
    return reader.read({ ...SUBJECT, ...more }, readLogs, { signal: new AbortController().signal, mayReadMany: more.scope === 'position' });
  }

  it('Up to 60 transactions are read unasked, up to 1,000 on request, and no more', async () => {
    const none = (): boolean => false;
    assert.deepEqual(await read(signaturesOf(60), none), { known: false, why: 'notRead', count: 60, of: 60 });
    assert.deepEqual(await read(signaturesOf(61), none), { known: false, why: 'many', count: 61 });
    const asked = { scope: 'position' } as const;
    assert.deepEqual(await read(signaturesOf(1_000), none, asked), { known: false, why: 'notRead', count: 1_000, of: 1_000 });
    assert.deepEqual(await read(signaturesOf(1_001), none, asked), { known: false, why: 'tooMany', count: 1_001 });
  });

  it('It is known only where every transaction could be read, and says how many could not', async () => {
    const three = signaturesOf(3);
    assert.deepEqual(await read(three, (signature) => signature !== three[1]), { known: false, why: 'notRead', count: 1, of: 3 });
    // The transactions are there now, but moved nothing of what the events say.
    assert.notEqual(whyOf(await read(three, () => true)), 'notRead');
  });

  it('It is not known while an operation on the position is under way, or where its history is not whole', async () => {
    const open = record(SUBMITTED, { plan: zapOut(POSITION), pool: POOL, owner: OWNER });
    const reader = new EarningsReader({
      journal: () => Promise.resolve({ read: () => Promise.resolve({ records: [open], problems: [] }) }),
      rpc: () => Promise.resolve(undefined),
    });
    const options = { signal: new AbortController().signal, mayReadMany: false };
    const readLogs: ReadLogs = () => Promise.resolve({ items: [] });
    assert.equal(whyOf(await reader.read(SUBJECT, readLogs, options)), 'underWay');
    assert.equal(whyOf(await read([SIGNATURE], () => true, { isHistoryWhole: false })), 'historyIncomplete');
  });
});

function whyOf(earnings: Earnings): string | undefined {
  return earnings.known ? undefined : earnings.why;
}
