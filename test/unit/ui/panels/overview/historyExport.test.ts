import assert from 'node:assert/strict';
import * as z from 'zod';
import { ServiceError } from '../../../../../src/service/errors';
import type { LedgerTransaction } from '../../../../../src/base/insight/ledger';
import type { KnownEarnings } from '../../../../../src/transactions/earnings/earnings';
import { deferred, OTHER_OWNER } from '../../../../support/portfolio/fixtures';
import { closedPosition } from '../../../../support/ui/panels/overview/fixtures';
import { PanelWorld } from '../../../../support/ui/panels/overview/panelWorld';

const DOWN = new ServiceError('The service failed (503).', { kind: 'server', endpoint: 'GET /lp-positions/historical', status: 503 });
const RESTING = new ServiceError('The service has had too many requests for your plan (429).', {
  kind: 'rateLimited',
  endpoint: 'GET /lp-positions/historical',
  status: 429,
  retryAfterMs: 45_000,
});
const Records = z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()])));

async function started(count: number, presses: Readonly<Record<string, string>> = {}): Promise<PanelWorld> {
  const world = new PanelWorld(presses);
  world.closePositions(count);
  await world.start();
  return world;
}

const told = (world: PanelWorld) => world.prompts.notices.map(({ message }) => message);

const TRANSACTION: LedgerTransaction = {
  ...{ signature: 'sig', timeS: 1_793_571_605, lamports: -1_005_000n, feeLamports: 5_000n, tipLamports: 1_000_000n, tokens: [] },
  ...{ rent: { locked: 0n, refunded: 0n, spent: 0n }, pool: {} },
};
const earnedBy = (transactions: readonly LedgerTransaction[]) => ({ known: true, transactions }) as unknown as KnownEarnings;

describe('Export of the history', () => {
  it('An export saves all pages, shows its progress and states the number of positions', async () => {
    const world = await started(1_234);
    world.messages.length = 0;
    await world.send({ kind: 'export', format: 'csv', range: {} });
    await world.rest();
    const progress = world.messages.flatMap((message) => (message.kind === 'export' ? [message.progress?.rows] : []));
    assert.deepEqual(progress, [100, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000, 1_100, 1_200, 1_234, undefined]);
    const [file] = world.saved;
    assert.equal(file?.name, 'binsight-closed-until-2026-11-20-000000.csv');
    const lines = file.text.split('\r\n');
    assert.equal(lines.length, 1 + 1_234 + 1);
    assert.ok(lines[1]?.startsWith(`${closedPosition(1_233).closedAt?.toISOString()},`), lines[1]);
    assert.deepEqual(told(world), ['Exported 1,234 positions to binsight-closed-until-2026-11-20-000000.csv.']);
  });

  it('An export contains every figure with all its digits and times in ISO 8601', async () => {
    const world = new PanelWorld();
    const position = closedPosition(3, {
      input: { usd: 0.1 + 0.2, native: 1e-9 },
      pnlPercent: { usd: undefined, native: -12.3456789012345 },
      strategy: undefined,
      isFeeEstimate: true,
      doubt: 'reported',
      followed: { owner: OTHER_OWNER, label: '=HYPERLINK("x")', position: undefined },
    });
    world.closed = [position];
    await world.start();
    await world.send({ kind: 'export', format: 'json', range: { from: '2020-01-01', to: '2030-12-31' } });
    assert.equal(world.saved[0]?.name, 'binsight-closed-2020-01-01-to-2030-12-31-000000.json');
    const [record] = Records.parse(JSON.parse(world.saved[0].text));
    assert.deepEqual(
      [
        record?.['closed_at'],
        record?.['input_usd'],
        record?.['input_sol'],
        record?.['pnl_percent_usd'],
        record?.['pnl_percent_sol'],
        record?.['strategy'],
        record?.['followed_label'],
        record?.['position'],
        record?.['fee_is_estimate'],
        record?.['doubt'],
      ],
      [
        position.closedAt?.toISOString(),
        0.30000000000000004,
        1e-9,
        null,
        -12.3456789012345,
        null,
        '=HYPERLINK("x")',
        position.address,
        'yes',
        'reported',
      ],
    );
    await world.send({ kind: 'export', format: 'csv', range: {} });
    const [names = '', values = ''] = world.saved[1]?.text.split('\r\n') ?? [];
    assert.deepEqual(names.split(','), Object.keys(record ?? {}));
    assert.ok(values.includes(`,"'=HYPERLINK(""x"")",${OTHER_OWNER},`), values);
  });

  it('An export includes positions that close while it is read', async () => {
    const world = await started(250);
    world.beforePage = ({ page }) => {
      if (page === 2) {
        world.closePositions(263);
      }
      return Promise.resolve();
    };
    await world.send({ kind: 'export', format: 'json', range: {} });
    const positions = Records.parse(JSON.parse(world.saved[0]?.text ?? '')).map((record) => record['position']);
    assert.deepEqual(
      positions,
      world.closed.toReversed().map(({ address }) => address),
    );
  });

  it('A file is handed over encoded, because a long text would be in memory twice and encoding it would block the editor', async () => {
    const world = await started(250);
    const kinds: string[] = [];
    world.save = ({ text, name }) => {
      kinds.push(typeof text === 'string' ? 'text' : 'bytes');
      return Promise.resolve(name);
    };
    await world.send({ kind: 'export', format: 'csv', range: {} });
    await world.send({ kind: 'export', format: 'json', range: {} });
    assert.deepEqual(kinds, ['bytes', 'bytes']);
    const [lines, records] = [world.saved[0]?.text.trimEnd().split('\r\n'), Records.parse(JSON.parse(world.saved[1]?.text ?? ''))];
    assert.deepEqual([lines?.length, records.length], [251, 250]);
  });

  it('An export reads only pages that the panel has not read for the same days', async () => {
    const world = await started(450);
    await world.send({ kind: 'moreHistory', all: true });
    world.asked.closed.length = 0;
    await world.send({ kind: 'export', format: 'csv', range: {} });
    assert.deepEqual(
      world.asked.closed.map(({ page }) => page),
      [1],
    );
    await world.send({ kind: 'export', format: 'csv', range: { from: '2000-01-01' } });
    assert.deepEqual(
      world.asked.closed.map(({ page }) => page),
      [1, 1, 2, 3, 4, 5],
    );
    assert.equal(world.saved[0]?.text, world.saved[1]?.text);
  });

  it('A cancelled export saves nothing', async () => {
    const world = await started(450);
    const held = deferred<undefined>();
    world.beforePage = ({ page }) => (page === 3 ? held.promise.then(() => undefined) : Promise.resolve());
    await world.send({ kind: 'export', format: 'csv', range: {} });
    assert.equal(world.last('export').progress?.rows, 200);
    await world.send({ kind: 'export', format: 'json', range: {} });
    await world.send({ kind: 'cancelExport' });
    assert.equal(world.last('export').progress, undefined);
    held.resolve(undefined);
    await world.rest();
    assert.deepEqual([world.saved, told(world)], [[], []]);
    await world.send({ kind: 'export', format: 'json', range: {} });
    await world.rest();
    assert.equal(world.saved.length, 1, 'and another one can be begun');
  });

  it('A failed export saves nothing and resumes at the failed page on Try Again', async () => {
    const world = await started(450, { 'Export failed': 'Try Again' });
    let failures = 0;
    world.beforePage = ({ page }) => {
      if (page === 3 && failures === 0) {
        failures += 1;
        return Promise.reject(DOWN);
      }
      return Promise.resolve();
    };
    await world.send({ kind: 'export', format: 'csv', range: {} });
    await world.rest();
    assert.deepEqual(told(world), [
      'Export failed. The service failed (503). Nothing was saved.',
      'Exported 450 positions to binsight-closed-until-2026-11-20-000000.csv.',
    ]);
    assert.deepEqual(
      world.asked.closed.map(({ page }) => page),
      [1, 1, 2, 3, 1, 3, 4, 5],
    );
    assert.equal(world.saved.length, 1);
  });

  it('An export waits as long as the service asks', async () => {
    const world = await started(300);
    let wasAsked = false;
    world.beforePage = ({ page }) => {
      const refuses = page === 2 && !wasAsked;
      wasAsked ||= refuses;
      return refuses ? Promise.reject(RESTING) : Promise.resolve();
    };
    await world.send({ kind: 'export', format: 'csv', range: {} });
    assert.deepEqual([world.saved.length, world.last('export').progress?.rows], [0, 100]);
    await world.clock.advance(45_000);
    await world.rest();
    assert.equal(world.saved.length, 1);
  });

  it('An export stops when its wallet changes, also on a later Try Again', async () => {
    const world = await started(300);
    const held = deferred<undefined>();
    world.beforePage = ({ page }) => (page === 2 ? held.promise.then(() => undefined) : Promise.resolve());
    await world.send({ kind: 'export', format: 'csv', range: {} });
    world.portfolio.setOwner(OTHER_OWNER);
    held.resolve(undefined);
    await world.rest();
    assert.deepEqual(
      [world.saved, told(world), world.last('export').progress],
      [[], ['Export failed. The wallet or service has changed. Nothing was saved.'], undefined],
    );

    const other = await started(300, { 'Export failed. The service failed': 'Try Again' });
    other.beforePage = ({ page }) => {
      if (page === 2) {
        other.portfolio.setOwner(OTHER_OWNER);
        return Promise.reject(DOWN);
      }
      return Promise.resolve();
    };
    await other.send({ kind: 'export', format: 'csv', range: {} });
    assert.deepEqual(other.saved, []);
  });

  it('An export writes nothing if it is abandoned while the user is asked for a file', async () => {
    for (const kind of ['switched', 'cancelled'] as const) {
      const world = await started(3);
      const dialog = deferred<string>();
      world.save = () => dialog.promise;
      await world.send({ kind: 'export', format: 'csv', range: {} });
      assert.equal(world.saved.length, 1);
      if (kind === 'switched') {
        world.portfolio.setOwner(OTHER_OWNER);
      } else {
        await world.send({ kind: 'cancelExport' });
      }
      dialog.resolve('mine.csv');
      await world.rest();
      assert.equal(world.saved[0]?.isWanted?.(), false);
      assert.deepEqual(told(world), kind === 'switched' ? ['Export failed. The wallet or service has changed. Nothing was saved.'] : []);
    }
    const closed = await started(3);
    const dialog = deferred<string>();
    closed.save = () => dialog.promise;
    await closed.send({ kind: 'export', format: 'csv', range: {} });
    closed.presenter.dispose();
    dialog.resolve('mine.csv');
    await closed.rest();
    assert.deepEqual(told(closed), ['Exported 3 positions to mine.csv.'], 'closing the panel does not cancel it');
  });

  it('An export reports an empty result, a failed write and missing records', async () => {
    const world = await started(0);
    await world.send({ kind: 'export', format: 'csv', range: {} });
    world.closed = [closedPosition(1), closedPosition(1)];
    world.save = () => Promise.reject(new Error('no space left on the device'));
    await world.send({ kind: 'export', format: 'csv', range: {} });
    world.save = () => Promise.resolve(undefined);
    await world.send({ kind: 'export', format: 'csv', range: {} });
    world.save = () => Promise.resolve('mine.csv');
    await world.send({ kind: 'export', format: 'csv', range: {} });
    assert.deepEqual(told(world), [
      'No positions closed on these days.',
      'Export failed. The file could not be written: no space left on the device. Nothing was saved.',
      'Exported only 1 of 2 positions. See the log.',
    ]);
  });

  it('An export for a tax program has each transaction once, says how many positions it leaves out, and is no tax advice', async () => {
    const world = await started(3);
    const [shared, own] = [TRANSACTION, { ...TRANSACTION, signature: 'own', timeS: 1 }];
    const missing = closedPosition(1).address;
    world.earnings = ({ position }) =>
      Promise.resolve(
        position === missing
          ? { known: false, why: 'notRead', count: 1, of: 2 }
          : earnedBy(position === closedPosition(0).address ? [shared, own] : [shared]),
      );
    await world.send({ kind: 'export', format: 'koinly', range: {} });
    await world.rest();
    const [file] = world.saved;
    assert.equal(file?.name, 'binsight-koinly-until-2026-11-20-000000.csv');
    assert.match(file.title, /2 transactions$/);
    const rows = file.text.split('\r\n').map((line) => line.split(','));
    assert.deepEqual(
      rows.slice(1).map((cells) => [cells[1], cells[2], cells[9], cells[11]]),
      [
        ['0.001005', 'SOL', 'cost', 'own'],
        ['0.00201', 'SOL', 'cost', 'sig'],
        [undefined, undefined, undefined, undefined],
      ],
    );
    assert.match(
      told(world)[0] ?? '',
      /^Exported 2 transactions to .+\. Movements with times in UTC, not tax advice\. 1 position left out: /,
    );
  });

  it('An export for a tax program without a Solana RPC saves nothing and says what is missing', async () => {
    const world = await started(3);
    await world.send({ kind: 'export', format: 'cointracking', range: {} });
    await world.rest();
    assert.equal(world.saved.length, 0);
    assert.match(told(world)[0] ?? '', /^Export failed\. Only the chain knows the transactions\. Connect to a Solana RPC/);
  });
});
