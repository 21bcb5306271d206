import * as l10n from '@vscode/l10n';
import { lamportsAsSol, usd } from '../../base/format/money';
import { isKnown } from '../../base/format/numbers';
import type { Address } from '../../base/solana/address';
import { decimalText, enterAmountText, messageOf, moreThanZeroText, readDecimal } from '../../base/format/typedNumbers';
import { LAMPORTS_PER_SOL, SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { exactAmountOf, type TokenBalance } from '../../service/tokens';
import { answered, type PickItem, type Prompts, type Reading } from '../shell/prompts/prompts';
import type { Step } from '../shell/prompts/steps';
import type { ShownProgress } from '../shell/requestWait';
import { UserError } from '../shell/errors';
import {
  allButReserveText,
  asChosen,
  type Balances,
  loadingBalancesText,
  RESERVE_LAMPORTS,
  type SolBalance,
  titleOf,
  type ZapInDraft,
  type ZapInTarget,
} from './zapInDraft';
import { tokensHeld, tokensItem } from './zapInTokens';

const SHARES_PERCENT: readonly bigint[] = [25n, 50n, 75n, 100n];

export interface AmountDependencies {
  readonly prompts: Prompts;
  /** The wallet's balances of these mints, read when the amount is asked for; a balance that the service does not list is zero. */
  readonly readBalances: (mints: readonly Address[], signal: AbortSignal, progress: ShownProgress) => Promise<readonly TokenBalance[]>;
}

/**
 * The steps that ask what to deposit: an amount of SOL, or the pool's tokens where the wallet has any (zapInTokens.ts asks for their amounts
 * once the range is known).
 * @throws (while they ask) UserError if there is nothing to deposit, ServiceError if the balance cannot be read
 */
export function amountSteps(dependencies: AmountDependencies): readonly Step<ZapInDraft>[] {
  return [amountStep(dependencies), ownAmountStep(dependencies.prompts)];
}

function amountStep({ prompts, readBalances }: AmountDependencies): Step<ZapInDraft> {
  return {
    ask: async (draft, place) => {
      const balances =
        draft.balances ??
        (await prompts.progress({ title: loadingBalancesText(), cancellable: true, onlyIfSlow: true }, (show, signal) =>
          balancesOf(draft.target, readBalances, signal, { title: loadingBalancesText(), show }),
        ));
      const { sol, tokens } = balances;
      const available = availableOf(sol);
      if (available <= 0n && tokens === undefined) {
        throw new UserError(
          l10n.t`The wallet holds ${lamportsAsSol(sol.lamports)}, of which ${lamportsAsSol(RESERVE_LAMPORTS)} is kept for rent and fees. Nothing is left to deposit.`,
        );
      }
      const answer = await prompts.pick<bigint | 'own' | 'tokens'>({
        title: titleOf(draft),
        place,
        placeholder: l10n.t`Amount (wallet: ${lamportsAsSol(sol.lamports)})`,
        items: [
          ...(available <= 0n
            ? []
            : [
                ...chosenItem(draft, available, sol),
                ...SHARES_PERCENT.map((share): PickItem<bigint | 'own' | 'tokens'> =>
                  amountItem(shareOf(available, share), share === 100n ? allButReserveText() : `${share}%`, sol),
                ),
                { label: l10n.t('Other…'), icon: 'edit', value: 'own' as const },
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
 * Reads what a wallet could deposit into a pool.
 * @throws UserError if the service does not report its SOL exactly enough, ServiceError if it cannot be read
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
    throw new UserError(l10n.t('The service did not report the exact SOL balance of the wallet.'));
  }
  return { lamports, priceUsd: balance.priceUsd };
}

function availableOf({ lamports }: SolBalance): bigint {
  return lamports - RESERVE_LAMPORTS;
}

/** An amount typed or planned before that is none of the offered shares. */
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
        prompt: l10n.t`At most ${lamportsAsSol(availableOf(balance))}.`,
        placeholder: '0.5',
        read: (text) => readAmount(text, balance),
      });
      return answer.kind === 'value' ? answered({ ...draft, amount: answer.value }) : answer;
    },
  };
}

/** Parses an amount of SOL as exact lamports, at most the balance less the reserve. */
export function readAmount(text: string, balance: SolBalance): Reading<bigint> {
  const reading = readDecimal(text.trim().replace(/\s*SOL$/i, ''), SOL_DECIMALS);
  return reading.ok
    ? checkAmount(reading.value, balance)
    : { ok: false, message: messageOf(reading) ?? enterAmountText('SOL', SOL_DECIMALS) };
}

/** Checks that an amount is more than 0 and at most the balance less the reserve. */
export function checkAmount(lamports: bigint, balance: SolBalance): Reading<bigint> {
  if (lamports === 0n) {
    return { ok: false, message: moreThanZeroText() };
  }
  const available = availableOf(balance);
  if (lamports > available) {
    const text = (value: bigint) => l10n.t`${decimalText(value, SOL_DECIMALS)} SOL`;
    return {
      ok: false,
      message: l10n.t`At most ${text(available)}: the wallet holds ${text(balance.lamports)}, of which ${text(RESERVE_LAMPORTS)} is kept for rent and fees.`,
    };
  }
  return { ok: true, value: lamports, note: worthText(lamports, balance) };
}
