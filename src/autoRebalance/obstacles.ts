import * as l10n from '@vscode/l10n';
import type { PortfolioControl } from '../portfolio/types';
import type { Address } from '../base/solana/address';
import { errorMessageOf } from '../transactions/errors';
import type { StoredConsent } from './consentStore';
import { type AutoRebalanceRules, areSameRules, type PauseCause } from './types';

/** What a consent is compared with. */
export interface Conditions {
  /** That of the wallet that is shown. */
  readonly portfolio: PortfolioControl;
  /** That of a wallet, shown or not, which no view turns to another wallet. Default: the shown one, so that it pauses while another wallet is shown. */
  readonly portfolioOf?: ((owner: Address) => PortfolioControl) | undefined;
  /** The id of the service in use, if any. */
  readonly serviceId: () => string | undefined;
  /** The rules in the settings now. @throws Error with a message for the user if one is invalid */
  readonly rules: () => AutoRebalanceRules;
  /** Why this window may not take part, whatever the consent says; `undefined` if it may. */
  readonly whyNotHere: (owner: Address) => Pick<Obstacle, 'why' | 'cause'> | undefined;
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
export function obstacleTo({ consent, isConfirmed, unknownBecause }: StoredConsent, conditions: Conditions): Obstacle | undefined {
  const { serviceId, rules, whyNotHere } = conditions;
  const here =
    unknownBecause !== undefined
      ? ({ why: unknownBecause, cause: 'secretStorage' } as const)
      : isConfirmed
        ? whyNotHere(consent.owner)
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
  const service = serviceId();
  if (service === undefined) {
    return noWallet();
  }
  if (service !== consent.service) {
    return { name: 'service', why: otherText() };
  }
  const { owner } = portfolioFor(consent.owner, conditions).snapshot;
  if (owner === undefined) {
    return noWallet();
  }
  if (owner !== consent.owner) {
    return { name: 'wallet', why: otherText() };
  }
  if (consent.worths === undefined) {
    return { name: 'limits', why: differText() };
  }
  return areSameRules(current, consent.rules) ? undefined : { name: 'rules', why: differText() };
}

/** The portfolio to read and act with for a wallet. It may be of another wallet: then nothing may be done. */
export function portfolioFor(owner: Address, { portfolio, portfolioOf }: Pick<Conditions, 'portfolio' | 'portfolioOf'>): PortfolioControl {
  return portfolioOf?.(owner) ?? portfolio;
}

const otherText = (): string => l10n.t('It was started for another wallet or service. Switch back, or start it again.');
const differText = (): string =>
  l10n.t('The rules, review settings or RPC differ from those that you confirmed. Start it again, or undo the change.');

function noWallet(): Obstacle {
  return { name: 'noWallet', why: l10n.t('No wallet or no service is selected in this window.'), isSilent: true };
}

function notConfirmedText(): string {
  return l10n.t(
    'It is on by rules that you did not confirm here: another VS Code, or someone else, turned it on. This window does nothing. Start it to confirm them, or stop it.',
  );
}
