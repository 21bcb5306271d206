import type { PolicySettings } from '../../../review/policy';
import { SETTING } from '../names';
import type { BoundedSetting, ValueOf } from './values';

export interface SettingsReader {
  get<Key extends BoundedSetting>(key: Key): ValueOf<Key>;
}

/**
 * The part of the review policy that settings change. They move the line between "allowed" and "asks"; neither the limits above which
 * the review rejects nor the rules that always apply are settings.
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

/** Returns the review's settings. Each access reads them again. */
export function reviewSettings(settings: SettingsReader): {
  readonly policy: () => Partial<PolicySettings>;
  readonly isSimulating: () => boolean;
} {
  return { policy: () => reviewPolicy(settings), isSimulating: () => settings.get(SETTING.simulate) };
}
