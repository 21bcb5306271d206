import * as l10n from '@vscode/l10n';
import { counted } from '../../base/format/counted';
import { usd } from '../../base/format/money';
import { isKnown } from '../../base/format/numbers';
import type { OpenPosition } from '../../service/positions';
import { nameAmong, positionName } from '../positions/positionList';
import { feesText } from '../positions/positionRows';
import type { PickItem } from '../shell/prompts/prompts';

/** What is claimed, in sentences: "SOL/USDC", "3 positions". @param listed all that are listed */
export function claimedName(positions: readonly OpenPosition[], listed: readonly OpenPosition[]): string {
  const [first, ...others] = positions;
  return first !== undefined && others.length === 0 ? nameAmong(first, listed) : counted(positions.length, 'position');
}

/** The fees of positions by their listing: "fees of about $12.30". */
export function claimableText(positions: readonly OpenPosition[]): string {
  const sum = claimableUsd(positions);
  return sum === undefined ? l10n.t('fees of unknown value') : l10n.t`fees of about ${usd(sum)}`;
}

/** The sum of the fees in US dollars; `undefined` if the service does not report the value of one. */
function claimableUsd(positions: readonly OpenPosition[]): number | undefined {
  const values = positions.map(({ uncollectedFee }) => uncollectedFee.usd);
  return values.every(isKnown) ? values.reduce((sum, value) => sum + value, 0) : undefined;
}

/** A position in a list: its fees in US dollars and in its tokens. @param name distinguishes it from the other positions (positionList.ts) */
export function claimItem(position: OpenPosition, name = positionName(position)): PickItem<OpenPosition> {
  return { label: name, description: feesText(position), detail: position.address, value: position };
}
