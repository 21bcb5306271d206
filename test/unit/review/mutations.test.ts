import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { VersionedTransaction } from '@solana/web3.js';
import { addressFromBytes, type Address } from '../../../src/solana/address';
import { base64FromBytes } from '../../../src/solana/base64Transaction';
import { associatedTokenAddress } from '../../../src/solana/derive';
import { DLMM_INSTRUCTIONS } from '../../../src/solana/generated/dlmmInstructions';
import { findInstruction } from '../../../src/solana/instructionCodec';
import { JITO_TIP_ACCOUNTS, PROGRAMS } from '../../../src/solana/programs';
import { reviewOperation } from '../../../src/review/review';
import type { Intent, Review } from '../../../src/review/types';
import { bytesOf, honestZapIn, honestZapOut, NOW_MS, OWN_SOL, OWN_TOKEN, OWNER, ZAP_IN, ZAP_OUT } from './bundles';

// Whatever is done to the bytes of an honest transaction: the review does not throw, and what it still allows pays nobody
// but the owner and the tip. Who is paid is read here with @solana/web3.js and hand-written places, apart from the review.

const CASES: readonly { readonly intent: Intent; readonly bytes: Uint8Array }[] = [
  ...(['legacy', 0] as const).flatMap((version) => [
    ...honestZapOut(version).map((draft) => ({ intent: ZAP_OUT, bytes: bytesOf(draft) })),
    ...honestZapIn(version).map((draft) => ({ intent: ZAP_IN, bytes: bytesOf(draft) })),
  ]),
];

const DLMM_PLACES: Readonly<Record<string, readonly number[]>> = {
  remove_liquidity_by_range2: [3, 4],
  claim_fee2: [5, 6],
  close_position2: [2],
  initialize_position2: [3],
  initialize_bin_array: [],
  add_liquidity_by_strategy2: [3, 4],
};

function review(intent: Intent, bytes: Uint8Array): Review {
  return reviewOperation({ intent, transactions: [{ group: intent.kind === 'zapOut' ? 'close' : 'add', base64: base64FromBytes(bytes) }], lastValidBlockHeight: 1, nowMs: NOW_MS });
}

/** Everybody who gets SOL, tokens, a position or rent, by the places that the programs define. */
function paid(bytes: Uint8Array): Address[] {
  const { message } = VersionedTransaction.deserialize(bytes);
  const keys = message.staticAccountKeys.map((account) => addressFromBytes(account.toBytes()));
  return message.compiledInstructions.flatMap(({ programIdIndex, accountKeyIndexes, data }) => {
    const at = (places: readonly number[]): Address[] => places.flatMap((place) => keys[accountKeyIndexes[place] ?? 256] ?? []);
    switch (keys[programIdIndex]) {
      case PROGRAMS.system:
        return at([1]);
      case PROGRAMS.token:
      case PROGRAMS.token2022:
        return data[0] === 9 || data[0] === 3 ? at([1]) : data[0] === 12 ? at([2]) : [];
      case PROGRAMS.associatedToken:
        return at([2]);
      case PROGRAMS.dlmm: {
        const name = findInstruction(DLMM_INSTRUCTIONS, data)?.name ?? '';
        const places = DLMM_PLACES[name];
        assert.ok(places !== undefined, `allowed the instruction ${name}`);
        return at(places);
      }
      case PROGRAMS.jupiterV6:
        return at([3, 4]);
      case PROGRAMS.computeBudget:
      case PROGRAMS.memo:
      case PROGRAMS.memoV1:
        return [];
      default:
        throw new assert.AssertionError({ message: `allowed the program ${keys[programIdIndex] ?? ''}` });
    }
  });
}

function assertSafe(intent: Intent, bytes: Uint8Array): void {
  const { verdict, reviewed } = review(intent, bytes);
  assert.equal(reviewed.length, verdict === 'block' ? 0 : 1);
  if (verdict !== 'allow') {
    return;
  }
  const { message } = VersionedTransaction.deserialize(bytes);
  const mints = message.staticAccountKeys.map((account) => addressFromBytes(account.toBytes()));
  const mine = new Set<Address>([OWNER, OWN_TOKEN, OWN_SOL, PROGRAMS.jupiterV6, ...JITO_TIP_ACCOUNTS]);
  for (const account of paid(bytes)) {
    const isMine = mine.has(account) || mints.some((mint) => [PROGRAMS.token, PROGRAMS.token2022].some((program) => associatedTokenAddress(OWNER, mint, program) === account));
    assert.ok(isMine, `allowed money for ${account}`);
  }
}

describe('review of spoilt bytes', function () {
  this.timeout(60_000);

  it('starts from transactions that are allowed', () => {
    for (const { intent, bytes } of CASES.slice(0, 3)) {
      assert.equal(review(intent, bytes).verdict, 'allow');
      assertSafe(intent, bytes);
    }
  });

  it('survives any change of one byte, and allows no other recipient', () => {
    fc.assert(
      fc.property(fc.nat({ max: CASES.length - 1 }), fc.nat(), fc.integer({ min: 1, max: 255 }), (which, place, mask) => {
        const { intent, bytes } = CASES[which] ?? { intent: ZAP_OUT, bytes: new Uint8Array() };
        const spoilt = bytes.slice();
        const at = place % spoilt.length;
        spoilt[at] = (spoilt[at] ?? 0) ^ mask;
        assertSafe(intent, spoilt);
      }),
      { numRuns: 600 },
    );
  });

  it('survives bytes that are cut out, doubled or moved in', () => {
    fc.assert(
      fc.property(fc.nat({ max: CASES.length - 1 }), fc.nat(), fc.nat({ max: 80 }), fc.uint8Array({ maxLength: 80 }), (which, place, length, inserted) => {
        const { intent, bytes } = CASES[which] ?? { intent: ZAP_OUT, bytes: new Uint8Array() };
        const at = place % bytes.length;
        assertSafe(intent, Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + length)]));
      }),
      { numRuns: 250 },
    );
  });

  it('survives any exchange of two accounts', () => {
    fc.assert(
      fc.property(fc.nat({ max: CASES.length - 1 }), fc.nat(), fc.nat(), (which, one, other) => {
        const { intent, bytes } = CASES[which] ?? { intent: ZAP_OUT, bytes: new Uint8Array() };
        const { message } = VersionedTransaction.deserialize(bytes);
        const keys = message.staticAccountKeys;
        const first = bytes.length - message.serialize().length + (message.version === 'legacy' ? 4 : 5);
        const placeOf = (index: number): number => first + 32 * (index % keys.length);
        const spoilt = bytes.slice();
        spoilt.set(bytes.subarray(placeOf(other), placeOf(other) + 32), placeOf(one));
        spoilt.set(bytes.subarray(placeOf(one), placeOf(one) + 32), placeOf(other));
        assertSafe(intent, spoilt);
      }),
      { numRuns: 250 },
    );
  });

  it('survives anything at all', () => {
    fc.assert(fc.property(fc.uint8Array({ minLength: 1, maxLength: 1_300 }), (bytes) => assertSafe(ZAP_OUT, bytes)), { numRuns: 250 });
  });
});
