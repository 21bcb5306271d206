import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readIndexProgress } from '../../../../src/ui/connection/indexProgress';
import { type HistoryProgress, IndexWatch } from '../../../../src/ui/connection/indexWatch';
import { FakeClock, OTHER_OWNER, OWNER } from '../../../support/portfolio/fixtures';
import { fail } from '../../../support/ui/memory';

/** A watch over a service whose answers are given one after the other. */
function watching(answers: readonly (HistoryProgress | undefined | Error)[]): {
  readonly watch: IndexWatch;
  readonly clock: FakeClock;
  readonly texts: (string | undefined)[];
  readonly finished: () => number;
  readonly left: () => number;
} {
  const clock = new FakeClock();
  const script = [...answers];
  const texts: (string | undefined)[] = [];
  let finished = 0;
  const watch = new IndexWatch({
    read: async () => {
      const answer = script.shift();
      if (answer instanceof Error) {
        throw answer;
      }
      return answer;
    },
    clock,
    onFinished: () => (finished += 1),
    log: () => undefined,
    onError: fail,
  });
  watch.onDidChange(() => texts.push(watch.textFor(OWNER)));
  return { watch, clock, texts, finished: () => finished, left: () => script.length };
}

const at = (read: number, total: number): HistoryProgress => ({ owner: OWNER, read, total });
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('The progress of reading history', () => {
  it('The progress is shown while history is being read, and the figures are read again at its end', async () => {
    const { watch, clock, texts, finished } = watching([at(320, 1_200), at(320, 1_200), at(1_200, 1_200), undefined]);
    watch.look();
    await settled();
    for (let time = 0; time < 3; time++) {
      await clock.advance(2_000);
      await settled();
    }
    assert.deepEqual(texts, ['Reading history: 320 of 1,200 transactions.', 'Reading history: 1,200 of 1,200 transactions.', undefined]);
    assert.equal(finished(), 1);
    await clock.advance(60_000);
    await settled();
    assert.equal(finished(), 1);
  });

  it('Nothing is shown for another wallet than the one whose history is being read', async () => {
    const { watch } = watching([at(1, 2)]);
    watch.look();
    await settled();
    assert.equal(watch.textFor(OTHER_OWNER), undefined);
    assert.equal(watch.textFor(undefined), undefined);
    watch.dispose();
  });

  it('A service that does not answer shows nothing and counts as no end', async () => {
    const { watch, texts, finished } = watching([at(1, 2), new Error('gone')]);
    watch.look();
    await settled();
    watch.look();
    await settled();
    assert.deepEqual([texts.length, texts[1], finished()], [2, undefined, 0]);
  });

  it('The service is asked once at a time, and not after the end of the window', async () => {
    const { watch, clock, left } = watching([at(1, 2), at(2, 2)]);
    watch.look();
    watch.look();
    await settled();
    assert.equal(left(), 1);
    watch.dispose();
    watch.look();
    await clock.advance(10_000);
    await settled();
    assert.equal(left(), 1);
  });
});

describe('Asking the local service for its progress', () => {
  let server: Server;
  let status: unknown;
  let seen: string[];

  beforeEach(async () => {
    seen = [];
    server = createServer((request, response) => {
      seen.push(`${request.url ?? ''} ${String(request.headers['x-api-key'])}`);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(status));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const ask = (owner = OWNER) =>
    readIndexProgress({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/open-api/v1`, apiKey: 'key', pid: 1 }, owner);
  const entry = (state: string) => ({ owner: OWNER, state, transactions: 320, left: 880, prunedBeforeSlot: null, error: null });

  it('The progress of the wallet is what has been read and what is known', async () => {
    status = { status: 'success', data: { pid: 1, index: [entry('indexing')] } };
    assert.deepEqual(await ask(), { owner: OWNER, read: 320, total: 1_200 });
    assert.equal(await ask(OTHER_OWNER), undefined);
    assert.deepEqual(seen, ['/status key', '/status key']);
  });

  it('There is no progress once history has been read or can not be read', async () => {
    for (const state of ['current', 'failed']) {
      status = { data: { index: [entry(state)] } };
      assert.equal(await ask(), undefined);
    }
    status = { data: {} };
    await assert.rejects(ask());
  });
});
