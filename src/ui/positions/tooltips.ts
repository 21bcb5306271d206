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
    rewards === undefined ? undefined : `${l10n.t('Unclaimed rewards')}: ${escapedMarkdown(rewards)}`,
    worthClaimingText(position),
    doubtText(position),
    position.isFeeEstimate === true
      ? `$(info) ${l10n.t('PnL is an estimate: some fees were claimed at a price that was not recorded.')}`
      : undefined,
    position.ageHours === undefined
      ? undefined
      : `${l10n.t('Age')}: ${[age(position.ageHours), ...(position.createdAt === undefined ? [] : [l10n.t`since ${exactTime(position.createdAt)}`])].join(', ')}`,
    position.address === undefined ? undefined : `${l10n.t('Position')} \`${position.address}\``,
    position.pool === undefined ? undefined : `${l10n.t('Pool')} \`${position.pool}\``,
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
      return `$(info) ${l10n.t("From Meteora's public data, not read from the chain yet.")}`;
    case 'contradicted':
      return `$(warning) ${l10n.t("Meteora's public data differs from these figures of the chain.")}`;
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
  const where = range === undefined ? '' : `: ${[range.range, range.edges].filter((part) => part !== undefined).join(' · ')}`;
  switch (rangeStatus(position)) {
    case 'inRange':
      return `$(pass) **${l10n.t('In range')}**${where}`;
    case 'outOfRange':
      return `$(warning) **${l10n.t('Out of range')}**${where}. ${l10n.t('Earns no fees until the price returns.')}`;
    case 'none':
      return `$(pulse) **${l10n.t('Full range')}**. ${l10n.t('Earns fees at every price.')}`;
    case 'unknown':
      return `$(question) ${l10n.t('Range unknown')}${where}`;
  }
}

const INTERVALS: readonly Interval[] = ['5m', '1h', '6h', '24h'];

/** The tooltip of a listed pool: Markdown with codicons. */
export function poolTooltip(pool: Pool): string {
  return paragraphs([
    `**${escapedMarkdown(pool.pairName)}** · ${POOL_TYPE_NAMES[pool.poolType]}`,
    pool.mintOrFreezeEnabled === true
      ? `$(warning) **${l10n.t`${escapedMarkdown(pool.token0.symbol)} can still be minted or frozen.`}**`
      : undefined,
    pool.hasCriticalWarning === true ? `$(warning) **${l10n.t`Meteora warns of ${escapedMarkdown(pool.token0.symbol)}.`}**` : undefined,
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
        [l10n.t`${'24h'} fees / TVL`, feeTvl(pool.feeTvlRatio24h)],
        [l10n.t('Base fee'), percent(pool.baseFeePercent)],
        ...(pool.poolType === 'dammV2' ? [] : [[l10n.t('Bin step'), bps(pool.binStepBps)] as const]),
        [l10n.t('Price'), priceUsd(pool.price0Usd)],
        [l10n.t('Market cap'), usd(pool.marketCapUsd)],
        [l10n.t('Holders'), count(pool.holders)],
        [l10n.t`Top holders of ${escapedMarkdown(pool.token0.symbol)}`, percent(pool.topHolderPercent)],
        [l10n.t('Organic score'), isKnown(pool.organicScore) ? l10n.t`${count(pool.organicScore)} of 100` : UNKNOWN],
        [l10n.t('Created'), exactTime(pool.createdAt)],
      ].filter(([, figure]) => figure !== UNKNOWN),
    ),
    `${l10n.t('Pool')} \`${pool.address}\``,
  ]);
}
