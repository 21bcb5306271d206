import assert from 'node:assert/strict';
import { compoundClaiming, ownPositions } from '../../corpus/adds';
import { inputOf } from '../../corpus/attack';
import { reviewOf } from '../../corpus/judge';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { readCase, writeCase } from '../../../src/review/report/caseFormat';
import {
  ADD,
  ADD_SOL,
  addByStrategy,
  claim,
  COMPOUND,
  dlmm,
  FROM_BIN,
  honestAdd,
  honestAddOfSol,
  honestCompound,
  inVersion,
  MINT,
  objections,
  OWN_SOL,
  OWN_TOKEN,
  reviewDrafts,
  VERSIONS,
} from '../../support/review/bundles';
import { addDamm, damm, DAMM_ADD, DAMM_COMPOUND, NFT_MINT } from '../../support/review/meteoraDrafts';
import { RICH, simulated, tokens } from '../../support/review/simulations';

const facts = ownPositions();
const allowed = (review: ReturnType<typeof reviewDrafts>): unknown => [objections(review), review.verdict];

describe('review: deposits into an existing position', () => {
  for (const version of VERSIONS) {
    it(`With an RPC that shows the position, the review allows deposits of tokens, of SOL and of fees (${version})`, () => {
      assert.deepEqual(allowed(reviewDrafts(ADD, [inVersion(version, honestAdd())], undefined, { facts })), [[], 'allow']);
      assert.deepEqual(allowed(reviewDrafts(ADD_SOL, honestAddOfSol(version), undefined, { facts })), [[], 'allow']);
      assert.deepEqual(allowed(reviewDrafts(COMPOUND, [inVersion(version, honestCompound())], undefined, { facts })), [[], 'allow']);
    });
  }

  it('The review allows deposits into DAMM v2 by the address of the position and by the mint of its NFT', () => {
    const deposit = addDamm(4_000_000n, 500_000_000n);
    const known = objections(reviewDrafts(DAMM_ADD, [honestAdd(deposit)], undefined, { facts }));
    assert.deepEqual(
      known.filter((finding) => !finding.endsWith('DAMM-7')),
      [],
    );
    const compound = honestCompound(damm('claim_position_fee'), deposit);
    for (const intent of [DAMM_COMPOUND, { ...DAMM_COMPOUND, position: NFT_MINT }]) {
      const found = objections(reviewDrafts(intent, [compound], undefined, { facts }));
      assert.deepEqual(
        found.filter((finding) => !finding.endsWith('DAMM-7')),
        [],
      );
    }
  });

  it('The review allows a deposit into a part of the bins, claims beside a deposit, and bin arrays that it needs', () => {
    const part = { ...ADD, fromBinId: -10, toBinId: 9 };
    assert.deepEqual(allowed(reviewDrafts(part, [honestAdd(addByStrategy({ from: -10, to: 9 }))], undefined, { facts })), [[], 'allow']);
    const more = honestAdd(claim(), dlmm('initialize_bin_array', { index: 0n }), addByStrategy());
    assert.deepEqual(allowed(reviewDrafts(ADD, [more], undefined, { facts })), [[], 'allow']);
  });

  it('The review allows a compounding in chunks that each claim and deposit their own bins', () => {
    const chunk = (from: number, to: number): ReturnType<typeof honestCompound> =>
      honestCompound(
        dlmm('claim_fee2', { min_bin_id: from, max_bin_id: to, remaining_accounts_info: { slices: [] } }),
        addByStrategy({ from, to, amountX: 2_000_000n, amountY: 250_000_000n }),
      );
    assert.deepEqual(allowed(reviewDrafts(COMPOUND, [chunk(-20, -1), chunk(0, 19)], undefined, { facts })), [[], 'allow']);
  });

  it('The review allows a compounding of a position that takes several claims, where the bins of one of them have earned nothing', () => {
    const wide = { ...COMPOUND, toBinId: FROM_BIN + 70 };
    const known = { facts: ownPositions({ upperBinId: FROM_BIN + 70 }) };
    assert.deepEqual(allowed(reviewDrafts(wide, [honestCompound()], undefined, known)), [[], 'allow']);
    const narrow = { ...COMPOUND, toBinId: FROM_BIN + 69 };
    assert.deepEqual(objections(reviewDrafts(narrow, [honestCompound()], undefined, known)), ['confirm DLMM-7']);
  });

  it('The review allows a compounding of fees that have grown by a tenth, and in the simulation of exactly what is claimed', () => {
    const grown = honestCompound(claim(), addByStrategy({ amountX: 4_400_000n, amountY: 550_000_000n }));
    assert.deepEqual(allowed(reviewDrafts(COMPOUND, [grown], undefined, { facts })), [[], 'allow']);
    const exact = reviewOf(compoundClaiming({ token: 4_000_000n, lamports: 500_000_000n }));
    assert.deepEqual(
      exact.found.filter(({ rule }) => rule === 'ADD-1'),
      [],
    );
  });

  it('Where a node simulates without what the claim calls, the balances decide: what was in the wallet before stays there', () => {
    const own = (token: bigint) => ({ [OWN_TOKEN]: tokens(MINT, token), [OWN_SOL]: tokens(WRAPPED_SOL_MINT, RICH) });
    const found = (after: bigint): string[] => {
      const simulation = { slot: 7n, transactions: [simulated(own(RICH), own(after))] };
      return objections(reviewDrafts(COMPOUND, [honestCompound()], undefined, { facts: ownPositions({}, simulation) }));
    };
    assert.deepEqual(
      found(RICH).filter((one) => !one.startsWith('confirm SIM-6')),
      [],
    );
    assert.ok(found(RICH - 4_000_000n).includes('block SIM-2'), found(RICH - 4_000_000n).join());
  });

  it('A case of the command line keeps what a deposit into a position is of', () => {
    for (const intent of [ADD, ADD_SOL, COMPOUND, DAMM_COMPOUND]) {
      const read = readCase(JSON.parse(JSON.stringify(writeCase(inputOf(intent, [honestCompound()]), 'deposit')))).intent;
      assert.ok(read.kind === 'addLiquidity');
      assert.deepEqual([read.position, read.fees, read.inputLamports], [intent.position, intent.fees, intent.inputLamports]);
    }
  });
});
