import * as z from 'zod';
import type { BuildTerms, TokenAccounts, TransactionFormat } from '../../engine/assembly/types';
import type { Address } from '../../base/solana/address';
import { associatedTokenAddress } from '../../base/solana/pda';
import { JITO_TIP_ACCOUNTS } from '../../base/solana/programs';
import { RentRate } from '../../base/solana/rent';
import { HOUR_MS } from '../../base/time';
import type { Wallet } from '../../engine/build/ports';
import { OptionalMethod } from '../rpc/optionalMethod';
import type { ChainRpc } from '../rpc/types';
import { readAccounts } from './accounts';

/** Priority fee, millionths of a lamport per compute unit: at least what the sandbox pays. */
const LEAST_PRICE = 25_000n;
/** Priority fees of an operation at most, lamports: half of what the review of a client allows without a question. */
const MOST_FEES = 5_000_000n;
const MOST_COMPUTE_UNITS = 1_400_000n;
const MICRO = 1_000_000n;
/** Share of recent fees that are lower than the one that is paid. */
const PERCENTILE = 0.75;
/** The prices of two operations with the same blockhash differ, else they could have an identical transaction. */
const DISTINCT_PRICES = 1_000;
/** Two variants for each operation. */
const PRICES_PER_OPERATION = 2n;
/** Most addresses that the method takes. */
const MOST_FEE_ACCOUNTS = 128;
/** The rate changes at the beginning of an epoch, some two days long. */
const RENT_MS = HOUR_MS;
/** The amount in a token account. */
const AMOUNT_AT = 64;

const Fees = z.array(z.object({ prioritizationFee: z.int().nonnegative() }));
const Lamports = z.int().nonnegative();
const Blockhash = z.object({ value: z.object({ blockhash: z.string(), lastValidBlockHeight: z.int() }) });

/** Terms that follow from the chain's present: blockhash, fees, rent, balances. */
export class ChainTerms {
  readonly #rpc: ChainRpc;
  readonly #random: (byteCount: number) => Uint8Array;
  readonly #format: TransactionFormat;
  readonly #tipLamports: bigint;
  readonly #fees: OptionalMethod;
  #rent: { readonly rate: RentRate; readonly atMs: number } | undefined;

  constructor(options: {
    readonly rpc: ChainRpc;
    readonly random: (byteCount: number) => Uint8Array;
    readonly format: TransactionFormat;
    readonly tipLamports: bigint;
    readonly log: (text: string) => void;
  }) {
    this.#rpc = options.rpc;
    this.#fees = new OptionalMethod({ now: () => performance.now(), log: options.log, without: 'Operations pay the least priority fee.' });
    this.#random = options.random;
    this.#format = options.format;
    this.#tipLamports = options.tipLamports;
  }

  /**
   * @param written accounts that the operation writes to, which compete for their place in a block
   * @param transactions how many there will be at most
   */
  async build(
    owner: Address,
    written: readonly Address[],
    transactions: number,
  ): Promise<{ readonly terms: BuildTerms; readonly lastValidBlockHeight: number }> {
    const [price, { value }] = await Promise.all([
      this.#price(written, transactions),
      this.#rpc.call('getLatestBlockhash', [{ commitment: 'confirmed' }], Blockhash),
    ]);
    const terms = { owner, blockhash: value.blockhash, microLamportsPerComputeUnit: price, format: this.#format, tip: this.tip() };
    return { terms, lastValidBlockHeight: value.lastValidBlockHeight };
  }

  /** A tip to one of Jito's accounts; `undefined` without Jito. */
  tip(): BuildTerms['tip'] {
    const account = JITO_TIP_ACCOUNTS[this.#number() % JITO_TIP_ACCOUNTS.length];
    return this.#tipLamports === 0n || account === undefined ? undefined : { account, lamports: this.#tipLamports };
  }

  async rent(): Promise<RentRate> {
    const now = performance.now();
    if (this.#rent === undefined || now - this.#rent.atMs > RENT_MS) {
      const lamports = await this.#rpc.call('getMinimumBalanceForRentExemption', [0], Lamports);
      this.#rent = { rate: RentRate.byEmptyAccount(BigInt(lamports)), atMs: now };
    }
    return this.#rent.rate;
  }

  /** What the owner has of SOL and these tokens. */
  async wallet(owner: Address, tokens: readonly TokenAccounts[]): Promise<Wallet> {
    const addressOf = ({ mint, tokenProgram }: TokenAccounts): Address => associatedTokenAddress(owner, mint, tokenProgram);
    const found = await readAccounts(this.#rpc, [owner, ...tokens.map(addressOf)]);
    return {
      lamports: BigInt(found.get(owner)?.lamports ?? 0),
      balance: (token) => {
        const data = found.get(addressOf(token))?.data;
        return data === undefined || data.length < AMOUNT_AT + 8 ? undefined : data.readBigUInt64LE(AMOUNT_AT);
      },
    };
  }

  async #price(written: readonly Address[], transactions: number): Promise<bigint> {
    const parameters = [written.slice(0, MOST_FEE_ACCOUNTS)];
    const recent =
      (await this.#fees.try(() => this.#rpc.call('getRecentPrioritizationFees', parameters, Fees, { isOptional: true }))) ?? [];
    const sorted = recent.map(({ prioritizationFee }) => prioritizationFee).sort((one, other) => one - other);
    const usual = BigInt(sorted[Math.floor(sorted.length * PERCENTILE)] ?? 0);
    const most = (MOST_FEES * MICRO) / (MOST_COMPUTE_UNITS * BigInt(Math.max(1, transactions)));
    const price = usual < LEAST_PRICE ? LEAST_PRICE : usual;
    return (price < most ? price : most) + PRICES_PER_OPERATION * BigInt(this.#number() % DISTINCT_PRICES);
  }

  #number(): number {
    return Buffer.from(this.#random(4)).readUInt32LE(0);
  }
}
