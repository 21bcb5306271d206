import assert from 'node:assert/strict';
import type { OwnReplayView } from '../../../../src/protocol/outlook';
import type { PositionView } from '../../../../src/protocol/position';
import { POSITION_SAMPLES } from '../../../support/browser/samples/position';
import { fromHereOn } from '../../../../webview/position/fromHereOn';
import { initialState, type PositionActions, type PositionState, received } from '../../../../webview/position/state';
import { textOfTemplate } from '../shared/templateText';

const nothing = (): void => undefined;
const ACTIONS: PositionActions = { post: nothing, chooseCurrency: nothing, chooseHorizon: nothing, showAllEvents: nothing };

/** What the card says of a sample. */
function said(sample: string, part: Partial<PositionState> = {}, more: Partial<PositionView> = {}): string {
  const messages = POSITION_SAMPLES[sample] ?? assert.fail(sample);
  const state = messages.reduce<PositionState>((now, message) => ({ ...now, ...received(now, message) }), initialState(0));
  const position = state.position.data ?? assert.fail('no position');
  return textOfTemplate(fromHereOn({ ...state, ...part }, ACTIONS, { ...position, ...more }));
}

describe('The outlook of an open position', () => {
  it('says how long it stays in range, what it earns and loses from here on, and what is left, without costs of entering', () => {
    const words = said('candles');
    assert.match(words, /^From here on 24h 7d In range ≈ \d+%/);
    assert.match(
      words,
      /Leaves the range after ≈ .* Fees ≈ \$[\d.]+ .* Loss to price moves ≈ −\$[\d.]+ .* Left .* Worth it below a daily volatility of [\d.]+%/,
    );
    assert.match(words, /Other widths .*±\d+/);
    assert.doesNotMatch(words, /Costs covered|changes the pool/);
  });

  it('says what the position earned in the last day, what it would have earned if it was not there, and why that is not known', () => {
    const earned = (view: OwnReplayView | undefined): string => {
      const { outlook } = POSITION_SAMPLES['candles']?.find((message) => message.kind === 'outlook') ?? assert.fail();
      return said('candles', { outlook: { ...outlook, data: { ...(outlook.data ?? assert.fail()), earned: view } } });
    };
    const fees = { known: true, feeX: '2500000', feeY: '3000000', timeInRange: 0.64, seconds: 86_400, gaps: 0 } as const;
    assert.match(earned({ ...fees, isExact: true }), /Earned \$[\d.]+ [\d.]+ \S+ \+ 0\.003 SOL · in range 64% of the last 24h/);
    assert.match(earned({ ...fees, isExact: false }), /Would have earned \$/);
    assert.match(earned({ known: false, why: 'failed' }), /Would have earned – not known Could not be loaded\./);
    assert.match(earned({ known: false, why: 'tooFewSnapshots' }), /The fees of this pool are recorded from now on/);
    assert.doesNotMatch(earned(undefined), /[Ee]arned/);
  });

  it('is known while the price is outside of the range', () => {
    assert.match(said('outside'), /In range ≈ [\d.]+% .* Range out of range/);
  });

  it('is known in a pool without bins, and says that a volatility from few prices is rough', () => {
    assert.match(said('withoutBins'), /In range 100% Fees .* expected 410% \(200% to 820%\) .* It is rough: the pool has few prices\./);
  });

  it('says why nothing is known: no prices, or not how the position is spread', () => {
    assert.match(said('ready', { outlook: { status: 'ready' } }), /Not reported by the service\./);
    assert.match(said('ready'), /Loading…/);
    assert.match(said('candles', {}, { strategy: undefined }), /Unknown: the service does not report enough/);
  });

  it('is not shown of a position that is closed, or of a pool of an unknown type', () => {
    assert.equal(said('candles', { gone: true }), '');
    assert.equal(said('candles', {}, { poolType: 'other' }), '');
  });

  it('follows the currency of the panel', () => {
    assert.match(said('candles', { currency: 'native' }), /Fees (≈ |<)[\d.]+ SOL/);
  });
});
