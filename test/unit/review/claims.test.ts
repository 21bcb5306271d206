import assert from 'node:assert/strict';
import { inputOf } from '../../corpus/attack';
import { claimOfThree, CLAIM_OF_THREE, claimPaying } from '../../corpus/claims';
import { reviewOf } from '../../corpus/judge';
import { readCase, writeCase } from '../../../src/review/report/caseFormat';
import {
  CLAIM,
  claim,
  createAta,
  honestClaim,
  inVersion,
  MINT,
  objections,
  reviewDrafts,
  unwrap,
  VERSIONS,
} from '../../support/review/bundles';
import { damm, DAMM_CLAIM, NFT_MINT } from '../../support/review/meteoraDrafts';

describe('review: claims of fees', () => {
  for (const version of VERSIONS) {
    it(`The review allows a claim of one position, and of three in two pools and both programs (${version})`, () => {
      const one = reviewDrafts(CLAIM, [inVersion(version, honestClaim())]);
      assert.deepEqual([objections(one), one.verdict, one.reviewed.length], [[], 'allow', 1]);
      const three = reviewDrafts(
        CLAIM_OF_THREE,
        claimOfThree().map((draft) => inVersion(version, draft)),
      );
      assert.deepEqual([objections(three), three.verdict, three.reviewed.length], [[], 'allow', 2]);
    });
  }

  it('The review allows a claim in DAMM v2 by the address of the position and by the mint of its NFT', () => {
    const draft = honestClaim(damm('claim_position_fee'));
    assert.deepEqual(objections(reviewDrafts(DAMM_CLAIM, [draft])), []);
    const byMint = { ...DAMM_CLAIM, positions: DAMM_CLAIM.positions.map((place) => ({ ...place, position: NFT_MINT })) };
    assert.deepEqual(objections(reviewDrafts(byMint, [draft])), []);
  });

  it('The review allows claims of parts of the bins, the creation of token accounts, and claims of wrapped SOL that stays wrapped', () => {
    const draft = { ...honestClaim(), instructions: [createAta(MINT), claim(), claim({})] };
    assert.deepEqual(objections(reviewDrafts(CLAIM, [draft])), []);
    assert.deepEqual(objections(reviewDrafts(CLAIM, [honestClaim(createAta(MINT), claim(), unwrap())])), []);
  });

  it('A simulation in which 99% of what was shown arrives is no question, and one with less says both amounts', () => {
    const found = (token: bigint, lamports: bigint): string[] =>
      reviewOf(claimPaying(token, lamports)).found.flatMap(({ rule, verdict }) => (verdict === 'info' ? [] : [`${verdict} ${rule}`]));
    assert.deepEqual(found(990_000n, 79_200_000n), []);
    assert.deepEqual(found(1_500_000n, 90_000_000n), []);
    assert.deepEqual(found(989_999n, 79_199_999n), ['confirm CLM-1', 'confirm CLM-1']);
  });

  it('A case of the command line keeps the positions of a claim and their fees', () => {
    const input = inputOf(CLAIM_OF_THREE, claimOfThree());
    const { intent } = readCase(JSON.parse(JSON.stringify(writeCase(input, 'claim'))));
    assert.deepEqual(intent.kind === 'claim' && intent.positions, CLAIM_OF_THREE.positions);
  });
});
