import assert from 'node:assert/strict';
import { TransactionInstruction } from '@solana/web3.js';
import type { Arguments } from '../../../src/solana/instructionCodec';
import { JUPITER_INSTRUCTIONS } from '../../../src/solana/jupiterInstructions';
import { PROGRAMS } from '../../../src/solana/programs';
import type { Review, ZapOutIntent } from '../../../src/review/types';
import { addressOf, buyToken, MINT, objections, OWN_TOKEN, OWNER, reviewDrafts, ROUTE_PLAN, route, THIEF, ZAP_IN, ZAP_OUT } from './bundles';

const selling = (instruction: TransactionInstruction, intent: ZapOutIntent = ZAP_OUT): Review => reviewDrafts(intent, [{ group: 'swap', instructions: [instruction] }]);
const buying = (instruction: TransactionInstruction): Review => reviewDrafts(ZAP_IN, [{ group: 'swap', instructions: [instruction] }]);

/** A copy with other data. */
function withData({ keys, programId, data }: TransactionInstruction, change: (data: Buffer) => Buffer): TransactionInstruction {
  return new TransactionInstruction({ keys, programId, data: change(Buffer.from(data)) });
}

/** The plan of the later instructions, whose shares are in basis points. */
const PLAN_V2 = [{ swap: { kind: 'MeteoraDlmm' }, bps: 10_000, input_index: 0, output_index: 1 }];
const planOf = (name: string): Arguments => ({ route_plan: name.endsWith('_v2') ? PLAN_V2 : ROUTE_PLAN });

describe('review: Jupiter (SWP)', () => {
  it('takes every instruction that swaps a known amount', () => {
    for (const { name } of JUPITER_INSTRUCTIONS.filter((layout) => !layout.name.includes('ledger'))) {
      const review = selling(route(planOf(name), {}, name));
      assert.deepEqual(objections(review), [], name);
      const expected = name.includes('exact_out') ? 400_000_000n : 388_000_000n;
      assert.deepEqual(review.minimumOut.map(({ amountRaw }) => amountRaw), [expected], name);
      const spent = name.includes('exact_out') ? 5_150_000n : 5_000_000n;
      assert.deepEqual(review.tokenSpends.map(({ mint, amountRaw }) => [mint, amountRaw]), [[MINT, spent]], name);
    }
  });

  it('SWP-0: refuses other instructions of the router', () => {
    for (const discriminator of ['3ec6d6c1d59f6cd2', '93f17b64f484ae76', 'cb816785c57d6b56', 'e455b9704e4f4d02', '0000000000000000']) {
      assert.deepEqual(objections(selling(withData(route(), () => Buffer.from(discriminator, 'hex')))), ['block SWP-0']);
    }
    assert.deepEqual(objections(selling(withData(route(), () => Buffer.alloc(0)))), ['block SWP-0']);
  });

  it('SWP-1: refuses results that go elsewhere, in every form', () => {
    for (const { name } of JUPITER_INSTRUCTIONS.filter((layout) => !layout.name.includes('ledger'))) {
      const roles = ['user_destination_token_account', 'destination_token_account'].filter((role) =>
        JUPITER_INSTRUCTIONS.some((layout) => layout.name === name && layout.accounts.some((account) => account.name === role)),
      );
      for (const role of roles) {
        assert.deepEqual(objections(selling(route(planOf(name), { [role]: addressOf('their account') }, name))), ['block SWP-1'], `${name} ${role}`);
      }
    }
  });

  it('SWP-1: the program\'s id stands for "none" only where an account is optional', () => {
    assert.deepEqual(objections(selling(route({}, { user_destination_token_account: PROGRAMS.jupiterV6 }))), ['block SWP-1']);
  });

  it('SWP-1: refuses swaps for others', () => {
    assert.ok(objections(selling(route({}, { user_transfer_authority: THIEF }))).includes('block SWP-1'));
  });

  it('SWP-2: asks about more slippage than allowed, and refuses far more', () => {
    assert.deepEqual(objections(selling(route({ slippage_bps: 300 }))), []);
    assert.deepEqual(objections(selling(route({ slippage_bps: 301 }))), ['confirm SWP-2']);
    assert.deepEqual(objections(selling(route({ slippage_bps: 5_001 }))), ['block SWP-2']);
    assert.deepEqual(objections(selling(route({ slippage_bps: 5_001 }), { ...ZAP_OUT, slippageBps: 10_000 })), ['block SWP-2']);
  });

  it('SWP-3: refuses no result at all, and asks about next to none', () => {
    assert.deepEqual(objections(selling(route({ quoted_out_amount: 0n }))), ['block SWP-3']);
    assert.deepEqual(objections(selling(route({ quoted_out_amount: 1_030n }))), ['confirm SWP-3']);
    assert.deepEqual(objections(selling(route({ quoted_out_amount: 1_031n }))), []);
    assert.ok(objections(selling(route({ slippage_bps: 10_000 }))).includes('block SWP-3'));
    assert.ok(objections(selling(route({ slippage_bps: 65_535 }))).includes('block SWP-3'));
  });

  it('SWP-4: asks about fees for the platform, and refuses large ones', () => {
    const review = selling(route({ platform_fee_bps: 1 }, { platform_fee_account: THIEF }));
    assert.deepEqual(objections(review), ['confirm SWP-4']);
    assert.deepEqual(review.recipients, [{ address: THIEF, role: 'platform fee' }]);
    const later = (fee: number): string[] => objections(selling(route({ route_plan: PLAN_V2, platform_fee_bps: fee }, {}, 'route_v2')));
    assert.deepEqual(later(1_000), ['confirm SWP-4']);
    assert.deepEqual(later(1_001), ['block SWP-4']);
  });

  it('SWP-5: refuses bytes behind the arguments, and arguments that are cut short', () => {
    assert.deepEqual(objections(selling(withData(route(), (data) => Buffer.concat([data, Buffer.alloc(19)])))), ['block SWP-5']);
    assert.deepEqual(objections(selling(withData(route(), (data) => data.subarray(0, -1)))), ['block SWP-5']);
    assert.deepEqual(objections(selling(withData(route(), (data) => data.subarray(0, 8)))), ['block SWP-5']);
  });

  it('SWP-5: asks about a way to trade that it does not know, and shows what is claimed', () => {
    const PLAN_BEGIN = 8 + 4;
    const unknown = (data: Buffer): Buffer => {
      data[PLAN_BEGIN] = 0xfe;
      return data;
    };
    const review = selling(withData(route(), unknown));
    assert.deepEqual(objections(review), ['confirm SWP-5']);
    assert.deepEqual(review.minimumOut.map(({ amountRaw }) => amountRaw), [388_000_000n]);
    const later = selling(withData(route({ route_plan: PLAN_V2 }, {}, 'route_v2'), (data) => {
      data[8 + 22 + 4] = 0xfe;
      return data;
    }));
    assert.deepEqual(objections(later), ['confirm SWP-5']);
    assert.deepEqual(later.minimumOut.map(({ amountRaw }) => amountRaw), [388_000_000n]);
    assert.deepEqual(objections(selling(withData(route({ slippage_bps: 5_001 }), unknown))), ['block SWP-2', 'confirm SWP-5']);
  });

  it('SWP-6: asks about tokens that the operation is not about', () => {
    assert.deepEqual(objections(selling(route({}, { user_source_token_account: addressOf('unknown account') }))), ['confirm SWP-6']);
    assert.deepEqual(objections(selling(route({}, { destination_mint: addressOf('another mint') }))), ['confirm SWP-6']);
    assert.deepEqual(objections(buying(route({}, { user_destination_token_account: OWN_TOKEN, destination_mint: MINT }))), ['confirm SWP-6']);
    assert.deepEqual(objections(buying(buyToken())), []);
  });

  it('SWP-6: buys what the user wants to receive', () => {
    const token1 = selling(route(), { ...ZAP_OUT, output: 'allToken1' });
    assert.deepEqual(objections(token1), []);
    assert.deepEqual(objections(selling(route(), { ...ZAP_OUT, output: 'allToken0' })), ['confirm SWP-6']);
    assert.deepEqual(objections(selling(route(), { ...ZAP_OUT, output: 'both' })), ['confirm SWP-6']);
    assert.deepEqual(objections(selling(route(), { ...ZAP_OUT, output: 'allToken1', tokenX: undefined, tokenY: undefined })), ['confirm SWP-6']);
  });

  it('SWP-7: asks about amounts that depend on a balance', () => {
    assert.deepEqual(objections(selling(route({}, {}, 'route_with_token_ledger'))), ['confirm SWP-7']);
    assert.deepEqual(objections(selling(route({}, {}, 'shared_accounts_route_with_token_ledger'))), ['confirm SWP-7']);
  });

  it('LIM-1: what is swapped counts against the input', () => {
    assert.deepEqual(objections(buying(buyToken({ in_amount: 1_010_000_000n }))), []);
    assert.deepEqual(objections(buying(buyToken({ in_amount: 1_010_000_001n }))), ['block LIM-1']);
    const twice = reviewDrafts(ZAP_IN, [{ group: 'swap', instructions: [buyToken(), buyToken({ in_amount: 600_000_000n })] }]);
    assert.deepEqual(objections(twice), ['block LIM-1']);
    assert.equal(twice.intent.owner, OWNER);
  });

  it('reads plans of many steps and kinds', () => {
    const plan = [
      { swap: { kind: 'Whirlpool', fields: [true] }, percent: 40, input_index: 0, output_index: 1 },
      { swap: { kind: 'WhirlpoolSwapV2', fields: [false, { slices: [{ accounts_type: 6, length: 2 }] }] }, percent: 60, input_index: 0, output_index: 1 },
      { swap: { kind: 'HumidiFi', fields: [2n ** 64n - 1n, true] }, percent: 100, input_index: 1, output_index: 2 },
      { swap: { kind: 'DynamicV1', fields: [[{ kind: 'TesseraV', fields: [{ kind: 'Ask' }] }], undefined] }, percent: 100, input_index: 2, output_index: 3 },
      { swap: { kind: 'JupiterRfqV2', fields: [{ kind: 'Bid' }, new Uint8Array([1, 2, 3])] }, percent: 100, input_index: 2, output_index: 3 },
    ];
    const review = selling(route({ route_plan: plan }));
    assert.deepEqual(objections(review), []);
    const shown = review.transactions[0]?.instructions[0]?.args.find(({ name }) => name === 'route_plan')?.value ?? '';
    assert.match(shown, /Whirlpool\(true\).*HumidiFi\(18446744073709551615, true\).*TesseraV\(Ask\)/);
  });
});
