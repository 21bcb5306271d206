import * as l10n from '@vscode/l10n';
import { claimableUsd, mayHaveClaims } from '../../base/dlmm/claimable';
import { counted } from '../../base/format/counted';
import { usd } from '../../base/format/money';
import type { Address } from '../../base/solana/address';
import type { PortfolioSnapshot } from '../../portfolio/types';
import type { OpenPosition } from '../../service/positions';
import { errorMessageOf } from '../../transactions/errors';
import { positionNames } from '../positions/positionList';
import type { BusyPositions } from '../shell/busyPositions';
import { UserError } from '../shell/errors';
import { claimableText, claimItem } from '../zap/claimWords';
import type { OperationRunner } from '../zap/operationRunner';
import { freshSnapshot, type InTurnDependencies, type KeepBatch } from './inTurn';
import { inProgressText } from '../zap/operationMessages';
import { clearText } from './summary';

export interface ClaimAllDependencies extends InTurnDependencies {
  readonly claimer: () => Promise<Pick<OperationRunner, 'claim'>>;
  readonly keep: KeepBatch;
}

/** Fees and rewards that are worth a transaction, US dollars: a claim costs the network fee and a tip, and may lock the rent of token accounts. */
const WORTH_CLAIMING_USD = 1;
/** Positions of one operation, which is one question: two to four share a transaction, and more than ten transactions are a question. */
const POSITIONS_AT_ONCE = 12;

/**
 * Claims the fees of all positions with more than {@link WORTH_CLAIMING_USD} that the user leaves selected, twelve at a time. A failure does not
 * stop the rest; a declined or canceled one does, and so does Cancel while it lands.
 * @param selected the `OpenPosition.key` of those to offer; `undefined`: all
 * @throws UserError if there is nothing worth claiming; the first error of a claim, after the others
 */
export async function claimAll(owner: Address, selected: readonly string[] | undefined, dependencies: ClaimAllDependencies): Promise<void> {
  const { prompts, busy, claimer, keep, log } = dependencies;
  const snapshot = await freshSnapshot(dependencies);
  const able = worthClaiming(snapshot, selected, busy);
  const names = positionNames(snapshot.positions);
  const answer = await prompts.select({
    title: l10n.t('Claim All Fees'),
    placeholder: `${counted(able.length, 'position')}, ${claimableText(able)}. ${clearText()}`,
    items: able.map((position) => claimItem(position, names.get(position.key))),
  });
  const chosen = answer.kind === 'value' ? answer.value : [];
  const parts = partsOf(chosen);
  const failures: unknown[] = [];
  const keepLeft = keep('claim', owner, chosen.length);
  for (const [index, positions] of parts.entries()) {
    const place = parts.length === 1 ? undefined : l10n.t`${index + 1} of ${parts.length}`;
    await keepLeft(parts.slice(index).flatMap((left) => left.map(({ key }) => key)));
    try {
      const keys = positions.map(({ key }) => key);
      const result = await busy.duringAll(keys, async () => (await claimer()).claim(positions, owner, { place }));
      if (result === undefined) {
        throw new UserError(inProgressText());
      }
      const isStopped = result.kind === 'landedNotListed' && result.stoppedWaiting;
      if (result.kind === 'declined' || result.kind === 'blocked' || isStopped) {
        break;
      }
    } catch (error) {
      log('warn', `the claim of ${positions.length} positions failed: ${errorMessageOf(error)}`);
      failures.push(error);
    }
  }
  await keepLeft([]);
  if (failures.length > 0) {
    throw failures[0];
  }
}

function worthClaiming(
  { positions }: PortfolioSnapshot,
  selected: readonly string[] | undefined,
  busy: BusyPositions,
): readonly OpenPosition[] {
  const able = positions.filter(
    (position) => selected?.includes(position.key) !== false && isWorthClaiming(position) && !busy.has(position.key),
  );
  if (able.length === 0) {
    throw new UserError(l10n.t`No open position has ${usd(WORTH_CLAIMING_USD)} or more to claim.`);
  }
  return able;
}

/** Whether a claim of its fees and rewards is worth a transaction. */
export function isWorthClaiming(position: OpenPosition): boolean {
  return mayHaveClaims(position) && (claimableUsd(position) ?? 0) >= WORTH_CLAIMING_USD;
}

function partsOf(positions: readonly OpenPosition[]): readonly (readonly OpenPosition[])[] {
  const count = Math.ceil(positions.length / POSITIONS_AT_ONCE);
  return Array.from({ length: count }, (_, part) => positions.slice(part * POSITIONS_AT_ONCE, (part + 1) * POSITIONS_AT_ONCE));
}
