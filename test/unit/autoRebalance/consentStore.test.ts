import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import fc from 'fast-check';
import { ConsentFile, consentText, readConsent } from '../../../src/autoRebalance/consentStore';
import { areSameRules, type AutoRebalanceConsent, checksNeeded } from '../../../src/autoRebalance/types';
import { PATIENCE_MS } from '../../support/patience';
import { addressOf, OWNER } from '../../support/portfolio/fixtures';
import { rulesWith, START_MS } from '../../support/autoRebalance/listed';
import type { Told } from '../../support/autoRebalance/consentWorker';

const CONSENT: AutoRebalanceConsent = { service: 'https://service.example', owner: OWNER, rules: rulesWith(), sinceMs: START_MS };

const arbitraryConsent = fc
  .record({
    mode: fc.constantFrom('ask', 'automatic'),
    checkEveryMs: fc.integer({ min: 15_000, max: 3_600_000 }),
    leastValueUsd: fc.double({ min: 0, max: 1e9, noNaN: true }),
    stopLossPercent: fc.constantFrom(undefined, 0.5, 100),
    takeProfitPercent: fc.constantFrom(undefined, 10_000),
    pnlIn: fc.constantFrom('usd', 'native'),
    poolsLeftAlone: fc.array(fc.integer({ min: 0, max: 99 }).map(addressOf), { maxLength: 5 }),
    terms: fc.record(
      {
        halfWidthBins: fc.option(fc.integer({ min: 0, max: 699 }), { nil: undefined }),
        strategy: fc.constantFrom(undefined, 'Spot', 'Curve'),
        slippageBps: fc.integer({ min: 0, max: 10_000 }),
        reserveLamports: fc.bigInt({ min: 0n, max: 10n ** 15n }),
      },
      { noNullPrototype: true },
    ),
  })
  .map((rules): AutoRebalanceConsent => ({ ...CONSENT, rules: rulesWith(rules) }));

describe('The consent file of auto-rebalance', function () {
  let folder = '';
  let file: ConsentFile;
  const logs: string[] = [];
  const path = () => join(folder, 'automation', 'on.json');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'binsight-automation-'));
    logs.length = 0;
    file = new ConsentFile({ folder: join(folder, 'automation'), log: (_, message) => logs.push(message) });
  });

  afterEach(() => {
    file.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it('Auto-rebalance is off and touches no file until the user turns it on', async () => {
    assert.equal(await file.read(), undefined);
    await file.turnOff();
    assert.deepEqual([readdirSync(folder), logs], [[], []]);
  });

  it('The consent stays, also after a restart, until the user turns auto-rebalance off', async () => {
    await file.turnOn(CONSENT);
    assert.deepEqual(await file.read(), CONSENT);
    const again = new ConsentFile({ folder: join(folder, 'automation'), log: () => undefined });
    assert.deepEqual(await again.read(), CONSENT);
    again.dispose();
    await file.turnOn({ ...CONSENT, sinceMs: 9 });
    assert.equal((await file.read())?.sinceMs, 9);
    await file.turnOff();
    assert.equal(await file.read(), undefined);
    assert.deepEqual(readdirSync(join(folder, 'automation')), []);
  });

  it('Only the user can read the file', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    await file.turnOn(CONSENT);
    assert.equal(statSync(path()).mode & 0o777, 0o600);
  });

  it('Every consent is read back as it was written', () => {
    fc.assert(fc.property(arbitraryConsent, (consent) => assert.deepEqual(readConsent(consentText(consent)).consent, consent)));
  });

  it('A truncated or changed file counts as off', async () => {
    await file.turnOn(CONSENT);
    const text = readFileSync(path(), 'utf8');
    for (let length = 0; length < text.length; length += 1) {
      assert.equal(readConsent(text.slice(0, length)).consent, undefined);
    }
    const spoiled = [
      '',
      'null',
      '[]',
      '{}',
      text.replace('"format":1', '"format":2'),
      text.replace('"automatic"', '"always"'),
      text.replace('"mostPerDay":10', '"mostPerDay":null'),
      text.replace('"mostPerDay":10,', ''),
      text.replace(/"stopLossPercent":null,|,"stopLossPercent":null/, ''),
      text.replace('"slippageBps":100', '"slippageBps":99999'),
      text.replace('"mode"', '"more":1,"mode"'),
      ' '.repeat(200_000),
    ];
    for (const one of spoiled) {
      assert.notEqual(one, text);
      writeFileSync(path(), one);
      assert.equal(await file.read(), undefined, one.slice(0, 80));
    }
    assert.match(logs.join('\n'), /counts as off/);
  });

  it('A consent that could not be read back is not written', async () => {
    await assert.rejects(file.turnOn({ ...CONSENT, rules: rulesWith({ leastValueUsd: Number.NaN }) }), /cannot be saved/);
    assert.equal(existsSync(path()), false);
  });

  it('A failure to delete the consent file is reported', async () => {
    mkdirSync(path(), { recursive: true });
    await assert.rejects(file.turnOff(), /on\.json cannot be deleted.*other windows.*delete the file/);
  });

  it('The last of several concurrent changes determines the consent', async () => {
    await Promise.all([file.turnOn(CONSENT), file.turnOff(), file.turnOn({ ...CONSENT, sinceMs: 2 })]);
    assert.equal((await file.read())?.sinceMs, 2);
    await Promise.all([file.turnOn(CONSENT), file.turnOff()]);
    assert.equal(await file.read(), undefined);
  });

  describe('Two processes', () => {
    let worker = '';
    let child: ChildProcess;
    const said: { readonly told?: Told; readonly sinceMs?: number; readonly seen?: number }[] = [];
    const until = async (isSo: () => boolean): Promise<void> => {
      const startMs = performance.now();
      while (!isSo()) {
        assert.ok(performance.now() - startMs < PATIENCE_MS, JSON.stringify(said));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };

    beforeEach(async () => {
      worker = join(folder, 'worker.cjs');
      await esbuild.build({
        entryPoints: ['test/support/autoRebalance/consentWorker.ts'],
        bundle: true,
        format: 'cjs',
        platform: 'node',
        outfile: worker,
        logLevel: 'error',
      });
      child = fork(worker, [join(folder, 'automation')]);
      said.length = 0;
      child.on('message', (message) => said.push(message as (typeof said)[number]));
      await once(child, 'message');
    });

    afterEach(async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    });

    it('Each process sees the changes of the other one', async () => {
      let changes = 0;
      file.onDidChange(() => {
        changes += 1;
      });
      child.send('on' satisfies Told);
      await until(() => said.some(({ told }) => told === 'on') && changes > 0);
      assert.equal((await file.read())?.sinceMs, 7);
      said.length = 0;
      await file.turnOff();
      await until(() => said.some((message) => 'seen' in message || Object.keys(message).length === 0));
      child.send('read' satisfies Told);
      await until(() => said.some(({ told }) => told === 'read'));
      assert.equal(said.find(({ told }) => told === 'read')?.sinceMs, undefined);
    });

    it('A process that reads during many changes sees only on or off', async () => {
      let reads = 0;
      for (let round = 0; round < 40; round += 1) {
        child.send('on' satisfies Told);
        child.send('off' satisfies Told);
        for (let read = 0; read < 5; read += 1) {
          const consent = await file.read();
          assert.ok(consent === undefined || areSameRules(consent.rules, rulesWith()));
          reads += 1;
        }
      }
      await until(() => said.filter(({ told }) => told !== undefined).length === 80);
      assert.equal(reads, 200);
      assert.equal(await file.read(), undefined);
      assert.deepEqual(logs, []);
    });
  });
});

describe('Rules of auto-rebalance', () => {
  it('Rules are the same whatever the order of their pools and fields', () => {
    const [a, b] = [addressOf(1), addressOf(2)];
    assert.ok(areSameRules(rulesWith({ poolsLeftAlone: [a, b] }), rulesWith({ poolsLeftAlone: [b, a, b] })));
    assert.ok(
      areSameRules(rulesWith(), Object.fromEntries(Object.entries(rulesWith()).reverse()) as unknown as ReturnType<typeof rulesWith>),
    );
  });

  it('Rules differ if any field differs', () => {
    const other = {
      mode: 'ask',
      checkEveryMs: 1,
      outOfRangeChecks: 9,
      leastValueUsd: 1,
      cooldownMs: 1,
      mostPerPositionAndDay: 9,
      mostPerDay: 9,
      stopLossPercent: 1,
      takeProfitPercent: 1,
      pnlIn: 'native',
      poolsLeftAlone: [addressOf(1)],
    } as const;
    for (const [name, value] of Object.entries(other)) {
      assert.equal(areSameRules(rulesWith(), rulesWith({ [name]: value })), false, name);
    }
    for (const part of [
      { halfWidthBins: undefined },
      { halfWidthBins: 33 },
      { strategy: 'Spot' as const },
      { slippageBps: 101 },
      { reserveLamports: 50_000_001n },
    ]) {
      assert.equal(areSameRules(rulesWith(), rulesWith({ terms: { ...rulesWith().terms, ...part } })), false, Object.keys(part)[0]);
    }
  });

  it('At least two checks are needed, whatever the rules say', () => {
    assert.deepEqual(
      [1, 2, 5].map((outOfRangeChecks) => checksNeeded({ outOfRangeChecks })),
      [2, 2, 5],
    );
  });
});
