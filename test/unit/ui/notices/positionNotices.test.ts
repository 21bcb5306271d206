import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/async/emitter';
import type { Subscription } from '../../../../src/base/async/clock';
import { changeBetween, emptySnapshot, withParts } from '../../../../src/portfolio/snapshot';
import type { PortfolioChange, PortfolioReader } from '../../../../src/portfolio/types';
import type { OpenPosition } from '../../../../src/service/positions';
import { PositionNotices } from '../../../../src/ui/notices/positionNotices';
import type { NoticeRules } from '../../../../src/ui/notices/positionWatch';
import { ScriptedPrompts } from '../../../support/editor/scriptedPrompts';
import { openPosition, OTHER_OWNER, OWNER } from '../../../support/portfolio/fixtures';

const RULES: NoticeRules = { leftRange: true, enteredRange: true, pnlAbovePercent: 20, pnlBelowPercent: -20, feesAboveUsd: 50 };

function fail(error: unknown): never {
  throw error;
}

/** A portfolio in which each read is shown at another time. */
class ReadPortfolio implements PortfolioReader {
  readonly oddities = [];
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

function window(presses: Readonly<Record<string, string>> = {}) {
  const portfolio = new ReadPortfolio();
  const prompts = new ScriptedPrompts([], presses);
  const opened: string[] = [];
  const notices = new PositionNotices({
    ...{ portfolio, prompts, rules: () => RULES, onError: fail },
    openPosition: (key) => Promise.resolve(void opened.push(key)),
    showPositions: () => Promise.resolve(void opened.push('all')),
  });
  return { portfolio, prompts, opened, notices, told: () => prompts.notices.map(({ message }) => message) };
}

describe('Notices of positions in the editor', () => {
  it('A notice names the position in one short sentence, and its button opens the position', async () => {
    const { portfolio, opened, told } = window({ 'left its range': 'Show Position' });
    for (const inRange of [true, false, false]) {
      portfolio.read([openPosition(1, { inRange })]);
    }
    await Promise.resolve();
    await Promise.resolve();
    assert.deepEqual(told(), ['BONK/SOL left its range.']);
    assert.deepEqual(opened, [openPosition(1).key]);
  });

  it('Several events of one read are one notice', () => {
    const { portfolio, told, prompts } = window();
    const pnl = (usd: number) => ({ pnlPercent: { usd, native: undefined } });
    portfolio.read([openPosition(1, pnl(0)), openPosition(2, pnl(0))]);
    portfolio.read([openPosition(1, pnl(25)), openPosition(2, { ...pnl(-30), uncollectedFee: { usd: 64, native: undefined } })]);
    assert.deepEqual(told(), [
      '3 notices: BONK/SOL: PnL +25%, above 20%. BONK/SOL: PnL −30%, below −20%. BONK/SOL: $64 of unclaimed fees.',
    ]);
    assert.equal(prompts.notices[0]?.severity, 'warning');
  });

  it('What another wallet did is no event of this one, and nothing is shown after the end', () => {
    const { portfolio, told, notices } = window();
    portfolio.read([openPosition(1, { inRange: true })]);
    portfolio.read([openPosition(1, { inRange: false })], OTHER_OWNER);
    portfolio.read([openPosition(1, { inRange: false })], OTHER_OWNER);
    assert.deepEqual(told(), []);
    notices.dispose();
    portfolio.read([openPosition(1, { inRange: true })], OTHER_OWNER);
    portfolio.read([openPosition(1, { inRange: true })], OTHER_OWNER);
    assert.deepEqual(told(), []);
  });
});
