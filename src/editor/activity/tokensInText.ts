import { shortAddress } from '../../format/places';
import type { JournalToken, JournalTokens } from '../../operations/journal/types';
import { tickerText } from '../../solana/ticker';
import { SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../solana/programs';
import { plainText } from '../views/plainText';

/**
 * What went in of a pool's tokens as they were, in words: "1,234.5 BONK and 0.5 SOL"; a ticker that could be taken for another is told with
 * its mint. `undefined` where the journal does not say what they are called: earlier versions did not write it.
 * @param amount writes a raw amount of so many decimals
 */
export function tokensInText({ amountXRaw, amountYRaw, x, y }: JournalTokens, amount: (raw: bigint, decimals: number) => string): string | undefined {
  const sides = [{ raw: amountXRaw, token: x }, { raw: amountYRaw, token: y }].filter(({ raw }) => raw > 0n);
  const texts = sides.flatMap(({ raw, token }) => (token === undefined ? [] : [tokenText(raw, token, amount)]));
  return texts.length === 0 || texts.length < sides.length ? undefined : texts.join(' and ');
}

/** An amount of one token: "1,234.5 BONK"; in raw units where its decimals are not known, and by its short mint where it has no ticker. */
export function tokenText(raw: bigint, { mint, symbol, decimals }: JournalToken, amount: (raw: bigint, decimals: number) => string): string {
  if (mint === WRAPPED_SOL_MINT) {
    return `${amount(raw, SOL_DECIMALS)} SOL`;
  }
  const name = plainText(symbol ?? '');
  const ticker = name === '' ? shortAddress(mint) : tickerText(name, mint);
  return decimals === undefined ? `${raw} raw units of ${ticker}` : `${amount(raw, decimals)} ${ticker}`;
}
