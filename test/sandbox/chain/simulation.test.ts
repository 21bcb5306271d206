import assert from 'node:assert/strict';
import { associatedTokenAddress } from '../../../src/base/solana/pda';
import { LAMPORTS_PER_SOL, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { RentRate } from '../../../src/base/solana/rent';
import { readTokenAccount } from '../../../src/base/solana/tokenAccount';
import { SLOT_MS } from '../../../src/sandbox/chain/machine';
import {
  EffectError,
  type ApplyEffects,
  type Chain,
  type SimulatedExecution,
  type SimulationTerms,
} from '../../../src/sandbox/chain/types';
import {
  createTokenAccount,
  dlmm,
  lamportsInTable,
  newChain,
  NOON,
  noEffects,
  signed,
  testKey,
  transfer,
  unsigned,
  type TestChain,
} from '../../support/sandbox/chain/common';

const SOL = LAMPORTS_PER_SOL;
const OWNER = testKey(1);
const SOMEBODY = testKey(2).address;
const WORLD = testKey(3).address;
const MINT = testKey(4).address;
const TOKENS = associatedTokenAddress(OWNER.address, MINT);

describe('Chain: simulation', () => {
  let opened: TestChain;
  let chain: Chain;
  let payment: Uint8Array;

  beforeEach(() => {
    opened = newChain({ address: OWNER.address, lamports: 10n * SOL }, { address: WORLD, lamports: 10n * SOL });
    ({ chain } = opened);
    chain.createMint(MINT, 6, 1_000n, WORLD);
    chain.credit(WORLD, MINT, 1_000n);
    payment = unsigned(OWNER.address, chain.latestBlockhash().blockhash, [transfer(OWNER.address, SOMEBODY, SOL)]);
  });

  afterEach(() => {
    assert.equal(chain.lamports(OWNER.address), 10n * SOL, 'simulating changes nothing');
    assert.equal(chain.feesBurntLamports, 0n);
    assert.equal(chain.hasAccount(SOMEBODY), false);
    assert.equal(chain.hasAccount(TOKENS), false);
    opened.unit.commit();
    assert.equal(lamportsInTable(opened.database), chain.genesisLamports);
  });

  function simulate(bytes: Uint8Array, terms: Partial<SimulationTerms> = {}, effects: ApplyEffects = noEffects): SimulatedExecution {
    return chain.simulate(bytes, { checkSignatures: false, replaceBlockhash: false, accounts: [], ...terms }, effects);
  }

  it('A simulation reports the outcome and the resulting accounts', () => {
    const simulation = simulate(payment, { accounts: [SOMEBODY, OWNER.address, MINT, TOKENS] });
    assert.equal(simulation.kind, 'succeeded');
    assert.equal(simulation.execution.feeLamports, 5_000n);
    assert.equal(simulation.execution.computeUnits, 150n);
    assert.deepEqual(simulation.execution.logs, [
      'Program 11111111111111111111111111111111 invoke [1]',
      'Program 11111111111111111111111111111111 success',
    ]);
    const [somebody, owner, mint, nothing] = simulation.accounts;
    assert.equal(somebody?.lamports, SOL);
    assert.equal(owner?.lamports, 9n * SOL - 5_000n);
    assert.deepEqual(mint, chain.account(MINT));
    assert.equal(nothing, undefined);
  });

  it('A simulation applies effects and reverts them', () => {
    const bytes = unsigned(OWNER.address, chain.latestBlockhash().blockhash, [
      createTokenAccount(OWNER.address, MINT),
      dlmm(OWNER.address, [TOKENS]),
    ]);
    const simulation = simulate(bytes, { accounts: [TOKENS] }, () => {
      chain.credit(WORLD, MINT, -400n);
      chain.credit(OWNER.address, MINT, 400n);
    });
    assert.equal(simulation.kind, 'succeeded');
    assert.equal(readTokenAccount(simulation.accounts[0] ?? assert.fail())?.amountRaw, 400n);
    assert.deepEqual(
      simulation.execution.tokens.map(({ address, before, after }) => ({ address, before, after })),
      [{ address: TOKENS, before: undefined, after: 400n }],
    );
    assert.equal(chain.tokenBalance(WORLD, MINT), 1_000n);
  });

  it('A simulation verifies signatures only on request', () => {
    assert.equal(simulate(payment).kind, 'succeeded');
    const unsignedOne = failureOf(simulate(payment, { checkSignatures: true }));
    assert.equal(unsignedOne.error, 'SignatureFailure');
    assert.match(unsignedOne.reason, /has not signed/);
    assert.equal(simulate(signed(payment, OWNER), { checkSignatures: true }).kind, 'succeeded');
    assert.equal(chain.land([payment], noEffects).kind, 'failed', 'landing still looks at them');
  });

  it('A simulation accepts an old blockhash that is to be replaced', () => {
    chain.advance(NOON + 200 * SLOT_MS);
    assert.equal(failureOf(simulate(payment)).error, 'BlockhashNotFound');
    assert.equal(simulate(payment, { replaceBlockhash: true }).kind, 'succeeded');
    const legacy = unsigned(OWNER.address, SOMEBODY, [transfer(OWNER.address, SOMEBODY, SOL)], 'legacy');
    assert.equal(failureOf(simulate(legacy)).error, 'BlockhashNotFound');
    assert.equal(simulate(legacy, { replaceBlockhash: true }).kind, 'succeeded');
  });

  it('A simulation reports failures in the format of a node', () => {
    const { blockhash } = chain.latestBlockhash();
    const tooMuch = failureOf(
      simulate(unsigned(OWNER.address, blockhash, [transfer(OWNER.address, SOMEBODY, SOL), transfer(OWNER.address, SOMEBODY, 100n * SOL)])),
    );
    assert.deepEqual(tooMuch.error, { InstructionError: [1, { Custom: 1 }] });
    assert.equal(tooMuch.computeUnits, 300n);
    assert.ok(tooMuch.logs.some((line) => line.startsWith('Transfer: insufficient lamports')));
    assert.deepEqual(failureOf(simulate(unsigned(OWNER.address, blockhash, [transfer(OWNER.address, SOMEBODY, 1n)]))).error, {
      InsufficientFundsForRent: { account_index: 1 },
    });
    assert.equal(failureOf(simulate(unsigned(SOMEBODY, blockhash, [transfer(SOMEBODY, OWNER.address, 1n)]))).error, 'AccountNotFound');
    const unknownMint = failureOf(simulate(unsigned(OWNER.address, blockhash, [createTokenAccount(OWNER.address, SOMEBODY)])));
    assert.deepEqual(unknownMint.error, { InstructionError: [0, 'IncorrectProgramId'] });
    assert.equal(failureOf(simulate(payment.subarray(0, 100))).error, 'SanitizeFailure');
  });

  it('A simulation attributes a market refusal to the program that the market stands in for', () => {
    const bytes = unsigned(OWNER.address, chain.latestBlockhash().blockhash, [
      createTokenAccount(OWNER.address, WRAPPED_SOL_MINT),
      dlmm(OWNER.address, []),
    ]);
    const failure = failureOf(
      simulate(bytes, {}, () => {
        throw new EffectError('Slippage exceeded');
      }),
    );
    assert.deepEqual(failure.error, { InstructionError: [1, 'ProgramFailedToComplete'] });
    assert.equal(failure.reason, 'Transaction 1 failed: Slippage exceeded');
    assert.equal(failure.logs.at(-1), 'Program log: Error: Slippage exceeded');
  });

  it('A simulation rethrows any other error of the market and changes nothing', () => {
    const fault = new TypeError('a fault in the market');
    assert.throws(
      () =>
        simulate(payment, {}, () => {
          chain.credit(OWNER.address, MINT, 5n);
          throw fault;
        }),
      fault,
    );
    assert.equal(chain.lamports(TOKENS), 0n);
  });

  it('A simulation reports the rent that the transaction would take', () => {
    const simulation = simulate(unsigned(OWNER.address, chain.latestBlockhash().blockhash, [createTokenAccount(OWNER.address, MINT)]));
    assert.equal(simulation.kind, 'succeeded');
    assert.equal(simulation.execution.lamports.find(({ address }) => address === TOKENS)?.after, RentRate.highest.tokenAccount);
  });
});

describe('Chain: simulation of landed transactions', () => {
  it('A simulation of a landed transaction says that it was already processed', () => {
    const { chain } = newChain({ address: OWNER.address, lamports: 10n * SOL });
    const bytes = signed(unsigned(OWNER.address, chain.latestBlockhash().blockhash, [transfer(OWNER.address, SOMEBODY, SOL)]), OWNER);
    assert.equal(chain.land([bytes], noEffects).kind, 'landed');
    assert.equal(
      failureOf(chain.simulate(bytes, { checkSignatures: true, replaceBlockhash: false, accounts: [] }, noEffects)).error,
      'AlreadyProcessed',
    );
  });
});

function failureOf(simulation: SimulatedExecution): SimulatedExecution & { readonly kind: 'failed' } {
  assert.equal(simulation.kind, 'failed');
  return simulation;
}
