import * as l10n from '@vscode/l10n';
import { sol } from '../../base/format/money';
import { parseDecimal } from '../../base/solana/amounts';
import { SOL_DECIMALS } from '../../base/solana/programs';
import type { Prompts, Reading } from '../shell/prompts/prompts';

/**
 * Asks how much SOL to re-enter with, if the proceeds could not be measured.
 * @param worthSol the position's value before the zap-out, as the service reported it
 * @returns lamports; `undefined` if the user cancels
 */
export async function askAmountBack(pair: string, worthSol: number | undefined, prompts: Prompts): Promise<bigint | undefined> {
  const answer = await prompts.input<bigint>({
    title: l10n.t`Re-enter ${pair}`,
    prompt:
      worthSol === undefined || !Number.isFinite(worthSol)
        ? l10n.t("The proceeds couldn't be measured. Enter the maximum amount of SOL to re-enter with; costs are deducted from it.")
        : l10n.t`The proceeds couldn't be measured; the position was worth about ${sol(worthSol)} (service figures). Enter the maximum amount of SOL to re-enter with; costs are deducted from it.`,
    read: readSol,
  });
  return answer.kind === 'value' ? answer.value : undefined;
}

function readSol(text: string): Reading<bigint> {
  const lamports = parseDecimal(text.trim(), SOL_DECIMALS);
  return lamports !== undefined && lamports > 0n
    ? { ok: true, value: lamports }
    : { ok: false, message: l10n.t('Enter an amount of SOL above 0, with at most 9 decimal places.') };
}
