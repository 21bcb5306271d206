import assert from 'node:assert/strict';
import type { TransactionInstruction } from '@solana/web3.js';
import type { Address } from '../../../src/base/solana/address';
import { DAMM_INSTRUCTIONS } from '../../../src/base/solana/generated/dammInstructions';
import type { Arguments } from '../../../src/base/solana/instructionCodec';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { NO_FACTS, type PoolFact } from '../../../src/review/facts/facts';
import type { Review } from '../../../src/review/types';
import {
  addressOf,
  dlmm,
  instruction,
  MINT,
  NO_SLICES,
  objectionsBesidesPrice,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  POOL,
  reviewDrafts,
  syncNative,
  THIEF,
  transferSol,
  UNPRICED_IN,
  UNPRICED_OUT,
} from '../../support/review/bundles';

type Accounts = Readonly<Record<string, Address>>;

function damm(name: string, params: Arguments, accounts: Accounts = {}): TransactionInstruction {
  const own = {
    pool: POOL,
    input_token_account: OWN_TOKEN,
    output_token_account: OWN_SOL,
    token_a_mint: MINT,
    token_b_mint: WRAPPED_SOL_MINT,
    payer: OWNER,
    referral_token_account: PROGRAMS.dammV2,
  };
  return instruction(PROGRAMS.dammV2, DAMM_INSTRUCTIONS, name, { ...own, ...accounts }, { _params: params });
}

/** Every way to sell 5 M of the token for at least 4000 raw units of SOL, in both kinds of pools. */
const SALES: Readonly<Record<string, (accounts?: Accounts) => TransactionInstruction>> = {
  'DLMM swap': (accounts) => dlmm('swap', { amount_in: 5_000_000n, min_amount_out: 4_000n }, accounts),
  'DLMM swap2': (accounts) => dlmm('swap2', { amount_in: 5_000_000n, min_amount_out: 4_000n, ...NO_SLICES }, accounts),
  'DLMM swap_exact_out': (accounts) => dlmm('swap_exact_out', { max_in_amount: 5_000_000n, out_amount: 4_000n }, accounts),
  'DLMM swap_exact_out2': (accounts) => dlmm('swap_exact_out2', { max_in_amount: 5_000_000n, out_amount: 4_000n, ...NO_SLICES }, accounts),
  'DAMM swap': (accounts) => damm('swap', { amount_in: 5_000_000n, minimum_amount_out: 4_000n }, accounts),
  'DAMM swap2, exact in': (accounts) => damm('swap2', { amount_0: 5_000_000n, amount_1: 4_000n, swap_mode: 0 }, accounts),
  'DAMM swap2, partial': (accounts) => damm('swap2', { amount_0: 5_000_000n, amount_1: 4_000n, swap_mode: 1 }, accounts),
  'DAMM swap2, exact out': (accounts) => damm('swap2', { amount_0: 4_000n, amount_1: 5_000_000n, swap_mode: 2 }, accounts),
};

const selling = (...instructions: readonly TransactionInstruction[]): Review =>
  reviewDrafts(UNPRICED_OUT, [{ group: 'swap', instructions }]);

describe('review: swaps in the pool itself (SWP-8)', () => {
  for (const [name, sale] of Object.entries(SALES)) {
    const isDamm = name.startsWith('DAMM');

    it(`The review reads ${name} and asks the user about it`, () => {
      const review = selling(sale());
      assert.deepEqual(objectionsBesidesPrice(review), ['confirm SWP-8']);
      assert.deepEqual(review.minimumOut, [{ mint: WRAPPED_SOL_MINT, amountRaw: 4_000n, from: 'swap in the pool' }]);
      assert.deepEqual(review.tokenSpends, [{ mint: MINT, amountRaw: 5_000_000n, into: 'swap' }]);
    });

    it(`${name}: The review blocks foreign result accounts, other pools and other payers`, () => {
      const changes: readonly Accounts[] = isDamm
        ? [{ output_token_account: THIEF }, { pool: addressOf('another pool') }, { payer: THIEF }]
        : [{ user_token_out: THIEF }, { lb_pair: addressOf('another pool') }, { user: THIEF }];
      for (const accounts of changes) {
        assert.equal(selling(sale(accounts)).verdict, 'block', JSON.stringify(accounts));
      }
    });

    it(`${name}: The review asks about a host that shares the fee and about tokens of other pools`, () => {
      const hosted = selling(sale(isDamm ? { referral_token_account: THIEF } : { host_fee_in: THIEF }));
      assert.deepEqual(objectionsBesidesPrice(hosted), ['confirm SWP-4', 'confirm SWP-8']);
      assert.deepEqual(hosted.recipients, [{ address: THIEF, role: 'host fee' }]);
      const same = selling(sale(isDamm ? { output_token_account: OWN_TOKEN } : { user_token_out: OWN_TOKEN }));
      assert.deepEqual(objectionsBesidesPrice(same), ['confirm SWP-6', 'confirm SWP-8']);
    });
  }

  it('SWP-3: The review blocks a swap with a minimum result of zero and asks about one close to zero', () => {
    const least = (min_amount_out: bigint): string[] => objectionsBesidesPrice(selling(dlmm('swap', { amount_in: 5n, min_amount_out })));
    assert.deepEqual(least(0n), ['block SWP-3', 'confirm SWP-8']);
    assert.deepEqual(least(999n), ['confirm SWP-3', 'confirm SWP-8']);
    assert.deepEqual(objectionsBesidesPrice(selling(damm('swap', { amount_in: 5n, minimum_amount_out: 0n }))), [
      'block SWP-3',
      'confirm SWP-8',
    ]);
    assert.deepEqual(objectionsBesidesPrice(selling(damm('swap2', { amount_0: 0n, amount_1: 9n, swap_mode: 2 }))), [
      'block SWP-3',
      'confirm SWP-8',
    ]);
  });

  it('SWP-2 and SWP-3: A swap that limits only the price movement guarantees no result', () => {
    const moving = (max_price_impact_bps: number): string[] =>
      objectionsBesidesPrice(selling(dlmm('swap_with_price_impact', { amount_in: 5n, active_id: undefined, max_price_impact_bps })));
    assert.deepEqual(moving(300), ['confirm SWP-3', 'confirm SWP-8']);
    assert.deepEqual(moving(301), ['confirm SWP-2', 'confirm SWP-3', 'confirm SWP-8']);
    assert.deepEqual(moving(5_001), ['block SWP-2', 'confirm SWP-3', 'confirm SWP-8']);
  });

  it('SWP-9: The review asks about a price impact that is counted from another bin than the known active one, or from whichever is active', () => {
    const pool: PoolFact = { kind: 'dlmm', tokenX: MINT, tokenY: WRAPPED_SOL_MINT, activeBinId: 100, binStepBps: 100 };
    const counted = (active_id: number | undefined, facts = { ...NO_FACTS, pools: new Map([[POOL, pool]]) }): string[] =>
      reviewDrafts(
        UNPRICED_OUT,
        [
          {
            group: 'swap',
            instructions: [dlmm('swap_with_price_impact2', { amount_in: 5_000n, active_id, max_price_impact_bps: 100, ...NO_SLICES })],
          },
        ],
        {},
        { facts },
      ).findings.flatMap(({ rule, message }) => (rule === 'SWP-9' && message.includes('price impact') ? [message] : []));
    // Five bins of 1% are the slippage tolerance of 3% and 2%; one more, because a bin is the unit.
    assert.deepEqual([counted(94), counted(106)], [[], []]);
    assert.match(counted(93).join(), /counts from bin 93, but the active bin is 100: /);
    assert.equal(counted(107).length, 1);
    assert.match(counted(undefined).join(), /the bin that is active when it lands/);
    assert.deepEqual(counted(-5_000, { ...NO_FACTS, pools: new Map() }), [], 'no active bin is known');
  });

  it('SWP-0: The review blocks an unknown swap mode of DAMM v2', () => {
    assert.deepEqual(objectionsBesidesPrice(selling(damm('swap2', { amount_0: 5_000n, amount_1: 4_000n, swap_mode: 3 }))), ['block SWP-0']);
  });

  it('LIM-1: The review counts zap-in swaps in the pool against the input', () => {
    const buying = (amount_in: bigint): string[] => {
      const swap = damm(
        'swap',
        { amount_in, minimum_amount_out: 4_000n },
        { input_token_account: OWN_SOL, output_token_account: OWN_TOKEN },
      );
      return objectionsBesidesPrice(
        reviewDrafts(UNPRICED_IN, [{ group: 'swap', instructions: [transferSol(OWN_SOL, 1_010_000_000n), syncNative(), swap] }]),
      );
    };
    assert.deepEqual(buying(1_010_000_000n), ['confirm SWP-8']);
    assert.ok(buying(1_010_000_001n).includes('block LIM-1'));
  });
});
