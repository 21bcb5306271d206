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
  readonly parts: () => number;
  readonly left: () => number;
} {
  const clock = new FakeClock();
  const script = [...answers];
  const texts: (string | undefined)[] = [];
  let [finished, parts] = [0, 0];
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
    onPart: () => (parts += 1),
    log: () => undefined,
    onError: fail,
  });
  watch.onDidChange(() => texts.push(watch.textFor(OWNER)));
  return { watch, clock, texts, finished: () => finished, parts: () => parts, left: () => script.length };
}

const at = (read: number, total: number): HistoryProgress => ({
  owner: OWNER,
  transactions: read,
  isReading: true,
  text: `${read} of ${total}`,
});
const complete = (transactions: number): HistoryProgress => ({ owner: OWNER, transactions, isReading: false, text: undefined });
const incomplete: HistoryProgress = { owner: OWNER, transactions: 2, isReading: false, text: 'Incomplete.' };
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('The progress of reading history', () => {
  it('The progress is shown while history is being read, and the figures are read again at its end', async () => {
    const { watch, clock, texts, finished } = watching([at(320, 1200), at(320, 1200), at(1200, 1200), complete(1200)]);
    watch.look();
    await settled();
    for (let time = 0; time < 3; time++) {
      await clock.advance(2_000);
      await settled();
    }
    assert.deepEqual(texts, ['320 of 1200', '1200 of 1200', undefined]);
    assert.equal(finished(), 1);
    await clock.advance(60_000);
    await settled();
    assert.equal(finished(), 1);
  });

  it('While a long history is being read, open positions are read again soon, and then less and less often', async () => {
    const { watch, clock, parts, finished } = watching([...Array.from({ length: 20 }, (_, index) => at(index, 10_000)), complete(10_000)]);
    watch.look();
    await settled();
    const after: number[] = [];
    for (let second = 2; second <= 40; second += 2) {
      const before = parts();
      await clock.advance(2_000);
      await settled();
      after.push(...(parts() > before ? [second] : []));
    }
    assert.deepEqual([after, finished()], [[4, 8, 16, 32], 1]);
  });

  it('What is missing from a history stays shown, and the figures are read again once', async () => {
    const { watch, clock, texts, finished, left } = watching([at(1, 2), incomplete, incomplete, complete(2)]);
    watch.look();
    await settled();
    await clock.advance(2_000);
    await settled();
    assert.deepEqual([texts, finished()], [['1 of 2', 'Incomplete.'], 1]);
    await clock.advance(60_000);
    await settled();
    assert.equal(left(), 2, 'it is not asked again by itself');
    watch.look();
    await settled();
    watch.look();
    await settled();
    assert.deepEqual([texts.slice(2), finished()], [[undefined], 1]);
  });

  it('The figures are read again if the history was read before it was first asked for, and whenever it has grown', async () => {
    const { watch, finished } = watching([undefined, complete(0), complete(27), complete(27), complete(28), complete(28)]);
    const counts: number[] = [];
    for (let time = 0; time < 6; time++) {
      watch.look();
      await settled();
      counts.push(finished());
    }
    assert.deepEqual(counts, [0, 0, 1, 1, 2, 2]);
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

  it('The service is asked once at a time, again if the lists have changed meanwhile, and not after the end of the window', async () => {
    const { watch, clock, left } = watching([at(1, 3), at(2, 3), at(3, 3)]);
    watch.look();
    watch.look();
    assert.equal(left(), 2);
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
    assert.deepEqual(await ask(), {
      owner: OWNER,
      transactions: 320,
      isReading: true,
      text: 'Reading history: 320 of 1,200 transactions.',
    });
    assert.equal(await ask(OTHER_OWNER), undefined);
    assert.deepEqual(seen, ['/status key', '/status key']);
  });

  it('The start of reading has no numbers yet', async () => {
    status = { data: { index: [{ ...entry('indexing'), transactions: 0, left: 0 }] } };
    assert.equal((await ask())?.text, 'Reading history: 0 of … transactions.');
  });

  it('What is missing from a history is reported with the reason in one line', async () => {
    for (const [over, says] of [
      [{ prunedBeforeSlot: 311_000_000 }, 'The RPC has nothing before slot 311,000,000.'],
      [{ error: '3 transactions cannot be read from this RPC.' }, '3 transactions cannot be read from this RPC.'],
      [{ state: 'failed', error: 'The RPC\nfailed' }, 'The RPC failed.'],
    ] as const) {
      status = { data: { index: [{ ...entry('current'), ...over }] } };
      const text = `The history of this wallet is incomplete. ${says}`;
      assert.deepEqual(await ask(), { owner: OWNER, transactions: 320, isReading: false, text });
    }
  });

  it('A history that has been read needs no text, and other answers are refused', async () => {
    status = { data: { index: [entry('current')] } };
    assert.deepEqual(await ask(), { owner: OWNER, transactions: 320, isReading: false, text: undefined });
    status = { data: {} };
    await assert.rejects(ask());
  });
});
