import assert from 'node:assert/strict';
import fc from 'fast-check';
import { movedInAll, movedInLine, movedLines, movedTokens } from '../../../src/ui/zap/movedTokens';
import { operationRow } from '../../../src/ui/activity/operationRows';
import { foundSentence } from '../../../src/ui/activity/foundOperations';
import { operationTooltip, operationDocument } from '../../../src/ui/activity/operationDocument';
import { rebalanceNotice } from '../../../src/ui/rebalance/rebalanceMessages';
import type { RebalanceResult } from '../../../src/transactions/rebalance/types';
import { zapOutResult } from '../../../src/ui/zap/results';
import { recordOf } from '../../../src/transactions/journal/states';
import { changesText } from '../../../src/transactions/run/landingMessages';
import { readLines, journalLine } from '../../../src/transactions/journal/codec';
import type { JournalChanges, OperationRecord, PricedToken, PromisedToken } from '../../../src/transactions/journal/types';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { addressOf, openPosition } from '../../support/portfolio/fixtures';
import { LEADING_TO, record, SIGNATURE, SUBMITTED, ZAP_OUT } from '../../support/ui/journalRecords';

const SETTLED: RebalanceResult = {
  kind: 'settled',
  rebalance: 'r',
  position: addressOf(7),
  signature: undefined,
  reentry: {
    pool: addressOf(500),
    pairName: 'GIGALAMB/SOL',
    lamportsBack: 700_000_000n,
    proceedsFrom: 'transactions',
    inputLamports: 690_000_000n,
    range: { fromBinId: -434, toBinId: -366 },
    activeBinId: -400,
    strategy: 'Spot',
    slippageBps: 100,
    warnings: [],
  },
};
const LAMB = addressOf(700);
const STRANGE = addressOf(701);
const TOKENS: readonly PricedToken[] = [
  { mint: LAMB, symbol: 'GIGALAMB', decimals: 5, priceUsd: '0.0007242' },
  { mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9, priceUsd: '150' },
];

/** A zap-out to its first token that has settled, with what was promised of it and what it brought. */
function zapOut(
  changes: JournalChanges | undefined,
  promised: readonly PromisedToken[] = [],
  plan: OperationRecord['created']['plan'] = { ...ZAP_OUT, shareBps: 10_000, output: 'allToken0' },
): OperationRecord {
  const [built] = LEADING_TO.reviewed;
  const rest = SUBMITTED.slice(2);
  return record(
    [
      built,
      { kind: 'reviewed', verdict: 'allow', rules: [], promised },
      ...rest,
      { kind: 'landed', signature: SIGNATURE },
      { kind: 'settled', lamportsBack: 55_120_000n, shortfall: undefined, changes },
    ],
    { plan, tokens: TOKENS, pairName: 'GIGALAMB/SOL' },
  );
}

describe('Amounts received', () => {
  const lamb = zapOut({ lamports: 55_120_000n, tokens: [{ mint: LAMB, changeRaw: 1_700_200_000n }] }, [
    { mint: LAMB, leastRaw: 1_683_900_000n },
  ]);

  it('Every received token is shown by symbol with its value and its comparison to the guaranteed minimum', () => {
    assert.deepEqual(movedLines(lamb), [
      '+17,002 GIGALAMB · $12.31 · guaranteed minimum 16,839, +0.97%',
      '+0.05512 SOL · with rent and fees · $8.27',
    ]);
    assert.match(operationRow(lamb).description, /\+17,002 GIGALAMB, \+0\.05512 SOL/);
    assert.match(operationTooltip(lamb), /\+17,002 GIGALAMB · \\\$12\.31 · guaranteed minimum 16,839, \+0\.97%/);
    assert.match(
      operationDocument(lamb).markdown,
      /## In your wallet[^]+- Zap Out: \+17,002 GIGALAMB · \$12\.31 · guaranteed minimum 16,839, \+0\.97%/,
    );
    assert.equal(changesText(lamb), '+17,002 GIGALAMB, +0.05512 SOL');
    assert.match(foundSentence(lamb), /: Done\. Change in your wallet, with fees and rent: \+17,002 GIGALAMB, \+0\.05512 SOL\./);
    assert.match(
      zapOutResult('GIGALAMB/SOL', openPosition(1), 10_000, undefined, lamb),
      /Change in your wallet, with fees and rent: \+17,002 GIGALAMB, \+0\.05512 SOL\.$/,
    );
  });

  it('A received amount is not compared with a minimum that covers only swaps', () => {
    const most = zapOut({ lamports: 3_345_676_492n, tokens: [] }, [{ mint: WRAPPED_SOL_MINT, leastRaw: 48_087_402n }]);
    assert.deepEqual(movedLines(most), ['+3.345676492 SOL · with rent and fees · $501.85 · guaranteed minimum 0.048087402']);
  });

  it('The result says if a guaranteed token did not arrive and if a token left the wallet', () => {
    const short = zapOut({ lamports: -5_000n, tokens: [{ mint: STRANGE, changeRaw: -7n }] }, [{ mint: LAMB, leastRaw: 1_683_900_000n }]);
    assert.deepEqual(movedLines(short), [
      `−7 raw units of ${STRANGE.slice(0, 4)}…${STRANGE.slice(-4)} · value unknown`,
      '0 GIGALAMB · guaranteed minimum 16,839, −100%',
      '−0.000005 SOL · with rent and fees · <$0.01',
    ]);
  });

  it('The notification of a rebalance sums the changes of both parts per token', () => {
    const out = zapOut({ lamports: 700_000_000n, tokens: [{ mint: LAMB, changeRaw: 1_750_000n }] });
    const back = zapOut({ lamports: -698_000_000n, tokens: [{ mint: LAMB, changeRaw: -250_000n }] });
    assert.equal(movedInAll([out, back]), '+15 GIGALAMB, +0.002 SOL');
    assert.equal(movedInAll([out, zapOut({ lamports: -700_000_000n, tokens: [{ mint: LAMB, changeRaw: -1_750_000n }] })]), undefined);
    // A part that does not name a token goes by the other one.
    const unnamed = { ...back, created: { ...back.created, tokens: [] } };
    assert.equal(movedInAll([out, unnamed]), '+15 GIGALAMB, +0.002 SOL');
    assert.equal(movedInAll([unnamed, out]), '+15 GIGALAMB, +0.002 SOL');
    // Without an RPC nothing is said, rather than half of it.
    assert.deepEqual([movedInAll([out, zapOut(undefined)]), movedInAll([])], [undefined, undefined]);
    const message = rebalanceNotice(SETTLED, 'GIGALAMB/SOL', undefined, [out, back])?.message ?? '';
    assert.match(
      message,
      /^Rebalance GIGALAMB\/SOL: 0\.7 SOL returned, 0\.69 SOL re-entered .+, Spot\. Change in your wallet, with fees and rent: \+15 GIGALAMB, \+0\.002 SOL\.$/,
    );
    const stopped = rebalanceNotice(
      {
        kind: 'notReentered',
        rebalance: 'r',
        reason: 'failed',
        words: 'The position was closed.',
        lamportsBack: 1n,
        isOpen: true,
        review: undefined,
        error: undefined,
      },
      'GIGALAMB/SOL',
      undefined,
      [out],
    );
    assert.match(stopped?.message ?? '', /The position was closed\. Change in your wallet, .+: \+17\.5 GIGALAMB, \+0\.7 SOL\.$/);
  });

  it('Wrapped SOL counts as SOL, to the lamport', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
        fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
        (lamports, wrapped) => {
          const moved = movedTokens(zapOut({ lamports, tokens: [{ mint: WRAPPED_SOL_MINT, changeRaw: wrapped }] }));
          assert.deepEqual(
            moved?.map(({ mint, changeRaw }) => [mint, changeRaw]),
            [[WRAPPED_SOL_MINT, lamports + wrapped]],
          );
        },
      ),
    );
  });

  it('The amount received is shown as unknown if transactions were not read, as in earlier journals', () => {
    const old = zapOut(undefined);
    assert.equal(movedInLine(old), undefined);
    assert.match(operationRow(old).description, /0\.05512 SOL returned · Received tokens are known only with an RPC/);
    assert.match(operationDocument(old).markdown, /- Zap Out: Received tokens are known only with an RPC/);
    assert.match(zapOutResult('GIGALAMB/SOL', openPosition(1), 10_000, undefined, old), /Received tokens are known only with an RPC\.$/);
    const asSol = zapOut(undefined, [], ZAP_OUT);
    assert.doesNotMatch(`${operationRow(asSol).description} ${operationDocument(asSol).markdown}`, /unknown/);
  });

  it('The journal keeps the received amounts', () => {
    const lines = lamb.events.map((event, n) => journalLine(event, n, 'me').line).join('');
    const read = readLines(new TextEncoder().encode(lines));
    assert.equal(read.problem, undefined);
    assert.deepEqual(movedLines(recordOf('one', read.events)), movedLines(lamb));
  });
});
