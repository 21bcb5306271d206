import type { PolicySettings } from '../../../review/policy';
import { SETTING } from '../names';
import type { BoundedSetting, ValueOf } from './values';

/** What gives settings: {@link Settings}, or a test. */
export interface SettingsReader {
  get<Key extends BoundedSetting>(key: Key): ValueOf<Key>;
}

/**
 * What the user's settings change of the review's limits. They move the line between "allowed" and "asked about"; the line
 * above which the review refuses is no setting (review policy §12), nor is any of the rules that always hold.
 */
export function reviewPolicy(settings: SettingsReader): Partial<PolicySettings> {
  return {
    tipAllowLamports: settings.get(SETTING.tipCapSol),
    feeAllowLamports: settings.get(SETTING.priorityFeeCapSol),
    trustedPrograms: settings.get(SETTING.trustedPrograms),
    feeRecipients: settings.get(SETTING.feeRecipients),
    feeRecipientCapLamports: settings.get(SETTING.feeRecipientCapSol),
    isStrictWithoutRpc: settings.get(SETTING.strictWithoutRpc),
  };
}

/** Gives both halves of what is set about the review, each read afresh whenever it is asked for. */
export function reviewSettings(settings: SettingsReader): {
  readonly policy: () => Partial<PolicySettings>;
  readonly isSimulating: () => boolean;
} {
  return { policy: () => reviewPolicy(settings), isSimulating: () => settings.get(SETTING.simulate) };
}
