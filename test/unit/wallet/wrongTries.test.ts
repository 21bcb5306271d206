import assert from 'node:assert/strict';
import { WrongTries } from '../../../src/wallet/passphrase';
import { OTHER_OWNER, OWNER } from '../../support/portfolio/fixtures';

describe('Wrong passphrases', () => {
  it('The wait starts with the third wrong passphrase in a row, and grows up to a minute', () => {
    const tries = new WrongTries(() => 1_000);
    const waits = Array.from({ length: 12 }, () => {
      tries.wrong(OWNER);
      return tries.waitMs(OWNER);
    });
    assert.deepEqual(waits, [0, 0, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000, 60_000]);
  });

  it('The wait passes with time, and a right passphrase resets it', () => {
    let now = 0;
    const tries = new WrongTries(() => now);
    for (let count = 0; count < 4; count += 1) {
      tries.wrong(OWNER);
    }
    assert.equal(tries.waitMs(OWNER), 4_000);
    now = 3_500;
    assert.equal(tries.waitMs(OWNER), 500);
    now = 4_000;
    assert.equal(tries.waitMs(OWNER), 0);
    tries.right(OWNER);
    tries.wrong(OWNER);
    assert.equal(tries.waitMs(OWNER), 0);
  });

  it('Wrong passphrases count per wallet, and a clock set back causes no longer wait than a minute', () => {
    let now = 10_000_000;
    const tries = new WrongTries(() => now);
    for (let count = 0; count < 3; count += 1) {
      tries.wrong(OWNER);
    }
    assert.equal(tries.waitMs(OTHER_OWNER), 0);
    now = 0;
    assert.equal(tries.waitMs(OWNER), 60_000);
  });
});
