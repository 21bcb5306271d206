import * as l10n from '@vscode/l10n';
import { shareOfXBins, sidesOf } from '../../base/dlmm/bins';
import { exactAmount, shortAmount } from '../../base/format/amounts';
import type { Address } from '../../base/solana/address';
import { decimalText, enterAmountText, moreThanZeroText, readDecimal } from '../../base/format/typedNumbers';
import { SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { tickerText } from '../../base/solana/tickers';
import { amountText } from '../../review/describe/summary';
import { exactAmountOf, type TokenBalance } from '../../service/tokens';
import type { TokensAtHand } from '../../transactions/types';
import { answered, type PickItem, type Prompts, type Reading } from '../shell/prompts/prompts';
import type { Step } from '../shell/prompts/steps';
import { UserError } from '../shell/errors';
import { nothingSwappedText, pairText } from './movedTokens';
import { allButReserveText, hasBins, type HeldToken, titleOf, type TokensHeld, type ZapInDraft, type ZapInTarget } from './zapInDraft';

// Zap-in with the pool's tokens from the wallet: nothing is swapped.

const SHARES_PERCENT: readonly bigint[] = [25n, 50n, 75n, 100n];

type Side = 'x' | 'y';

/**
 * A wallet's balances of a pool's tokens, where they can be deposited as they are: the service has to report both mints and, for a token
 * with a balance, the same decimals in the pool and in the wallet.
 * @param solRaw lamports that may be deposited
 * @returns `undefined` if they cannot be deposited, or where there is only SOL
 */
export function tokensHeld(
  { poolType, tokenX, tokenY, symbolX, symbolY, decimalsX, decimalsY }: ZapInTarget,
  listed: readonly TokenBalance[],
  solRaw: bigint,
): TokensHeld | undefined {
  const x = heldToken(tokenX, symbolX, decimalsX, listed, solRaw);
  const y = heldToken(tokenY, symbolY, decimalsY, listed, solRaw);
  if (x === undefined || y === undefined || x.mint === y.mint) {
    return undefined;
  }
  const isThere = ({ availableRaw }: HeldToken): boolean => availableRaw > 0n;
  const hasTokens = [x, y].some((held) => held.mint !== WRAPPED_SOL_MINT && isThere(held));
  return hasTokens && (poolType === 'dlmm' || (isThere(x) && isThere(y))) ? { x, y } : undefined;
}

function heldToken(
  mint: Address | undefined,
  listedSymbol: string,
  decimals: number | undefined,
  listed: readonly TokenBalance[],
  solRaw: bigint,
): HeldToken | undefined {
  if (mint === undefined || decimals === undefined || (mint === WRAPPED_SOL_MINT && decimals !== SOL_DECIMALS)) {
    return undefined;
  }
  if (mint === WRAPPED_SOL_MINT) {
    return { mint, symbol: 'SOL', decimals, availableRaw: solRaw > 0n ? solRaw : 0n };
  }
  const symbol = tickerText(listedSymbol, mint);
  const balance = listed.find((one) => one.mint === mint);
  if (balance === undefined) {
    return { mint, symbol, decimals, availableRaw: 0n };
  }
  const amountRaw = exactAmountOf(balance, decimals);
  return amountRaw === undefined || (balance.decimals !== undefined && balance.decimals !== decimals)
    ? undefined
    : { mint, symbol, decimals, availableRaw: amountRaw };
}

/** The item that chooses the wallet's tokens instead of SOL. */
export function tokensItem({ x, y }: TokensHeld): PickItem<'tokens'> {
  const held = [x, y].filter(({ mint, availableRaw }) => mint !== WRAPPED_SOL_MINT && availableRaw > 0n);
  return {
    label: l10n.t`${pairText(held.map(({ symbol }) => symbol))} from Wallet…`,
    description: held.map(({ availableRaw, decimals, symbol }) => `${shortAmount(availableRaw, decimals)} ${symbol}`).join(', '),
    detail: nothingSwappedText(),
    icon: 'layers',
    value: 'tokens',
  };
}

/**
 * The steps that ask for the amount of each token that the range takes, where tokens are deposited.
 * @throws (while they ask) UserError if the wallet holds no token that the range takes
 */
export function tokenSteps(prompts: Prompts): readonly Step<ZapInDraft>[] {
  return [nothingStep, amountStep(prompts, 'x'), ownAmountStep(prompts, 'x'), amountStep(prompts, 'y'), ownAmountStep(prompts, 'y')];
}

/** The tokens to deposit, by the answers; `undefined` if SOL is deposited. */
export function tokensOf(draft: ZapInDraft): TokensAtHand | undefined {
  if (draft.amount !== 'tokens') {
    return undefined;
  }
  const amount = (side: Side): bigint => {
    const chosen = chosenOf(draft, side);
    return isAsked(draft, side) && typeof chosen === 'bigint' ? chosen : 0n;
  };
  return { amountXRaw: amount('x'), amountYRaw: amount('y') };
}

/** The deposit: "1,234.5 BONK and 0.5 SOL". A ticker that could be mistaken for another comes with its mint. */
export function tokensText(
  { tokenX, tokenY, symbolX, symbolY, decimalsX, decimalsY }: ZapInTarget,
  { amountXRaw, amountYRaw }: TokensAtHand,
): string {
  const x = amountText(tokenX, amountXRaw, () => ({ symbol: symbolX, decimals: decimalsX }));
  const y = amountText(tokenY, amountYRaw, () => ({ symbol: symbolY, decimals: decimalsY }));
  return pairText([...(amountXRaw > 0n ? [x] : []), ...(amountYRaw > 0n ? [y] : [])]);
}

export const noTokensText = (): string =>
  l10n.t('The wallet has no tokens that the range takes. Nothing was signed. Enter an amount of SOL instead.');

const nothingStep: Step<ZapInDraft> = {
  applies: (draft) => isAnswered(draft) && !isAsked(draft, 'x') && !isAsked(draft, 'y'),
  ask: () => {
    throw new UserError(noTokensText());
  },
};

function amountStep(prompts: Prompts, side: Side): Step<ZapInDraft> {
  return {
    applies: (draft) => isAsked(draft, side),
    ask: async (draft, place) => {
      const held = heldOf(draft, side);
      const matching = side === 'y' ? matchingY(draft) : undefined;
      const answer = await prompts.pick<bigint | 'own'>({
        title: titleOf(draft),
        place,
        placeholder: l10n.t`Amount (wallet: ${availableText(held)})`,
        items: [
          ...(matching === undefined ? [] : [item(matching, l10n.t('Match the range'), held)]),
          ...SHARES_PERCENT.map((share) =>
            item((held.availableRaw * share) / 100n, share === 100n ? allText(held) : `${share}%`, held),
          ).filter(({ value }) => value > 0n && value !== matching),
          ...(mayBeNone(draft, side) ? [{ ...item(0n, l10n.t('deposit only the other token'), held), icon: 'circle-slash' }] : []),
          { label: l10n.t('Other…'), icon: 'edit', value: 'own' as const },
        ],
        isCurrent: (value) => value === chosenOf(draft, side),
      });
      return answer.kind === 'value' ? answered(withAmount(draft, side, answer.value)) : answer;
    },
  };
}

function ownAmountStep(prompts: Prompts, side: Side): Step<ZapInDraft> {
  return {
    applies: (draft) => isAsked(draft, side) && chosenOf(draft, side) === 'own',
    ask: async (draft, place) => {
      const held = heldOf(draft, side);
      const answer = await prompts.input({
        title: titleOf(draft),
        place,
        prompt: l10n.t`At most ${availableText(held)}.`,
        placeholder: decimalText(held.availableRaw / 2n, held.decimals),
        read: (text) => readTokenAmount(text, held),
      });
      return answer.kind === 'value' ? answered(withAmount(draft, side, answer.value)) : answer;
    },
  };
}

/** Parses an amount of a token as exact raw units, at most the available amount. */
function readTokenAmount(text: string, { symbol, decimals, availableRaw }: HeldToken): Reading<bigint> {
  const reading = readDecimal(text, decimals);
  if (!reading.ok) {
    return { ok: false, message: reading.message ?? enterAmountText(symbol, decimals) };
  }
  const { value: amountRaw } = reading;
  if (amountRaw === 0n) {
    return { ok: false, message: moreThanZeroText() };
  }
  return amountRaw > availableRaw
    ? { ok: false, message: l10n.t`At most ${`${decimalText(availableRaw, decimals)} ${symbol}`}.` }
    : { ok: true, value: amountRaw };
}

/** Whether the answers determine which tokens can be deposited. */
function isAnswered(draft: ZapInDraft): boolean {
  return (
    draft.amount === 'tokens' &&
    draft.balances?.tokens !== undefined &&
    (!hasBins(draft) || (typeof draft.range === 'object' && draft.activeBin !== undefined))
  );
}

/** Whether a token can be deposited: the range takes it and the wallet has some. */
function isAsked(draft: ZapInDraft, side: Side): boolean {
  return isAnswered(draft) && takes(draft, side) && heldOf(draft, side).availableRaw > 0n;
}

function takes(draft: ZapInDraft, side: Side): boolean {
  const { range, activeBin } = draft;
  if (!hasBins(draft) || typeof range !== 'object' || activeBin === undefined) {
    return true;
  }
  return sidesOf(range, activeBin.binId) !== (side === 'x' ? 'onlyY' : 'onlyX');
}

/** A pool without bins takes both tokens; otherwise at least one of them is deposited. */
function mayBeNone(draft: ZapInDraft, side: Side): boolean {
  return hasBins(draft) && (side === 'x' ? isAsked(draft, 'y') : isAsked(draft, 'x') && draft.amountX !== 0n);
}

/**
 * The amount of token Y that matches the chosen amount of X: by the bins of the range, or in equal value in a pool without bins. `undefined`
 * where the price is unknown or the wallet has less.
 */
function matchingY(draft: ZapInDraft): bigint | undefined {
  const { target, range, activeBin, amountX, balances } = draft;
  if (target === undefined || balances?.tokens === undefined || typeof amountX !== 'bigint' || amountX === 0n || !isAsked(draft, 'x')) {
    return undefined;
  }
  const { x, y } = balances.tokens;
  const { priceXUsd, priceYUsd } = target;
  const isBinned = hasBins(draft) && typeof range === 'object' && activeBin !== undefined;
  const price = isBinned ? activeBin.price : priceXUsd === undefined || priceYUsd === undefined ? undefined : priceXUsd / priceYUsd;
  const share = isBinned ? shareOfXBins(range, activeBin.binId) : HALF;
  const whole = price === undefined ? NaN : ((Number(amountX) / 10 ** x.decimals) * price * (1 - share)) / share;
  const raw = Math.floor(whole * 10 ** y.decimals);
  return raw > 0 && Number.isSafeInteger(raw) && BigInt(raw) <= y.availableRaw ? BigInt(raw) : undefined;
}

/** A position in a pool without bins holds both tokens in equal value. */
const HALF = 0.5;

function heldOf({ balances }: ZapInDraft, side: Side): HeldToken {
  if (balances?.tokens === undefined) {
    throw new Error('A token is asked for before the balances are known');
  }
  return balances.tokens[side];
}

function chosenOf({ amountX, amountY }: ZapInDraft, side: Side): bigint | 'own' | undefined {
  return side === 'x' ? amountX : amountY;
}

function withAmount(draft: ZapInDraft, side: Side, amount: bigint | 'own'): ZapInDraft {
  return side === 'x' ? { ...draft, amountX: amount } : { ...draft, amountY: amount };
}

function item(amountRaw: bigint, description: string, { decimals, symbol }: HeldToken): PickItem<bigint> {
  return { label: `${exactAmount(amountRaw, decimals)} ${symbol}`, description, value: amountRaw };
}

const availableText = ({ availableRaw, decimals, symbol }: HeldToken): string => `${exactAmount(availableRaw, decimals)} ${symbol}`;

function allText({ mint }: HeldToken): string {
  return mint === WRAPPED_SOL_MINT ? allButReserveText() : l10n.t('all');
}
