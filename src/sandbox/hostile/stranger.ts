import { createHash } from 'node:crypto';
import { type Address, addressBytes, addressFromBytes } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import { readTokenAccount } from '../../base/solana/tokenAccount';
import { isWritable, parseTransaction } from '../../base/solana/wireTransaction';
import type { BuildEffect } from '../build/types';
import { encodeTokenAccount, setCloseAuthority } from '../chain/tokenAccount';
import type { Chain } from '../chain/types';
import type { BuildContext } from '../market/engine/buildContext';
import type { Outsider } from '../market/engine/landing';
import type { VaultTransfers } from '../market/engine/vaultTransfers';
import { isForDust } from './hostileSwaps';

// Token accounts that a stranger creates for the owner while keeping the authority to close them. While such an account is empty, the stranger
// can close it and create it again as their own; test/sandbox/chain/plantedAccounts.test.ts does that with the token program itself.

/** Address of the thief. The key does not exist. */
export const STRANGER: Address = addressFromBytes(
  createHash('sha256').update('A stranger, who gets what a hostile service steals').digest(),
);

const ADDRESS_BYTES = 32;

/** Creates such an account, paid for by the rest of the world. The next commit stores it. */
export function plantedAccount({ market, chain, random }: BuildContext, owner: Address, mint: Address): Address {
  const at = addressFromBytes(random(ADDRESS_BYTES));
  const lamports = chain.rent.tokenAccount;
  const data = encodeTokenAccount({ mint, holder: owner, amountRaw: 0n }, lamports);
  setCloseAuthority(data, addressBytes(STRANGER));
  chain.setLamports(market.world, chain.lamports(market.world) - lamports);
  chain.setProgramAccount(at, { owner: PROGRAMS.token, lamports, data });
  return at;
}

/** The stranger closes every empty account of that kind that the transactions write to, and creates it again as their own. */
function replacePlantedAccounts(chain: Chain, transactions: readonly Uint8Array[]): void {
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

/** An attacker who sees bundles before they land: takes planted accounts, and front-runs swaps with far too low quotes. */
export class Stranger implements Outsider {
  readonly #chain: Chain;
  readonly #vaultTransfers: VaultTransfers;

  constructor(chain: Chain, vaultTransfers: VaultTransfers) {
    this.#chain = chain;
    this.#vaultTransfers = vaultTransfers;
  }

  beforeBundle(transactions: readonly Uint8Array[]): void {
    replacePlantedAccounts(this.#chain, transactions);
  }

  /** Trades before and after a swap for dust: the owner gets the minimum of the swap, the stranger gets the rest. */
  aroundEffect(effect: BuildEffect, apply: () => void): void {
    if (effect.kind !== 'swap') {
      apply();
      return;
    }
    const { owner, outputMint, quotedOut, minimumOut } = effect;
    const before = this.#chain.tokenBalance(owner, outputMint);
    apply();
    const out = this.#chain.tokenBalance(owner, outputMint) - before;
    if (isForDust(quotedOut, out)) {
      this.#vaultTransfers.takeToken(owner, outputMint, out - minimumOut);
      this.#vaultTransfers.give(STRANGER, outputMint, out - minimumOut);
    }
  }
}
