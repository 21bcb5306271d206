import { type Address, parseAddress } from '../../base/solana/address';
import { associatedTokenAddress } from '../../base/solana/pda';
import { PROGRAMS, USDC_MINT, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { HOLDING_BYTES, readHolding, type HeldTokens } from '../../base/solana/tokenAccount';
import { balanceRecord, isListedBalance, type WireTokenBalance } from '../../engine/wire/balanceRecord';
import type { HistoryIndex } from '../index/types';
import type { ChainPoolReader } from '../pools/poolReader';
import { COMMITMENT, readAccounts, TokenAccounts } from '../positions/accounts';
import type { PriceSource } from '../prices/types';
import { OptionalMethod } from '../rpc/optionalMethod';
import type { ChainRpc } from '../rpc/types';
import { recordToken } from './recordPool';

/** What balances are read from. */
export interface TokenBalancesOptions {
  readonly rpc: ChainRpc;
  readonly prices: PriceSource;
  readonly pools: Pick<ChainPoolReader, 'mints' | 'pools'>;
  readonly index: Pick<HistoryIndex, 'positions'>;
  /** Milliseconds, on a clock that never goes back. */
  readonly now: () => number;
  readonly log: (line: string) => void;
}

/** Tokens of wallets. */
export class TokenBalances {
  readonly #options: TokenBalancesOptions;
  readonly #search: OptionalMethod;

  constructor(options: TokenBalancesOptions) {
    this.#options = options;
    const without = "Only tokens of known positions are listed, in each wallet's own token accounts.";
    this.#search = new OptionalMethod({ ...options, without });
  }

  /**
   * Balances of an owner. NFTs, which have no decimals and an amount of 1, are left out. Where the RPC does not search token accounts, those of
   * the wallet's positions are read.
   * @param mints only these; `undefined`: all
   */
  async of(owner: Address, mints: readonly string[] | undefined): Promise<readonly WireTokenBalance[]> {
    const ownWrapped = associatedTokenAddress(owner, WRAPPED_SOL_MINT);
    const [accounts, found] = await Promise.all([
      readAccounts(this.#options.rpc, [owner, ownWrapped]),
      this.#search.try(() => Promise.all([this.#held(owner, PROGRAMS.token), this.#held(owner, PROGRAMS.token2022)])),
    ]);
    const held = found?.flat() ?? (await this.#heldOfKnown(owner, mints));
    const raw = new Map<Address, bigint>([[WRAPPED_SOL_MINT, accounts.get(owner)?.lamports ?? 0n]]);
    for (const { mint, amountRaw } of held) {
      raw.set(mint, (raw.get(mint) ?? 0n) + amountRaw);
    }
    const wanted = [...raw].filter(([mint, amount]) => isListedBalance(mint, amount, mints));
    const tokens = await this.#options.pools.mints(wanted.map(([mint]) => mint));
    const shown = wanted.flatMap(([mint, amount]) => {
      const token = tokens.get(mint);
      return token === undefined || (token.decimals === 0 && amount === 1n) ? [] : [{ token, amount }];
    });
    const prices = shown.length === 0 ? undefined : await this.#options.prices.now(shown.map(({ token }) => token.mint));
    const account = accounts.get(ownWrapped);
    const [wrapped] = holdingsIn(account === undefined ? [] : [account]);
    const wrappedLamports = wrapped?.amountRaw ?? 0n;
    return shown.map(({ token, amount }) => balanceRecord(recordToken(token), amount, prices?.get(token.mint) ?? null, wrappedLamports));
  }

  async #held(owner: Address, programId: Address): Promise<readonly HeldTokens[]> {
    const { value } = await this.#options.rpc.call(
      'getTokenAccountsByOwner',
      [owner, { programId }, { encoding: 'base64', commitment: COMMITMENT, dataSlice: { offset: 0, length: HOLDING_BYTES } }],
      TokenAccounts,
      { isOptional: true },
    );
    return holdingsIn(value.map(({ account }) => account));
  }

  /** What is in the associated token accounts of these tokens; `undefined`: of the pools that the owner has or had positions in. */
  async #heldOfKnown(owner: Address, mints: readonly string[] | undefined): Promise<readonly HeldTokens[]> {
    const { rpc, pools, index } = this.#options;
    const known = async (): Promise<readonly Address[]> => {
      const positions = await pools.pools([...new Set(index.positions({ owner }).map(({ pool }) => pool))]);
      return [WRAPPED_SOL_MINT, USDC_MINT, ...[...positions.values()].flatMap(({ x, y }) => [x.mint, y.mint])];
    };
    const wanted = mints?.flatMap((text) => parseAddress(text) ?? []) ?? (await known());
    const tokens = await pools.mints([...new Set(wanted)]);
    const accounts = await readAccounts(
      rpc,
      [...tokens.values()].map(({ mint, tokenProgram }) => associatedTokenAddress(owner, mint, tokenProgram)),
    );
    return holdingsIn([...accounts.values()]);
  }
}

/** What is in token accounts; other accounts are left out. */
function holdingsIn(accounts: readonly { readonly data: Uint8Array }[]): readonly HeldTokens[] {
  return accounts.flatMap(({ data }) => (data.length < HOLDING_BYTES ? [] : [readHolding(data)]));
}
