import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Emitter } from '../../../../src/base/async/emitter';
import { parseBaseUrl } from '../../../../src/service/baseUrl';
import { createRequestBudgets } from '../../../../src/ui/connection/requestBudgets';
import type { SettingId } from '../../../../src/settings/settingTypes';
import type { SettingsReader } from '../../../../src/ui/shell/settings/values';
import { FakeClock } from '../../../support/portfolio/fixtures';
import { fail } from '../../../support/ui/memory';

describe('The setting of requests per minute', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'binsight-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('A higher limit sends the requests that wait at once, and the rest of Binsight hears of it', async () => {
    const changes = new Emitter<readonly SettingId[]>(fail);
    let plan = '5';
    const budgets = createRequestBudgets({
      folder,
      clock: new FakeClock(),
      settings: {
        get: ((key: string) => (key === 'binsight.service.requestsPerMinute' ? plan : undefined)) as SettingsReader['get'],
        onDidChange: (keys, listener) => changes.on((changed) => changed.some((key) => keys.includes(key)) && listener()),
      },
      log: (_, message) => fail(new Error(message)),
      add: () => undefined,
    });
    const budget = budgets.of(parseBaseUrl('https://service.example/v1'), 'key');
    const told: (number | undefined)[] = [];
    budget.onDidChange(() => told.push(budget.perMinute));
    const sendAll = (count: number) => Promise.all(Array.from({ length: count }, () => budget.admit('panel', undefined, Infinity)));
    for (const admission of await sendAll(5)) {
      assert.ok(admission.kind === 'turn');
      admission.turn.answered({ status: 200, retryAfterMs: undefined, header: () => null });
    }
    const waiting = sendAll(5);
    assert.equal(budget.waitMs('panel') > 0, true, 'the sixth request has to wait');
    plan = '10';
    changes.fire(['binsight.refreshIntervalSeconds']);
    assert.deepEqual([budget.perMinute, told], [5, []], 'another setting changes no limit');
    changes.fire(['binsight.service.requestsPerMinute']);
    assert.deepEqual([budget.perMinute, told], [10, [10]]);
    assert.deepEqual(
      (await waiting).map(({ kind }) => kind),
      Array(5).fill('turn'),
    );
  });
});
