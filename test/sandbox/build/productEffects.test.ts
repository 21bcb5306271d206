import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Address } from '../../../src/base/solana/address';
import { DAMM_INSTRUCTIONS } from '../../../src/base/solana/generated/dammInstructions';
import { encodeInstruction, instructionNamed } from '../../../src/base/solana/instructionCodec';
import { associatedTokenAddress, dammPosition, dammPositionNftAccount, dammVault, eventAuthority } from '../../../src/base/solana/pda';
import { DAMM_POOL_AUTHORITY, PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { parseTransaction, type WireTransaction } from '../../../src/base/solana/wireTransaction';
import { buildAdd, buildDecrease } from '../../../src/engine/assembly/buildTransactions';
import { readEffects } from '../../../src/sandbox/build/readEffects';
import type { BuildEffect } from '../../../src/sandbox/build/types';
import { PlanError } from '../../../src/engine/assembly/types';
import { assertRefused, effectsOf, exchanged, withData } from '../../support/sandbox/build/hostile';
import {
  addressOf,
  NFT_MINT,
  OTHER_MINT,
  OWNER,
  productAddPlan,
  productDecreasePlan,
  SOL_USDC,
  TOKEN_SOL,
} from '../../support/sandbox/build/plans';

const BLOCKHASH = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';
const MAX_U64 = 2n ** 64n - 1n;
const U64 = fc.bigInt(1n, MAX_U64);
const LIQUIDITY = fc.bigInt(1n, 2n ** 128n - 1n);
const SLIPPAGE_BPS = fc.integer({ min: 0, max: 10_000 });
const NFT_ACCOUNT = dammPositionNftAccount(NFT_MINT);

describe('Effects in constant-product pools', function () {
  describe('Withdrawals', () => {
    const plans = fc.record({
      shareBps: fc.integer({ min: 1, max: 10_000 }),
      liquidity: LIQUIDITY,
      amountX: U64,
      amountY: U64,
      slippageBps: SLIPPAGE_BPS,
    });
    for (const whole of [true, false]) {
      it(`The effects of a withdrawal of ${whole ? 'all' : 'a part'} match its plan`, () => {
        fc.assert(
          fc.property(plans, ({ shareBps, ...drawn }) => {
            const plan = productDecreasePlan(BLOCKHASH, {
              ...drawn,
              shareBps: whole ? 10_000 : Math.min(shareBps, 9_999),
              pool: SOL_USDC,
              swaps: [],
            });
            const who = { owner: OWNER.address, pool: SOL_USDC.pool, position: plan.position };
            const least = (amount: bigint): bigint => (amount * BigInt(10_000 - plan.slippageBps)) / 10_000n;
            const expected: BuildEffect[] = [
              {
                kind: 'removeProductLiquidity',
                ...who,
                nftAccount: NFT_ACCOUNT,
                liquidity: whole ? 'all' : plan.liquidity,
                minimumX: least(plan.amountX),
                minimumY: least(plan.amountY),
              },
              { kind: 'claimProductFee', ...who, nftAccount: NFT_ACCOUNT },
              ...(whole ? [{ kind: 'closeProductPosition' as const, ...who, nftMint: NFT_MINT }] : []),
            ];
            assert.deepEqual(effectsOf(buildDecrease(plan)), expected);
          }),
          { numRuns: 40 },
        );
      });
    }

    it('A withdrawal of a position with only fees left removes no liquidity', () => {
      const kinds = effectsOf(buildDecrease(productDecreasePlan(BLOCKHASH, { liquidity: 0n, amountX: 0n, amountY: 0n, swaps: [] }))).map(
        ({ kind }) => kind,
      );
      assert.deepEqual(kinds, ['claimProductFee', 'closeProductPosition']);
    });
  });

  it('The effects of a deposit match its plan', () => {
    const plans = fc.record({
      liquidity: LIQUIDITY,
      amountX: U64,
      amountY: U64,
      slippageBps: SLIPPAGE_BPS,
      positionSeed: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    });
    fc.assert(
      fc.property(plans, (drawn) => {
        const plan = productAddPlan(BLOCKHASH, { ...drawn, swaps: [] });
        const built = buildAdd(plan);
        assert.ok(built.nftMint !== undefined);
        assert.equal(built.position, dammPosition(built.nftMint));
        const who = { owner: OWNER.address, pool: TOKEN_SOL.pool, position: built.position };
        const [made, added, ...more] = effectsOf(built);
        assert.deepEqual(more, []);
        assert.deepEqual(made, { kind: 'createProductPosition', ...who, nftMint: built.nftMint });
        assert.ok(added?.kind === 'addProductLiquidity');
        const { maximumX, maximumY, ...rest } = added;
        assert.deepEqual(rest, {
          kind: 'addProductLiquidity',
          ...who,
          nftAccount: dammPositionNftAccount(built.nftMint),
          liquidity: plan.liquidity,
        });
        for (const [most, amount] of [
          [maximumX, plan.amountX],
          [maximumY, plan.amountY],
        ] as const) {
          const allowed = amount * BigInt(10_000 + plan.slippageBps);
          assert.ok(most === MAX_U64 ? allowed >= 10_000n * (MAX_U64 - 1n) : most * 10_000n >= allowed && (most - 1n) * 10_000n < allowed);
        }
      }),
      { numRuns: 40 },
    );
  });

  describe('Rejected effects', () => {
    const [whole] = transactionsOf(buildDecrease(productDecreasePlan(BLOCKHASH)).closeTransactions);
    const [part] = transactionsOf(buildDecrease(productDecreasePlan(BLOCKHASH, { shareBps: 5_000 })).closeTransactions);
    const built = buildAdd(productAddPlan(BLOCKHASH));
    const [entry] = transactionsOf(built.addTransactions);
    const stranger = addressOf(99);
    const { pool } = TOKEN_SOL;

    const foreign: readonly (readonly [string, Address])[] = [
      ["another's account for token X", associatedTokenAddress(OWNER.address, OTHER_MINT)],
      ["another's account for token Y", associatedTokenAddress(OWNER.address, WRAPPED_SOL_MINT)],
      ['a vault that is not of the pool', dammVault(pool, OTHER_MINT)],
      ['another pool', pool],
      ['a pool authority that is not', DAMM_POOL_AUTHORITY],
      ['an event authority that is not', eventAuthority(PROGRAMS.dammV2)],
    ];
    for (const [what, replaced] of foreign) {
      it(`Reading effects rejects ${what}`, () => {
        for (const transaction of [whole, part]) {
          assertRefused(exchanged(transaction, replaced, stranger), /where \w+ belongs$/);
        }
      });
    }

    it('Reading effects rejects a position or an NFT account that does not belong to the mint', () => {
      for (const replaced of [dammPosition(NFT_MINT), NFT_ACCOUNT]) {
        assertRefused(exchanged(whole, replaced, stranger), /^close_position has .+ where .+ belongs$/);
      }
      assert.ok(built.nftMint !== undefined);
      for (const replaced of [built.position, dammPositionNftAccount(built.nftMint)]) {
        assertRefused(exchanged(entry, replaced, stranger), /^create_position has .+ where .+ belongs$/);
      }
    });

    it('Reading effects rejects rent to a stranger and a position made for or paid by a stranger', () => {
      assertRefused(accountOfRole(whole, 'close_position', 'rent_receiver', pool), /^close_position has .+ as rent_receiver/);
      assertRefused(accountOfRole(entry, 'create_position', 'owner', pool), /^create_position has .+ as payer/);
      assertRefused(accountOfRole(entry, 'create_position', 'payer', pool), /^create_position has .+ as payer/);
    });

    it('Reading effects rejects an NFT under another program than Token-2022', () => {
      assertRefused(exchanged(whole, PROGRAMS.token2022, stranger), /^close_position has .+ as token_program/);
    });

    it('Reading effects rejects a missing signature of the owner or of the mint key', () => {
      assert.ok(whole !== undefined && entry !== undefined);
      assertRefused({ ...whole, requiredSignatures: 0, readonlyUnsigned: 0 }, /needs the signature of signer$/);
      assertRefused({ ...entry, requiredSignatures: 1, readonlyUnsigned: 0 }, /needs the signature of position_nft_mint$/);
    });

    it('Reading effects rejects instruction data of the wrong length', () => {
      for (const transaction of [whole, part]) {
        assertRefused(
          withData(transaction, (data) => Uint8Array.of(...data, 0)),
          /Bytes follow/,
        );
        assertRefused(
          withData(transaction, (data) => data.subarray(0, data.length - 1)),
          /cut short/,
        );
      }
      const nothing = encodeInstruction(instructionNamed(DAMM_INSTRUCTIONS, 'remove_liquidity'), {
        params: { liquidity_delta: 0n, token_a_amount_threshold: 0n, token_b_amount_threshold: 0n },
      });
      assertRefused(
        withData(part, () => nothing),
        /^remove_liquidity: /,
      );
    });

    it('Reading effects rejects too many or too few accounts', () => {
      assertRefused(
        accountsOf(part, (indexes) => [...indexes, 0]),
        /^remove_liquidity has 16 accounts; it takes 15$/,
      );
      assertRefused(
        accountsOf(part, (indexes) => indexes.slice(0, -1)),
        /^remove_liquidity has 14 accounts; it takes 15$/,
      );
      assertRefused(
        accountsOf(part, (indexes) => indexes.slice(0, 4)),
        /^remove_liquidity has no account for /,
      );
    });

    it('Reading effects rejects unsupported instructions and another program id', () => {
      for (const name of ['swap', 'lock_position', 'split_position', 'permanent_lock_position']) {
        const { discriminator } = instructionNamed(DAMM_INSTRUCTIONS, name);
        assertRefused(
          withData(whole, () => Buffer.from(discriminator, 'hex')),
          new RegExp(`^The sandbox does not carry out ${name} of program cpam`),
        );
      }
      assertRefused(
        withData(whole, () => new Uint8Array(8)),
        /^The sandbox does not carry out this instruction of program cpam/,
      );
      assertRefused(exchanged(part, PROGRAMS.dammV2, PROGRAMS.dlmm), /of program LBUZ/);
    });

    it('Instructions of an unknown program have no effects', () => {
      assert.ok(part !== undefined && readEffects(part).length > 0);
      assert.deepEqual(readEffects(exchanged(part, PROGRAMS.dammV2, stranger)), []);
    });
  });

  describe('Plans out of bounds', () => {
    const bad: readonly (readonly [string, () => unknown])[] = [
      ['a share of nothing', () => buildDecrease(productDecreasePlan(BLOCKHASH, { shareBps: 0 }))],
      ['more than all', () => buildDecrease(productDecreasePlan(BLOCKHASH, { shareBps: 10_001 }))],
      ['a part of nothing', () => buildDecrease(productDecreasePlan(BLOCKHASH, { shareBps: 5_000, liquidity: 0n }))],
      ["another NFT's position", () => buildDecrease(productDecreasePlan(BLOCKHASH, { position: addressOf(50) }))],
      ['more slippage than there is', () => buildDecrease(productDecreasePlan(BLOCKHASH, { slippageBps: 10_001 }))],
      ['an amount below zero', () => buildDecrease(productDecreasePlan(BLOCKHASH, { amountX: -1n }))],
      ['no liquidity to add', () => buildAdd(productAddPlan(BLOCKHASH, { liquidity: 0n }))],
      ['liquidity of 129 bits', () => buildAdd(productAddPlan(BLOCKHASH, { liquidity: 2n ** 128n }))],
      ['an amount of 65 bits', () => buildAdd(productAddPlan(BLOCKHASH, { amountY: 2n ** 64n }))],
      ['a short seed', () => buildAdd(productAddPlan(BLOCKHASH, { positionSeed: new Uint8Array(31) }))],
    ];
    for (const [what, build] of bad) {
      it(`Building rejects a plan out of bounds: ${what}`, () => assert.throws(build, PlanError));
    }
  });
});

function transactionsOf(bytes: readonly Uint8Array[]): WireTransaction[] {
  return bytes.map((of) => parseTransaction(of));
}

/** Changes the accounts of the first instruction of the DAMM v2 program, or of the one that begins so. */
function accountsOf(
  transaction: WireTransaction | undefined,
  change: (indexes: readonly number[]) => readonly number[],
  discriminator = '',
): WireTransaction {
  assert.ok(transaction !== undefined);
  const program = transaction.staticKeys.indexOf(PROGRAMS.dammV2);
  const at = transaction.instructions.findIndex(
    ({ programIdIndex, data }) => programIdIndex === program && Buffer.from(data).toString('hex').startsWith(discriminator),
  );
  assert.ok(at >= 0);
  return {
    ...transaction,
    instructions: transaction.instructions.map((one, index) =>
      index === at ? { ...one, accountIndexes: change(one.accountIndexes) } : one,
    ),
  };
}

/** Puts another account of the transaction into a role of an instruction. */
function accountOfRole(transaction: WireTransaction | undefined, name: string, role: string, account: Address): WireTransaction {
  const { accounts, discriminator } = instructionNamed(DAMM_INSTRUCTIONS, name);
  const place = accounts.findIndex((of) => of.name === role);
  const index = transaction?.staticKeys.indexOf(account) ?? -1;
  assert.ok(place >= 0 && index >= 0);
  return accountsOf(transaction, (indexes) => indexes.map((given, at) => (at === place ? index : given)), discriminator);
}
