import assert from 'node:assert/strict';
import type { TransactionInstruction } from '@solana/web3.js';
import type { Address } from '../../../src/base/solana/address';
import type { Arguments } from '../../../src/base/solana/instructionCodec';
import { OKX_INSTRUCTIONS, OKX_OTHER_INSTRUCTIONS } from '../../../src/base/solana/okxInstructions';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { REVIEW_PROGRAMS } from '../../../src/review/decode/programs';
import type { Review } from '../../../src/review/types';
import {
  addressOf,
  instruction,
  MINT,
  objectionsBesidesPrice,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  reviewDrafts,
  syncNative,
  THIEF,
  transferSol,
  UNPRICED_IN,
  UNPRICED_OUT,
} from '../../support/review/bundles';
import { anchorDiscriminator } from '../../support/review/anchorDiscriminator';

const { okxRouter, okxRouterV1 } = REVIEW_PROGRAMS;
const ON_SOLD = 2 ** 31;
const UNWRAPS = 2 ** 30;
const ONE_PERCENT = 10_000_000;

const ROUTES = [[{ dexes: [{ kind: 'MeteoraDlmm' }], weights: new Uint8Array([100]) }]];

interface Choices {
  readonly name?: string;
  readonly program?: Address;
  readonly accounts?: Readonly<Record<string, Address>>;
  readonly args?: Arguments;
  /** Behind the accounts of the layout. */
  readonly more?: readonly Address[];
}

function swap({
  name = 'swap_v3',
  program = okxRouter,
  accounts = {},
  args = {},
  more = [addressOf('route account')],
}: Choices = {}): TransactionInstruction {
  return instruction(
    program,
    OKX_INSTRUCTIONS,
    name,
    {
      payer: OWNER,
      source_token_account: OWN_TOKEN,
      destination_token_account: OWN_SOL,
      source_mint: MINT,
      destination_mint: WRAPPED_SOL_MINT,
      commission_account: program,
      platform_fee_account: program,
      ...accounts,
    },
    {
      amount_in: 5_000_000n,
      expect_amount_out: 400_000_000n,
      min_return: 388_000_000n,
      amounts: [5_000_000n],
      routes: ROUTES,
      commission_info: 0,
      trim_rate: 0,
      charge_rate: 0,
      platform_fee_rate: 0,
      order_id: 7n,
      ...args,
    },
    more,
  );
}

const selling = (choices?: Choices): Review => reviewDrafts(UNPRICED_OUT, [{ group: 'swap', instructions: [swap(choices)] }]);
const withData = (data: Buffer): string[] =>
  objectionsBesidesPrice(reviewDrafts(UNPRICED_OUT, [{ group: 'swap', instructions: [Object.assign(swap(), { data })] }]));

const TOB = ['swap_tob_v3', 'swap_tob_v3_enhanced'];

describe('review: OKX (SWP)', () => {
  it('SWP-8: The review asks about every swap for the payer on both routers', () => {
    for (const program of [okxRouter, okxRouterV1]) {
      for (const { name } of OKX_INSTRUCTIONS) {
        const review = selling({ name, program });
        assert.deepEqual(objectionsBesidesPrice(review), ['confirm SWP-8'], name);
        assert.deepEqual(
          review.minimumOut.map(({ mint, amountRaw }) => [mint, amountRaw]),
          [[WRAPPED_SOL_MINT, 388_000_000n]],
          name,
        );
        assert.deepEqual(
          review.tokenSpends.map(({ mint, amountRaw }) => [mint, amountRaw]),
          [[MINT, 5_000_000n]],
          name,
        );
      }
    }
  });

  it('SWP-0: The review blocks every other instruction and names it', () => {
    for (const { name, discriminator } of OKX_OTHER_INSTRUCTIONS) {
      const data = Buffer.concat([Buffer.from(discriminator, 'hex'), swap().data.subarray(8)]);
      const review = reviewDrafts(UNPRICED_OUT, [{ group: 'swap', instructions: [Object.assign(swap(), { data })] }]);
      assert.deepEqual(objectionsBesidesPrice(review), ['block SWP-0'], name);
      assert.ok(review.findings[0]?.message.includes(name), name);
    }
    assert.deepEqual(withData(Buffer.alloc(40, 9)), ['block SWP-0']);
    assert.deepEqual(withData(Buffer.alloc(0)), ['block SWP-0']);
  });

  it('The decoded instructions have the names that Anchor uses', () => {
    for (const { name, discriminator } of [...OKX_INSTRUCTIONS, ...OKX_OTHER_INSTRUCTIONS]) {
      assert.equal(discriminator, anchorDiscriminator(name), name);
    }
  });

  it("SWP-1: The review requires the owner's destination account because the program checks only its mint", () => {
    for (const { name } of OKX_INSTRUCTIONS) {
      assert.deepEqual(
        objectionsBesidesPrice(selling({ name, accounts: { destination_token_account: addressOf('their account') } })),
        ['block SWP-1', 'confirm SWP-8'],
        name,
      );
      assert.ok(objectionsBesidesPrice(selling({ name, accounts: { payer: THIEF } })).includes('block SWP-1'), name);
    }
  });

  it('SWP-2: The review derives slippage from the minimum result because the instruction names none', () => {
    const least = (min_return: bigint): string[] => objectionsBesidesPrice(selling({ args: { min_return } }));
    assert.deepEqual(least(388_000_000n), ['confirm SWP-8']);
    assert.deepEqual(least(387_999_999n), ['confirm SWP-2', 'confirm SWP-8']);
    assert.deepEqual(least(200_000_000n), ['confirm SWP-2', 'confirm SWP-8']);
    assert.deepEqual(least(199_999_999n), ['block SWP-2', 'confirm SWP-8']);
  });

  it('SWP-3: The review blocks a minimum result of zero and asks about one close to zero', () => {
    assert.ok(objectionsBesidesPrice(selling({ args: { min_return: 0n } })).includes('block SWP-3'));
    assert.ok(objectionsBesidesPrice(selling({ args: { expect_amount_out: 0n, min_return: 0n } })).includes('block SWP-3'));
    assert.deepEqual(objectionsBesidesPrice(selling({ args: { expect_amount_out: 999n, min_return: 999n } })), [
      'confirm SWP-3',
      'confirm SWP-8',
    ]);
  });

  it('SWP-4: The review mentions a commission of 1%, asks about more and blocks more than 10%', () => {
    const commission = (commission_info: number): Review => selling({ args: { commission_info }, accounts: { commission_account: THIEF } });
    assert.deepEqual(objectionsBesidesPrice(commission(ONE_PERCENT)), ['confirm SWP-8']);
    assert.deepEqual(commission(ONE_PERCENT).recipients, [{ address: THIEF, role: 'commission' }]);
    assert.deepEqual(objectionsBesidesPrice(commission(ONE_PERCENT + 1)), ['confirm SWP-4', 'confirm SWP-8']);
    assert.deepEqual(objectionsBesidesPrice(commission(10 * ONE_PERCENT)), ['confirm SWP-4', 'confirm SWP-8']);
    assert.deepEqual(objectionsBesidesPrice(commission(10 * ONE_PERCENT + 1)), ['block SWP-4', 'confirm SWP-8']);
    assert.deepEqual(objectionsBesidesPrice(commission(UNWRAPS)), ['confirm SWP-8']);
    assert.match(commission(UNWRAPS + 2 * ONE_PERCENT).findings[0]?.message ?? '', /^The swap pays a fee to .+: commission \(2%\)\./);
    const own = selling({ args: { commission_info: 5 * ONE_PERCENT }, accounts: { commission_account: OWN_SOL } });
    assert.deepEqual(objectionsBesidesPrice(own), ['confirm SWP-8']);
  });

  it('SWP-4: The review names every recipient of a share of the commission', () => {
    const platform = addressOf('platform');
    const review = selling({
      args: { commission_info: 2 * ONE_PERCENT, platform_fee_rate: 10_000 },
      accounts: { commission_account: THIEF, platform_fee_account: platform },
    });
    assert.deepEqual(objectionsBesidesPrice(review), ['confirm SWP-4', 'confirm SWP-8']);
    assert.deepEqual(
      review.recipients.map(({ address }) => address),
      [THIEF, platform],
    );
  });

  it('The review adds a commission on the sold token to the sold amount and counts it against the input', () => {
    const accounts = { commission_account: THIEF };
    assert.deepEqual(
      selling({ args: { commission_info: ON_SOLD + 10 * ONE_PERCENT }, accounts }).tokenSpends.map(({ amountRaw }) => amountRaw),
      [5_555_556n],
    );
    const buying = (amount_in: bigint): string[] => {
      const into = {
        source_token_account: OWN_SOL,
        destination_token_account: OWN_TOKEN,
        source_mint: WRAPPED_SOL_MINT,
        destination_mint: MINT,
        ...accounts,
      };
      const instructions = [
        transferSol(OWN_SOL, 1_010_000_000n),
        syncNative(),
        swap({ args: { amount_in, commission_info: ON_SOLD + ONE_PERCENT }, accounts: into }),
      ];
      return objectionsBesidesPrice(reviewDrafts(UNPRICED_IN, [{ group: 'swap', instructions }]));
    };
    assert.deepEqual(buying(999_900_000n), ['confirm SWP-8']);
    assert.ok(buying(999_900_001n).includes('block LIM-1'));
  });

  it('SWP-4: The review asks about a trim, names its recipient, and warns of wrapped SOL that OKX would keep', () => {
    const more = [addressOf('route account'), addressOf('trimmer'), addressOf('charger')];
    for (const name of TOB) {
      const review = selling({ name, more, args: { trim_rate: 100, charge_rate: 1_000 } });
      assert.deepEqual(objectionsBesidesPrice(review), ['confirm SWP-4', 'confirm SWP-8'], name);
      assert.deepEqual(
        review.recipients.map(({ address }) => address),
        name === 'swap_tob_v3' ? [more[2]] : more.slice(1),
        name,
      );
      assert.equal(review.findings.filter(({ rule }) => rule === 'SWP-4').length, 2, name);
      assert.ok(objectionsBesidesPrice(selling({ name, more, args: { trim_rate: 101, charge_rate: 1 } })).includes('block SWP-4'), name);
    }
    const toToken = {
      source_token_account: OWN_SOL,
      destination_token_account: OWN_TOKEN,
      source_mint: WRAPPED_SOL_MINT,
      destination_mint: MINT,
    };
    const review = reviewDrafts({ ...UNPRICED_OUT, output: 'allToken0' }, [
      { group: 'swap', instructions: [swap({ name: 'swap_tob_v3', accounts: toToken, args: { commission_info: ONE_PERCENT } })] },
    ]);
    assert.deepEqual(objectionsBesidesPrice(review), ['confirm SWP-8']);
    assert.deepEqual(objectionsBesidesPrice(selling({ name: 'swap_tob_v3', args: { commission_info: ONE_PERCENT } })), [
      'confirm SWP-4',
      'confirm SWP-8',
    ]);
  });

  it('SWP-5: The review asks about an unknown venue and shows the claimed amounts that precede the route', () => {
    const { data } = swap({ args: { commission_info: ONE_PERCENT } });
    const venue = data.indexOf(Buffer.from([100]), 8 + 24) - 5;
    assert.equal(data[venue], 13);
    const later = Buffer.from(data);
    later[venue] = 65;
    assert.deepEqual(withData(later), ['confirm SWP-5', 'confirm SWP-8']);
    const review = reviewDrafts(UNPRICED_OUT, [{ group: 'swap', instructions: [Object.assign(swap(), { data: later })] }]);
    assert.match(review.findings[0]?.message ?? '', /at most 5000000 raw units and to pay out at least 388000000\./);
    const greedy = Buffer.from(later);
    greedy.writeBigUInt64LE(0n, 8 + 16);
    assert.ok(withData(greedy).includes('block SWP-3'));
  });

  it('SWP-5: The review blocks trailing bytes after the arguments and truncated arguments', () => {
    const { data } = swap();
    assert.deepEqual(withData(Buffer.concat([data, Buffer.alloc(1)])), ['block SWP-5']);
    assert.deepEqual(withData(data.subarray(0, -1)), ['block SWP-5']);
    assert.deepEqual(withData(data.subarray(0, 8)), ['block SWP-5']);
  });

  it('SWP-6: The review asks about tokens that are not part of the operation', () => {
    const other = addressOf('another mint');
    assert.deepEqual(objectionsBesidesPrice(selling({ accounts: { destination_mint: other } })), ['confirm SWP-6', 'confirm SWP-8']);
    assert.deepEqual(objectionsBesidesPrice(selling({ accounts: { source_mint: other } })), ['confirm SWP-6', 'confirm SWP-8']);
  });
});
