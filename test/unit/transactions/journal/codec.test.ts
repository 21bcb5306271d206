import { told } from '../../../../src/base/reasons/reason';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { JournalError } from '../../../../src/transactions/journal/errors';
import { FORMAT, readLines, journalLine } from '../../../../src/transactions/journal/codec';
import type { JournalEvent } from '../../../../src/transactions/journal/types';
import { anyCreated, anyFollowing } from '../../../support/transactions/journal/arbitraries';
import { created, GOING_WELL, HAPPENINGS } from '../../../support/transactions/journal/events';

const bytesOf = (events: readonly JournalEvent[]): Buffer =>
  Buffer.from(events.map((event, n) => journalLine(event, n, 'w').line).join(''));
const WELL: readonly JournalEvent[] = [
  created(),
  ...GOING_WELL.map((kind, index): JournalEvent => ({ atMs: 2_000 + index, ...HAPPENINGS[kind] })),
];

/** Without what is `undefined`: it may be there as such, or not at all. */
const plain = (events: readonly JournalEvent[]): unknown =>
  JSON.parse(JSON.stringify(events, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)));

describe('journal: lines', function () {
  it('The journal lines preserve every event exactly', () => {
    fc.assert(
      fc.property(anyCreated, fc.array(anyFollowing, { maxLength: 6 }), (first, rest) => {
        const events = [first, ...rest];
        const bytes = bytesOf(events);
        assert.equal(bytes.toString().split('\n').length, events.length + 1, 'one line each');
        const read = readLines(bytes);
        assert.equal(read.problem, undefined);
        assert.deepEqual(plain(read.events), plain(events));
        assert.equal(read.wholeBytes, bytes.length);
      }),
      { numRuns: 300 },
    );
  });

  it('The lines of an approval keep what was approved and signed, and are read without it', () => {
    const spends = Object.fromEntries(
      ['consumed', 'wrapped', 'networkFee', 'priorityFee', 'tip', 'refundableRent', 'spentRent', 'other'].map((name) => [
        `${name}Lamports`,
        '0',
      ]),
    );
    const earlier = [
      { kind: 'approved', by: 'user' },
      { kind: 'signed', signatures: ['one'], spends },
    ];
    const later = [
      { kind: 'approved', by: 'user', messageHashes: ['shown'], terms: 'digest', isCarriedOver: true },
      { kind: 'signed', signatures: ['one'], spends, messageHashes: ['signed'] },
    ];
    const read = (events: readonly object[]) => {
      const lines = events.map((event, index) => `${JSON.stringify({ n: index + 1, by: 'w', atMs: 5, ...event })}\n`).join('');
      const { events: found, problem } = readLines(Buffer.from(journalLine(created(), 0, 'w').line + lines));
      assert.equal(problem, undefined);
      return found.slice(1);
    };
    const [approvedEarlier, signedEarlier] = read(earlier);
    assert.ok(approvedEarlier?.kind === 'approved' && signedEarlier?.kind === 'signed');
    assert.deepEqual(
      [approvedEarlier.messageHashes, approvedEarlier.terms, signedEarlier.messageHashes],
      [undefined, undefined, undefined],
    );
    const [approved, signed] = read(later);
    assert.ok(approved?.kind === 'approved' && signed?.kind === 'signed');
    assert.deepEqual([approved.messageHashes, approved.terms, approved.isCarriedOver], [['shown'], 'digest', true]);
    assert.deepEqual(signed.messageHashes, ['signed']);
  });

  it('A forecast is read with the approval, and one that cannot be read takes nothing of the operation with it', () => {
    const band = { lamports: '5', lowLamports: '1', highLamports: '9' };
    const outlook = { horizonS: 86_400, timeInRange: { value: 0.7, low: 0.6, high: 0.8 }, loss: band, fees: band, netLamports: '-3' };
    const good = {
      sigmaPerDay: { value: 0.04, low: 0.03, high: 0.06 },
      outlooks: [outlook, { ...outlook, fees: null, netLamports: null }],
    };
    const read = (forecast: unknown) => {
      const { line } = journalLine({ kind: 'approved', atMs: 5, by: 'user' }, 1, 'w');
      const { events, problem } = readLines(
        Buffer.from(journalLine(created(), 0, 'w').line + line.replace('}\n', `,"forecast":${JSON.stringify(forecast)}}\n`)),
      );
      assert.equal(problem, undefined);
      const approved = events[1];
      assert.ok(approved?.kind === 'approved');
      return approved.forecast;
    };
    const lamports = { lamports: 5n, lowLamports: 1n, highLamports: 9n };
    const { outlooks = [] } = read(good) ?? {};
    assert.deepEqual([outlooks[0]?.fees, outlooks[0]?.netLamports, outlooks[1]?.fees], [lamports, -3n, undefined]);
    for (const bad of [
      null,
      7,
      {},
      { ...good, outlooks: [{ ...outlook, horizonS: 0 }] },
      { ...good, sigmaPerDay: { ...good.sigmaPerDay, low: null } },
    ]) {
      assert.equal(read(bad), undefined);
    }
  });

  it('The reader ignores a torn last line, at whatever byte it ends', () => {
    const bytes = bytesOf(WELL);
    const lastFrom = bytes.subarray(0, -1).lastIndexOf('\n') + 1;
    for (let length = lastFrom; length < bytes.length; length += 1) {
      const read = readLines(bytes.subarray(0, length));
      assert.deepEqual(read.events, WELL.slice(0, -1));
      assert.equal(read.problem, undefined);
      assert.equal(read.wholeBytes, lastFrom);
    }
    assert.equal(readLines(bytes).events.length, WELL.length);
  });

  it('The reader treats lines that a power failure filled with zeros as torn', () => {
    const bytes = bytesOf(WELL);
    const read = readLines(Buffer.concat([bytes, Buffer.alloc(200)]));
    assert.deepEqual([read.events.length, read.problem, read.wholeBytes], [WELL.length, undefined, bytes.length]);
  });

  it('The reader stops at an unreadable line in the middle, whatever its damage', () => {
    const lines = bytesOf(WELL).toString().split('\n');
    const damages: readonly ((line: string) => string)[] = [
      () => '',
      () => 'null',
      () => '[]',
      (line) => line.slice(0, -1),
      (line) => line.slice(1),
      (line) => line.replace('"kind"', '"kidn"'),
      (line) => line.replace(/"kind":"\w+"/, '"kind":"teleported"'),
      (line) => line.replace('"n":3', '"n":4'),
      (line) => line.replace('"atMs":', '"atMs":"'),
      (line) => `\ufeff${line}`,
    ];
    for (const damage of damages) {
      const damaged = lines.map((line, index) => (index === 3 ? damage(line) : line)).join('\n');
      const read = readLines(Buffer.from(damaged));
      assert.deepEqual(read.events, WELL.slice(0, 3));
      assert.match(read.problem ?? '', /line 4/i);
      assert.equal(read.isOfLaterVersion, false);
    }
  });

  it('The reader stops at bytes that are not text', () => {
    const bytes = bytesOf(WELL);
    bytes[bytes.indexOf('BONK')] = 0xff;
    assert.match(readLines(bytes).problem ?? '', /line 1/i);
  });

  it('The reader throws no error for any bytes', () => {
    const bytes = bytesOf(WELL);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.uint8Array({ maxLength: 8 }), fc.nat(8), (at, put, taken) => {
        const read = readLines(Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + taken)]));
        assert.ok(read.events.length <= WELL.length + 8);
      }),
      { numRuns: 2_000 },
    );
  });

  it('The reader ignores the line of a writer who lost the race for its number', () => {
    const [first = '', second = ''] = WELL.map((event, n) => journalLine(event, n, 'first').line);
    const late = journalLine({ atMs: 9, kind: 'submitted', lamportsBefore: undefined }, 1, 'second').line;
    const read = readLines(Buffer.from([first, second, late].join('')));
    assert.deepEqual(read.events, WELL.slice(0, 2));
    assert.equal(read.problem, undefined);
  });

  it('The reader does not report lines of a later version as damaged', () => {
    const bytes = Buffer.from(
      bytesOf(WELL)
        .toString()
        .replace(`"format":${FORMAT}`, `"format":${FORMAT + 1}`),
    );
    assert.deepEqual(readLines(bytes), {
      events: [],
      wholeBytes: bytes.length,
      problem: 'A later version of Binsight wrote it.',
      isOfLaterVersion: true,
    });
  });

  it('A journal of version 0.2.0 keeps its sentences, and their meaning if it wrote a known one', () => {
    const [first = ''] = WELL.map((event, n) => journalLine(event, n, 'w').line);
    const ended = (...more: readonly string[]) => {
      const line = `{"n":1,"by":"w","atMs":2,"kind":"abandoned","reason":"Closed."${more.join('')}}\n`;
      const { events, problem } = readLines(Buffer.from(first.replace(`"format":${FORMAT}`, '"format":1') + line));
      assert.equal(problem, undefined);
      const last = events.at(-1);
      assert.equal(last?.kind, 'abandoned');
      return last.reason;
    };
    assert.deepEqual(ended(',"code":"closedBeforeSending"'), { ...told('Closed.'), meaning: 'closedBeforeSending' });
    for (const other of [',"code":"ofALaterVersion"', ',"code":7', ',"code":{"x":[]}', ',"code":null', '']) {
      assert.deepEqual(ended(other), told('Closed.'));
    }
  });

  it('An operation that version 0.2.0 began is left alone by it once this version has continued it', () => {
    const { line } = journalLine({ atMs: 2, kind: 'abandoned', reason: { code: 'declined' } }, 1, 'w');
    assert.match(line, new RegExp(`"format":${FORMAT}`));
  });

  it('The reader accepts additional fields and missing optional fields', () => {
    const lines = bytesOf(WELL).toString().replace('"parent":null,', '').replace('{"n":1,', '{"n":1,"later":{"x":1},');
    assert.deepEqual(plain(readLines(Buffer.from(lines)).events), plain(WELL));
  });

  it('The writer truncates long hostile texts so that every line is readable', () => {
    const long = '\ud83d\ude00'.repeat(100_000);
    const { line, event } = journalLine({ atMs: 5, kind: 'landed', signature: long }, 1, 'w');
    assert.equal(event.kind === 'landed' && event.signature?.length, 10_000);
    const read = readLines(Buffer.from(journalLine(created(), 0, 'w').line + line));
    assert.deepEqual(read.events[1], event);
  });

  it('The writer rejects an event that it could not read back', () => {
    const plan = { ...HAPPENINGS.built, transactions: 1.5 };
    assert.throws(
      () => journalLine({ atMs: 5, ...plan }, 1, 'w'),
      (error) =>
        error instanceof JournalError && error.kind === 'notWritten' && /"built" is not valid \(transactions: /.test(error.message),
    );
  });
});
