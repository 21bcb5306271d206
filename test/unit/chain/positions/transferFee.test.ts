import assert from 'node:assert/strict';
import { calculateEpochFee, getTransferFeeConfig, unpackMint } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import * as fc from 'fast-check';
import { PROGRAMS } from '../../../../src/base/solana/programs';
import type { RawAccount } from '../../../../src/chain/positions/accounts';
import { afterTransferFee } from '../../../../src/chain/positions/transferFee';
import { addressOf } from '../../../support/chain/madeFacts';

const MINT_BYTES = 82;
const ACCOUNT_TYPE_AT = 165;
const U64 = (1n << 64n) - 1n;

interface Fee {
  readonly epoch: bigint;
  readonly maximum: bigint;
  readonly bps: number;
}

describe('Transfer fees of Token-2022', () => {
  const fee = fc.record({
    epoch: fc.bigInt(0n, 20n),
    maximum: fc.oneof(fc.bigInt(0n, 5_000n), fc.constant(U64)),
    bps: fc.integer({ min: 0, max: 10_000 }),
  });

  it('What arrives is what @solana/spl-token computes, in every epoch and behind other extensions', () => {
    fc.assert(
      fc.property(fee, fee, fc.bigInt(0n, U64), fc.bigInt(0n, 25n), fc.boolean(), (older, newer, amount, epoch, isBehind) => {
        const mint = mintWith(older, newer, isBehind);
        const info = { owner: new PublicKey(mint.program), data: mint.data, lamports: 1, executable: false };
        const config = getTransferFeeConfig(unpackMint(new PublicKey(addressOf('mint')), info, info.owner));
        assert.ok(config !== null);
        assert.equal(afterTransferFee(amount, mint, epoch), amount - calculateEpochFee(config, epoch, amount));
      }),
    );
  });

  it('A mint without the extension, of another program, or that is not there, asks no fee', () => {
    const feeOf = { epoch: 0n, maximum: U64, bps: 100 };
    const mint = mintWith(feeOf, feeOf, false);
    for (const other of [
      undefined,
      { ...mint, program: PROGRAMS.token },
      { ...mint, data: mint.data.subarray(0, MINT_BYTES) },
      { ...mint, data: mint.data.subarray(0, -1) },
    ]) {
      assert.equal(afterTransferFee(1_000n, other, 1n), 1_000n);
    }
    assert.equal(afterTransferFee(1_000n, mint, 1n), 990n);
  });
});

/** A mint of Token-2022. @param isBehind another extension comes first */
function mintWith(older: Fee, newer: Fee, isBehind: boolean): RawAccount {
  const base = Buffer.alloc(ACCOUNT_TYPE_AT + 1);
  base.writeUInt8(6, 44);
  base.writeUInt8(1, 45);
  base.writeUInt8(1, ACCOUNT_TYPE_AT);
  const config = Buffer.alloc(108);
  for (const [place, { epoch, maximum, bps }] of [
    [72, older],
    [90, newer],
  ] as const) {
    config.writeBigUInt64LE(epoch, place);
    config.writeBigUInt64LE(maximum, place + 8);
    config.writeUInt16LE(bps, place + 16);
  }
  // Interest-bearing config: 52 bytes.
  const parts = [...(isBehind ? [extension(10, Buffer.alloc(52))] : []), extension(1, config)];
  return { program: PROGRAMS.token2022, lamports: 1n, data: Buffer.concat([base, ...parts]) };
}

function extension(type: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(value.length, 2);
  return Buffer.concat([head, value]);
}
