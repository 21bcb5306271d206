import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/async/emitter';
import type { Subscription } from '../../../../src/base/async/clock';
import { changeBetween, emptySnapshot, withParts } from '../../../../src/portfolio/snapshot';
import type { PortfolioChange, PortfolioReader } from '../../../../src/portfolio/types';
import type { OpenPosition } from '../../../../src/service/positions';
import { PositionNotices } from '../../../../src/ui/notices/positionNotices';
import type { NoticeCenter, NoticeDraft } from '../../../../src/ui/notices/noticeCenter';
import type { OutsideNotice } from '../../../../src/ui/notices/noticeEvent';
import type { NoticeRules } from '../../../../src/ui/notices/positionWatch';
import { SANDBOX } from '../../../../src/ui/shell/serviceChoice';
import { ScriptedPrompts } from '../../../support/editor/scriptedPrompts';
import { openPosition, OTHER_OWNER, OWNER, settledMicrotasks } from '../../../support/portfolio/fixtures';

const RULES: NoticeRules = { leftRange: true, enteredRange: true, pnlAbovePercent: 20, pnlBelowPercent: -20, feesAboveUsd: 50 };

function fail(error: unknown): never {
  throw error;
}

/** A portfolio in which each read is shown at another time. */
class ReadPortfolio implements PortfolioReader {
  readonly warnings = [];
  snapshot = emptySnapshot(OWNER);
  readonly #changes = new Emitter<PortfolioChange>(fail);
  #reads = 0;

  onDidChange(listener: (change: PortfolioChange) => void): Subscription {
    return this.#changes.on(listener);
  }

  read(positions: readonly OpenPosition[], owner = OWNER): void {
    const before = this.snapshot;
    this.#reads += 1;
    this.snapshot = withParts(before, { owner, positions, positionsState: { kind: 'ready', asOf: new Date(this.#reads * 60_000) } });
    this.#changes.fire(changeBetween(before, this.snapshot) ?? assert.fail());
  }
}

/** A center that lets this window report everything that is wanted. */
class OpenCenter implements Pick<NoticeCenter, 'publish'> {
  readonly outside: OutsideNotice[] = [];
  readonly subjects: string[] = [];

  publish<Subject>(drafts: readonly NoticeDraft<Subject>[]): Promise<readonly NoticeDraft<Subject>[]> {
    const wanted = drafts.filter(({ isWanted }) => isWanted);
    this.outside.push(...wanted.map(({ outside }) => outside));
    this.subjects.push(...drafts.map(({ seen }) => `${seen?.subject ?? ''}: ${seen?.event ?? ''}`));
    return Promise.resolve(wanted);
  }
}

function window(presses: Readonly<Record<string, string>> = {}) {
  const portfolio = new ReadPortfolio();
  const prompts = new ScriptedPrompts([], presses);
  const opened: string[] = [];
  const center = new OpenCenter();
  const notices = new PositionNotices({
    ...{ portfolio, center, prompts, rules: () => RULES, onError: fail },
    service: () => SANDBOX,
    openPosition: (key) => Promise.resolve(void opened.push(key)),
    canClaim: () => true,
    claim: (key) => Promise.resolve(void opened.push(`claim ${key ?? 'all'}`)),
    showPositions: () => Promise.resolve(void opened.push('all')),
  });
  return { portfolio, prompts, opened, center, notices, told: () => prompts.notices.map(({ message }) => message) };
}

describe('Notices of positions in the editor', () => {
  it('A notice names the position in one short sentence, and its button opens the position', async () => {
    const { portfolio, opened, told } = window({ 'left its range': 'Open Position' });
    for (const inRange of [true, false, false]) {
      portfolio.read([openPosition(1, { inRange })]);
    }
    await settledMicrotasks();
    assert.deepEqual(told(), ['BONK/SOL left its range.']);
    assert.deepEqual(opened, [openPosition(1).key]);
  });

  it('The button of a notice about fees begins their claim, for one position or for all, where fees can be claimed', async () => {
    const fees = (number: number, usd: number) => openPosition(number, { uncollectedFee: { usd, native: undefined } });
    for (const [numbers, press, begun] of [
      [[1], 'Claim Fees…', `claim ${openPosition(1).key}`],
      [[1, 2], 'Claim All Fees…', 'claim all'],
    ] as const) {
      const { portfolio, opened } = window({ 'unclaimed fees': press });
      portfolio.read(numbers.map((number) => fees(number, 10)));
      portfolio.read(numbers.map((number) => fees(number, 60)));
      await settledMicrotasks();
      assert.deepEqual(opened, [begun]);
    }
  });

  it('Several events of one read are one notice', async () => {
    const { portfolio, told, prompts } = window();
    const pnl = (usd: number) => ({ pnlPercent: { usd, native: undefined } });
    portfolio.read([openPosition(1, pnl(0)), openPosition(2, pnl(0))]);
    portfolio.read([openPosition(1, pnl(25)), openPosition(2, { ...pnl(-30), uncollectedFee: { usd: 64, native: undefined } })]);
    await settledMicrotasks();
    assert.deepEqual(told(), [
      '3 notices: BONK/SOL: PnL +25% (threshold: 20%). BONK/SOL: PnL −30% (threshold: −20%). BONK/SOL: $64 of unclaimed fees.',
    ]);
    assert.equal(prompts.notices[0]?.severity, 'warning');
  });

  it('What another wallet did is no event of this one, and nothing is shown after the end', async () => {
    const { portfolio, told, notices } = window();
    portfolio.read([openPosition(1, { inRange: true })]);
    portfolio.read([openPosition(1, { inRange: false })], OTHER_OWNER);
    portfolio.read([openPosition(1, { inRange: false })], OTHER_OWNER);
    await settledMicrotasks();
    assert.deepEqual(told(), []);
    notices.dispose();
    portfolio.read([openPosition(1, { inRange: true })], OTHER_OWNER);
    portfolio.read([openPosition(1, { inRange: true })], OTHER_OWNER);
    await settledMicrotasks();
    assert.deepEqual(told(), []);
  });

  it('Outside the editor, a notice has no addresses, and figures only in its long form', async () => {
    const { portfolio, center } = window();
    const pnl = (usd: number) => ({ pnlPercent: { usd, native: undefined }, pairName: 'claim-usdc.com/S@L' });
    portfolio.read([openPosition(1, pnl(0))]);
    portfolio.read([openPosition(1, pnl(25))]);
    await settledMicrotasks();
    const [notice] = center.outside;
    assert.deepEqual(
      { ...notice, atMs: 0 },
      {
        ...{ kind: 'pnlAbove', pair: 'claim-usdc·com/S·L', atMs: 0, isSandbox: true, figures: { pnlPercent: 25 } },
        brief: 'claim-usdc·com/S·L: PnL above your threshold.',
        full: 'claim-usdc·com/S·L: PnL +25% (threshold: 20%).',
      },
    );
    assert.ok(!JSON.stringify(notice).includes(openPosition(1).key));
    assert.ok(!JSON.stringify(notice).includes(OWNER));
  });

  it('The range is one subject, and each threshold another', async () => {
    const { portfolio, center } = window();
    const read = (inRange: boolean, usd: number) =>
      portfolio.read([openPosition(1, { inRange, uncollectedFee: { usd, native: undefined } })]);
    [true, false, false, true, true].forEach((inRange, place) => read(inRange, place < 4 ? 0 : 60));
    await settledMicrotasks();
    const position = `${SANDBOX.id} ${OWNER} ${openPosition(1).key}`;
    assert.deepEqual(center.subjects, [
      `${position} range: leftRange`,
      `${position} range: enteredRange`,
      `${position} feesAbove 50: passed`,
    ]);
  });
});
