import { amountText, type TokenNames } from '../../review/describe/amountText';
import type { Address } from '../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { OperationRecord } from '../journal/types';

/** Each token that came into the wallet or left it, by its symbol, SOL last: "+12.5 BONK, −0.0104 SOL"; `undefined` where that was not read from the transactions. */
export function movedWords({ changes, created: { tokens = [] } }: Pick<OperationRecord, 'changes' | 'created'>): string | undefined {
  if (changes === undefined) {
    return undefined;
  }
  const names: TokenNames = (mint) => {
    const token = tokens.find((one) => one.mint === mint);
    return token?.symbol === undefined ? undefined : { symbol: token.symbol, decimals: token.decimals };
  };
  const wrapped = changes.tokens.find(({ mint }) => mint === WRAPPED_SOL_MINT)?.changeRaw ?? 0n;
  const all: readonly (readonly [Address, bigint])[] = [
    ...changes.tokens.filter(({ mint }) => mint !== WRAPPED_SOL_MINT).map(({ mint, changeRaw }) => [mint, changeRaw] as const),
    [WRAPPED_SOL_MINT, changes.lamports + wrapped],
  ];
  const moved = all.filter(([, changeRaw]) => changeRaw !== 0n);
  return moved.length === 0
    ? undefined
    : moved
        .map(([mint, changeRaw]) => (changeRaw < 0n ? `−${amountText(mint, -changeRaw, names)}` : `+${amountText(mint, changeRaw, names)}`))
        .join(', ');
}
