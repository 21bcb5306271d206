import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Mainnet } from '../../support/mainnet/mainnet';
import { Journal } from '../../support/mainnet/process/journal';
import { describeOnPrograms } from '../../support/programs';

describe('The file of the journal', () => {
  it('A line that was not written to its end is left out, and the next one is read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'journal-'));
    try {
      const file = join(folder, 'landed.jsonl');
      Journal.begin(file, Date.UTC(2026, 10, 1)).append({ slot: 1, bytes: Uint8Array.of(1) });
      const whole = readFileSync(file, 'utf8');
      appendFileSync(file, '{"slot":2,"by');
      Journal.read(file)?.append({ slot: 3, bytes: Uint8Array.of(3) });
      assert.equal(readFileSync(file, 'utf8'), `${whole}{"slot":3,"bytes":"Aw=="}\n`);
      assert.notEqual(Journal.read(file), undefined);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describeOnPrograms('The journal of the little mainnet', () => {
  it('brings back the same accounts in the next process', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'journal-'));
    const file = join(folder, 'landed.jsonl');
    const journal = Journal.begin(file, Date.UTC(2026, 10, 1));
    const first = await Mainnet.start({ nowMs: journal.beganMs });
    const second = await Mainnet.start({ nowMs: journal.beganMs });
    try {
      first.chain.onLanded = (landed) => journal.append(landed);
      const me = first.wallet(0);
      const { position } = await first.pools.solUsdc.open(me, { x: 10n ** 9n, y: 150_000_000n });
      first.advance({ seconds: 3_600 });
      await first.pools.solUsdc.swap(first.wallet(1), 'x', 10n ** 10n);
      await first.pools.solUsdc.claim(me, position);
      assert.equal(Journal.read(file)?.replay(second.chain), true);
      second.advance({ slots: first.chain.slot - second.chain.slot });
      assert.deepEqual(second.chain.record(), first.chain.record());
    } finally {
      await Promise.all([first.stop(), second.stop()]);
      rmSync(folder, { recursive: true });
    }
  });
});
