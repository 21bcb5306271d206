import * as l10n from '@vscode/l10n';
import { exactAmount, shortAmount } from '../../base/format/amounts';
import { usd } from '../../base/format/money';
import { MINUS } from '../../base/format/numbers';
import { signedPercent } from '../../base/format/percent';
import { shortAddress } from '../../base/format/identifiers';
import type { AmountsByMint } from '../../base/insight/ledger';
import type { Address } from '../../base/solana/address';
import { formatRaw } from '../../base/solana/amounts';
import { SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { tickerText } from '../../base/solana/tickers';
import type { JournalToken, JournalTokens } from '../../transactions/journal/plans';
import type { OperationRecord, PricedToken } from '../../transactions/journal/types';
import { joined } from '../shell/views/rows';
import { plainText } from '../shell/views/text';

/**
 * Writes the tokens that were deposited from the wallet: "1,234.5 BONK and 0.5 SOL". A ticker that could be mistaken for another comes with
 * its mint. `undefined` if the service did not describe a token.
 * @param amount writes a raw amount with its decimals
 */
export function tokensInText(
  { amountXRaw, amountYRaw, x, y }: JournalTokens,
  amount: (raw: bigint, decimals: number) => string,
): string | undefined {
  const sides = [
    { raw: amountXRaw, token: x },
    { raw: amountYRaw, token: y },
  ].filter(({ raw }) => raw > 0n);
  const texts = sides.flatMap(({ raw, token }) => (token === undefined ? [] : [tokenText(raw, token, amount)]));
  return texts.length === 0 || texts.length < sides.length ? undefined : pairText(texts);
}

export const nothingSwappedText = (): string => l10n.t('nothing is swapped');

/** Writes one or two tokens: "1,234.5 BONK and 0.5 SOL". */
export function pairText(texts: readonly string[]): string {
  const [first = '', second] = texts;
  return second === undefined ? first : l10n.t`${first} and ${second}`;
}

/** Writes an amount of one token: "1,234.5 BONK"; in raw units where its decimals are unknown, with its short mint where it has no ticker. */
export function tokenText(
  raw: bigint,
  { mint, symbol, decimals }: JournalToken,
  amount: (raw: bigint, decimals: number) => string,
): string {
  if (mint === WRAPPED_SOL_MINT) {
    return l10n.t`${amount(raw, SOL_DECIMALS)} SOL`;
  }
  const ticker = tokenName({ mint, symbol });
  return decimals === undefined ? l10n.t`${String(raw)} raw units of ${ticker}` : `${amount(raw, decimals)} ${ticker}`;
}

/** The ticker of a token, with its short mint where it has none: "BONK". One that could be mistaken for another comes with its mint. */
export function tokenName({ mint, symbol }: Pick<JournalToken, 'mint' | 'symbol'>): string {
  const name = plainText(symbol ?? '');
  return mint === WRAPPED_SOL_MINT ? 'SOL' : name === '' ? shortAddress(mint) : tickerText(name, mint);
}

/** Change of one token in the wallet by an operation. */
export interface MovedToken {
  readonly mint: Address;
  /** Raw units; negative where it left the wallet. SOL includes wrapped SOL, rent and fees. */
  readonly changeRaw: bigint;
  readonly token: PricedToken | undefined;
  /** US dollars at the price when the operation started; `undefined` if unknown. */
  readonly valueUsd: number | undefined;
  /** Minimum that the reviewed transactions guaranteed, raw units. */
  readonly leastRaw: bigint | undefined;
}

type Recorded = Pick<OperationRecord, 'created' | 'changes' | 'promised'>;

/**
 * The tokens that an operation moved, SOL last; `undefined` if its transactions were not read.
 * @param known tokens of related operations, for those that this one does not name
 */
export function movedTokens(
  { created: { tokens = [] }, changes, promised = [] }: Recorded,
  known: readonly PricedToken[] = [],
): readonly MovedToken[] | undefined {
  if (changes === undefined) {
    return undefined;
  }
  const byMint = new Map(changes.tokens.map(({ mint, changeRaw }) => [mint, changeRaw]));
  const sol = changes.lamports + (byMint.get(WRAPPED_SOL_MINT) ?? 0n);
  byMint.delete(WRAPPED_SOL_MINT);
  // A guaranteed token that did not arrive is listed with 0.
  const missing = promised.filter(({ mint }) => mint !== WRAPPED_SOL_MINT && !byMint.has(mint)).map(({ mint }) => [mint, 0n] as const);
  return [...byMint, ...missing, [WRAPPED_SOL_MINT, sol] as const].map(([mint, changeRaw]) => {
    const own = tokens.find((one) => one.mint === mint);
    const token =
      (own?.symbol === undefined ? known.find((one) => one.mint === mint && one.symbol !== undefined) : undefined) ??
      own ??
      (mint === WRAPPED_SOL_MINT ? SOL : undefined);
    return { mint, changeRaw, token, valueUsd: valueOf(changeRaw, token), leastRaw: promised.find((one) => one.mint === mint)?.leastRaw };
  });
}

/** The tokens that an operation moved, in one line: "+17,002 GIGALAMB, +0.05512 SOL"; `undefined` if unknown. */
export function movedInLine(record: Recorded): string | undefined {
  const moved = movedTokens(record)?.filter(({ changeRaw }) => changeRaw !== 0n);
  return moved === undefined ? undefined : moved.map((one) => signedText(one, shortAmount)).join(', ');
}

/** The same with the value of each token: "+17,002 GIGALAMB ($12.31), +0.05512 SOL ($9.10)". */
export function movedWithValues(record: Recorded): string | undefined {
  const moved = movedTokens(record)?.filter(({ changeRaw }) => changeRaw !== 0n);
  return moved
    ?.map((one) => (one.valueUsd === undefined ? signedText(one, shortAmount) : `${signedText(one, shortAmount)} (${usd(one.valueUsd)})`))
    .join(', ');
}

/**
 * The sum of the tokens that several operations moved, in one line: "+12.5 BONK, −0.0104 SOL"; `undefined` if one that landed is unknown.
 * Tokens whose sum is exactly 0 are left out.
 */
export function movedInAll(records: readonly (Recorded & Pick<OperationRecord, 'state'>)[]): string | undefined {
  const landed = records.filter(({ state, changes }) => state === 'settled' || changes !== undefined);
  const known = records.flatMap(({ created }) => created.tokens ?? []);
  const moved = landed.map((record) => movedTokens(record, known));
  if (moved.length === 0 || moved.includes(undefined)) {
    return undefined;
  }
  const byMint = new Map<Address, MovedToken>();
  for (const one of moved.flatMap((tokens) => tokens ?? [])) {
    byMint.set(one.mint, { ...one, changeRaw: one.changeRaw + (byMint.get(one.mint)?.changeRaw ?? 0n) });
  }
  const isSol = ({ mint }: MovedToken): boolean => mint === WRAPPED_SOL_MINT;
  const all = [...byMint.values()].filter(({ changeRaw }) => changeRaw !== 0n);
  const inOrder = [...all.filter((one) => !isSol(one)), ...all.filter(isSol)];
  return inOrder.length === 0 ? undefined : inOrder.map((one) => signedText(one, shortAmount)).join(', ');
}

/** Amounts of an operation's tokens in one line, SOL last: "17,002 GIGALAMB, 0.05512 SOL"; `isChange`: with signs. `undefined`: none. */
export function amountsInLine(amounts: AmountsByMint, known: readonly PricedToken[], isChange: boolean): string | undefined {
  const isSol = ({ mint }: MovedToken): boolean => mint === WRAPPED_SOL_MINT;
  const moved = Object.entries(amounts).flatMap(([mint, changeRaw]): readonly MovedToken[] => {
    const token = known.find((one) => one.mint === mint) ?? (mint === WRAPPED_SOL_MINT ? SOL : undefined);
    return changeRaw === 0n ? [] : [{ mint: mint as Address, changeRaw, token, valueUsd: undefined, leastRaw: undefined }];
  });
  const inOrder = [...moved.filter((one) => !isSol(one)), ...moved.filter(isSol)];
  return inOrder.length === 0
    ? undefined
    : inOrder
        .map((one) =>
          isChange
            ? signedText(one, exactAmount)
            : tokenText(one.changeRaw, one.token ?? { mint: one.mint, symbol: undefined, decimals: undefined }, exactAmount),
        )
        .join(', ');
}

/** One line per token: "+17,002 GIGALAMB · $12.31 · guaranteed minimum 16,839, +0.97%". */
export function movedLines(record: Recorded, known: readonly PricedToken[] = []): readonly string[] | undefined {
  return movedTokens(record, known)?.map((moved) => {
    const { mint, changeRaw, token, valueUsd } = moved;
    const isOfSol = mint === WRAPPED_SOL_MINT;
    return joined([
      signedText(moved, exactAmount),
      isOfSol ? l10n.t('with rent and fees') : undefined,
      changeRaw === 0n ? undefined : valueUsd === undefined ? l10n.t('value unknown') : usd(valueUsd),
      minimumText(moved, token),
    ]);
  });
}

function signedText({ mint, changeRaw, token }: MovedToken, amount: (raw: bigint, decimals: number) => string): string {
  const sign = changeRaw > 0n ? '+' : changeRaw < 0n ? MINUS : '';
  return `${sign}${tokenText(changeRaw < 0n ? -changeRaw : changeRaw, token ?? { mint, symbol: undefined, decimals: undefined }, amount)}`;
}

/** "guaranteed minimum 16,839, +0.97%", without the token's name, which stands beside it. */
function minimumText({ changeRaw, leastRaw }: MovedToken, token: PricedToken | undefined): string | undefined {
  if (leastRaw === undefined || leastRaw <= 0n) {
    return undefined;
  }
  const amount = l10n.t`guaranteed minimum ${token?.decimals === undefined ? String(leastRaw) : exactAmount(leastRaw, token.decimals)}`;
  // More than twice the minimum: it covered the swaps only, and a comparison would mislead.
  return changeRaw > 2n * leastRaw
    ? amount
    : `${amount}, ${signedPercent(Number(((changeRaw - leastRaw) * 1_000_000n) / leastRaw) / 10_000)}`;
}

export function valueOf(changeRaw: bigint, token: PricedToken | undefined): number | undefined {
  const price = Number(token?.priceUsd ?? Number.NaN);
  const size = changeRaw < 0n ? -changeRaw : changeRaw;
  const value = token?.decimals === undefined ? Number.NaN : Number(formatRaw(size, token.decimals)) * price;
  return Number.isFinite(value) ? value : undefined;
}

const SOL: PricedToken = { mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: SOL_DECIMALS, priceUsd: undefined };
