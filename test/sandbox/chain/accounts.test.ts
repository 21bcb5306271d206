import assert from 'node:assert/strict';
import fc from 'fast-check';
import { associatedTokenAddress } from '../../../src/solana/derive';
import { JITO_TIP_ACCOUNTS, PROGRAMS, RENT_LAMPORTS, WRAPPED_SOL_MINT } from '../../../src/solana/programs';
import { SLOT_MS } from '../../../src/sandbox/chain/chain';
import { parseChainState } from '../../../src/sandbox/chain/savedState';
import { EffectError, type Chain } from '../../../src/sandbox/chain/types';
import { newChain, NOON, noEffects, signed, testKey, transfer, unsigned } from './support';

const OWNER = testKey(1);
const SOMEBODY = testKey(2);
const MINT = testKey(3).address;
const POSITION = testKey(4).address;
const SOL = 1_000_000_000n;

describe('chain: accounts', () => {
  let chain: Chain;
  beforeEach(() => {
    chain = newChain();
    chain.createMint(MINT, 6);
    chain.setLamports(OWNER.address, 10n * SOL);
  });

  it('credits tokens, and makes the account where it is missing', () => {
    assert.equal(chain.tokenBalance(OWNER.address, MINT), 0n);
    chain.credit(OWNER.address, MINT, 70n);
    chain.credit(OWNER.address, MINT, -30n);
    assert.equal(chain.tokenBalance(OWNER.address, MINT), 40n);
    assert.equal(chain.lamports(associatedTokenAddress(OWNER.address, MINT)), RENT_LAMPORTS.tokenAccount);
  });

  it('keeps lamports and amount of wrapped SOL in step', () => {
    const at = associatedTokenAddress(OWNER.address, WRAPPED_SOL_MINT);
    fc.assert(
      fc.property(fc.array(fc.bigInt(-5n, 10n), { maxLength: 20 }), (changes) => {
        const fresh = newChain();
        let held = 0n;
        for (const change of changes) {
          if (held + change < 0n) {
            assert.throws(() => fresh.credit(OWNER.address, WRAPPED_SOL_MINT, change), EffectError);
            continue;
          }
          held += change;
          fresh.credit(OWNER.address, WRAPPED_SOL_MINT, change);
          assert.equal(fresh.tokenBalance(OWNER.address, WRAPPED_SOL_MINT), held);
          assert.equal(fresh.lamports(at), RENT_LAMPORTS.tokenAccount + held);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('says who holds too little', () => {
    chain.credit(OWNER.address, MINT, 5n);
    assert.throws(() => chain.credit(OWNER.address, MINT, -6n), new EffectError(`${OWNER.address} holds 5 of ${MINT} (raw), which is not enough for 6`));
    assert.throws(() => chain.setLamports(OWNER.address, -1n), new EffectError(`${OWNER.address} has ${10n * SOL} lamports, which is not enough`));
  });

  it('makes, fills and removes accounts of programs', () => {
    chain.setProgramAccount(POSITION, { owner: PROGRAMS.dlmm, lamports: RENT_LAMPORTS.position, data: Uint8Array.of(1, 2, 3) });
    assert.equal(chain.hasAccount(POSITION), true);
    chain.setProgramAccount(POSITION, undefined);
    assert.equal(chain.hasAccount(POSITION), false);
  });

  it('refuses a mint with impossible decimals, and leaves one that exists as it is', () => {
    assert.throws(() => chain.createMint(testKey(5).address, 256), RangeError);
    const before = chain.save();
    chain.createMint(MINT, 9);
    chain.createMint(WRAPPED_SOL_MINT, 9);
    assert.deepEqual(chain.save(), before);
  });

  describe('saved and restored', () => {
    let bundle: Uint8Array[];
    let restored: Chain;
    beforeEach(() => {
      const { blockhash } = chain.latestBlockhash();
      bundle = [signed(unsigned(OWNER.address, blockhash, [transfer(OWNER.address, SOMEBODY.address, SOL)]), OWNER)];
      chain.credit(OWNER.address, MINT, 123n);
      chain.credit(OWNER.address, WRAPPED_SOL_MINT, 456n);
      chain.setProgramAccount(POSITION, { owner: PROGRAMS.dlmm, lamports: RENT_LAMPORTS.position, data: Uint8Array.of(1, 2, 3) });
      assert.equal(chain.land(bundle, noEffects).kind, 'landed');
      restored = newChain(parseChainState(JSON.parse(JSON.stringify(chain.save()))));
    });

    it('has the same balances and accounts', () => {
      for (const of of [OWNER.address, SOMEBODY.address, POSITION, MINT]) {
        assert.equal(restored.lamports(of), chain.lamports(of));
      }
      assert.equal(restored.tokenBalance(OWNER.address, MINT), 123n);
      assert.equal(restored.tokenBalance(OWNER.address, WRAPPED_SOL_MINT), 456n);
      assert.deepEqual(restored.save(), chain.save());
    });

    it("holds none of the VM's own accounts", () => {
      const saved = new Set<string>(chain.save().accounts.map((account) => account.address));
      assert.equal(saved.has(PROGRAMS.system), false);
      assert.equal(saved.has(PROGRAMS.dlmm), false);
      assert.equal(saved.size, JITO_TIP_ACCOUNTS.length + 6); // owner, somebody, mint, two token accounts, position
    });

    it('still knows what has landed', () => {
      const first = chain.land(bundle, noEffects);
      assert.deepEqual(restored.land(bundle, noEffects), first);
    });

    it('still takes a blockhash that was issued before, as long as it counts', () => {
      const lease = chain.latestBlockhash();
      const next = signed(unsigned(OWNER.address, lease.blockhash, [transfer(OWNER.address, SOMEBODY.address, 2n * SOL)]), OWNER);
      assert.equal(restored.land([next], noEffects).kind, 'landed');
      const later = newChain(chain.save(), NOON + 151 * SLOT_MS);
      const result = later.land([next], noEffects);
      assert.equal(result.kind, 'failed');
      assert.match(result.reason, /blockhash expired/);
    });

    it('has moved on by the slots that passed meanwhile', () => {
      assert.equal(newChain(chain.save(), NOON + 60_000).slot, chain.slot + 150);
      assert.equal(newChain(chain.save(), NOON - 60_000).slot, chain.slot);
    });

    it('refuses what is no saved state', () => {
      assert.throws(() => parseChainState({ ...chain.save(), accounts: [{ address: 'x' }] }));
    });
  });
});
