import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseTransaction } from '../../../src/solana/wire';
import { buildAdd } from '../../../src/sandbox/build/buildAdd';
import { buildDecrease } from '../../../src/sandbox/build/buildDecrease';
import type { Chain } from '../../../src/sandbox/chain/types';
import { addPlan, decreasePlan, OTHER_MINT, OWNER } from '../build/plans';
import { newChain, noEffects, signed } from './support';

/** The VM ends the process when it is shown malformed bytes: that these tests end at all is what they prove. */
describe('chain: hostile bytes', function () {
  this.timeout(60_000);
  let chain: Chain;
  let valid: Uint8Array[];

  before(() => {
    chain = newChain();
    chain.createMint(OTHER_MINT, 6);
    chain.setLamports(OWNER.address, 1_000_000_000_000n);
    const { blockhash } = chain.latestBlockhash();
    const { closeTransactions, swapTransactions } = buildDecrease(decreasePlan(blockhash));
    const { addTransactions } = buildAdd(addPlan(blockhash));
    valid = [...closeTransactions, ...swapTransactions, ...addTransactions].map((bytes) => signed(bytes, OWNER));
  });

  it('refuses every truncation', () => {
    for (const bytes of valid) {
      for (let length = 0; length < bytes.length; length += 1) {
        assert.equal(chain.land([bytes.subarray(0, length)], noEffects).kind, 'failed');
      }
    }
  });

  it('refuses bytes that follow, and more than a packet holds', () => {
    for (const bytes of valid) {
      assert.equal(chain.land([Uint8Array.of(...bytes, 0)], noEffects).kind, 'failed');
    }
    const result = chain.land([new Uint8Array(1_233).fill(1)], noEffects);
    assert.deepEqual(result, { kind: 'failed', transaction: 0, reason: 'Transaction 1 is malformed: The transaction has 1233 bytes; the network takes at most 1232' });
  });

  it('survives garbage', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1_400 }), (bytes) => {
        assert.equal(chain.land([bytes], noEffects).kind, 'failed');
      }),
      { numRuns: 2_000 },
    );
  });

  it('survives changed bytes: without a new signature nothing lands', () => {
    fc.assert(
      fc.property(fc.nat(), mutations, (which, changes) => {
        const original = valid[which % valid.length] ?? new Uint8Array();
        const bytes = mutated(original, changes);
        fc.pre(!Buffer.from(bytes).equals(original));
        assert.equal(chain.land([bytes], noEffects).kind, 'failed');
      }),
      { numRuns: 3_000 },
    );
  });

  it('survives changed messages that their owner has signed', () => {
    let seenByTheVm = 0;
    fc.assert(
      fc.property(fc.nat(), mutations, (which, changes) => {
        const bytes = resigned(mutated(valid[which % valid.length] ?? new Uint8Array(), changes));
        const result = bytes === undefined ? undefined : chain.land([bytes], noEffects);
        seenByTheVm += result?.kind === 'landed' || (result?.reason.includes('failed: ') ?? false) ? 1 : 0;
      }),
      { numRuns: 3_000 },
    );
    assert.ok(seenByTheVm > 100, `only ${seenByTheVm} of the changed messages came to the VM`);
  });
});

const mutations = fc.array(fc.record({ at: fc.nat(), to: fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff)) }), { minLength: 1, maxLength: 3 });

function mutated(bytes: Uint8Array, changes: readonly { readonly at: number; readonly to: number }[]): Uint8Array {
  const copy = bytes.slice();
  for (const { at, to } of changes) {
    copy[at % copy.length] = to;
  }
  return copy;
}

/** The owner's new signature on what still has the shape of a transaction of the owner's. */
function resigned(bytes: Uint8Array): Uint8Array | undefined {
  try {
    const { staticKeys, requiredSignatures } = parseTransaction(bytes);
    return staticKeys.slice(0, requiredSignatures).includes(OWNER.address) ? signed(bytes, OWNER) : undefined;
  } catch {
    return undefined;
  }
}
