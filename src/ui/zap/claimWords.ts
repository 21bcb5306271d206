import * as l10n from '@vscode/l10n';
import { claimableUsd } from '../../base/dlmm/claimable';
import { counted } from '../../base/format/counted';
import { usd } from '../../base/format/money';
import type { OpenPosition } from '../../service/positions';
import { nameAmong, positionName } from '../positions/positionList';
import { feesText, rewardsText } from '../positions/positionRows';
import type { PickItem } from '../shell/prompts/prompts';
import { joined } from '../shell/views/rows';

/** What is claimed, in sentences: "SOL/USDC", "3 positions". @param listed all that are listed */
export function claimedName(positions: readonly OpenPosition[], listed: readonly OpenPosition[]): string {
  const [first, ...others] = positions;
  return first !== undefined && others.length === 0 ? nameAmong(first, listed) : counted(positions.length, 'position');
}

/** What positions have to claim by their listing, fees and rewards: "about $12.30". */
export function claimableText(positions: readonly OpenPosition[]): string {
  const values = positions.map(claimableUsd);
  return values.every((value) => value !== undefined)
    ? l10n.t`about ${usd(values.reduce((total, value) => total + value, 0))}`
    : l10n.t('value unknown');
}

/** A position in a list: what it has to claim in US dollars and in tokens. @param name distinguishes it from the other positions (positionList.ts) */
export function claimItem(position: OpenPosition, name = positionName(position)): PickItem<OpenPosition> {
  return { label: name, description: joined([feesText(position), rewardsText(position)]), detail: position.address, value: position };
}
