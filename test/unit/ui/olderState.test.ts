import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { ConsentStore } from '../../../src/autoRebalance/consentStore';
import { KeyRing } from '../../../src/ui/wallets/keyRing';
import { openJournal } from '../../../src/transactions/journal/journal';
import { readServiceChoice } from '../../../src/ui/shell/serviceChoice';
import { KeyStore } from '../../../src/ui/wallets/keyStore';
import { Owners } from '../../../src/ui/wallets/owners';
import { address } from '../../../src/base/solana/address';
import { ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { FakeClock } from '../../support/portfolio/fixtures';
import { fail, MemorySecrets, MemoryState } from '../../support/ui/memory';

/** test/fixtures/README.md */
const FIXTURE = join('test', 'fixtures', '0.2.0');
const SERVICE = readServiceChoice('https://example.org/v1');

const known = z.object({
  address: z.string(),
  canSign: z.boolean(),
  origin: z.string(),
  hasPassphrase: z.boolean(),
  name: z.string().optional(),
});
const wallets = z.object({
  secrets: z.record(z.string(), z.string()),
  state: z.record(z.string(), z.string()),
  active: known,
  known: z.array(known),
  plainAddress: z.string().transform(address),
  protectedAddress: z.string().transform(address),
});
const expected = z.object({
  grant: z.looseObject({ rules: z.looseObject({}) }),
  /** A day after the operations in the journal: nothing of it is old enough to be removed. */
  readAtMs: z.number(),
  operations: z.array(z.object({ id: z.string(), state: z.string() })),
});

function readFixture<Schema extends z.ZodType>(schema: Schema, name: string): z.output<Schema> {
  return schema.parse(JSON.parse(readFileSync(join(FIXTURE, name), 'utf8')));
}

/** Bigints as the fixture has them. */
const asStored = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}n` : one)));

describe('Data of version 0.2.0', () => {
  let folder: string;
  const { readAtMs } = readFixture(expected, 'expected.json');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'binsight-older-'));
    cpSync(FIXTURE, folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function readJournal(): ReturnType<ReturnType<typeof openJournal>['read']> {
    const log = (_level: string, message: string): void => assert.fail(message);
    const journal = openJournal({ folder: join(folder, 'journal'), nowMs: () => readAtMs, steadyMs: () => performance.now(), log });
    return journal.read().finally(() => journal.dispose());
  }

  it('The journal is read as it was: every operation, in the same state and order', async () => {
    const { records, problems } = await readJournal();
    assert.deepEqual(problems, []);
    assert.deepEqual(
      records.map(({ id, state }) => ({ id, state })),
      readFixture(expected, 'expected.json').operations,
    );
  });

  it('An operation that was interrupted after any of its events is in the state of its last event', async () => {
    const journal = join(folder, 'journal');
    const events = z.object({ kind: z.string() });
    const states = new Map<string, string>();
    for (const [index, name] of readdirSync(journal).sort().entries()) {
      const lines = readFileSync(join(journal, name), 'utf8').trimEnd().split('\n');
      const left = lines.slice(0, 1 + (index % (lines.length - 1)));
      writeFileSync(join(journal, name), `${left.join('\n')}\n`);
      // That the user was shown what is left changes no state.
      const kinds = left.map((line) => events.parse(JSON.parse(line)).kind).filter((kind) => kind !== 'seen');
      states.set(name.replace('.jsonl', ''), kinds.at(-1) ?? '');
    }
    const { records, problems } = await readJournal();
    assert.deepEqual(problems, []);
    assert.deepEqual(new Map(records.map(({ id, state }) => [id, state])), new Map([...states].sort().reverse()));
    assert.ok(new Set(states.values()).size > 5);
  });

  it('Wallets are known and signable as before, with and without a passphrase', async () => {
    const stored = readFixture(wallets, 'wallets.json');
    const [secrets, state] = [new MemorySecrets(), new MemoryState()];
    Object.entries(stored.secrets).forEach(([name, value]) => secrets.kept.set(name, value));
    Object.entries(stored.state).forEach(([name, value]) => state.kept.set(name, value));
    const owners = new Owners({
      secrets,
      state,
      clock: new FakeClock(),
      prompts: new ScriptedPrompts(),
      unlockMinutes: () => 15,
      createKeyRing: (dependencies) => Promise.resolve(new KeyRing(dependencies)),
      signReviewed: () => assert.fail('nothing is signed here'),
      onError: fail,
    });
    assert.deepEqual(owners.known(SERVICE), stored.known);
    assert.deepEqual(owners.active(SERVICE), stored.active);
    const keys = new KeyStore(secrets, () => readAtMs);
    for (const [wallet, passphrase] of [
      [stored.plainAddress, undefined],
      [stored.protectedAddress, 'a long passphrase'],
    ] as const) {
      const kept = (await keys.find(wallet)) ?? assert.fail('The key is not there');
      assert.equal((await keys.open(kept, passphrase)).address, wallet);
    }
  });

  // It had no limits for closings, costs and re-entries: it is known, but has to be confirmed again (obstacles.ts).
  it('Consent to auto-rebalance is still known, for the same rules and without the later limits', async () => {
    const stored = readFixture(wallets, 'wallets.json');
    const secrets = new MemorySecrets();
    Object.entries(stored.secrets).forEach(([name, value]) => secrets.kept.set(name, value));
    const consent = new ConsentStore({ folder: join(folder, 'automation'), secrets, log: () => undefined });
    try {
      const { grant } = readFixture(expected, 'expected.json');
      const rules = { ...grant.rules, mostClosingsPerDay: 0, mostCostPercentPerDay: 0 };
      assert.deepEqual(asStored(await consent.read()), { ...grant, rules });
    } finally {
      consent.dispose();
    }
  });
});
