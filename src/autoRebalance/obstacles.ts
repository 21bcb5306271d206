import * as l10n from '@vscode/l10n';
import type { PortfolioControl } from '../portfolio/types';
import { errorMessageOf } from '../transactions/errors';
import type { StoredConsent } from './consentStore';
import { type AutoRebalanceRules, areSameRules, type PauseCause } from './types';

/** What a consent is compared with. */
export interface Conditions {
  readonly portfolio: PortfolioControl;
  /** The id of the service in use, if any. */
  readonly serviceId: () => string | undefined;
  /** The rules in the settings now. @throws Error with a message for the user if one is invalid */
  readonly rules: () => AutoRebalanceRules;
  /** Why this window may not take part, whatever the consent says; `undefined` if it may. */
  readonly whyNotHere: () => Pick<Obstacle, 'why' | 'cause'> | undefined;
}

/** Why auto-rebalance is paused. */
export interface Obstacle {
  /** The same obstacle is reported once. */
  readonly name: string;
  /** For the user, in sentences. */
  readonly why: string;
  /** Only the status bar shows it. */
  readonly isSilent?: boolean;
  /** Absent: the user decides what ends it. */
  readonly cause?: PauseCause;
}

/** What keeps this window from acting on the consent; `undefined`: nothing. */
export function obstacleTo(
  { consent, isConfirmed, unknownBecause }: StoredConsent,
  { portfolio, serviceId, rules, whyNotHere }: Conditions,
): Obstacle | undefined {
  const here =
    unknownBecause !== undefined
      ? ({ why: unknownBecause, cause: 'secretStorage' } as const)
      : isConfirmed
        ? whyNotHere()
        : { why: notConfirmedText() };
  if (here !== undefined) {
    return { name: 'window', isSilent: true, ...here };
  }
  let current: AutoRebalanceRules;
  try {
    current = rules();
  } catch (error) {
    // Nothing is done by rules that can't be read.
    const why = errorMessageOf(error);
    return { name: why, why };
  }
  const { owner } = portfolio.snapshot;
  const service = serviceId();
  if (owner === undefined || service === undefined) {
    return { name: 'noWallet', why: l10n.t('No wallet or no service is selected in this window.'), isSilent: true };
  }
  if (service !== consent.service) {
    return {
      name: 'service',
      why: l10n.t('It was started for another service. Switch back to that service, or start it again for this one.'),
    };
  }
  if (owner !== consent.owner) {
    return {
      name: 'wallet',
      why: l10n.t('It was started for another wallet. Switch back to that wallet, or start it again for this one.'),
    };
  }
  if (consent.worths === undefined) {
    return {
      name: 'limits',
      why: l10n.t(
        'You confirmed the rules in an earlier version, without limits for closings, costs and re-entries. Start it again to confirm them.',
      ),
    };
  }
  return areSameRules(current, consent.rules)
    ? undefined
    : {
        name: 'rules',
        why: l10n.t(
          'The rules in the settings differ from those you confirmed, or the review settings or the RPC have changed. Start it again to confirm, or undo the change.',
        ),
      };
}

function notConfirmedText(): string {
  return l10n.t(
    'It is on by rules that you did not confirm in this VS Code: another VS Code of yours turned it on, or someone else wrote the file. This window does nothing. Start it here to confirm the rules, or stop it for all windows.',
  );
}
