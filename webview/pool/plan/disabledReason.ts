import * as l10n from '@vscode/l10n';
import type { Ambient } from '../../../src/protocol/ambient';
import type { Part } from '../../../src/protocol/parts';
import type { PlanFigures } from '../../../src/protocol/plan';
import type { PoolView } from '../../../src/protocol/pool';

/** Everything that decides whether a plan can be continued. */
export interface Readiness {
  readonly pool: PoolView;
  readonly ambient: Ambient | undefined;
  readonly figures: Part<PlanFigures>;
  readonly hasBins: boolean;
  readonly errors: Readonly<Record<string, string | undefined>>;
  readonly amountLamports: bigint | undefined;
  readonly slippageBps: number | undefined;
}

/** Why a plan cannot be continued yet; `undefined`: it can. */
export function disabledReasonOf({ pool, ambient, figures, hasBins, errors, amountLamports, slippageBps }: Readiness): string | undefined {
  if (pool.poolType === 'other') {
    return l10n.t("Binsight doesn't know this type of pool and signs nothing that it can't read.");
  }
  if (pool.poolType === 'dlmm' && !hasBins) {
    return l10n.t("The service doesn't report this pool's active bin, so no range can be chosen.");
  }
  if (ambient?.canSign !== true) {
    return ambient?.owner === undefined
      ? l10n.t('No wallet selected. Import a wallet key to open a position.')
      : l10n.t('This is a watch-only wallet. Import its key to sign.');
  }
  if (Object.values(errors).some((error) => error !== undefined)) {
    return l10n.t('Fix the highlighted field.');
  }
  if (figures.data === undefined) {
    return figures.standing === 'failed' ? l10n.t('The wallet balance could not be loaded.') : l10n.t('Loading the wallet balance…');
  }
  if (amountLamports === undefined) {
    return l10n.t('Enter the amount of SOL.');
  }
  return slippageBps === undefined ? l10n.t('Enter the max slippage.') : undefined;
}
