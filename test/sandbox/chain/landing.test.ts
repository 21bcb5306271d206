import assert from 'node:assert/strict';
import { associatedTokenAddress } from '../../../src/solana/derive';
import { PROGRAMS, RENT_LAMPORTS, WRAPPED_SOL_MINT } from '../../../src/solana/programs';
import type { WireTransaction } from '../../../src/solana/wire';
import { buildAdd } from '../../../src/sandbox/build/buildAdd';
import { buildDecrease } from '../../../src/sandbox/build/buildDecrease';
import { readEffects } from '../../../src/sandbox/build/readEffects';
import { SLOT_MS } from '../../../src/sandbox/chain/chain';
import { EffectError, type BundleResult, type Chain } from '../../../src/sandbox/chain/types';
import { addPlan, decreasePlan, OTHER_MINT, OWNER } from '../build/plans';
import { newChain, NOON, noEffects, signed, testKey, transfer, unsigned } from './support';

const SOL = 1_000_000_000n;
const SOMEBODY = testKey(2);
const FEE_OF_ONE_SIGNATURE = 5_000n;

describe('chain: landing', () => {
  let chain: Chain;
  let blockhash: string;

  beforeEach(() => {
    chain = newChain();
    chain.createMint(OTHER_MINT, 6);
    chain.setLamports(OWNER.address, 10n * SOL);
    blockhash = chain.latestBlockhash().blockhash;
  });

  function pay(lamports: bigint, to = SOMEBODY.address): Uint8Array {
    return signed(unsigned(OWNER.address, blockhash, [transfer(OWNER.address, to, lamports)]), OWNER);
  }

  function land(...transactions: Uint8Array[]): BundleResult {
    return chain.land(transactions, noEffects);
  }

  it('moves SOL and takes the fee, by legacy and by v0 transactions', () => {
    for (const version of ['legacy', 0] as const) {
      const before = chain.lamports(OWNER.address);
      const result = land(signed(unsigned(OWNER.address, blockhash, [transfer(OWNER.address, SOMEBODY.address, SOL)], version), OWNER));
      assert.equal(result.kind, 'landed');
      assert.equal(result.feeLamports, FEE_OF_ONE_SIGNATURE);
      assert.equal(chain.lamports(OWNER.address), before - SOL - FEE_OF_ONE_SIGNATURE);
    }
    assert.equal(chain.lamports(SOMEBODY.address), 2n * SOL);
  });

  describe('a withdrawal to SOL', () => {
    const WITHDRAWN = { x: 5_000_000n, sol: 2n * SOL };
    const SWAPPED_SOL = 90_000_000n;

    beforeEach(() => {
      chain.setProgramAccount(decreasePlan(blockhash).position, { owner: PROGRAMS.dlmm, lamports: RENT_LAMPORTS.position, data: new Uint8Array(8_120) });
    });

    /** Does what the market would do for {@link decreasePlan}. */
    function applyEffects(transaction: WireTransaction): void {
      for (const effect of readEffects(transaction)) {
        switch (effect.kind) {
          case 'removeLiquidity':
            chain.credit(effect.owner, OTHER_MINT, WITHDRAWN.x);
            chain.credit(effect.owner, WRAPPED_SOL_MINT, WITHDRAWN.sol);
            break;
          case 'closePosition':
            chain.setProgramAccount(effect.position, undefined);
            chain.setLamports(effect.owner, chain.lamports(effect.owner) + RENT_LAMPORTS.position);
            break;
          case 'swap':
            chain.credit(effect.owner, effect.inputMint, -effect.inAmount);
            chain.credit(effect.owner, effect.outputMint, SWAPPED_SOL);
            break;
          default:
        }
      }
    }

    function bundle(): Uint8Array[] {
      const { closeTransactions, swapTransactions } = buildDecrease(decreasePlan(blockhash));
      return [...closeTransactions, ...swapTransactions].map((bytes) => signed(bytes, OWNER));
    }

    it('lands with its effects: the position is gone, its SOL is unwrapped, the tip is paid', () => {
      const { account: tipAccount } = decreasePlan(blockhash).tip;
      const tipsBefore = chain.lamports(tipAccount);
      const before = chain.lamports(OWNER.address);

      const result = chain.land(bundle(), applyEffects);

      assert.equal(result.kind, 'landed', JSON.stringify(result, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)));
      assert.equal(result.signatures.length, 3);
      assert.ok(result.feeLamports > 3n * FEE_OF_ONE_SIGNATURE, 'the priority fee is among the fees');
      assert.equal(chain.hasAccount(decreasePlan(blockhash).position), false);
      assert.equal(chain.tokenBalance(OWNER.address, OTHER_MINT), 0n);
      assert.equal(chain.hasAccount(associatedTokenAddress(OWNER.address, WRAPPED_SOL_MINT)), false);
      assert.equal(chain.lamports(tipAccount), tipsBefore + 20_000n);
      // The rent of the token's account stays in it; that of the position and of wrapped SOL came back.
      const gained = WITHDRAWN.sol + SWAPPED_SOL + RENT_LAMPORTS.position - RENT_LAMPORTS.tokenAccount - 20_000n - result.feeLamports;
      assert.equal(chain.lamports(OWNER.address), before + gained);
    });

    it('is undone whole, effects and fees included, when the last effect is refused', () => {
      const before = chain.save().accounts;
      const result = chain.land(bundle(), (transaction, index) => {
        applyEffects(transaction);
        if (index === 1) {
          throw new EffectError('The swap gives 1 and has to give 87,300,000');
        }
      });
      assert.deepEqual(result, { kind: 'failed', transaction: 1, reason: 'Transaction 2 failed: The swap gives 1 and has to give 87,300,000' });
      assert.deepEqual(chain.save().accounts, before);
    });

    it('is undone whole when the VM refuses a later transaction', () => {
      const before = chain.save().accounts;
      const tooMuch = signed(unsigned(OWNER.address, blockhash, [transfer(OWNER.address, SOMEBODY.address, 1_000n * SOL)]), OWNER);
      const result = chain.land([...bundle(), tooMuch], applyEffects);
      assert.equal(result.kind, 'failed');
      assert.equal(result.transaction, 3);
      assert.match(result.reason, /^Transaction 4 failed: the program's error 1, in instruction 1 \(System program\); log: Transfer: insufficient lamports/);
      assert.deepEqual(chain.save().accounts, before);
    });

    it('is undone whole when the market throws something else, which is thrown on', () => {
      const before = chain.save().accounts;
      const fault = new TypeError('a fault in the market');
      const applyThenThrow = (transaction: WireTransaction): void => {
        applyEffects(transaction);
        throw fault;
      };
      assert.throws(() => chain.land(bundle(), applyThenThrow), fault);
      assert.deepEqual(chain.save().accounts, before);
      assert.equal(chain.land(bundle(), applyEffects).kind, 'landed', 'the chain is still usable, and the bundle counts as not landed');
    });
  });

  it('lands a deposit that the position has signed too, and takes wrapped SOL out again', () => {
    const { swapTransactions, addTransactions, position } = buildAdd(addPlan(blockhash));
    const before = chain.lamports(OWNER.address);
    const result = chain.land(
      [...swapTransactions, ...addTransactions].map((bytes) => signed(bytes, OWNER)),
      (transaction) => {
        for (const effect of readEffects(transaction)) {
          if (effect.kind === 'swap') {
            chain.credit(effect.owner, effect.inputMint, -effect.inAmount);
            chain.credit(effect.owner, effect.outputMint, effect.quotedOut);
          } else if (effect.kind === 'initializePosition') {
            chain.setProgramAccount(effect.position, { owner: PROGRAMS.dlmm, lamports: RENT_LAMPORTS.position, data: new Uint8Array(8_120) });
            chain.setLamports(effect.owner, chain.lamports(effect.owner) - RENT_LAMPORTS.position);
          } else if (effect.kind === 'addLiquidity') {
            chain.credit(effect.owner, OTHER_MINT, -effect.amountX);
            chain.credit(effect.owner, WRAPPED_SOL_MINT, -(effect.amountY - 1_000n));
          }
        }
      },
    );
    assert.equal(result.kind, 'landed');
    assert.equal(chain.hasAccount(position), true);
    assert.equal(chain.tokenBalance(OWNER.address, OTHER_MINT), 500_000_000n);
    const spent = SOL - 1_000n + RENT_LAMPORTS.position + RENT_LAMPORTS.tokenAccount + 20_000n + result.feeLamports;
    assert.equal(chain.lamports(OWNER.address), before - spent);
  });

  describe('signatures', () => {
    it('refuses a transaction that nobody has signed', () => {
      const result = land(unsigned(OWNER.address, blockhash, [transfer(OWNER.address, SOMEBODY.address, SOL)]));
      assert.deepEqual(result, { kind: 'failed', transaction: 0, reason: `Signature 1 of transaction 1 is missing: ${OWNER.address} has not signed` });
    });

    it("refuses another key's signature", () => {
      const bytes = unsigned(OWNER.address, blockhash, [transfer(OWNER.address, SOMEBODY.address, SOL)]);
      const others = signed(unsigned(SOMEBODY.address, blockhash, [transfer(SOMEBODY.address, OWNER.address, SOL)]), SOMEBODY);
      bytes.set(others.subarray(1, 65), 1);
      assert.match(reasonOf(land(bytes)), /^Signature 1 of transaction 1 is wrong: /);
    });

    it('refuses a message that was changed after it was signed', () => {
      const bytes = pay(SOL);
      const last = bytes.length - 2; // v0 ends with the number of lookup tables; before it, the amount
      bytes[last] = (bytes[last] ?? 0) ^ 1;
      assert.match(reasonOf(land(bytes)), /^Signature 1 of transaction 1 is wrong: /);
    });

    it('refuses a deposit whose position has not signed', () => {
      const { swapTransactions, addTransactions, position } = buildAdd(addPlan(blockhash));
      const [first = new Uint8Array(), ...rest] = addTransactions.map((bytes) => signed(bytes, OWNER));
      const without = first.slice();
      without.fill(0, 1 + 64, 1 + 128);
      const result = chain.land([...swapTransactions.map((bytes) => signed(bytes, OWNER)), without, ...rest], noEffects);
      assert.deepEqual(result, { kind: 'failed', transaction: 1, reason: `Signature 2 of transaction 2 is missing: ${position} has not signed` });
    });

    it('changes nothing by any of this', () => {
      const before = chain.save();
      land(pay(SOL), unsigned(OWNER.address, blockhash, [transfer(OWNER.address, SOMEBODY.address, 2n * SOL)]));
      assert.deepEqual(chain.save(), before);
    });
  });

  describe('time', () => {
    it('lands up to the last valid block height, and not one block later', () => {
      const { lastValidBlockHeight } = chain.latestBlockhash();
      const last = NOON + (lastValidBlockHeight - chain.blockHeight) * SLOT_MS;
      chain.advance(last);
      assert.equal(chain.blockHeight, lastValidBlockHeight);
      assert.equal(land(pay(SOL)).kind, 'landed');
      chain.advance(last + SLOT_MS);
      assert.equal(
        reasonOf(land(pay(2n * SOL))),
        `Transaction 1: blockhash expired: block height ${lastValidBlockHeight + 1} is past ${lastValidBlockHeight}`,
      );
    });

    it('refuses a blockhash that it has not issued', () => {
      blockhash = SOMEBODY.address;
      assert.equal(reasonOf(land(pay(SOL))), `Transaction 1 has a blockhash that is not known: ${SOMEBODY.address}`);
    });

    it('issues one blockhash a slot, each good for 150 blocks, and never goes back', () => {
      const first = chain.latestBlockhash();
      assert.deepEqual(chain.latestBlockhash(), first);
      assert.equal(first.lastValidBlockHeight, chain.blockHeight + 150);
      chain.advance(NOON + SLOT_MS - 1);
      assert.deepEqual(chain.latestBlockhash(), first);
      chain.advance(NOON + SLOT_MS);
      assert.notEqual(chain.latestBlockhash().blockhash, first.blockhash);
      const { slot } = chain;
      chain.advance(NOON);
      assert.equal(chain.slot, slot);
    });
  });

  describe('repetition', () => {
    it('answers the same bundle with the same signatures, for no fee, also when its blockhash has expired', () => {
      const bundle = [pay(SOL), pay(2n * SOL)];
      const first = chain.land(bundle, noEffects);
      assert.equal(first.kind, 'landed');
      const after = chain.lamports(OWNER.address);
      chain.advance(NOON + 1_000 * SLOT_MS);
      assert.deepEqual(chain.land(bundle, () => assert.ok(false, 'effects were applied again')), { kind: 'landed', signatures: first.signatures, feeLamports: 0n });
      assert.equal(chain.lamports(OWNER.address), after);
    });

    it('refuses a transaction that has landed in another bundle', () => {
      assert.equal(land(pay(SOL)).kind, 'landed');
      assert.equal(reasonOf(land(pay(2n * SOL), pay(SOL))), 'Transaction 2 has landed before, in another bundle');
      assert.equal(chain.lamports(SOMEBODY.address), SOL);
    });

    it('refuses a bundle that has a transaction twice', () => {
      assert.equal(reasonOf(land(pay(SOL), pay(SOL))), 'Transaction 2 is in the bundle twice');
    });
  });

  describe('balances', () => {
    it('does not let the same lamports be spent twice', () => {
      assert.equal(land(pay(9n * SOL)).kind, 'landed');
      assert.match(reasonOf(land(pay(9n * SOL, testKey(3).address))), /insufficient lamports/);
      assert.match(reasonOf(land(pay(SOL / 2n), pay(SOL * 6n / 10n))), /^Transaction 2 failed: /);
      assert.equal(chain.lamports(SOMEBODY.address), 9n * SOL);
    });

    it('refuses a fee payer who has nothing', () => {
      const bytes = signed(unsigned(SOMEBODY.address, blockhash, [transfer(SOMEBODY.address, OWNER.address, 1n)]), SOMEBODY);
      assert.equal(reasonOf(land(bytes)), 'Transaction 1 failed: the fee payer does not exist');
    });

    it('refuses to leave an account with less than its rent', () => {
      assert.equal(reasonOf(land(pay(1n))), `Transaction 1 failed: account ${SOMEBODY.address} would be left with less SOL than its rent`);
    });

    it('refuses an empty bundle', () => {
      assert.equal(reasonOf(land()), 'There is no transaction to land');
    });
  });

  it('does not land a bundle within another', () => {
    const inner = pay(2n * SOL);
    assert.throws(() => chain.land([pay(SOL)], () => chain.land([inner], noEffects)), /while another one does/);
    assert.equal(chain.lamports(SOMEBODY.address), 0n);
  });
});

function reasonOf(result: BundleResult): string {
  assert.equal(result.kind, 'failed');
  return result.reason;
}
