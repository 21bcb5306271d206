import assert from 'node:assert/strict';
import { EARNINGS_UNKNOWN, type EarningsView } from '../../../../src/protocol/earnings';
import type { PositionView } from '../../../../src/protocol/position';
import type { Part } from '../../../../src/protocol/schemas';
import { earningsCard } from '../../../../webview/position/earningsCard';
import { initialState } from '../../../../webview/position/state';
import { textOfTemplate } from '../shared/templateText';

const POSITION = { value: { usd: 400, native: 4 }, pnl: { usd: 36.3, native: 0.363 } } as PositionView;
const ACTIONS = { post: () => undefined, chooseCurrency: () => undefined, chooseHorizon: () => undefined, showAllEvents: () => undefined };

/** The story of the guide: 0.268 SOL, where the service says 0.363. */
const EARNED: EarningsView & { known: true } = {
  known: true,
  realSol: 0.268,
  lines: {
    ...{ fees: 0.045, impermanentLoss: -0.074, trading: -0.107, commission: 0, costs: -0.0001 },
    ...{ priceOfDeposit: 0.392, afterWithdrawal: 0, heldTokens: 0.0121 },
  },
  lockedSol: 0.002,
  leftovers: [{ symbol: 'BONQ', amount: 128_228, sol: 2.72 }],
  tradedSol: 10.7,
  claims: 2,
  transactions: 6,
  positions: 1,
  sinceMs: Date.UTC(2026, 10, 3, 12),
  reportedSol: 0.363,
  hasRewards: false,
};

function said(data: EarningsView, currency: 'native' | 'usd' = 'native', part: Part<EarningsView> = { status: 'ready', data }): string {
  return textOfTemplate(earningsCard({ ...initialState(0), currency, earnings: part }, ACTIONS, POSITION));
}

describe('The card of what a position really earned', () => {
  it('has the change of the wallet, what it consists of, and the difference to what the service reports', () => {
    const text = said(EARNED);
    for (const expected of [
      /In your wallet \+0\.268 SOL/,
      /Fees \+0\.045 SOL/,
      /Impermanent loss −0\.074 SOL/,
      /Trading 10\.7\d* SOL traded: 1\.?0?% −0\.107 SOL/,
      /Against holding −0\.136\d* SOL/,
      /Price of the deposited tokens \+0\.392 SOL/,
      /Reported by the service \+0\.363 SOL.* Difference −0\.095 SOL/,
      /Still locked: 0\.002 SOL rent\. Still in the wallet: 128.*BONQ \(≈ 2\.72 SOL\)\. Since the first deposit on Nov 3, 2026: 6 transactions/,
    ]) {
      assert.match(text, expected);
    }
    assert.doesNotMatch(text, /Commission|partial withdrawals|unusually/);
  });

  it('shows lines that not every position has only where they are not zero, and says where trading cost unusually much', () => {
    const text = said({
      ...EARNED,
      openSol: 3,
      positions: 3,
      lines: { ...EARNED.lines, trading: -0.6, commission: -0.004, afterWithdrawal: 0.01 },
      leftovers: [{ symbol: 'BONQ', amount: -50 }],
      hasRewards: true,
    });
    for (const expected of [
      /In your wallet and the position/,
      /Commission of the service −0\.004 SOL/,
      /Price after partial withdrawals \+0\.01 SOL/,
      /trading cost is unusually high/,
      /Taken from the wallet: 50 BONQ\. Without unclaimed rewards\. Since the first deposit on Nov 3, 2026: 6 transactions, 2 rebalances/,
    ]) {
      assert.match(text, expected);
    }
  });

  it('has dollars at the current price of SOL, and says so', () => {
    assert.match(said(EARNED, 'usd'), /In your wallet \+\$26\.80.*At the current price of SOL\./s);
  });

  it('has what the service reports and the reason where the result is not known, and no sum', () => {
    for (const why of EARNINGS_UNKNOWN) {
      const text = said({ known: false, why, count: 1, of: 6, symbol: 'BONQ' });
      assert.match(text, /Reported by the service \+0\.363 SOL.*(?:Unknown|Only the chain knows)/s, why);
      assert.doesNotMatch(text, /In your wallet|undefined|NaN/, why);
    }
    assert.match(said({ known: false, why: 'notRead', count: 1, of: 6 }), /1 of 6 transactions could not be read/);
    assert.match(said({ known: false, why: 'many', count: 340 }), /340 transactions.*Read 340 Transactions/s);
  });
});
