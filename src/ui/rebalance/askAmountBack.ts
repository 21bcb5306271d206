import * as l10n from '@vscode/l10n';
import { parseDecimal } from '../../base/solana/amounts';
import { SOL_DECIMALS } from '../../base/solana/programs';
import type { Prompts, Reading } from '../shell/prompts/prompts';

/**
 * Asks how much SOL goes back into a pool, where it could not be measured what came back.
 * @param worthSol what the position was worth before, by the service's figures
 * @returns lamports; `undefined` where the user leaves
 */
export async function askAmountBack(pair: string, worthSol: number | undefined, prompts: Prompts): Promise<bigint | undefined> {
  const worth =
    worthSol === undefined || !Number.isFinite(worthSol)
      ? ''
      : l10n.t` The position was worth about ${worthSol.toFixed(4)} SOL before, by the service's figures.`;
  const answer = await prompts.input<bigint>({
    title: l10n.t`Re-enter ${pair}`,
    prompt: l10n.t`How much SOL came back could not be measured.${worth} How much SOL goes back in at most? Costs are taken from it.`,
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
