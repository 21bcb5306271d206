import { told } from '../../../../src/base/reasons/reason';
import { wordsOf } from '../../../support/transactions/words';
import assert from 'node:assert/strict';
import { recordOf } from '../../../../src/transactions/journal/states';
import type { JournalEvent, OperationRecord } from '../../../../src/transactions/journal/types';
import { childOperationsOf, rebalanceStatusOf } from '../../../../src/transactions/rebalance/rebalanceStatus';
import { closedBeforeSending } from '../../../../src/transactions/outcome/reconcile';
import { NO_SPENDS } from '../../../../src/review/spends';
import { OWNER, POOL, POSITION } from '../../../support/review/bundles';
import { SERVICE } from '../../../support/transactions/harness';
import { zapInCreated, zapOutCreated } from '../../../support/transactions/records';

const BACK = 2_000_000_000n;
const DAY_MS = 86_400_000;
type Rest = JournalEvent extends infer Event ? (Event extends JournalEvent ? Omit<Event, 'atMs'> : never) : never;

const SENT: readonly Rest[] = [
  { kind: 'built', position: POSITION, transactions: 2, messageHashes: [], blockhashes: [], lastValidBlockHeight: 1 },
  { kind: 'reviewed', verdict: 'allow', rules: [] },
  { kind: 'approved', by: 'user' },
  { kind: 'signed', signatures: ['one', 'two'], spends: NO_SPENDS },
  { kind: 'submitted', lamportsBefore: 1n },
] as readonly Rest[];
const OUT: Rest = { kind: 'settled', lamportsBack: BACK, shortfall: undefined };
const IN: Rest = { kind: 'settled', lamportsBack: undefined, shortfall: undefined };

const rebalance = (...events: readonly Rest[]): OperationRecord =>
  recordOf('R', [
    {
      atMs: 0,
      kind: 'created',
      operation: 'rebalance',
      service: SERVICE,
      owner: OWNER,
      pool: POOL,
      poolType: 'dlmm',
      pairName: 'MINT/SOL',
      parent: undefined,
      plan: {
        kind: 'rebalance',
        position: POSITION,
        fromBinId: -20,
        toBinId: 19,
        halfWidthBins: 10,
        strategy: 'Spot',
        slippageBps: 300,
        reserveLamports: 0n,
      },
    },
    ...events.map((event) => ({ atMs: 1, ...event })),
  ]);
const zapOut = (atMs: number, ...events: readonly Rest[]): OperationRecord =>
  recordOf(`out${atMs}`, [{ ...zapOutCreated(atMs), parent: 'R' }, ...events.map((event) => ({ atMs: atMs + 1, ...event }))]);
const zapIn = (atMs: number, ...events: readonly Rest[]): OperationRecord =>
  recordOf(`in${atMs}`, [{ ...zapInCreated(atMs), parent: 'R' }, ...events.map((event) => ({ atMs: atMs + 1, ...event }))]);
const abandoned = (reason: string): Rest => ({ kind: 'abandoned', reason: told(reason) });
const failed = (reason: string, landedTransactions?: number): Rest => ({ kind: 'failed', reason: told(reason), landedTransactions });
const UNCLEAR: Rest = { kind: 'failed', reason: told('It is not clear.'), isUnclear: true };
const LANDED: Rest = { kind: 'landed', signature: 'one' };

/** What is expected: its kind, and of an end the event and its words. */
const CASES: readonly (readonly [what: string, parts: readonly OperationRecord[], kind: string, state?: string, words?: RegExp])[] = [
  ['no part started', [], 'concluded', 'abandoned', /closed before anything was sent/],
  ['the zap-out is being prepared', [zapOut(1, ...SENT.slice(0, 2))], 'underWay'],
  ['the zap-out was sent', [zapOut(1, ...SENT)], 'underWay'],
  ['the zap-out landed and does not show yet', [zapOut(1, ...SENT, LANDED)], 'underWay'],
  ['the zap-out was declined', [zapOut(1, abandoned('It was declined.'))], 'concluded', 'abandoned', /^It was declined\.$/],
  ['the zap-out failed', [zapOut(1, ...SENT, failed('It slipped.'))], 'concluded', 'failed', /^It slipped\.$/],
  [
    'the zap-out came too late and the user declined the second attempt',
    [zapOut(5, abandoned('It was declined.')), zapOut(1, ...SENT, failed('Too late.'))],
    'concluded',
    'abandoned',
    /declined/,
  ],
  [
    'the zap-out expired',
    [zapOut(1, ...SENT, { kind: 'expired', reason: told('It did not land.') })],
    'concluded',
    'failed',
    /did not land/,
  ],
  [
    'only a part of the zap-out landed and the position is still open',
    [zapOut(1, ...SENT, failed('Only 1 of 2 landed.', 1)), zapOut(2, abandoned('Declined.'))],
    'concluded',
    'failed',
    /Only 1 of 2/,
  ],
  ['the zap-out settled without measured proceeds', [zapOut(1, ...SENT, { ...OUT, lamportsBack: undefined })], 'awaitsReentry'],
  [
    'the zap-out settled with hardly any proceeds',
    [zapOut(1, ...SENT, { ...OUT, lamportsBack: 9_999_999n })],
    'concluded',
    'settled',
    /returned 0\.009999999 SOL/,
  ],
  ['the zap-out settled', [zapOut(1, ...SENT, OUT)], 'awaitsReentry'],
  ['the zap-out settled at the second attempt', [zapOut(5, ...SENT, OUT), zapOut(1, ...SENT, failed('Too late.'))], 'awaitsReentry'],
  ['the zap-in is being prepared', [zapOut(1, ...SENT, OUT), zapIn(2, ...SENT.slice(0, 1))], 'underWay'],
  ['the zap-in was sent', [zapOut(1, ...SENT, OUT), zapIn(2, ...SENT)], 'underWay'],
  [
    'the zap-in was sent after one that failed',
    [zapOut(1, ...SENT, OUT), zapIn(2, ...SENT, failed('It slipped.')), zapIn(3, ...SENT)],
    'underWay',
  ],
  ['the zap-in failed', [zapOut(1, ...SENT, OUT), zapIn(2, ...SENT, failed('It slipped.'))], 'awaitsReentry', undefined, /slipped/],
  ['the zap-in was declined', [zapIn(2, abandoned('It was declined.')), zapOut(1, ...SENT, OUT)], 'awaitsReentry', undefined, /declined/],
  [
    'the network did not execute the zap-in',
    [zapOut(1, ...SENT, OUT), zapIn(2, ...SENT, LANDED, failed('The network did not carry it out.'))],
    'awaitsReentry',
  ],
  [
    'the zap-in provably did not land',
    [zapOut(1, ...SENT, OUT), zapIn(2, ...SENT, LANDED, { kind: 'expired', reason: told('Nothing happened.') })],
    'awaitsReentry',
  ],
  ['the zap-in settled', [zapOut(1, ...SENT, OUT), zapIn(2, ...SENT, IN)], 'concluded', 'settled'],
  [
    'the zap-in settled at the second attempt',
    [zapOut(1, ...SENT, OUT), zapIn(3, ...SENT, IN), zapIn(2, ...SENT, failed('It slipped.'))],
    'concluded',
    'settled',
  ],
  [
    'the zap-in settled with a shortfall',
    [zapOut(1, ...SENT, OUT), zapIn(2, ...SENT, { ...IN, shortfall: told('Half of it.') })],
    'concluded',
    'settled',
    /Half of it/,
  ],
  [
    'only a part of the zap-in landed',
    [zapOut(1, ...SENT, OUT), zapIn(2, ...SENT, failed('Half done.', 1))],
    'concluded',
    'failed',
    /returned 2 SOL.*Part .*Half done/,
  ],
  [
    'it is unclear whether a part of the zap-in landed',
    [zapOut(1, ...SENT, OUT), zapIn(2, ...SENT, UNCLEAR), zapIn(3, abandoned('Declined.'))],
    'concluded',
    'failed',
    /returned 2 SOL.*Part .*It is not clear/,
  ],
  [
    'it is unclear whether a part of the zap-out landed',
    [zapOut(1, ...SENT, UNCLEAR), zapOut(2, abandoned('Declined.'))],
    'concluded',
    'failed',
    /^The zap-out may have landed, and nothing is re-entered\. It is not clear\.$/,
  ],
];

describe('rebalance: status', () => {
  for (const [what, parts, kind, state, words] of CASES) {
    it(`The rebalance status is ${kind}${state === undefined ? '' : ` (${state})`}: ${what}`, () => {
      const stranger = zapIn(9, ...SENT);
      const standing = rebalanceStatusOf(
        rebalance(),
        childOperationsOf('R', [...parts, { ...stranger, created: { ...stranger.created, parent: 'another' } }]),
      );
      assert.equal(standing.kind, kind);
      if (standing.kind === 'concluded') {
        const { event } = standing;
        assert.equal(event.kind, state);
        const said = event.kind === 'settled' ? event.shortfall : event.reason;
        assert.ok(words === undefined ? said === undefined : words.test(wordsOf(said)), wordsOf(said));
        assert.ok(event.kind !== 'settled' || event.lamportsBack === BACK || words !== undefined);
      }
      if (standing.kind === 'awaitsReentry') {
        assert.equal(standing.lamportsBack, parts.every(({ lamportsBack }) => lamportsBack === undefined) ? undefined : BACK);
        assert.ok(words === undefined || words.test(wordsOf(standing.reason)), wordsOf(standing.reason));
        assert.equal(standing.isPartiallyExecuted, false);
      }
    });
  }

  it('The rebalance status says only that the zap-in was not sent, because the zap-out was', () => {
    const reasonAfter = (...last: readonly OperationRecord[]) => {
      const standing = rebalanceStatusOf(rebalance(), [zapOut(1, ...SENT, OUT), ...last]);
      return standing.kind === 'awaitsReentry' ? standing.reason && wordsOf(standing.reason) : standing.kind;
    };
    assert.equal(reasonAfter(zapIn(2, closedBeforeSending())), 'The zap-in was not sent.');
    const translated = {
      kind: 'abandoned',
      reason: { ...told('Binsight wurde geschlossen, bevor etwas gesendet wurde.'), meaning: 'closedBeforeSending' },
    } as const;
    assert.equal(reasonAfter(zapIn(2, translated)), 'The zap-in was not sent.');
    assert.equal(
      reasonAfter(zapIn(2, { kind: 'abandoned', reason: told('The review blocked it.') })),
      'The zap-in was not sent. The review blocked it.',
    );
    assert.equal(reasonAfter(zapIn(2, failed('It slipped.'))), 'It slipped.');
    assert.equal(reasonAfter(), undefined);
  });

  it('The rebalance status reports a partially executed zap-out', () => {
    const standing = rebalanceStatusOf(rebalance(), [
      zapOut(1, ...SENT, { kind: 'settled', lamportsBack: BACK, shortfall: told('Only 1 of 2 landed.'), landedTransactions: 1 }),
    ]);
    assert.deepEqual(standing, {
      kind: 'awaitsReentry',
      lamportsBack: BACK,
      isProven: false,
      reason: told('Only 1 of 2 landed.'),
      isPartiallyExecuted: true,
    });
  });

  it('The extension offers no re-entry after a zap-in that the service reported as landed and that stayed unconfirmed', () => {
    const given = recordOf('in', [
      { ...zapInCreated(2), parent: 'R' },
      ...[...SENT, LANDED].map((event) => ({ atMs: 3, ...event })),
      { atMs: 3 + DAY_MS, ...failed('It could not be found out within a day.') },
    ]);
    const standing = rebalanceStatusOf(rebalance(), [zapOut(1, ...SENT, OUT), given]);
    assert.ok(standing.kind === 'concluded' && standing.event.kind === 'failed');
  });

  it('The rebalance status is the recorded end of the rebalance', () => {
    const standing = rebalanceStatusOf(rebalance({ kind: 'settled', lamportsBack: BACK, shortfall: told('Left out.') }), [
      zapOut(1, ...SENT, OUT),
    ]);
    assert.ok(standing.kind === 'concluded' && standing.event.kind === 'settled' && wordsOf(standing.event.shortfall) === 'Left out.');
  });
});
