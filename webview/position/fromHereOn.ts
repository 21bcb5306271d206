import * as l10n from '@vscode/l10n';
import { html, nothing } from 'lit-html';
import { STRATEGIES } from '../../src/base/dlmm/strategy';
import {
  type AskedOutlook,
  type Expectation,
  feesPerDayUsd,
  type NotReported,
  positionToAsk,
  shareToAsk,
} from '../../src/base/insight/poolOutlook';
import type { PoolView } from '../../src/protocol/pool';
import type { PositionView } from '../../src/protocol/position';
import { outlookCard } from '../shared/outlook/outlookCard';
import type { Template } from '../shared/rendering';
import { recordedOfPosition } from '../shared/outlook/recorded';
import { SOL_MINT } from '../shared/solMint';
import { nativePerUsd } from './holdings';
import { depositBin, ownBins } from './ownBins';
import { currencyOf, type PositionActions, type PositionState } from './state';

/** Half of the value in each token, as a range around the price takes them. */
const HALF = 0.5;

/** The outlook of an open position; nothing if it is closed, or its pool of an unknown type. */
export function fromHereOn(state: PositionState, { post, chooseHorizon }: PositionActions, position: PositionView): Template {
  const { gone, outlook, horizon, figures } = state;
  if (gone || position.poolType === 'other') {
    return nothing;
  }
  const { data, ...rest } = outlook;
  const pool = data?.pool;
  const strategy = STRATEGIES.find((one) => one === position.strategy);
  const card = outlookCard({
    id: 'from-here-on',
    title: l10n.t('From here on'),
    volatility: data === undefined ? rest : { ...rest, data: data.volatility },
    horizon,
    currency: currencyOf(state),
    figures,
    choose: chooseHorizon,
    retry: () => post({ kind: 'retry', part: 'outlook' }),
    pot: { usd: pool === undefined ? undefined : feesPerDayUsd(pool), protocolPercent: pool?.fees.protocolPercent },
    ask: (given) => (pool === undefined ? 'liquidity' : asked(state, position, pool, given)),
    recorded: () => recordedOfPosition(data?.earned),
    tokens: pool,
    plan: undefined,
    widths: strategy === undefined ? undefined : { strategy, percentX: HALF, take: undefined, of: [pool, position] },
  });
  return html`<div class="card">${card}</div>`;
}

function asked(
  { events }: PositionState,
  position: PositionView,
  pool: PoolView,
  given: Pick<Expectation, 'sigma' | 'horizonS'>,
): AskedOutlook | NotReported {
  const solPerUsd = nativePerUsd(position.value);
  const expectation = { ...given, solUsd: solPerUsd === undefined ? undefined : 1 / solPerUsd, solMint: SOL_MINT };
  if (position.poolType === 'dammV2') {
    return position.value.usd === undefined ? 'prices' : shareToAsk(pool, position.value.usd, expectation);
  }
  const { activeBinId, lowerBinId, upperBinId } = position;
  const bins = ownBins(position, depositBin(events.data, position.binStepBps));
  return bins === undefined || activeBinId === undefined || lowerBinId === undefined || upperBinId === undefined
    ? 'bins'
    : positionToAsk(
        pool,
        { bins, range: { fromBinId: lowerBinId, toBinId: upperBinId }, activeBinId, valueUsd: position.value.usd },
        expectation,
      );
}
