import assert from 'node:assert/strict';
import type { Base64Transaction } from '../../../../src/base/solana/wireTransaction';
import type { Signer } from '../../../../src/wallet/signer';
import { CLOSE, realSigner } from '../../../support/transactions/harness';

type Signable = Parameters<Signer['sign']>[0][number];

/** Checked by the compiler: what the service built is not what a signer takes. */
const canSignWhatWasBuilt: Base64Transaction extends Signable ? true : false = false;

describe('operation: signing gate', () => {
  it('The gate signs only what the review approved, by type and at run time', async () => {
    assert.equal(canSignWhatWasBuilt, false);
    const signer = realSigner();
    const lookAlike = { group: 'close', owner: signer.owner, messageHash: '00', base64: CLOSE };
    for (const forged of [CLOSE, lookAlike]) {
      await assert.rejects(signer.sign([forged as unknown as Signable]), { name: 'SigningError' });
    }
  });
});
