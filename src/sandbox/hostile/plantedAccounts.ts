import { createHash } from 'node:crypto';
import { addressBytes, addressFromBytes, type Address } from '../../base/solana/address';
import { PROGRAMS, RENT_LAMPORTS } from '../../base/solana/programs';
import { isWritable, parseTransaction } from '../../base/solana/wireTransaction';
import { encodeTokenAccount, readTokenAccount, setCloseAuthority } from '../chain/tokenAccount';
import type { Chain } from '../chain/types';
import type { BuildContext } from '../market/engine/buildContext';

// Token accounts that a stranger creates for the owner while keeping the authority to close them. While such an account is empty, the stranger
// can close it and create it again as their own; test/sandbox/chain/plantedAccounts.test.ts does that with the token program itself.

/** Receives what is stolen. Nobody has the key. */
export const STRANGER: Address = addressFromBytes(
  createHash('sha256').update('A stranger, who gets what a hostile service steals').digest(),
);

const ADDRESS_BYTES = 32;

/** Creates such an account, paid for by the rest of the world. The next commit stores it. */
export function plantedAccount({ market, chain, random }: BuildContext, owner: Address, mint: Address): Address {
  const at = addressFromBytes(random(ADDRESS_BYTES));
  const lamports = RENT_LAMPORTS.tokenAccount;
  const data = encodeTokenAccount({ mint, holder: owner, amountRaw: 0n }, lamports);
  setCloseAuthority(data, addressBytes(STRANGER));
  chain.setLamports(market.world, chain.lamports(market.world) - lamports);
  chain.setProgramAccount(at, { owner: PROGRAMS.token, lamports, data });
  return at;
}

/** The stranger closes every empty account of that kind that the transactions write to, and creates it again as their own. */
export function replacePlantedAccounts(chain: Chain, transactions: readonly Uint8Array[]): void {
  const written = transactions.flatMap((bytes) => {
    const wire = parseTransaction(bytes);
    return wire.staticKeys.filter((_, index) => isWritable(wire, index));
  });
  for (const at of new Set(written)) {
    const account = chain.account(at);
    const planted = account && readTokenAccount(account);
    if (planted?.closeAuthority === STRANGER && planted.amountRaw === 0n) {
      const data = encodeTokenAccount({ mint: planted.mint, holder: STRANGER, amountRaw: 0n }, account?.lamports ?? 0n);
      chain.setProgramAccount(at, { owner: PROGRAMS.token, lamports: account?.lamports ?? 0n, data });
    }
  }
}
