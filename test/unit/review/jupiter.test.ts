import assert from 'node:assert/strict';
import { TransactionInstruction } from '@solana/web3.js';
import type { Address } from '../../../src/base/solana/address';
import type { Arguments } from '../../../src/base/solana/instructionCodec';
import { JUPITER_INSTRUCTIONS, JUPITER_OTHER_INSTRUCTIONS } from '../../../src/base/solana/jupiterInstructions';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { NO_FACTS } from '../../../src/review/facts/facts';
import type { Review, ZapOutIntent } from '../../../src/review/types';
import { anchorDiscriminator } from '../../support/review/anchorDiscriminator';
import {
  addressOf,
  BLOCKHASH,
  buyToken,
  type Draft,
  instruction,
  MINT,
  objectionsBesidesPrice,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  reviewDrafts,
  route,
  ROUTE_PLAN,
  syncNative,
  THIEF,
  transferSol,
  UNPRICED_IN,
  UNPRICED_OUT,
} from '../../support/review/bundles';
import { tableOf } from '../../support/review/lookupTables';

const selling = (instruction: TransactionInstruction, intent: ZapOutIntent = UNPRICED_OUT): Review =>
  reviewDrafts(intent, [{ group: 'swap', instructions: [instruction] }]);
/** With the SOL for it wrapped before. */
const buying = (...instructions: readonly TransactionInstruction[]): Review =>
  reviewDrafts(UNPRICED_IN, [{ group: 'swap', instructions: [transferSol(OWN_SOL, 1_010_000_000n), syncNative(), ...instructions] }]);

/** A copy with other data. */
function withData({ keys, programId, data }: TransactionInstruction, change: (data: Buffer) => Buffer): TransactionInstruction {
  return new TransactionInstruction({ keys, programId, data: change(Buffer.from(data)) });
}

/** The plan of the later instructions, whose shares are in basis points. */
const PLAN_V2 = [{ swap: { kind: 'MeteoraDlmm' }, bps: 10_000, input_index: 0, output_index: 1 }];
const planOf = (name: string): Arguments => ({ route_plan: name.endsWith('_v2') ? PLAN_V2 : ROUTE_PLAN });

describe('review: Jupiter (SWP)', () => {
  it('The review accepts every instruction that swaps a known amount', () => {
    for (const { name } of JUPITER_INSTRUCTIONS.filter((layout) => !layout.name.includes('ledger'))) {
      const review = selling(route(planOf(name), {}, name));
      assert.deepEqual(objectionsBesidesPrice(review), [], name);
      const expected = name.includes('exact_out') ? 400_000_000n : 388_000_000n;
      assert.deepEqual(
        review.minimumOut.map(({ amountRaw }) => amountRaw),
        [expected],
        name,
      );
      const spent = name.includes('exact_out') ? 5_150_000n : 5_000_000n;
      assert.deepEqual(
        review.tokenSpends.map(({ mint, amountRaw }) => [mint, amountRaw]),
        [[MINT, spent]],
        name,
      );
    }
  });

  it('SWP-0: The review blocks other instructions of the router', () => {
    for (const discriminator of [
      '3ec6d6c1d59f6cd2',
      '93f17b64f484ae76',
      '74ce1bbfa6130049',
      'e8f2c5fdf08f8134',
      '1a4aec976840b7f9',
      'e455b9704e4f4d02',
      '0000000000000000',
    ]) {
      assert.deepEqual(objectionsBesidesPrice(selling(withData(route(), () => Buffer.from(discriminator, 'hex')))), ['block SWP-0']);
    }
    assert.deepEqual(objectionsBesidesPrice(selling(withData(route(), () => Buffer.alloc(0)))), ['block SWP-0']);
  });

  it('SWP-1: The review blocks swap results for foreign accounts in every form of the instruction', () => {
    for (const { name } of JUPITER_INSTRUCTIONS.filter((layout) => !layout.name.includes('ledger'))) {
      const roles = ['user_destination_token_account', 'destination_token_account'].filter((role) =>
        JUPITER_INSTRUCTIONS.some((layout) => layout.name === name && layout.accounts.some((account) => account.name === role)),
      );
      for (const role of roles) {
        assert.deepEqual(
          objectionsBesidesPrice(selling(route(planOf(name), { [role]: addressOf('their account') }, name))),
          ['block SWP-1'],
          `${name} ${role}`,
        );
      }
    }
  });

  it("SWP-1: The program's id stands for a missing account only where the account is optional", () => {
    assert.deepEqual(objectionsBesidesPrice(selling(route({}, { user_destination_token_account: PROGRAMS.jupiterV6 }))), ['block SWP-1']);
  });

  it('SWP-1: The review blocks swaps for another owner', () => {
    assert.ok(objectionsBesidesPrice(selling(route({}, { user_transfer_authority: THIEF }))).includes('block SWP-1'));
  });

  it('SWP-1: The review asks about a result account from a lookup table, read or not, and blocks it in strict mode', () => {
    const table = addressOf('table');
    const draft = (held: Address): Draft => ({
      group: 'swap',
      instructions: [route({}, { user_destination_token_account: held })],
      tables: [tableOf([held], table)],
    });
    assert.deepEqual(objectionsBesidesPrice(reviewDrafts(UNPRICED_OUT, [draft(THIEF)])), ['confirm SWP-1']);
    assert.deepEqual(objectionsBesidesPrice(reviewDrafts(UNPRICED_OUT, [draft(THIEF)], { isStrictWithoutRpc: true })), ['block SWP-1']);
    const resolved = (held: Address): string[] => {
      const facts = {
        ...NO_FACTS,
        lookupTables: new Map([[table, { addresses: [held], isDeactivated: false }]]),
        blockhashes: new Map([[BLOCKHASH, true]]),
      };
      return objectionsBesidesPrice(reviewDrafts(UNPRICED_OUT, [draft(held)], undefined, { facts }));
    };
    assert.deepEqual(resolved(THIEF), ['block SWP-1']);
    assert.deepEqual(resolved(OWN_SOL), ['confirm ALT-2']);
  });

  it('SWP-0: The review asks about a token account that Jupiter creates for the owner, and blocks any other', () => {
    const making = (mint: Address, user = OWNER): Review =>
      selling(
        instruction(
          PROGRAMS.jupiterV6,
          JUPITER_OTHER_INSTRUCTIONS,
          'create_token_account',
          { user, mint, token_program: PROGRAMS.token },
          { bump: 255 },
        ),
      );
    assert.deepEqual(objectionsBesidesPrice(making(MINT)), ['confirm SWP-0']);
    assert.equal(making(MINT).spends.refundableRentLamports, 2_039_280n);
    assert.deepEqual(objectionsBesidesPrice(making(addressOf('another mint'))), ['block SWP-0']);
    assert.ok(objectionsBesidesPrice(making(MINT, THIEF)).includes('block SWP-0'));
  });

  it('SWP-2: The review asks about slippage above the tolerance and blocks extreme slippage', () => {
    assert.deepEqual(objectionsBesidesPrice(selling(route({ slippage_bps: 300 }))), []);
    assert.deepEqual(objectionsBesidesPrice(selling(route({ slippage_bps: 301 }))), ['confirm SWP-2']);
    assert.deepEqual(objectionsBesidesPrice(selling(route({ slippage_bps: 5_001 }))), ['block SWP-2']);
    assert.deepEqual(objectionsBesidesPrice(selling(route({ slippage_bps: 5_001 }), { ...UNPRICED_OUT, slippageBps: 10_000 })), [
      'block SWP-2',
    ]);
  });

  it('SWP-3: The review blocks a minimum result of zero and asks about one close to zero', () => {
    assert.deepEqual(objectionsBesidesPrice(selling(route({ quoted_out_amount: 0n }))), ['block SWP-3']);
    assert.deepEqual(objectionsBesidesPrice(selling(route({ quoted_out_amount: 1_030n }))), ['confirm SWP-3']);
    assert.deepEqual(objectionsBesidesPrice(selling(route({ quoted_out_amount: 1_031n }))), []);
    assert.ok(objectionsBesidesPrice(selling(route({ slippage_bps: 10_000 }))).includes('block SWP-3'));
    assert.ok(objectionsBesidesPrice(selling(route({ slippage_bps: 65_535 }))).includes('block SWP-3'));
  });

  it('SWP-4: The review asks about platform fees and blocks large ones', () => {
    const review = selling(route({ platform_fee_bps: 1 }, { platform_fee_account: THIEF }));
    assert.deepEqual(objectionsBesidesPrice(review), ['confirm SWP-4']);
    assert.deepEqual(review.recipients, [{ address: THIEF, role: 'platform fee' }]);
    const later = (fee: number): string[] =>
      objectionsBesidesPrice(selling(route({ route_plan: PLAN_V2, platform_fee_bps: fee }, {}, 'route_v2')));
    assert.deepEqual(later(1_000), ['confirm SWP-4']);
    assert.deepEqual(later(1_001), ['block SWP-4']);
  });

  it("SWP-4: The review counts neither a zero fee nor a fee to the owner's own account", () => {
    assert.deepEqual(objectionsBesidesPrice(selling(route({ platform_fee_bps: 255 }, { platform_fee_account: OWN_SOL }))), []);
    assert.deepEqual(selling(route({ platform_fee_bps: 0 }, { platform_fee_account: THIEF })).recipients, []);
  });

  it('SWP-4: The review asks about a share of the result above the quote', () => {
    assert.deepEqual(objectionsBesidesPrice(selling(route({ route_plan: PLAN_V2, positive_slippage_bps: 1 }, {}, 'route_v2'))), [
      'confirm SWP-4',
    ]);
    assert.deepEqual(objectionsBesidesPrice(selling(route({ route_plan: PLAN_V2, positive_slippage_bps: 1_001 }, {}, 'route_v2'))), [
      'block SWP-4',
    ]);
  });

  it('SWP-5: The review blocks trailing bytes after the arguments and truncated arguments', () => {
    assert.deepEqual(objectionsBesidesPrice(selling(withData(route(), (data) => Buffer.concat([data, Buffer.alloc(19)])))), [
      'block SWP-5',
    ]);
    assert.deepEqual(objectionsBesidesPrice(selling(withData(route(), (data) => data.subarray(0, -1)))), ['block SWP-5']);
    assert.deepEqual(objectionsBesidesPrice(selling(withData(route(), (data) => data.subarray(0, 8)))), ['block SWP-5']);
  });

  it('SWP-5: The review asks about an unknown route type and shows the claimed amounts', () => {
    const PLAN_BEGIN = 8 + 4;
    const unknown = (data: Buffer): Buffer => {
      data[PLAN_BEGIN] = 0xfe;
      return data;
    };
    const review = selling(withData(route(), unknown));
    assert.deepEqual(objectionsBesidesPrice(review), ['confirm SWP-5']);
    assert.match(review.findings[0]?.message ?? '', /claims to take at most 5000000 raw units and to pay out at least 388000000/);
    assert.deepEqual(
      review.minimumOut.map(({ amountRaw }) => amountRaw),
      [388_000_000n],
    );
    const later = selling(
      withData(route({ route_plan: PLAN_V2 }, {}, 'route_v2'), (data) => {
        data[8 + 22 + 4] = 0xfe;
        return data;
      }),
    );
    assert.deepEqual(objectionsBesidesPrice(later), ['confirm SWP-5']);
    assert.deepEqual(
      later.minimumOut.map(({ amountRaw }) => amountRaw),
      [388_000_000n],
    );
    assert.deepEqual(objectionsBesidesPrice(selling(withData(route({ slippage_bps: 5_001 }), unknown))), ['block SWP-2', 'confirm SWP-5']);
  });

  it('SWP-5: The review blocks an unknown route type whose claimed amounts would begin before the route', () => {
    const unknown = (length: number) => (data: Buffer) => {
      data[8 + 1 + 4] = 0xfe;
      return data.subarray(0, length);
    };
    const shared = (length: number): string[] =>
      objectionsBesidesPrice(selling(withData(route({ id: 1 }, {}, 'shared_accounts_route'), unknown(length))));
    // Behind the route are 19 bytes, in front of it nine.
    assert.deepEqual([27, 26].map(shared), [['block SWP-5'], ['block SWP-5']]);
  });

  it('SWP-6: The review asks about tokens that are not part of the operation', () => {
    assert.deepEqual(objectionsBesidesPrice(selling(route({}, { user_source_token_account: addressOf('unknown account') }))), [
      'confirm SWP-6',
    ]);
    assert.deepEqual(objectionsBesidesPrice(selling(route({}, { destination_mint: addressOf('another mint') }))), ['confirm SWP-6']);
    assert.deepEqual(objectionsBesidesPrice(selling(route(planOf('route_v2'), { source_mint: addressOf('another mint') }, 'route_v2'))), [
      'confirm SWP-6',
    ]);
    assert.deepEqual(
      objectionsBesidesPrice(selling(route(planOf('route_v2'), { user_source_token_account: addressOf('unknown account') }, 'route_v2'))),
      ['confirm SWP-6'],
    );
    assert.deepEqual(objectionsBesidesPrice(buying(route({}, { user_destination_token_account: OWN_TOKEN, destination_mint: MINT }))), [
      'confirm SWP-6',
    ]);
    assert.deepEqual(objectionsBesidesPrice(buying(buyToken())), []);
  });

  it('SWP-6: The review asks about a result account of another token than the named one', () => {
    const review = selling(route({}, { user_destination_token_account: OWN_TOKEN }));
    assert.deepEqual(objectionsBesidesPrice(review), ['confirm SWP-6']);
    assert.deepEqual(
      review.minimumOut.map(({ mint }) => mint),
      [undefined],
    );
    assert.deepEqual(objectionsBesidesPrice(selling(route({}, { destination_token_account: OWN_TOKEN }))), ['confirm SWP-6']);
  });

  it('SWP-6: The review asks about a swap of a token for itself and about an unnamed token', () => {
    assert.deepEqual(objectionsBesidesPrice(selling(route({}, { user_source_token_account: OWN_SOL }))), ['confirm SWP-6']);
    const unnamed: Draft = {
      group: 'swap',
      instructions: [
        route({}, { destination_mint: addressOf('hidden mint'), user_destination_token_account: addressOf('hidden account') }),
      ],
      tables: [tableOf([addressOf('hidden mint'), addressOf('hidden account')])],
    };
    assert.deepEqual(objectionsBesidesPrice(reviewDrafts(UNPRICED_OUT, [unnamed])), ['confirm SWP-1', 'confirm SWP-6']);
  });

  it('LIM-1: The review counts zap-in spending from an unknown account as SOL', () => {
    const hidden = (lamports: bigint): Review =>
      buying(buyToken({ in_amount: lamports }, { user_source_token_account: addressOf('unknown account') }));
    assert.deepEqual(objectionsBesidesPrice(hidden(1_010_000_000n)), ['confirm SWP-6']);
    assert.ok(objectionsBesidesPrice(hidden(1_010_000_001n)).includes('block LIM-1'));
  });

  it('SWP-6: The review accepts purchases of the token that the user wants to receive', () => {
    assert.deepEqual(objectionsBesidesPrice(selling(route(), { ...UNPRICED_OUT, output: undefined })), []);
    const token1 = selling(route(), { ...UNPRICED_OUT, output: 'allToken1' });
    assert.deepEqual(objectionsBesidesPrice(token1), []);
    assert.deepEqual(objectionsBesidesPrice(selling(route(), { ...UNPRICED_OUT, output: 'allToken0' })), ['confirm SWP-6']);
    assert.deepEqual(objectionsBesidesPrice(selling(route(), { ...UNPRICED_OUT, output: 'both' })), ['confirm SWP-6']);
    assert.deepEqual(
      objectionsBesidesPrice(selling(route(), { ...UNPRICED_OUT, output: 'allToken1', tokenX: undefined, tokenY: undefined })),
      ['confirm SWP-6'],
    );
  });

  it('SWP-7: The review asks about amounts that depend on a balance', () => {
    assert.deepEqual(objectionsBesidesPrice(selling(route({}, {}, 'route_with_token_ledger'))), ['confirm SWP-7']);
    assert.deepEqual(objectionsBesidesPrice(selling(route({}, {}, 'shared_accounts_route_with_token_ledger'))), ['confirm SWP-7']);
  });

  it('SWP-3: The review blocks a fixed result that costs more than the operation has', () => {
    const buyExactly = (quotedIn: bigint, worth: bigint): string[] =>
      objectionsBesidesPrice(
        selling(route({ quoted_in_amount: quotedIn, slippage_bps: 0 }, {}, 'exact_out_route'), {
          ...UNPRICED_OUT,
          worth: [{ mint: MINT, amountRaw: worth }],
        }),
      );
    assert.deepEqual(buyExactly(5_000_000n, 5_000_000n), []);
    assert.deepEqual(buyExactly(5_500_001n, 5_000_000n), ['block SWP-3', 'confirm SWP-7']);
    const accounts = {
      user_source_token_account: OWN_SOL,
      user_destination_token_account: OWN_TOKEN,
      source_mint: WRAPPED_SOL_MINT,
      destination_mint: MINT,
    };
    const exactly = (quotedIn: bigint): string[] =>
      objectionsBesidesPrice(
        buying(route({ out_amount: 5_000n, quoted_in_amount: quotedIn, slippage_bps: 0 }, accounts, 'exact_out_route')),
      );
    assert.deepEqual(exactly(1_010_000_000n), []);
    assert.ok(exactly(1_010_000_001n).includes('block SWP-3'));
  });

  it('The decoded instructions have the names that Anchor uses', () => {
    for (const { name, discriminator } of [...JUPITER_INSTRUCTIONS, ...JUPITER_OTHER_INSTRUCTIONS]) {
      assert.equal(discriminator, anchorDiscriminator(name), name);
    }
  });

  it('LIM-1: The review counts swapped amounts against the input', () => {
    assert.deepEqual(objectionsBesidesPrice(buying(buyToken({ in_amount: 1_010_000_000n }))), []);
    assert.ok(objectionsBesidesPrice(buying(buyToken({ in_amount: 1_010_000_001n }))).includes('block LIM-1'));
    assert.deepEqual(objectionsBesidesPrice(buying(buyToken(), buyToken({ in_amount: 510_000_000n }))), []);
    assert.ok(objectionsBesidesPrice(buying(buyToken(), buyToken({ in_amount: 510_000_001n }))).includes('block LIM-1'));
  });

  it('The decoder reads route plans with many steps and kinds', () => {
    const plan = [
      { swap: { kind: 'Whirlpool', fields: [true] }, percent: 40, input_index: 0, output_index: 1 },
      {
        swap: { kind: 'WhirlpoolSwapV2', fields: [false, { slices: [{ accounts_type: 6, length: 2 }] }] },
        percent: 60,
        input_index: 0,
        output_index: 1,
      },
      { swap: { kind: 'HumidiFi', fields: [2n ** 64n - 1n, true] }, percent: 100, input_index: 1, output_index: 2 },
      {
        swap: { kind: 'DynamicV1', fields: [[{ kind: 'TesseraV', fields: [{ kind: 'Ask' }] }], undefined] },
        percent: 100,
        input_index: 2,
        output_index: 3,
      },
      {
        swap: { kind: 'JupiterRfqV2', fields: [{ kind: 'Bid' }, new Uint8Array([1, 2, 3])] },
        percent: 100,
        input_index: 2,
        output_index: 3,
      },
    ];
    const review = selling(route({ route_plan: plan }));
    assert.deepEqual(objectionsBesidesPrice(review), []);
    const shown = review.transactions[0]?.instructions[0]?.args.find(({ name }) => name === 'route_plan')?.value ?? '';
    assert.match(shown, /Whirlpool\(true\).*HumidiFi\(18446744073709551615, true\).*TesseraV\(Ask\)/);
  });
});
