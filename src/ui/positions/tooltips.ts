import * as l10n from '@vscode/l10n';
import { priceUsd } from '../../base/format/amounts';
import { signedSol, signedUsd, sol, usd, usdToTheCent } from '../../base/format/money';
import { count, isKnown, UNKNOWN } from '../../base/format/numbers';
import { bps, feeTvl, fractionAsPercent, percent, signedPercent } from '../../base/format/percent';
import { age, exactTime } from '../../base/format/time';
import type { Interval, Pool } from '../../service/pools';
import { dailyReturnOf } from '../../service/common';
import type { OpenPosition } from '../../service/positions';
import { claimableUsd, worthClaimingUsd } from '../../base/dlmm/claimable';
import { rangeStatus } from '../../base/dlmm/rangeStatus';
import type { Lineages } from '../shell/lineages';
import { escapedMarkdown, paragraphs, table, tonedText } from '../shell/views/text';
import { claimedFeesLabel, lineageText, POOL_TYPE_NAMES, rangeText, rewardsText } from './positionRows';

/** The tooltip of an open position: Markdown with codicons and colored spans. */
export function positionTooltip(position: OpenPosition, lineages?: Pick<Lineages, 'since'>): string {
  const rewards = rewardsText(position);
  const daily = dailyReturnOf(position);
  const kind = [POOL_TYPE_NAMES[position.poolType], position.strategy].filter((part) => part !== undefined).join(' · ');
  return paragraphs([
    `**${escapedMarkdown(position.pairName)}** · ${kind}`,
    statusText(position),
    table(
      ['', 'USD', 'SOL'],
      [
        [l10n.t('Value'), usdToTheCent(position.value.usd), sol(position.value.native)],
        [l10n.t('PnL'), toned(signedUsd, position.pnl.usd), toned(signedSol, position.pnl.native)],
        [l10n.t('PnL %'), toned(signedPercent, position.pnlPercent.usd), toned(signedPercent, position.pnlPercent.native)],
        [l10n.t('Daily return'), fractionAsPercent(daily.usd), fractionAsPercent(daily.native)],
        [l10n.t('Deposited'), usdToTheCent(position.input.usd), sol(position.input.native)],
        [l10n.t('Withdrawn'), usdToTheCent(position.output.usd), sol(position.output.native)],
        [l10n.t('Unclaimed fees'), usdToTheCent(position.uncollectedFee.usd), sol(position.uncollectedFee.native)],
        [claimedFeesLabel(position), usdToTheCent(position.collectedFee.usd), sol(position.collectedFee.native)],
      ],
    ),
    lineageText(lineages?.since([position])),
    rewards === undefined ? undefined : l10n.t`Unclaimed rewards: ${escapedMarkdown(rewards)}`,
    worthClaimingText(position),
    doubtText(position),
    position.isFeeEstimate === true
      ? l10n.t('$(info) PnL is an estimate: some fees were claimed at a price that was not recorded.')
      : undefined,
    position.ageHours === undefined
      ? undefined
      : position.createdAt === undefined
        ? l10n.t`Open for ${age(position.ageHours)}.`
        : l10n.t`Open for ${age(position.ageHours)}, since ${exactTime(position.createdAt)}.`,
    position.address === undefined ? undefined : l10n.t`Position \`${position.address}\``,
    position.pool === undefined ? undefined : l10n.t`Pool \`${position.pool}\``,
  ]);
}

/** What a claim would bring, which its row has in short; `undefined`: nothing waits, or the costs are not known. */
function worthClaimingText(position: OpenPosition): string | undefined {
  const net = worthClaimingUsd(position);
  if (net === undefined || claimableUsd(position) === 0) {
    return undefined;
  }
  return net > 0 ? l10n.t`Worth claiming: ${usdToTheCent(net)} after costs.` : l10n.t('A claim would cost more than it brings.');
}

/** Says where deposits and results are from, if it is not the chain alone. */
function doubtText({ doubt }: OpenPosition): string | undefined {
  switch (doubt) {
    case 'reported':
      return l10n.t("$(info) Deposits and results are from Meteora's public data, not read from the chain yet.");
    case 'contradicted':
      return l10n.t("$(warning) Meteora's public data differs from these figures of the chain.");
    case undefined:
      return undefined;
  }
}

/** A gain or a loss in its color. The sign says the same. */
function toned(format: (value: number | undefined) => string, value: number | undefined): string {
  return !isKnown(value) || value === 0 ? format(value) : tonedText(format(value), value > 0 ? 'gain' : 'loss');
}

function statusText(position: OpenPosition): string {
  const range = rangeText(position);
  const where = range === undefined ? '' : l10n.t` Range ${range.range}${range.edges === undefined ? '' : `: ${range.edges}`}.`;
  switch (rangeStatus(position)) {
    case 'inRange':
      return l10n.t`$(pass) **In range.** Earns fees.${where}`;
    case 'outOfRange':
      return l10n.t`$(warning) **Out of range.** Earns no fees until the price returns.${where}`;
    case 'none':
      return l10n.t('$(pulse) **Full range.** Earns fees at every price.');
    case 'unknown':
      return l10n.t`$(question) Range status not reported.${where}`;
  }
}

const INTERVALS: readonly Interval[] = ['5m', '1h', '6h', '24h'];

/** The tooltip of a listed pool: Markdown with codicons. */
export function poolTooltip(pool: Pool): string {
  return paragraphs([
    `**${escapedMarkdown(pool.pairName)}** · ${POOL_TYPE_NAMES[pool.poolType]}`,
    pool.mintOrFreezeEnabled === true
      ? l10n.t`$(warning) **${escapedMarkdown(pool.token0.symbol)} can still be minted or frozen.**`
      : undefined,
    pool.hasCriticalWarning === true
      ? l10n.t`$(warning) **Meteora warns of ${escapedMarkdown(pool.token0.symbol)}.** Look at the token before you add liquidity.`
      : undefined,
    table(
      ['', ...INTERVALS.map((interval) => interval.replace(/(\d+)/, '$1 '))],
      [
        [l10n.t('Volume'), ...INTERVALS.map((interval) => usd(pool.volumeUsd[interval]))],
        [l10n.t('Price change'), ...INTERVALS.map((interval) => signedPercent(pool.priceChangePercent[interval]))],
      ],
    ),
    table(
      ['', ''],
      [
        ['TVL', usd(pool.tvlUsd)],
        [l10n.t('24 h fees / TVL'), feeTvl(pool.feeTvlRatio24h)],
        [l10n.t('Base fee'), percent(pool.baseFeePercent)],
        ...(pool.poolType === 'dammV2' ? [] : [[l10n.t('Bin step'), bps(pool.binStepBps)] as const]),
        [l10n.t`Price of ${escapedMarkdown(pool.token0.symbol)}`, priceUsd(pool.price0Usd)],
        [l10n.t('Market cap'), usd(pool.marketCapUsd)],
        [l10n.t('Holders'), count(pool.holders)],
        [l10n.t('Largest holder'), percent(pool.topHolderPercent)],
        [l10n.t('Organic score'), isKnown(pool.organicScore) ? l10n.t`${count(pool.organicScore)} of 100` : UNKNOWN],
        [l10n.t('Created'), exactTime(pool.createdAt)],
      ].filter(([, figure]) => figure !== UNKNOWN),
    ),
    l10n.t`Pool \`${pool.address}\``,
  ]);
}
