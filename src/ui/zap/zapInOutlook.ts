import * as l10n from '@vscode/l10n';
import { fractionAsPercent } from '../../base/format/percent';
import { usd } from '../../base/format/money';
import { breakEvenSigma, type KnownOutlook, type Sigma } from '../../base/insight/outlook';
import { type AskedOutlook, outlookOf, planToAsk } from '../../base/insight/poolOutlook';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { DAY_S } from '../../base/time';
import { reportedPool } from '../../service/reportedPool';
import type { LiquidityService } from '../../service/service';
import { readVolatility } from '../../service/volatility';
import type { ZapInChoices } from './zapInDialog';

/** What to expect of a zap-in in the next 24 hours. */
export interface ZapInOutlook {
  readonly asked: AskedOutlook;
  readonly outlook: KnownOutlook;
  /** Of the volatility per square root of a day. */
  readonly sigma: Sigma;
}

const LAMPORTS_PER_SOL = 1e9;
/** What is left is clear from this share of the fees on. */
const CLEAR = 0.3;

/**
 * Reads the candles of the past week, and the pool again.
 * @returns `undefined` where the panel of the plan says "not known", or the deposit is not of SOL alone
 * @throws ServiceError
 */
export async function readZapInOutlook(
  service: Pick<LiquidityService, 'poolInfo' | 'candles'>,
  { target, bins, inputLamports, tokens, percentX, solUsd }: ZapInChoices,
  nowMs: number,
  signal: AbortSignal,
): Promise<ZapInOutlook | undefined> {
  if (tokens !== undefined) {
    return undefined;
  }
  const volatility = await readVolatility(service, target.pool, target.binStepBps, nowMs, signal);
  if (!volatility.known) {
    return undefined;
  }
  const pool = reportedPool(await service.poolInfo(target.pool, { signal }));
  const sigma: Sigma = { value: volatility.sigmaPerDay, low: volatility.low, high: volatility.high };
  const asked = planToAsk(
    pool,
    { range: bins?.range, strategy: bins?.strategy ?? 'Spot', percentX, amountSol: Number(inputLamports) / LAMPORTS_PER_SOL },
    { sigma, horizonS: DAY_S, solUsd, solMint: WRAPPED_SOL_MINT },
  );
  const outlook = typeof asked === 'string' ? undefined : outlookOf(asked);
  return typeof asked === 'string' || outlook?.known !== true ? undefined : { asked, outlook, sigma };
}

/** An outlook in three lines: in range, what is left, and at which volatility it is worth it. @param isBrief without what they are made of */
export function outlookLines({ asked: { input, unit }, outlook, sigma }: ZapInOutlook, isBrief: boolean): readonly string[] {
  const share = (value: number): string => fractionAsPercent(rounded(value, 2));
  const money = (value: number): string => usd(unit.usd === undefined ? undefined : rounded(value * unit.usd, 3));
  const inRange = 'own' in input ? l10n.t`In range about ${share(outlook.timeInRange.value)} of 24 hours` : l10n.t('In range all the time');
  if (outlook.fees === null) {
    return [inRange, l10n.t`Loss to price moves: about ${money(outlook.loss.value)}; fees not known`];
  }
  const { fees, loss, netY } = outlook;
  const left = Math.abs(netY) > CLEAR * fees.value ? l10n.t`Left: about ${money(netY)}` : l10n.t`Left: about ${usd(0)}`;
  const limit = breakEvenSigma(input);
  const worth = limit === null ? [] : [l10n.t`Worth it below ${share(limit)} volatility`];
  return isBrief
    ? [inRange, left, ...worth]
    : [
        inRange,
        l10n.t`${left}: fees about ${money(fees.value)}, loss to price moves about ${money(loss.value)}`,
        ...worth,
        l10n.t`Expected volatility: ${share(sigma.value)} a day`,
      ];
}

function rounded(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}
