import type { Address } from '../../base/solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { HOLDING_BYTES, readHolding, type HeldTokens } from '../../base/solana/tokenAccount';
import { balanceRecord, isListedBalance } from '../../engine/records/balanceRecord';
import type { WireTokenBalance } from '../../engine/wire/positions';
import type { ChainPoolReader } from '../pools/poolReader';
import { COMMITMENT, readAccounts, TokenAccounts } from '../positions/accounts';
import type { PriceSource } from '../prices/types';
import type { ChainRpc } from '../rpc/types';
import { recordToken } from './recordPool';

/** What balances are read from. */
export interface TokenBalancesOptions {
  readonly rpc: ChainRpc;
  readonly prices: PriceSource;
  readonly mints: Pick<ChainPoolReader, 'mints'>;
}

/** Tokens of wallets. */
export class TokenBalances {
  readonly #options: TokenBalancesOptions;

  constructor(options: TokenBalancesOptions) {
    this.#options = options;
  }

  /**
   * Balances of an owner. NFTs, which have no decimals and an amount of 1, are left out.
   * @param mints only these; `undefined`: all
   */
  async of(owner: Address, mints: readonly string[] | undefined): Promise<readonly WireTokenBalance[]> {
    const [accounts, ...held] = await Promise.all([
      readAccounts(this.#options.rpc, [owner]),
      this.#held(owner, PROGRAMS.token),
      this.#held(owner, PROGRAMS.token2022),
    ]);
    const raw = new Map<Address, bigint>([[WRAPPED_SOL_MINT, accounts.get(owner)?.lamports ?? 0n]]);
    for (const { mint, amountRaw } of held.flat()) {
      raw.set(mint, (raw.get(mint) ?? 0n) + amountRaw);
    }
    const wanted = [...raw].filter(([mint, amount]) => isListedBalance(mint, amount, mints));
    const tokens = await this.#options.mints.mints(wanted.map(([mint]) => mint));
    const shown = wanted.flatMap(([mint, amount]) => {
      const token = tokens.get(mint);
      return token === undefined || (token.decimals === 0 && amount === 1n) ? [] : [{ token, amount }];
    });
    const prices = shown.length === 0 ? undefined : await this.#options.prices.now(shown.map(({ token }) => token.mint));
    return shown.map(({ token, amount }) => balanceRecord(recordToken(token), amount, prices?.get(token.mint) ?? null));
  }

  async #held(owner: Address, programId: Address): Promise<readonly HeldTokens[]> {
    const { value } = await this.#options.rpc.call(
      'getTokenAccountsByOwner',
      [owner, { programId }, { encoding: 'base64', commitment: COMMITMENT, dataSlice: { offset: 0, length: HOLDING_BYTES } }],
      TokenAccounts,
    );
    return value.flatMap(({ account: { data } }) => (data.length < HOLDING_BYTES ? [] : [readHolding(data)]));
  }
}
