import assert from 'node:assert/strict';
import type { TransactionInstruction } from '@solana/web3.js';
import fc from 'fast-check';
import * as z from 'zod';
import type { Address } from '../../../src/base/solana/address';
import { associatedTokenAddress } from '../../../src/base/solana/pda';
import { LAMPORTS_PER_SOL, PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { readTokenAccount } from '../../../src/base/solana/tokenAccount';
import type { WireTransaction } from '../../../src/base/solana/wireTransaction';
import { SLOT_MS } from '../../../src/sandbox/chain/machine';
import { EffectError, type Chain } from '../../../src/sandbox/chain/types';
import {
  closeTokenAccount,
  createTokenAccount,
  dlmm,
  lamportsInTable,
  newChain,
  NOON,
  signed,
  syncNative,
  testKey,
  transfer,
  transferTokens,
  unsigned,
  type TestChain,
  type TestKey,
} from '../../support/sandbox/chain/common';

const PEOPLE = [testKey(1), testKey(2), testKey(3)] as const;
const WORLD = testKey(4).address;
const MINT = testKey(5).address;
const POOL = testKey(6).address;
const VAULT = testKey(7).address;
const SUPPLY = 10n ** 12n;

/** What a transaction asks for; the numbers choose among people and amounts. */
interface Step {
  readonly kind: 'pay' | 'wrap' | 'unwrap' | 'open' | 'sendTokens' | 'closeTokens' | 'market';
  readonly to: number;
  readonly amount: bigint;
}

const step = fc.record({
  kind: fc.constantFrom<Step['kind']>(
    'pay',
    'wrap',
    'unwrap',
    'open',
    'sendTokens',
    'sendTokens',
    'closeTokens',
    'market',
    'market',
    'market',
  ),
  to: fc.nat(2),
  amount: fc.oneof({ weight: 6, arbitrary: fc.bigInt(0n, 5_000_000n) }, { weight: 1, arbitrary: fc.bigInt(0n, 20n * LAMPORTS_PER_SOL) }),
});
const transaction = fc.record({
  by: fc.nat(2),
  steps: fc.array(step, { minLength: 1, maxLength: 3 }),
  refuse: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0),
});
const bundles = fc.array(
  fc.record({ transactions: fc.array(transaction, { minLength: 1, maxLength: 2 }), commit: fc.boolean(), simulate: fc.boolean() }),
  { minLength: 1, maxLength: 12 },
);

const TokenRow = z.object({ address: z.string(), program: z.string(), data: z.instanceof(Uint8Array) });

describe('Chain: conservation', function () {
  it('Landed, failed and simulated transactions neither create nor lose lamports and tokens', () => {
    let landed = 0;
    let failed = 0;
    fc.assert(
      fc.property(bundles, (plan) => {
        const opened = newWorld();
        const { chain, unit } = opened;
        let now = NOON;
        for (const { transactions, commit, simulate } of plan) {
          const built = transactions.map(({ by, steps }) => transactionOf(chain, PEOPLE[by] ?? PEOPLE[0], steps));
          const effects = (_: WireTransaction, index: number): void => {
            const of = transactions[index];
            of?.steps
              .filter(({ kind }) => kind === 'market')
              .forEach(({ amount, to }) => trade(chain, (PEOPLE[to] ?? PEOPLE[0]).address, amount));
            if (of?.refuse === true) {
              throw new EffectError('The market refuses');
            }
          };
          if (simulate) {
            built.forEach((bytes) => chain.simulate(bytes, { checkSignatures: true, replaceBlockhash: false, accounts: [VAULT] }, effects));
          }
          const before = chain.feesBurntLamports;
          const result = chain.land(built, effects);
          landed += result.kind === 'landed' ? 1 : 0;
          failed += result.kind === 'failed' ? 1 : 0;
          assert.equal(chain.feesBurntLamports - before, result.kind === 'landed' ? result.feeLamports : 0n);
          if (commit) {
            unit.commit();
          }
          now += SLOT_MS;
          chain.advance(now); // the next bundle has another blockhash
        }
        audit(opened);
      }),
      { numRuns: 60 },
    );
    assert.ok(landed > 50 && failed > 50, `${landed} bundles landed, ${failed} failed`);
  });
});

function newWorld(): TestChain {
  const opened = newChain(
    { address: WORLD, lamports: 1_000n * LAMPORTS_PER_SOL },
    ...PEOPLE.map(({ address }) => ({ address, lamports: 10n * LAMPORTS_PER_SOL })),
  );
  const { chain } = opened;
  chain.createMint(MINT, 6, SUPPLY, WORLD);
  chain.setTokenAccount(VAULT, { holder: POOL, mint: MINT, payer: WORLD }, SUPPLY);
  for (const { address } of PEOPLE) {
    trade(chain, address, 0n);
    chain.setLamports(WORLD, chain.lamports(WORLD) - LAMPORTS_PER_SOL);
    chain.credit(address, WRAPPED_SOL_MINT, LAMPORTS_PER_SOL);
  }
  return opened;
}

function transactionOf(chain: Chain, by: TestKey, steps: readonly Step[]): Uint8Array {
  const instructions = steps.flatMap((one) => instructionsOf(by.address, one));
  return signed(unsigned(by.address, chain.latestBlockhash().blockhash, instructions), by);
}

function instructionsOf(by: Address, { kind, to, amount }: Step): TransactionInstruction[] {
  const other = (PEOPLE[to] ?? PEOPLE[0]).address;
  const wrapped = associatedTokenAddress(by, WRAPPED_SOL_MINT);
  const tokens = associatedTokenAddress(by, MINT);
  switch (kind) {
    case 'pay':
      return [transfer(by, other, amount)];
    case 'wrap':
      return [createTokenAccount(by, WRAPPED_SOL_MINT), transfer(by, wrapped, amount), syncNative(wrapped)];
    case 'unwrap':
      return [closeTokenAccount(wrapped, by)];
    case 'open':
      return [createTokenAccount(by, MINT)];
    case 'sendTokens':
      return [transferTokens(tokens, associatedTokenAddress(other, MINT), by, amount)];
    case 'closeTokens':
      return [closeTokenAccount(tokens, by)];
    case 'market':
      return [dlmm(by, [VAULT, tokens, wrapped])];
  }
}

/** The pool's vault gives tokens for wrapped SOL at one for one, as far as there is any. */
function trade(chain: Chain, who: Address, amount: bigint): void {
  chain.credit(who, WRAPPED_SOL_MINT, -amount);
  chain.setLamports(WORLD, chain.lamports(WORLD) + amount);
  chain.credit(who, MINT, amount);
  const vault = readTokenAccount(chain.account(VAULT) ?? assert.fail())?.amountRaw ?? 0n;
  chain.setTokenAccount(VAULT, { holder: POOL, mint: MINT, payer: WORLD }, vault - amount);
}

function audit({ chain, unit, database }: TestChain): void {
  unit.commit();
  assert.equal(lamportsInTable(database) + chain.feesBurntLamports, chain.genesisLamports, 'lamports');
  let tokens = 0n;
  for (const { address, program, data } of database.all(TokenRow, 'SELECT address, program, data FROM account WHERE mint IS NOT NULL')) {
    const token = readTokenAccount({ program: program === PROGRAMS.token ? PROGRAMS.token : WORLD, data });
    assert.ok(token, `${address} is a token account`);
    tokens += token.mint === MINT ? token.amountRaw : 0n;
  }
  assert.equal(tokens, SUPPLY, 'tokens');
}
