import * as l10n from '@vscode/l10n';
import type { Ambient } from '../../../src/protocol/ambient';
import type { Part } from '../../../src/protocol/parts';
import type { PlanFigures } from '../../../src/protocol/plan';
import type { PoolView } from '../../../src/protocol/pool';

/** What decides whether a plan can be handed over. */
export interface Readiness {
  readonly pool: PoolView;
  readonly ambient: Ambient | undefined;
  readonly figures: Part<PlanFigures>;
  readonly hasBins: boolean;
  readonly errors: Readonly<Record<string, string | undefined>>;
  readonly amountLamports: bigint | undefined;
  readonly slippageBps: number | undefined;
}

/** Why a plan cannot be handed over yet, in words; `undefined`: it can. */
export function disabledReasonOf({ pool, ambient, figures, hasBins, errors, amountLamports, slippageBps }: Readiness): string | undefined {
  if (pool.poolType === 'other') {
    return l10n.t('Binsight does not know this kind of pool, and signs nothing that it cannot read.');
  }
  if (pool.poolType === 'dlmm' && !hasBins) {
    return l10n.t('The service does not tell the active bin of this pool, so that no range can be laid around it.');
  }
  if (ambient?.canSign !== true) {
    return ambient?.owner === undefined
      ? l10n.t('No wallet is set up: a position needs one that can sign.')
      : l10n.t('This wallet is only watched: Binsight has no key to sign with.');
  }
  if (Object.values(errors).some((error) => error !== undefined)) {
    return l10n.t('Something above cannot be read yet.');
  }
  if (figures.data === undefined) {
    return figures.standing === 'failed'
      ? l10n.t('The balance of the wallet could not be read.')
      : l10n.t('The balance of the wallet is being read.');
  }
  if (amountLamports === undefined) {
    return l10n.t('Type how much SOL goes in.');
  }
  return slippageBps === undefined ? l10n.t('Type the slippage.') : undefined;
}
