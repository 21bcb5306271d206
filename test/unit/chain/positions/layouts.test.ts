import assert from 'node:assert/strict';
import * as z from 'zod';
import { BIN_LAYOUT, POSITION_DISCRIMINATOR, POSITION_LAYOUT } from '../../../../src/chain/positions/dlmmAccounts';
import { PAIR_DISCRIMINATOR, PAIR_LAYOUT, PAIR_REWARD_LAYOUT } from '../../../../src/chain/positions/dlmmRewards';
import { dlmmSdk } from '../../../support/base/solana/packages';

type FieldType = string | { readonly defined: { readonly name: string } } | { readonly array: readonly [FieldType, number] };
const FieldType: z.ZodType<FieldType> = z.lazy(() =>
  z.union([z.string(), z.object({ defined: z.object({ name: z.string() }) }), z.object({ array: z.tuple([FieldType, z.number()]) })]),
);
const Struct = z.object({
  name: z.string(),
  type: z.object({ kind: z.literal('struct'), fields: z.array(z.object({ name: z.string(), type: FieldType })) }),
});
const Idl = z.object({
  accounts: z.array(z.object({ name: z.string(), discriminator: z.array(z.number()) })),
  types: z.array(z.looseObject({ name: z.string() })),
});
const BYTES: Readonly<Record<string, number>> = { u8: 1, bool: 1, u16: 2, i16: 2, u32: 4, i32: 4, u64: 8, i64: 8, u128: 16, pubkey: 32 };
const DISCRIMINATOR_BYTES = 8;

describe('Offsets in the accounts of DLMM', () => {
  const idl = Idl.parse(dlmmSdk().IDL);

  it("The offsets of fields are those of the SDK's IDL", () => {
    const position = offsetsOf('PositionV2', DISCRIMINATOR_BYTES);
    assert.deepEqual(POSITION_LAYOUT, {
      pool: position['lb_pair'],
      owner: position['owner'],
      shares: position['liquidity_shares'],
      rewards: position['reward_infos'],
      fees: position['fee_infos'],
      lowerBinId: position['lower_bin_id'],
      upperBinId: position['upper_bin_id'],
      claimedX: position['total_claimed_fee_x_amount'],
      claimedY: position['total_claimed_fee_y_amount'],
      moreBins: DISCRIMINATOR_BYTES + bytesOf({ defined: { name: 'PositionV2' } }),
    });
    const bin = offsetsOf('Bin', 0);
    assert.deepEqual(BIN_LAYOUT, {
      bins: offsetsOf('BinArray', DISCRIMINATOR_BYTES)['bins'],
      bytes: bytesOf({ defined: { name: 'Bin' } }),
      amountX: bin['amount_x'],
      amountY: bin['amount_y'],
      supply: bin['liquidity_supply'],
      rewards: bin['fulfilled_order_amount_x'],
      feeX: bin['fee_amount_x_per_token_stored'],
      feeY: bin['fee_amount_y_per_token_stored'],
    });
    const pair = offsetsOf('LbPair', DISCRIMINATOR_BYTES);
    assert.deepEqual(PAIR_LAYOUT, {
      functionType: (pair['parameters'] ?? NaN) + (offsetsOf('StaticParameters', 0)['function_type'] ?? NaN),
      activeBinId: pair['active_id'],
      rewards: pair['reward_infos'],
      bytes: DISCRIMINATOR_BYTES + bytesOf({ defined: { name: 'LbPair' } }),
    });
    const reward = offsetsOf('RewardInfo', 0);
    assert.deepEqual(PAIR_REWARD_LAYOUT, {
      mint: reward['mint'],
      vault: reward['vault'],
      end: reward['reward_duration_end'],
      rate: reward['reward_rate'],
      lastUpdate: reward['last_update_time'],
      bytes: bytesOf({ defined: { name: 'RewardInfo' } }),
    });
    assert.deepEqual([...PAIR_DISCRIMINATOR], idl.accounts.find(({ name }) => name === 'LbPair')?.discriminator);
    assert.deepEqual([...POSITION_DISCRIMINATOR], idl.accounts.find(({ name }) => name === 'PositionV2')?.discriminator);
  });

  function fieldsOf(name: string): z.output<typeof Struct>['type']['fields'] {
    return Struct.parse(idl.types.find((type) => type.name === name)).type.fields;
  }

  function bytesOf(type: FieldType): number {
    if (typeof type === 'string') {
      const bytes = BYTES[type];
      assert.ok(bytes !== undefined, type);
      return bytes;
    }
    return 'array' in type
      ? type.array[1] * bytesOf(type.array[0])
      : fieldsOf(type.defined.name).reduce((sum, field) => sum + bytesOf(field.type), 0);
  }

  function offsetsOf(name: string, from: number): Readonly<Record<string, number>> {
    let place = from;
    return Object.fromEntries(
      fieldsOf(name).map((field) => {
        const at = place;
        place += bytesOf(field.type);
        return [field.name, at];
      }),
    );
  }
});
