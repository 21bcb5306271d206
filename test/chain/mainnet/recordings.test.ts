import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PROGRAMS } from '../../../src/base/solana/programs';
import { patched, patchOf } from '../../support/mainnet/recording/accountPatch';

const accounts = fc.option(
  fc.record(
    {
      lamports: fc.bigInt(0n, 2n ** 64n - 1n),
      program: fc.constantFrom(PROGRAMS.system, PROGRAMS.dlmm),
      executable: fc.boolean(),
      // Few different bytes, so that two accounts have parts in common.
      data: fc.array(fc.nat(1), { maxLength: 60 }).map((bytes) => Uint8Array.from(bytes)),
    },
    { noNullPrototype: true },
  ),
  { nil: undefined },
);

describe('Recordings of the little mainnet', () => {
  it('The difference between two states of an account, applied to the first one, gives the second one', () => {
    fc.assert(
      fc.property(accounts, accounts, (before, after) => {
        assert.deepEqual(patched(before, patchOf(before, after)), after);
      }),
    );
  });
});
