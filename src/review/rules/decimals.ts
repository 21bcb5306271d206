import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { KNOWN_DECIMALS } from '../../base/solana/programs';
import { deposits } from '../intents';
import type { OperationRule } from '../context';
import type { Intent, MintDecimals } from '../types';

/** Returns the decimals that the user's amounts and the shown figures were converted with. A token of which nothing is deposited has none. */
export function listedDecimals(intent: Intent): readonly MintDecimals[] {
  const deposited = deposits(intent) ? (intent.tokens ?? []) : [];
  return [
    ...(intent.listedDecimals ?? []),
    ...deposited.flatMap(({ mint, decimals, amountRaw }) => (decimals === undefined || amountRaw === 0n ? [] : [{ mint, decimals }])),
  ];
}

/** @param name of the token */
export const otherDecimalsWords = (name: string, decimals: number, listed: number): string =>
  l10n.t`${name} has ${decimals} decimals, but the service says ${listed}: the operation would move another amount than you were shown.`;

/**
 * LIM-1: an amount that was converted with the wrong number of decimals is off by a power of ten. What is known of a well-known token, what an
 * RPC says and what the service lists must agree: none of them overrules another, so a hostile RPC cannot back a wrong list.
 */
export const reviewDecimals: OperationRule = ({ intent, facts, poolMints }, notes) => {
  const listed = listedDecimals(intent);
  const block = (message: string, address: Address): void => notes.operation('LIM-1', 'block', message, { address });
  for (const mint of new Set([...poolMints, ...listed.map((one) => one.mint)])) {
    const [known, onChain] = [KNOWN_DECIMALS.get(mint), facts.decimals?.get(mint)];
    if (known !== undefined && onChain !== undefined && known !== onChain) {
      block(`${l10n.t`${mint} has ${known} decimals, but your RPC says ${onChain}.`} ${l10n.t('Set another RPC.')}`, mint);
    }
    const real = known ?? onChain;
    const wrong = listed.find((one) => one.mint === mint && real !== undefined && one.decimals !== real);
    if (wrong !== undefined && real !== undefined) {
      block(otherDecimalsWords(mint, real, wrong.decimals), mint);
    }
  }
};
