import * as l10n from '@vscode/l10n';
import { lamportsAsSol, usd } from '../../base/format/money';
import { isKnown } from '../../base/format/numbers';
import type { Address } from '../../base/solana/address';
import { lamportsToSol, parseDecimal } from '../../base/solana/amounts';
import { LAMPORTS_PER_SOL, SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { exactAmountOf, type TokenBalance } from '../../service/tokens';
import { answered, type PickItem, type Prompts, type Reading } from '../shell/prompts/prompts';
import type { Step } from '../shell/prompts/steps';
import type { ShownProgress } from '../shell/requestWait';
import { UserError } from '../shell/userError';
import { asChosen, type Balances, type SolBalance, titleOf, type ZapInDraft } from './zapInDraft';
import type { ZapInTarget } from './zapInTarget';
import { tokensHeld, tokensItem } from './zapInTokens';

/**
 * SOL that stays in the wallet: a new position locks 0.0574 SOL of rent, its token accounts and fees take some more
 * (guides: dlmm.md). Bin arrays that are missing cost more; the review shows what they come to.
 */
export const RESERVE_LAMPORTS = LAMPORTS_PER_SOL / 10n;

const reading = () => l10n.t('Reading the balances of your wallet');
const SHARES_PERCENT: readonly bigint[] = [25n, 50n, 75n, 100n];

/** What the amount step works with. */
export interface AmountDependencies {
  readonly prompts: Prompts;
  /** What the owner holds of these mints, asked for when the amount is; what the service does not list is not there. */
  readonly readBalances: (mints: readonly Address[], signal: AbortSignal, progress: ShownProgress) => Promise<readonly TokenBalance[]>;
}

/**
 * The steps that ask what goes in: how much SOL, or the pool's tokens where the wallet has any (zapInTokens.ts asks how much of
 * them, once it is known which the range takes).
 * @throws (while they ask) Refusal where there is nothing to go in, ServiceError where the balance cannot be read.
 */
export function amountSteps(dependencies: AmountDependencies): readonly Step<ZapInDraft>[] {
  return [amountStep(dependencies), ownAmountStep(dependencies.prompts)];
}

function amountStep({ prompts, readBalances }: AmountDependencies): Step<ZapInDraft> {
  return {
    ask: async (draft, place) => {
      const balances =
        draft.balances ??
        (await prompts.progress({ title: reading(), cancellable: true }, (show, signal) =>
          balancesOf(draft.target, readBalances, signal, { title: reading(), show }),
        ));
      const { sol, tokens } = balances;
      const available = availableOf(sol);
      if (available <= 0n && tokens === undefined) {
        throw new UserError(
          l10n.t`The wallet holds ${lamportsAsSol(sol.lamports)}. At least ${lamportsAsSol(RESERVE_LAMPORTS)} of it is kept for rent and fees, so that there is nothing to zap in with.`,
        );
      }
      const answer = await prompts.pick<bigint | 'own' | 'tokens'>({
        title: titleOf(draft),
        place,
        placeholder:
          tokens === undefined
            ? l10n.t`How much of the ${lamportsAsSol(sol.lamports)} in the wallet?`
            : l10n.t`With what? The wallet holds ${lamportsAsSol(sol.lamports)} and tokens of this pool.`,
        items: [
          ...(available <= 0n
            ? []
            : [
                ...chosenItem(draft, available, sol),
                ...SHARES_PERCENT.map((share): PickItem<bigint | 'own' | 'tokens'> =>
                  amountItem(
                    shareOf(available, share),
                    share === 100n ? l10n.t`all but ${lamportsAsSol(RESERVE_LAMPORTS)} for rent and fees` : `${share} %`,
                    sol,
                  ),
                ),
                {
                  label: l10n.t('Other amount…'),
                  ...(tokens === undefined ? {} : { description: l10n.t('of SOL') }),
                  icon: 'edit',
                  value: 'own' as const,
                },
              ]),
          ...(tokens === undefined ? [] : [tokensItem(tokens)]),
        ],
        isCurrent: (value) => value === draft.amount,
      });
      return answer.kind === 'value' ? answered({ ...draft, balances, amount: answer.value }) : answer;
    },
  };
}

/**
 * Reads what a wallet could put into a pool.
 * @throws Refusal where its SOL is not told exactly enough, ServiceError where it cannot be read
 */
export async function balancesOf(
  target: ZapInTarget | undefined,
  readBalances: AmountDependencies['readBalances'],
  signal: AbortSignal,
  progress: ShownProgress,
): Promise<Balances> {
  const mints = [...new Set([WRAPPED_SOL_MINT, target?.tokenX, target?.tokenY].filter((mint) => mint !== undefined))];
  const listed = await readBalances(mints, signal, progress);
  const sol = balanceOf(listed.find(({ mint }) => mint === WRAPPED_SOL_MINT));
  return { sol, tokens: target === undefined ? undefined : tokensHeld(target, listed, availableOf(sol)) };
}

function balanceOf(balance: TokenBalance | undefined): SolBalance {
  if (balance === undefined) {
    return { lamports: 0n, priceUsd: undefined };
  }
  const lamports = exactAmountOf(balance, SOL_DECIMALS);
  if (lamports === undefined) {
    throw new UserError(l10n.t('The service does not tell the SOL balance of this wallet exactly enough to zap in with it.'));
  }
  return { lamports, priceUsd: balance.priceUsd };
}

function availableOf({ lamports }: SolBalance): bigint {
  return lamports - RESERVE_LAMPORTS;
}

/** What was typed or planned before, where it is none of the shares. */
function chosenItem({ amount }: ZapInDraft, available: bigint, sol: SolBalance): readonly PickItem<bigint>[] {
  const isOffered =
    typeof amount !== 'bigint' || amount > available || SHARES_PERCENT.some((share) => shareOf(available, share) === amount);
  return isOffered ? [] : [amountItem(amount, asChosen(), sol)];
}

function shareOf(available: bigint, sharePercent: bigint): bigint {
  return (available * sharePercent) / 100n;
}

function amountItem(lamports: bigint, share: string, balance: SolBalance): PickItem<bigint> {
  const worth = worthText(lamports, balance);
  return { label: lamportsAsSol(lamports), description: worth === undefined ? share : `${share} · ${worth}`, value: lamports };
}

function worthText(lamports: bigint, { priceUsd }: SolBalance): string | undefined {
  return isKnown(priceUsd) ? `≈ ${usd((Number(lamports) / Number(LAMPORTS_PER_SOL)) * priceUsd)}` : undefined;
}

function ownAmountStep(prompts: Prompts): Step<ZapInDraft> {
  return {
    applies: ({ amount }) => amount === 'own',
    ask: async (draft, place) => {
      const balance = draft.balances?.sol;
      if (balance === undefined) {
        throw new Error('The amount is asked for before the balance is known');
      }
      const answer = await prompts.input({
        title: titleOf(draft),
        place,
        prompt: l10n.t`SOL to put in, up to ${lamportsAsSol(availableOf(balance))}`,
        placeholder: '0.5',
        read: (text) => readAmount(text, balance),
      });
      return answer.kind === 'value' ? answered({ ...draft, amount: answer.value }) : answer;
    },
  };
}

/** Reads an amount of SOL, exactly, as lamports; no more than the balance less the reserve. */
export function readAmount(text: string, balance: SolBalance): Reading<bigint> {
  const lamports = parseDecimal(text.trim().replace(/\s*SOL$/i, ''), SOL_DECIMALS);
  if (lamports === undefined) {
    return { ok: false, message: l10n.t`Type an amount of SOL with a point and at most ${SOL_DECIMALS} decimals, such as 0.5.` };
  }
  if (lamports === 0n) {
    return { ok: false, message: l10n.t('The amount has to be more than 0.') };
  }
  const available = availableOf(balance);
  if (lamports > available) {
    return {
      ok: false,
      message: l10n.t`At most ${lamportsToSol(available)} SOL: the wallet holds ${lamportsToSol(balance.lamports)}, and ${lamportsToSol(RESERVE_LAMPORTS)} is kept for rent and fees.`,
    };
  }
  return { ok: true, value: lamports, note: worthText(lamports, balance) };
}
