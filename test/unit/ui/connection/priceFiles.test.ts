import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PriceFiles } from '../../../../src/ui/connection/priceFiles';
import { addressOf } from '../../../support/portfolio/fixtures';

const NOW_MS = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const POOL = addressOf(1);

describe('The files of the prices of pools', () => {
  let folder = '';
  let nowMs = NOW_MS;
  const logged: string[] = [];
  const opened = (place = folder) => new PriceFiles({ folder: place, nowMs: () => nowMs, log: (_, message) => logged.push(message) });

  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'binsight-prices-')), 'prices');
    nowMs = NOW_MS;
    logged.length = 0;
  });
  afterEach(async () => rm(join(folder, '..'), { recursive: true, force: true }));

  it('keep what every window read, at most one reading in five minutes, over a restart', async () => {
    const [first, second] = [opened(), opened()];
    for (const [files, minutes, price] of [
      [first, 30, 1.5],
      [first, 29, 9],
      [second, 20, 6.9e-8],
      [first, 10, 1.25],
    ] as const) {
      files.add(POOL, { atMs: NOW_MS - minutes * MINUTE_MS, price });
      await files.since(POOL, 0);
    }
    const again = await opened().since(POOL, 0);
    assert.deepEqual(
      again.map(({ atMs, price }) => [(NOW_MS - atMs) / MINUTE_MS, price]),
      [
        [30, 1.5],
        [20, 6.9e-8],
        [10, 1.25],
      ],
    );
    assert.equal((await opened().since(POOL, NOW_MS - 15 * MINUTE_MS)).length, 1);
    assert.deepEqual(logged, []);
  });

  it('give nothing older than eight days, of the future, or that was not written to its end', async () => {
    const files = opened();
    files.add(POOL, { atMs: NOW_MS - 9 * DAY_MS, price: 1 });
    files.add(POOL, { atMs: NOW_MS - DAY_MS, price: 2 });
    await files.since(POOL, 0);
    await appendFile(
      join(folder, POOL),
      `${NOW_MS / 1_000 + 60} 3\n${NOW_MS / 1_000 - 60} -1\nrubbish\n${NOW_MS / 1_000 - 30} Infinity\n17999`,
    );
    assert.deepEqual(await files.since(POOL, 0), [{ atMs: NOW_MS - DAY_MS, price: 2 }]);
  });

  it('are at most twenty, whatever a service lists, and a pool that is no longer read gives its place away', async () => {
    const files = opened();
    const pools = Array.from({ length: 300 }, (_, number) => addressOf(number + 1));
    for (const pool of pools) {
      files.add(pool, { atMs: nowMs, price: 1 });
    }
    await files.since(POOL, 0);
    assert.equal((await readdir(folder)).length, 20);
    nowMs += 2 * 60 * MINUTE_MS;
    const later = addressOf(999);
    files.add(later, { atMs: nowMs, price: 1 });
    await files.since(later, 0);
    const names = await readdir(folder);
    assert.deepEqual([names.length, names.includes(later)], [20, true]);
  });

  it('are shortened to their newest lines', async () => {
    const files = opened();
    files.add(POOL, { atMs: NOW_MS - DAY_MS, price: 1 });
    await files.since(POOL, 0);
    const lines = Array.from({ length: 6_000 }, (_, number) => `${NOW_MS / 1_000 - 60_000 + 10 * number} 1.2345`);
    await writeFile(join(folder, POOL), `${lines.join('\n')}\n`);
    files.add(POOL, { atMs: NOW_MS, price: 7 });
    const kept = await files.since(POOL, 0);
    assert.deepEqual(kept.at(-1), { atMs: NOW_MS, price: 7 });
    assert.ok(kept.length > 2_000 && (await stat(join(folder, POOL))).size <= 60_000);
  });

  it('that cannot be written are told once in the log, and take nothing away', async () => {
    const file = join(folder, '..', 'file');
    await writeFile(file, '');
    const files = opened(join(file, 'prices'));
    files.add(POOL, { atMs: NOW_MS, price: 1 });
    files.add(addressOf(2), { atMs: NOW_MS, price: 1 });
    await files.since(addressOf(3), 0);
    assert.equal(logged.filter((message) => message.startsWith('Prices of pools are not kept: ')).length, 1);
  });
});
