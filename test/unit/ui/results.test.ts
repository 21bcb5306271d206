import assert from 'node:assert/strict';
import { withdrawalWorth, zapInResult, zapOutResult } from '../../../src/ui/zap/results';
import { openPosition } from '../../support/portfolio/fixtures';

const UNKNOWN = { usd: undefined, native: undefined };
const BONK = openPosition(1);

describe('The worth of a withdrawal', () => {
  it('A withdrawal is worth its share of the position plus all fees', () => {
    assert.equal(withdrawalWorth(BONK, 10_000), '$102.00 (0.714 SOL), fees included');
    assert.equal(withdrawalWorth(BONK, 2_500), '$27.00 (0.189 SOL), fees included');
  });

  it('The worth omits unknown fees and says nothing if the value is unknown', () => {
    assert.equal(withdrawalWorth({ ...BONK, uncollectedFee: UNKNOWN }, 5_000), '$50.00 (0.35 SOL), without fees');
    assert.equal(withdrawalWorth({ ...BONK, uncollectedFee: { usd: 2, native: undefined } }, 5_000), '$52.00, fees included');
    assert.equal(withdrawalWorth({ ...BONK, value: UNKNOWN }, 5_000), undefined);
  });
});

describe('The result of an operation', () => {
  it('The result of a full zap-out states its value and PnL', () => {
    assert.equal(
      zapOutResult('BONK/SOL', BONK, 10_000, undefined),
      'BONK/SOL: done. The position was closed. Value: about $102.00 (0.714 SOL), fees included. PnL: +$10.00 (+11.1%).',
    );
    assert.equal(
      zapOutResult('BONK/SOL', { ...BONK, value: UNKNOWN, pnl: UNKNOWN, pnlPercent: UNKNOWN }, 10_000, undefined),
      'BONK/SOL: done. The position was closed.',
    );
  });

  it('The result of a partial zap-out states what remains in the position', () => {
    assert.equal(
      zapOutResult('BONK/SOL', BONK, 3_333, openPosition(1, { value: { usd: 66.67, native: 0.47 } })),
      'BONK/SOL: done. Value: about $35.33 (0.2473 SOL), fees included. The position stays open, now worth $66.67.',
    );
    assert.match(zapOutResult('BONK/SOL', BONK, 3_333, openPosition(1, { value: UNKNOWN })), /fees included\.$/);
  });

  it('A position with locked liquidity stays open after a full zap-out, and its worth counts what could be withdrawn', () => {
    const locked = { ...BONK, withdrawableShare: 0.25 };
    assert.equal(
      zapOutResult('BONK/SOL', locked, 10_000, openPosition(1, { value: { usd: 75, native: 0.525 }, withdrawableShare: 0 })),
      'BONK/SOL: done. Value: about $27.00 (0.189 SOL), fees included. The position stays open, now worth $75.00.',
    );
  });

  it('The result of a zap-in says whether the new position earns fees', () => {
    assert.equal(zapInResult('BONK/SOL', BONK), 'BONK/SOL: done. Value: about $100.00. It is in range and earns fees.');
    assert.match(zapInResult('BONK/SOL', openPosition(1, { inRange: false })), /It is out of range and earns no fees\.$/);
    assert.equal(zapInResult('BONK/SOL', openPosition(1, { inRange: undefined, value: UNKNOWN })), 'BONK/SOL: done.');
    assert.equal(zapInResult('BONK/SOL', undefined), 'BONK/SOL: done.');
  });
});
