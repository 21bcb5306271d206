import * as l10n from '@vscode/l10n';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { journalLine, readLines } from '../../../src/transactions/journal/codec';
import { type Reason, told } from '../../../src/base/reasons/reason';
import { recordOf } from '../../../src/transactions/journal/states';
import type { JournalEvent, OperationRecord } from '../../../src/transactions/journal/types';
import { reasonText } from '../../../src/ui/zap/operationMessages';
import { zapInCreated } from '../../support/transactions/records';

const ENGLISH = readFileSync('media/l10n/bundle.l10n.json', 'utf8');
const CHINESE = readFileSync('media/l10n/bundle.l10n.zh-cn.json', 'utf8');

/** Writes an operation that was not sent, and reads it again. */
function readAgain(reason: Reason): OperationRecord {
  const events: readonly JournalEvent[] = [zapInCreated(1), { atMs: 2, kind: 'failed', reason }];
  const lines = events.map((event, n) => journalLine(event, n, 'w').line).join('');
  return recordOf('it', readLines(Buffer.from(lines)).events);
}

describe('The words of reasons', () => {
  afterEach(() => l10n.config({ contents: ENGLISH }));

  it('A journal that was written in one display language is shown in another', () => {
    l10n.config({ contents: CHINESE });
    const answered = { code: 'answered', answer: { kind: 'status', status: 422, said: 'Slippage exceeded' } } as const;
    const { reason } = readAgain({ code: 'notLanded', isBesideAnother: false, answered });
    assert.match(reasonText(reason) ?? '', /\p{Script=Han}.*422.*Slippage exceeded/u);
    l10n.config({ contents: ENGLISH });
    assert.equal(reasonText(reason), 'It did not land: nothing happened. It was sent, and the service answered 422 (Slippage exceeded).');
  });

  it('What a rebalance says about its parts is in the display language, too', () => {
    const part = recordOf('part', [
      { ...zapInCreated(1), parent: 'it' },
      { atMs: 2, kind: 'abandoned', reason: { code: 'declined' } },
    ]);
    const words: Reason = { code: 'zapInNotSent', reason: part.reason };
    assert.equal(reasonText(words), 'The zap-in was not sent. It was declined: nothing was sent.');
    l10n.config({ contents: CHINESE });
    assert.doesNotMatch(reasonText(words) ?? '', /was/);
    assert.match(reasonText(words) ?? '', /\p{Script=Han}/u);
  });

  it('A text of a service or of an error is quoted in at most a thousand characters, whatever the display language', () => {
    const { reason } = readAgain(told('x'.repeat(5_000)));
    assert.ok(reason?.code === 'told');
    assert.equal(reason.text, `${'x'.repeat(999)}…`);
  });
});
