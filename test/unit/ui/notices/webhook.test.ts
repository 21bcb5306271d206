import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../../../src/base/async/clock';
import type { ProcessTable } from '../../../../src/base/processes';
import { outsideName, type OutsideNotice } from '../../../../src/ui/notices/noticeEvent';
import type { QuietHours } from '../../../../src/ui/notices/quietHours';
import { Outbox } from '../../../../src/ui/notices/webhook/outbox';
import type { WebhookDetails } from '../../../../src/ui/notices/webhook/webhookDetails';
import { codeEntities, type CodeEntity, sentNotice, webhookRequest } from '../../../../src/ui/notices/webhook/webhookMessage';
import { WebhookChannel } from '../../../../src/ui/notices/webhook/webhookChannel';
import { WebhookError, WebhookSender } from '../../../../src/ui/notices/webhook/webhookSender';
import { readWebhookAddress, readWebhookToken, WebhookStore, type WebhookTarget } from '../../../../src/ui/notices/webhook/webhookTarget';
import { Secrets } from '../../../../src/ui/shell/secrets';
import { PATIENCE_MS } from '../../../support/patience';
import { FakeClock } from '../../../support/portfolio/fixtures';
import { fail, KeyringSecrets, MemorySecrets } from '../../../support/ui/memory';

const NOW = Date.UTC(2026, 10, 20, 12);
const notice = (part: Partial<OutsideNotice> = {}): OutsideNotice => ({
  ...{
    kind: 'pnlAbove',
    pair: 'BONK/SOL',
    atMs: NOW,
    brief: 'BONK/SOL: PnL above your threshold.',
    full: 'BONK/SOL: PnL +25% (threshold: 20%).',
  },
  ...{ figures: { pnlPercent: 25 }, isSandbox: false },
  ...part,
});

interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A real server that answers in turn, and then always with 204. */
class Receiver {
  readonly received: Received[] = [];
  /** Status, headers and body of the next answers; `hangUp` closes the connection. */
  readonly answers: (readonly [number, Readonly<Record<string, string>>, string] | 'hangUp' | 'silence')[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => (text += String(chunk)));
      request.on('end', () => {
        this.received.push({ path: request.url ?? '', headers: request.headers, body: JSON.parse(text) as Received['body'] });
        const answer = this.answers.shift() ?? [204, {}, ''];
        if (answer === 'hangUp') {
          request.socket.destroy();
        } else if (answer !== 'silence') {
          response.writeHead(answer[0], answer[1]).end(answer[2]);
        }
      });
    });
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Waits for what files and sockets need their time for. */
async function patiently(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await holds())) {
    assert.ok(Date.now() < end, what);
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}

/** Waits without waiting, and remembers for how long. */
function hurriedClock(waits: number[]): Clock {
  return {
    now: () => NOW,
    after: (ms, run) => {
      waits.push(ms);
      return systemClock.after(0, run);
    },
  };
}

describe('Webhook', () => {
  let receiver: Receiver;
  let folder: string;
  const never = new AbortController().signal;
  beforeEach(async () => {
    receiver = await Receiver.start();
    folder = await mkdtemp(join(tmpdir(), 'webhook-'));
  });
  afterEach(async () => {
    await receiver.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const json = (part: Partial<WebhookTarget> = {}): WebhookTarget => ({
    ...{ preset: 'json', address: `${receiver.address}hook?key=k-e-y-123`, token: '', chat: '' },
    ...part,
  });
  const requestTo = (target: WebhookTarget, details: WebhookDetails = 'pairAndEvent') =>
    webhookRequest(target, [sentNotice(notice(), details)], NOW);
  const sender = (waits: number[] = [], timeoutMs = 5_000) => new WebhookSender({ clock: hurriedClock(waits), random: () => 0, timeoutMs });

  it('JSON has the notices with pair and event, and figures only if the user asked for them', async () => {
    await sender().send(requestTo(json({ token: 'secret-token' })), never);
    await sender().send(requestTo(json(), 'figures'), never);
    const [plain, withFigures] = receiver.received;
    assert.equal(plain?.path, '/hook?key=k-e-y-123');
    assert.equal(plain.headers['authorization'], 'Bearer secret-token');
    assert.deepEqual(plain.body, {
      ...{ source: 'binsight', version: 1, text: 'BONK/SOL: PnL above your threshold.' },
      notices: [{ kind: 'pnlAbove', pair: 'BONK/SOL', text: 'BONK/SOL: PnL above your threshold.', at: '2026-11-20T12:00:00.000Z' }],
    });
    assert.doesNotMatch(JSON.stringify(plain.body), /25|secret|k-e-y/);
    assert.equal(withFigures?.headers['authorization'], undefined);
    assert.deepEqual((withFigures?.body['notices'] as readonly Record<string, unknown>[])[0]?.['figures'], { pnlPercent: 25 });
  });

  it('Discord gets a text that mentions no user, and Telegram one that is not markup', async () => {
    await sender().send(requestTo(json({ preset: 'discord' })), never);
    await sender().send(requestTo({ preset: 'telegram', address: receiver.address, token: '12345:abc', chat: '-100' }), never);
    const [discord, telegram] = receiver.received;
    const text = 'BONK/SOL: PnL above your threshold.';
    assert.deepEqual(discord?.body, { username: 'Binsight', content: text, allowed_mentions: { parse: [] } });
    assert.equal(telegram?.path, '/bot12345:abc/sendMessage');
    assert.deepEqual(telegram.body, { chat_id: '-100', text, link_preview_options: { is_disabled: true } });
  });

  it('In Telegram no name becomes a link, a mention or a command, whatever a token is called', () => {
    const telegram = { preset: 'telegram', address: receiver.address, token: '12345:abc', chat: '-100' } as const;
    const names = [
      'claim-airdrop.evil.com/SOL',
      't.me/evil_bot',
      '@evil_bot',
      '/start',
      'BONK/@evil',
      '#airdrop',
      '$FREE/SOL',
      '+1234567890/SOL',
      'https://evil.example/SOL',
      'a@evil.example',
      '😀😀 evil.com',
    ];
    for (const name of names) {
      for (const pair of [name, outsideName(name)]) {
        const before = notice({ pair: 'BONK/SOL', full: 'BONK/SOL left its range. 😀' });
        const named = notice({ pair, full: `${pair} left its range: ${name} fell.` });
        const { body } = webhookRequest(
          telegram,
          [before, named].map((one) => sentNotice(one, 'figures')),
          NOW,
        );
        const { text, entities = [] } = JSON.parse(body) as { readonly text: string; readonly entities?: readonly CodeEntity[] };
        // Offsets count UTF-16 units, as the indexes of a string do.
        const isCode = Array.from(text, () => false);
        entities.forEach(({ offset, length }) => isCode.fill(true, offset, offset + length));
        const links = [...text.matchAll(/[\w-]+(?:\.[a-z]+)+|@\w+|(?<![\w])[/#$][a-z]\w*|\+?\d{7,}/gi)];
        links.forEach(({ index, 0: link }) => assert.ok(isCode[index], `${link} in ${text}`));
        assert.ok(
          entities.every(
            ({ offset, length }, at) => offset >= (entities[at - 1]?.offset ?? 0) + (entities[at - 1]?.length ?? 0) && length > 0,
          ),
        );
        assert.equal(text.slice(0, 40).includes('BONK/SOL'), true);
        assert.equal(isCode[text.indexOf('BONK/SOL left')], false, 'a plain name stays as it is');
      }
    }
    assert.deepEqual(codeEntities('x '.repeat(3) + 'a.b '.repeat(101), []), [{ type: 'code', offset: 0, length: 410 }]);
  });

  it('Many notices are one message within the limits, old ones with their time', () => {
    const many = Array.from({ length: 40 }, (_, place) => sentNotice(notice({ atMs: NOW - place * 60_000, isSandbox: true }), 'figures'));
    const { content } = JSON.parse(webhookRequest(json({ preset: 'discord' }), many, NOW).body) as { readonly content: string };
    assert.match(content, /^40 notices:\n• Sandbox \(pretend\): BONK\/SOL: PnL \+25%/);
    assert.match(content, /\n• \d\d:\d\d:\d\d Sandbox/);
    assert.match(content, /\n• and 20 more$/);
    assert.ok(content.length <= 2_000);
    const long = webhookRequest(json({ preset: 'discord' }), [sentNotice(notice({ brief: 'x'.repeat(9_000) }), 'pairAndEvent')], NOW);
    assert.ok((JSON.parse(long.body) as { readonly content: string }).content.length <= 2_000);
  });

  it('Temporary failures are retried a few times, after the time that the server asks for', async () => {
    const waits: number[] = [];
    receiver.answers.push('hangUp', [503, {}, ''], [429, { 'retry-after': '7' }, '']);
    await sender(waits).send(requestTo(json()), never);
    assert.deepEqual([waits, receiver.received.length], [[2_000, 4_000, 7_000], 4]);
    const body: number[] = [];
    receiver.answers.push([429, {}, '{"retry_after": 1.5}'], [429, {}, '{"parameters":{"retry_after":3}}']);
    await sender(body).send(requestTo(json()), never);
    assert.deepEqual(body, [1_500, 3_000]);
  });

  it('After four attempts, or when the server asks for a long wait, the message is for later', async () => {
    const cases = [
      [Array.from({ length: 9 }, () => [500, {}, ''] as const), 4],
      [[[429, { 'retry-after': '3600' }, ''] as const], 1],
    ] as const;
    for (const [answers, attempts] of cases) {
      receiver.answers.splice(0, Infinity, ...answers);
      receiver.received.splice(0);
      await assert.rejects(sender().send(requestTo(json()), never), (error) => error instanceof WebhookError && error.isTemporary);
      assert.equal(receiver.received.length, attempts);
    }
  });

  it('A server that does not answer is given up on', async () => {
    receiver.answers.push('silence', 'silence', 'silence', 'silence');
    await assert.rejects(sender([], 30).send(requestTo(json()), never), /did not answer within [\d.]+ s\./);
  });

  it('A redirect is not followed, and a rejected message is not repeated; no message quotes the address', async () => {
    const other = await Receiver.start();
    const { address } = other;
    try {
      for (const answer of [
        [302, { location: other.address }, ''] as const,
        [307, { location: other.address }, ''] as const,
        [404, {}, 'k-e-y-123'] as const,
      ]) {
        receiver.answers.push(answer);
        await assert.rejects(
          sender().send(requestTo(json()), never),
          (error) => error instanceof WebhookError && !error.isTemporary && !/k-e-y|hook\?/.test(`${error.message}${String(error.cause)}`),
        );
      }
      assert.deepEqual([receiver.received.length, other.received.length], [3, 0]);
    } finally {
      await other.stop();
    }
    const gone = requestTo(json({ address: `${address}k-e-y-123` }));
    await assert.rejects(
      sender().send(gone, never),
      (error) => error instanceof WebhookError && error.isTemporary && !/k-e-y/.test(`${error.message}${String(error.cause)}`),
    );
  });

  it('Only https is an address, and http on this machine', () => {
    for (const address of ['https://example.org/x?key=1', 'http://127.0.0.1:9/x', 'http://localhost/x', 'http://[::1]:80/']) {
      assert.ok(readWebhookAddress(address, 'json').ok, address);
    }
    for (const address of [
      'http://example.org',
      'ftp://x',
      'example.org',
      '',
      'https://u:p@x.org',
      'https://x.org/#a',
      'http://127.0.0.1.evil.org/',
      'file:///etc/passwd',
    ]) {
      const reading = readWebhookAddress(address, 'json');
      assert.ok(!reading.ok && (address === '' || !reading.message.includes(address)), address);
    }
    const discord = `https://discord.com/api/webhooks/123456789/${'a'.repeat(68)}`;
    assert.ok(readWebhookAddress(discord, 'discord').ok);
    for (const wrong of [
      discord.replace('discord.com', 'discord.com.evil.org'),
      'https://discord.com/api/users/1',
      'https://example.org/x',
    ]) {
      assert.ok(!readWebhookAddress(wrong, 'discord').ok, wrong);
    }
    assert.ok(readWebhookAddress('https://api.telegram.org', 'telegram').ok);
    assert.ok(!readWebhookAddress('https://api.telegram.org/bot1:x', 'telegram').ok);
    assert.ok(!readWebhookToken('a b', 'json').ok);
    assert.ok(!readWebhookToken('x\r\ny: z', 'json').ok);
    assert.ok(readWebhookToken(`123456:${'A'.repeat(35)}`, 'telegram').ok);
    assert.ok(!readWebhookToken('../x', 'telegram').ok);
  });

  it('The target is kept as a secret, hidden from the log, and checked when it is read', async () => {
    const secrets = new MemorySecrets();
    const hidden: string[] = [];
    const store = new WebhookStore(secrets, (secret) => hidden.push(secret));
    assert.equal(await store.get(), undefined);
    await store.set(json({ token: 'secret-token' }));
    assert.deepEqual(await store.get(), json({ token: 'secret-token' }));
    assert.ok(hidden.includes('secret-token') && hidden.some((secret) => secret.includes('k-e-y-123')));
    await secrets.store('binsight.webhook', JSON.stringify(json({ address: 'http://example.org/' })));
    assert.equal(await store.get(), undefined);
    await store.delete();
    assert.equal(secrets.kept.size, 0);
  });

  const processes = (ownPid: number, running: readonly number[]): ProcessTable => ({
    ...{ ownPid, isRunning: (pid) => running.includes(pid), startedAt: () => Promise.resolve(undefined) },
  });

  it('Of several windows, one takes all that waits, and what a window that ended had taken comes back', async () => {
    const [one, two, three] = [1, 2, 3].map((pid) => new Outbox(folder, processes(pid, [2, 3])));
    assert.ok(one && two && three);
    await Promise.all([one, two, three].map((outbox, place) => outbox.put(sentNotice(notice({ atMs: NOW + place }), 'pairAndEvent'))));
    const taken = await Promise.all([one.take(NOW), two.take(NOW), three.take(NOW)]);
    assert.deepEqual(
      taken.flatMap((batch) => (batch === undefined ? [] : [batch.notices.map(({ atMs }) => atMs - NOW)])),
      [[0, 1, 2]],
    );
    const batch = taken.find((found) => found !== undefined) ?? assert.fail();
    await batch.putBack();
    // The first one takes them, and ends.
    assert.equal((await one.take(NOW))?.notices.length, 3);
    assert.equal(await two.take(NOW), undefined);
    await two.recover();
    const again = (await two.take(NOW)) ?? assert.fail();
    assert.equal(again.notices.length, 3);
    await again.remove();
    assert.deepEqual(await readdir(folder), []);
  });

  it('Notices older than a day are dropped', async () => {
    const outbox = new Outbox(folder);
    await outbox.put(sentNotice(notice(), 'pairAndEvent'));
    assert.equal(await outbox.take(NOW + 86_400_001), undefined);
    assert.equal(await outbox.isWaiting(), false);
  });

  /** A window with a webhook. */
  function channel(
    part: {
      readonly target?: WebhookTarget | undefined;
      readonly quiet?: () => QuietHours | undefined;
      readonly outbox?: Outbox;
      readonly store?: Pick<WebhookStore, 'get'>;
    } = {},
  ) {
    const clock = new FakeClock();
    const failures: string[] = [];
    const state = { target: 'target' in part ? part.target : json() };
    const webhook = new WebhookChannel({
      store: part.store ?? { get: () => Promise.resolve(state.target) },
      outbox: part.outbox ?? new Outbox(folder),
      sender: sender(),
      clock,
      details: () => 'pairAndEvent',
      quietHours: part.quiet ?? (() => undefined),
      random: () => 0,
      onFailure: (message) => failures.push(message),
      log: () => undefined,
      onError: fail,
    });
    const add = (...briefs: readonly string[]) => webhook.add(briefs.map((brief) => notice({ brief, atMs: clock.now() })));
    const texts = () => receiver.received.map(({ body }) => body['text']);
    const untilReceived = (count: number) => patiently(`${count} messages`, () => receiver.received.length >= count);
    return { clock, failures, webhook, add, texts, untilReceived, state };
  }

  it('While the secret storage cannot be read, notices are kept, which is said once, and sent when it can', async () => {
    const keyring = new KeyringSecrets();
    const store = new WebhookStore(new Secrets(keyring, new FakeClock(), fail).brief(), () => undefined);
    await store.set(json());
    const { clock, failures, add, texts, untilReceived } = channel({ store });
    keyring.refuse();
    await add('A left.');
    await add('B left.');
    await clock.advance(15_000);
    assert.deepEqual([failures.length, texts()], [1, []]);
    assert.match(failures[0] ?? '', /secret storage could not be read/);
    keyring.unlock();
    await patiently('a later attempt', () => clock.timers > 0);
    await clock.advance(300_000);
    await untilReceived(1);
    assert.match(String(texts()[0]), /A left\.[^]*B left\./);
  });

  it('Nothing is kept once it is known that there is no webhook', async () => {
    const keyring = new KeyringSecrets();
    const outbox = new Outbox(folder);
    const store = new WebhookStore(new Secrets(keyring, new FakeClock(), fail).brief(), () => undefined);
    const { clock, add } = channel({ store, outbox });
    keyring.refuse();
    await add('A left.');
    assert.ok(await outbox.isWaiting());
    keyring.unlock();
    await clock.advance(15_000);
    await patiently('it is gone', async () => !(await outbox.isWaiting()));
  });

  it('Events within a short time become one message, also those of other windows', async () => {
    const [one, two] = [channel(), channel()];
    await one.add('A left.');
    await Promise.all([one.clock.advance(1), two.clock.advance(1)]);
    await two.add('B left.');
    await one.clock.advance(1);
    await one.add('C left.', 'D left.');
    await one.clock.advance(15_000);
    await one.untilReceived(1);
    assert.deepEqual(one.texts(), ['4 notices:\n• A left.\n• B left.\n• C left.\n• D left.']);
    await two.clock.advance(15_000);
    assert.equal(receiver.received.length, 1);
  });

  it('In quiet hours messages wait, and are sent as one afterwards, also by another window', async () => {
    const quiet = channel();
    const now = new Date(quiet.clock.now());
    const minute = now.getHours() * 60 + now.getMinutes();
    const hours = () => ({ from: minute, until: (minute + 60) % 1_440 });
    const first = channel({ quiet: hours });
    await first.add('A left.');
    await first.clock.advance(20_000);
    assert.equal(receiver.received.length, 0);
    first.webhook.dispose();
    const next = channel({ quiet: hours });
    await next.webhook.begin();
    await next.clock.advance(20_000);
    await next.add('B left.');
    await next.clock.advance(59 * 60_000);
    assert.equal(receiver.received.length, 0);
    await next.clock.advance(60_000);
    await next.untilReceived(1);
    assert.match(String(next.texts()[0]), /^2 notices:\n• [\d:]+ A left\.\n• [\d:]+ B left\.$/);
  });

  it('When the quiet hours are turned off, what waits is sent soon', async () => {
    let hours: QuietHours | undefined;
    const { clock, webhook, add, untilReceived } = channel({ quiet: () => hours });
    const now = new Date(clock.now());
    const minute = now.getHours() * 60 + now.getMinutes();
    hours = { from: minute, until: (minute + 540) % 1_440 };
    await add('A left.');
    await clock.advance(20_000);
    hours = undefined;
    const timers = clock.timers;
    webhook.changed();
    assert.equal(clock.timers, timers - 1);
    await patiently('the outbox is looked at', () => clock.timers === timers);
    await clock.advance(15_000);
    await untilReceived(1);
  });

  it('The end of quiet hours is noticed within a minute, also after the machine slept', async () => {
    let hours: QuietHours | undefined;
    const { clock, add, untilReceived } = channel({ quiet: () => hours });
    const now = new Date(clock.now());
    const minute = now.getHours() * 60 + now.getMinutes();
    hours = { from: minute, until: (minute + 540) % 1_440 };
    await add('A left.');
    await clock.advance(20_000);
    // The time of day goes on in sleep, timers do not.
    hours = undefined;
    await clock.advance(60_000);
    await untilReceived(1);
  });

  it('A send that is being retried stops when the webhook is removed or replaced, and only another webhook gets it', async () => {
    for (const next of ['removed', 'replaced'] as const) {
      receiver.received.splice(0);
      receiver.answers.splice(0, Infinity, 'silence');
      const { add, clock, webhook, state, failures, untilReceived } = channel();
      await add('A left.');
      await clock.advance(15_000);
      await untilReceived(1);
      state.target = next === 'removed' ? undefined : json({ address: `${receiver.address}other` });
      webhook.changed();
      await patiently('it is given up', async () => (await readdir(folder)).every((name) => !name.startsWith('taken')));
      await patiently('the next one is set', () => clock.timers > 0);
      await clock.advance(15_000);
      if (next === 'replaced') {
        await untilReceived(2);
      }
      assert.deepEqual(
        receiver.received.map(({ path }) => path),
        ['/hook?key=k-e-y-123', ...(next === 'replaced' ? ['/other'] : [])],
      );
      assert.equal(await new Outbox(folder).isWaiting(), false);
      assert.deepEqual(failures, []);
      webhook.dispose();
    }
  });

  it('What cannot be taken for the moment is sent later', async () => {
    const outbox = new Outbox(folder);
    const take = outbox.take.bind(outbox);
    outbox.take = () => Promise.resolve(undefined);
    const { add, clock, untilReceived } = channel({ outbox });
    await add('A left.');
    await clock.advance(15_000);
    await patiently('the next try is set', () => clock.timers > 0);
    outbox.take = take;
    await clock.advance(60_000);
    await untilReceived(1);
  });

  it('A failure is reported once; what could not be delivered is sent later', async () => {
    const { add, clock, failures, untilReceived, texts } = channel();
    receiver.answers.push(...Array.from({ length: 8 }, () => [500, {}, ''] as const));
    await add('A left.');
    await clock.advance(15_000);
    await untilReceived(4);
    await patiently('the retry is set', () => clock.timers > 0);
    await add('B left.');
    await clock.advance(300_000);
    await untilReceived(8);
    await patiently('the next retry is set', () => clock.timers > 0);
    await clock.advance(600_000);
    await untilReceived(9);
    assert.equal(failures.length, 1);
    assert.match(failures[0] ?? '', /^The webhook at 127\.0\.0\.1:\d+ answered 500\. Binsight tries again later\.$/);
    assert.match(String(texts().at(-1)), /A left\..+B left\./s);
  });

  it('A message that the webhook rejects is dropped, and the user hears of it once until it works again', async () => {
    const { add, clock, failures, untilReceived } = channel();
    receiver.answers.push([401, {}, ''], [401, {}, ''], [204, {}, ''], [401, {}, '']);
    for (const [place, reported] of [1, 1, 1, 2].entries()) {
      await add(`${place} left.`);
      await patiently('it waits for its time', () => clock.timers > 0);
      await clock.advance(15_000);
      await untilReceived(place + 1);
      await patiently('the answer is read', async () => (await readdir(folder)).every((name) => !name.startsWith('taken')));
      await patiently('it is reported', () => failures.length === reported);
    }
    assert.ok(receiver.received.every(({ body }) => !String(body['text']).includes('notices')));
  });

  it('What Telegram and Discord refuse is said in plain words, without a word of the answer but the new number of a chat', async () => {
    const telegram = (description: string, more: object = {}) =>
      JSON.stringify({ ok: false, description: `Bad Request: ${description} k-e-y`, ...more });
    const cases: readonly (readonly [number, string, RegExp])[] = [
      [
        400,
        telegram('group chat was upgraded', { parameters: { migrate_to_chat_id: -1001234567890 } }),
        /has a new chat, -1001234567890\./,
      ],
      [403, telegram('bot was blocked by the user'), /^The Telegram bot may not write in that chat\./],
      [403, telegram('bot was kicked from the group chat'), /^The Telegram bot may not write in that chat\./],
      [400, telegram('chat not found'), /^Telegram does not know that chat\./],
      [400, telegram('message thread not found'), /^That Telegram chat, or its topic, is closed or gone\./],
      [400, telegram('not enough rights to send text messages'), /^The Telegram bot may not write in that chat\./],
      [401, telegram('Unauthorized'), /^Telegram does not accept the token/],
      [404, '{"message":"Unknown Webhook k-e-y","code":10015}', /^Discord does not know this webhook/],
      [400, telegram('something new'), /rejected the message \(400\)\. Check its address and token\.$/],
      [400, '{"migrate_to_chat_id":"k-e-y"}', /rejected the message \(400\)/],
      [422, '{"error":"k-e-y"', /rejected the message \(422\)/],
    ];
    for (const [status, body, words] of cases) {
      receiver.answers.push([status, {}, body]);
      await assert.rejects(sender().send(requestTo(json()), never), (error) => {
        assert.ok(error instanceof WebhookError && !error.isTemporary);
        assert.match(error.message, words);
        return !error.message.includes('k-e-y');
      });
    }
  });

  it('Notices that a moved chat refuses are kept, and go out once the new chat is set', async () => {
    const { add, clock, failures, webhook, texts, untilReceived } = channel();
    receiver.answers.push([400, {}, '{"ok":false,"parameters":{"migrate_to_chat_id":-100123}}']);
    await add('A left.');
    await clock.advance(15_000);
    await patiently('it is reported', () => failures.length === 1);
    webhook.changed();
    await patiently('it waits for its time', () => clock.timers > 0);
    await clock.advance(15_000);
    await untilReceived(2);
    assert.match(String(texts()[1]), /A left\./);
  });

  it('Without a webhook nothing is kept', async () => {
    const { add, clock } = channel({ target: undefined });
    await add('A left.');
    assert.deepEqual([clock.timers, await readdir(folder)], [0, []]);
  });
});
