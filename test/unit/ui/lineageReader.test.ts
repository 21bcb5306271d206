import assert from 'node:assert/strict';
import type { Address } from '../../../src/base/solana/address';
import { Portfolio } from '../../../src/portfolio/portfolio';
import type { ClosedPosition } from '../../../src/service/positions';
import type { OperationRecord } from '../../../src/transactions/journal/types';
import { LineageReader } from '../../../src/ui/positions/lineageReader';
import { Lineages } from '../../../src/ui/shell/lineages';
import { FakeClock, fakeService, openPosition, OWNER, settledMicrotasks } from '../../support/portfolio/fixtures';
import { landedRecord, zapInCreated, zapOutCreated } from '../../support/transactions/records';
import { fail } from '../../support/ui/memory';
import { closedPosition } from '../../support/ui/panels/overview/fixtures';

/** A rebalance as the journal has it: what it closed, and what it opened. */
function rebalance(id: string, atMs: number, from: Address, to: Address): readonly OperationRecord[] {
  const pool = openPosition(1).pool;
  const zapOut = zapOutCreated(atMs);
  assert.ok(zapOut.plan.kind === 'zapOut');
  const of = { owner: OWNER, pool, parent: id };
  const parent = {
    ...landedRecord({ ...zapOut, ...of, parent: undefined }, undefined, []),
    id,
    created: { ...zapOut, ...of, parent: undefined, operation: 'rebalance', plan: { kind: 'rebalance', position: from } },
  } as unknown as OperationRecord;
  return [
    parent,
    landedRecord({ ...zapOut, ...of, plan: { ...zapOut.plan, position: from } }, undefined, ['a']),
    landedRecord({ ...zapInCreated(atMs + 1), ...of }, to, ['b']),
  ];
}

async function lineagesOf(records: readonly OperationRecord[], closed: readonly ClosedPosition[]) {
  const clock = new FakeClock();
  const service = fakeService({ openPositions: () => Promise.resolve({ items: [openPosition(1), openPosition(2)], warnings: [] }) });
  const portfolio = new Portfolio({ service: () => Promise.resolve(service), log: () => undefined, clock });
  portfolio.setOwner(OWNER);
  const lineages = new Lineages(fail);
  const read: number[] = [];
  const listed = [...closed];
  const reader = new LineageReader({
    ...{ portfolio, lineages, clock, log: (_, message) => fail(new Error(message)) },
    journal: () => Promise.resolve({ read: () => Promise.resolve({ records, problems: [] }) }),
    connect: () =>
      Promise.resolve({
        closedPositions: ({ page = 1 }) => {
          read.push(page);
          const pages = { page, pageSize: 100, totalCount: listed.length, totalPages: 1, hasNextPage: false };
          return Promise.resolve({ items: listed, warnings: [], ...pages });
        },
      }),
  });
  const refresh = async () => {
    await portfolio.refresh('manual', ['positions']);
    await settledMicrotasks();
    await reader.settled();
  };
  await refresh();
  return { lineages, read, refresh, listed, clock };
}

describe('What positions earned before their rebalances', () => {
  const now = openPosition(1);
  const [first, second] = [closedPosition(1, { pnl: { usd: 300, native: 2 } }), closedPosition(2, { pnl: { usd: -100, native: -1 } })];
  const address = (of: { readonly address: Address | undefined }): Address => of.address ?? fail(new Error('no address'));
  const twice = [...rebalance('r1', 1_000, address(first), address(second)), ...rebalance('r2', 2_000, address(second), address(now))];

  it('The results of all positions that rebalances turned into an open one count, by one read, and those of others do not', async () => {
    const { lineages, read } = await lineagesOf(twice, [closedPosition(9), second, first]);
    assert.deepEqual(lineages.since([now]), { rebalances: 2, pnl: { usd: 210, native: 1.1 } });
    assert.equal(lineages.since([openPosition(2)]), undefined);
    assert.deepEqual(lineages.since([now, openPosition(2)])?.pnl.usd, 220);
    assert.deepEqual(read, [1]);
  });

  it('A result that the service does not list yet is unknown, never zero, and is looked for again', async () => {
    const { lineages, listed, clock, refresh } = await lineagesOf(twice, [first]);
    assert.deepEqual(lineages.since([now]), { rebalances: 2, pnl: { usd: undefined, native: undefined } });
    listed.push(second);
    await clock.advance(61_000);
    await refresh();
    assert.equal(lineages.since([now])?.pnl.usd, 210);
  });

  it('Without a rebalance nothing is read', async () => {
    const { lineages, read } = await lineagesOf([], [first]);
    assert.deepEqual([lineages.since([now]), read], [undefined, []]);
  });
});
