import assert from 'node:assert/strict';
import { ComputeBudgetProgram } from '@solana/web3.js';
import { address } from '../../../src/base/solana/address';
import { associatedTokenAddress } from '../../../src/base/solana/pda';
import { JITO_TIP_ACCOUNTS, LAMPORTS_PER_SOL, PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { RentRate } from '../../../src/base/solana/rent';
import { readTokenAccount } from '../../../src/base/solana/tokenAccount';
import { parseTransaction, type WireTransaction } from '../../../src/base/solana/wireTransaction';
import { SLOT_MS } from '../../../src/sandbox/chain/machine';
import { EffectError, type BundleResult, type Chain, type SimulatedExecution } from '../../../src/sandbox/chain/types';
import { StoreError } from '../../../src/engine/store/sqliteStore';
import {
  closeTokenAccount,
  createTokenAccount,
  dlmm,
  lamportsInTable,
  newChain,
  NOON,
  noEffects,
  setTokenAccountOwner,
  signed,
  syncNative,
  testKey,
  transfer,
  transferTokens,
  unsigned,
  type TestChain,
} from '../../support/sandbox/chain/common';

const SOL = LAMPORTS_PER_SOL;
const OWNER = testKey(1);
const SOMEBODY = testKey(2);
const WORLD = testKey(3);
const MINT = testKey(4).address;
const POSITION = testKey(5).address;
const POOL = testKey(6).address;
const VAULT = testKey(7).address;
const SOL_VAULT = testKey(8).address;
const OWNERS_TOKENS = associatedTokenAddress(OWNER.address, MINT);
const OWNERS_WRAPPED = associatedTokenAddress(OWNER.address, WRAPPED_SOL_MINT);
const TIP = JITO_TIP_ACCOUNTS[0] ?? POOL;
const FEE_OF_ONE_SIGNATURE = 5_000n;

describe('Chain: landing', () => {
  let opened: TestChain;
  let chain: Chain;
  let blockhash: string;

  beforeEach(() => {
    opened = newChain({ address: OWNER.address, lamports: 10n * SOL }, { address: WORLD.address, lamports: 100n * SOL });
    ({ chain } = opened);
    chain.createMint(MINT, 6, 1_000_000n, WORLD.address);
    chain.setTokenAccount(VAULT, { holder: POOL, mint: MINT, payer: WORLD.address }, 1_000_000n);
    blockhash = chain.latestBlockhash().blockhash;
  });

  afterEach(() => {
    opened.unit.commit();
    assert.equal(lamportsInTable(opened.database) + chain.feesBurntLamports, chain.genesisLamports, 'lamports were made or lost');
  });

  function pay(lamports: bigint, to = SOMEBODY.address): Uint8Array {
    return signed(unsigned(OWNER.address, blockhash, [transfer(OWNER.address, to, lamports)]), OWNER);
  }

  function land(...transactions: Uint8Array[]): BundleResult {
    return chain.land(transactions, noEffects);
  }

  it('Transactions of all versions move SOL and pay the fee', () => {
    for (const version of ['legacy', 0, 1] as const) {
      const before = chain.lamports(OWNER.address);
      const result = land(signed(unsigned(OWNER.address, blockhash, [transfer(OWNER.address, SOMEBODY.address, SOL)], version), OWNER));
      assert.equal(result.kind, 'landed');
      assert.equal(result.feeLamports, FEE_OF_ONE_SIGNATURE);
      assert.equal(chain.lamports(OWNER.address), before - SOL - FEE_OF_ONE_SIGNATURE);
    }
    assert.equal(chain.lamports(SOMEBODY.address), 3n * SOL);
    assert.equal(chain.feesBurntLamports, 3n * FEE_OF_ONE_SIGNATURE);
  });

  describe('Version 1', () => {
    const LIMITS = { computeUnitLimit: 100_000, loadedAccountsDataSizeLimit: 10 * 1_024 * 1_024 };
    const inV1 = (instructions: Parameters<typeof unsigned>[2], config: Parameters<typeof unsigned>[4] = LIMITS): Uint8Array =>
      signed(unsigned(OWNER.address, blockhash, instructions, 1, config), OWNER);

    it('The priority fee of the config is a total, charged once', () => {
      const before = chain.lamports(OWNER.address);
      const result = land(inV1([transfer(OWNER.address, SOMEBODY.address, SOL)], { ...LIMITS, priorityFeeLamports: 12_345n }));
      assert.deepEqual([result.kind, result.kind === 'landed' && result.feeLamports], ['landed', FEE_OF_ONE_SIGNATURE + 12_345n]);
      assert.equal(chain.lamports(OWNER.address), before - SOL - FEE_OF_ONE_SIGNATURE - 12_345n);
    });

    it('Without a compute unit limit or a limit of loaded data, nothing is executed', () => {
      const pays = [transfer(OWNER.address, SOMEBODY.address, SOL)];
      assert.match(reasonOf(land(inV1(pays, { ...LIMITS, computeUnitLimit: undefined }))), /out of compute units/);
      assert.match(reasonOf(land(inV1(pays, { ...LIMITS, loadedAccountsDataSizeLimit: 0 }))), /loads too much account data/);
      assert.equal(chain.lamports(SOMEBODY.address), 0n);
    });

    it('ComputeBudget instructions are ignored', () => {
      const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000_000 });
      const result = land(inV1([price, transfer(OWNER.address, SOMEBODY.address, SOL)]));
      assert.deepEqual([result.kind, result.kind === 'landed' && result.feeLamports], ['landed', FEE_OF_ONE_SIGNATURE]);
    });

    it('A wrong signature, a changed config and a message in an older envelope are refused', () => {
      const bytes = inV1([transfer(OWNER.address, SOMEBODY.address, SOL)]);
      const changed = bytes.slice();
      changed[parseTransaction(bytes).messageEnd - 20] = 1;
      assert.equal(land(changed).kind, 'failed');
      assert.match(reasonOf(land(signed(bytes, { ...SOMEBODY, address: OWNER.address }))), /Signature 1 of transaction 1 is wrong/);
      const { messageEnd } = parseTransaction(bytes);
      const enveloped = Uint8Array.of(1, ...bytes.subarray(messageEnd), ...bytes.subarray(0, messageEnd));
      assert.match(reasonOf(land(enveloped)), /malformed: A v1 message is in the envelope of an older version/);
    });

    describe('Instructions behind those of a stand-in program', () => {
      /** What a pool gives: wrapped SOL, which the transaction then unwraps. */
      const gives = (lamports: bigint) => (): void => {
        chain.setLamports(WORLD.address, chain.lamports(WORLD.address) - lamports);
        chain.credit(OWNER.address, WRAPPED_SOL_MINT, lamports);
      };
      const unwrapping = (...more: Parameters<typeof unsigned>[2]): Parameters<typeof unsigned>[2] => [
        createTokenAccount(OWNER.address, WRAPPED_SOL_MINT),
        dlmm(OWNER.address, [OWNERS_WRAPPED]),
        closeTokenAccount(OWNERS_WRAPPED, OWNER.address),
        ...more,
      ];

      it('They are executed after its effects, at one fee', () => {
        const before = chain.lamports(OWNER.address);
        const result = chain.land([inV1(unwrapping(), { ...LIMITS, priorityFeeLamports: 7_000n })], gives(3n * SOL));
        assert.deepEqual([result.kind, result.kind === 'landed' && result.feeLamports], ['landed', FEE_OF_ONE_SIGNATURE + 7_000n]);
        assert.equal(chain.lamports(OWNER.address), before + 3n * SOL - FEE_OF_ONE_SIGNATURE - 7_000n);
        assert.equal(chain.account(OWNERS_WRAPPED), undefined);
        assert.equal(chain.feesBurntLamports, FEE_OF_ONE_SIGNATURE + 7_000n);
      });

      it('A fee payer that keeps just its rent pays the fee once', () => {
        const { lamports } = { lamports: chain.lamports(OWNER.address) };
        const rest = RentRate.highest.minimumBalance(0);
        const spent = lamports - FEE_OF_ONE_SIGNATURE - rest;
        const result = land(inV1([dlmm(OWNER.address, []), transfer(OWNER.address, SOMEBODY.address, spent)]));
        assert.equal(
          result.kind,
          'landed',
          JSON.stringify(result, (_, value: unknown) => String(value)),
        );
        assert.equal(chain.lamports(OWNER.address), rest);
      });

      it('The record has all logs, inner instructions and balances, and the index of an instruction that fails', () => {
        const simulate = (bytes: Uint8Array): SimulatedExecution =>
          chain.simulate(bytes, { checkSignatures: true, replaceBlockhash: false, accounts: [] }, gives(SOL));
        const fine = simulate(inV1(unwrapping(createTokenAccount(OWNER.address, MINT))));
        assert.equal(fine.kind, 'succeeded');
        assert.deepEqual([...new Set(fine.execution.inner.map(({ within }) => within))], [0, 3]);
        assert.equal(fine.execution.logs.filter((line) => /invoke \[1\]/.test(line)).length, 4);
        assert.ok(fine.execution.computeUnits > 20_000n);
        const failing = simulate(inV1(unwrapping(transfer(OWNER.address, SOMEBODY.address, 1_000n * SOL))));
        assert.equal(failing.kind, 'failed');
        assert.match(failing.reason, /in instruction 4 \(System program\)/);
        assert.deepEqual(failing.error, { InstructionError: [3, { Custom: 1 }] });
      });

      it('They have the compute units that the others left', () => {
        const instructions = unwrapping(createTokenAccount(OWNER.address, MINT));
        const units = (limit: number): BundleResult => chain.land([inV1(instructions, { ...LIMITS, computeUnitLimit: limit })], gives(SOL));
        assert.match(reasonOf(units(30_000)), /out of compute units/);
        assert.equal(units(60_000).kind, 'landed');
      });

      it('If they fail, nothing has happened', () => {
        const before = chain.lamports(OWNER.address);
        const result = chain.land([inV1(unwrapping(transfer(OWNER.address, SOMEBODY.address, 1_000n * SOL)))], gives(SOL));
        assert.equal(result.kind, 'failed');
        assert.equal(chain.lamports(OWNER.address), before);
        assert.equal(chain.feesBurntLamports, 0n);
      });
    });
  });

  it('Transactions execute on the current accounts, not on those that the VM last saw', () => {
    assert.equal(land(pay(SOL)).kind, 'landed');
    chain.setLamports(WORLD.address, chain.lamports(WORLD.address) + chain.lamports(OWNER.address) - 2n * SOL);
    chain.setLamports(OWNER.address, 2n * SOL);
    assert.match(reasonOf(land(pay(3n * SOL))), /insufficient lamports/);
    chain.setLamports(WORLD.address, chain.lamports(WORLD.address) + chain.lamports(SOMEBODY.address));
    chain.setLamports(SOMEBODY.address, 0n);
    assert.match(
      reasonOf(land(signed(unsigned(SOMEBODY.address, blockhash, [transfer(SOMEBODY.address, OWNER.address, 1n)]), SOMEBODY))),
      /the fee payer does not exist/,
    );
  });

  it('Token accounts are created, used and closed by the real token programs', () => {
    chain.credit(OWNER.address, MINT, 500n);
    chain.setTokenAccount(VAULT, { holder: POOL, mint: MINT, payer: WORLD.address }, 999_500n);
    const somebodys = associatedTokenAddress(SOMEBODY.address, MINT);
    assert.equal(land(pay(SOL)).kind, 'landed');
    const make = signed(unsigned(SOMEBODY.address, blockhash, [createTokenAccount(SOMEBODY.address, MINT)]), SOMEBODY);
    const move = signed(unsigned(OWNER.address, blockhash, [transferTokens(OWNERS_TOKENS, somebodys, OWNER.address, 200n)]), OWNER);
    assert.equal(land(make, move).kind, 'landed');
    assert.equal(chain.tokenBalance(OWNER.address, MINT), 300n);
    assert.equal(chain.tokenBalance(SOMEBODY.address, MINT), 200n);

    const rest = signed(
      unsigned(OWNER.address, blockhash, [
        transferTokens(OWNERS_TOKENS, somebodys, OWNER.address, 300n),
        closeTokenAccount(OWNERS_TOKENS, OWNER.address),
      ]),
      OWNER,
    );
    assert.equal(land(rest).kind, 'landed');
    assert.equal(chain.hasAccount(OWNERS_TOKENS), false);
    opened.unit.commit();
    assert.deepEqual(chain.tokenAccountsOf(OWNER.address, MINT), []);
    assert.deepEqual(chain.tokenAccountsOf(SOMEBODY.address, MINT), [somebodys]);
  });

  it('A token account is listed under its new owner after a transfer of ownership', () => {
    chain.setTokenAccount(SOL_VAULT, { holder: OWNER.address, mint: MINT, payer: WORLD.address }, 0n);
    assert.equal(
      land(signed(unsigned(OWNER.address, blockhash, [setTokenAccountOwner(SOL_VAULT, OWNER.address, SOMEBODY.address)]), OWNER)).kind,
      'landed',
    );
    opened.unit.commit();
    assert.deepEqual(chain.tokenAccountsOf(SOMEBODY.address, undefined), [SOL_VAULT]);
    assert.deepEqual(chain.tokenAccountsOf(OWNER.address, undefined), []);
  });

  describe('Withdrawals to SOL', () => {
    const WITHDRAWN = { x: 5_000n, lamports: 2n * SOL };
    const TIP_LAMPORTS = 20_000n;

    beforeEach(() => {
      chain.setTokenAccount(SOL_VAULT, { holder: POOL, mint: WRAPPED_SOL_MINT, payer: WORLD.address }, 0n);
      moveLamports(3n * SOL, () =>
        chain.setTokenAccount(SOL_VAULT, { holder: POOL, mint: WRAPPED_SOL_MINT, payer: WORLD.address }, 3n * SOL),
      );
      moveLamports(RentRate.highest.position, () =>
        chain.setProgramAccount(POSITION, { owner: PROGRAMS.dlmm, lamports: RentRate.highest.position, data: new Uint8Array(8_120) }),
      );
    });

    /** Takes what something costs from the rest of the world. */
    function moveLamports(lamports: bigint, to: () => void): void {
      chain.setLamports(WORLD.address, chain.lamports(WORLD.address) - lamports);
      to();
    }

    /** Does what the market would do: the first transaction withdraws and closes the position. */
    function applyEffects(_: WireTransaction, index: number): void {
      if (index === 0) {
        chain.setTokenAccount(VAULT, { holder: POOL, mint: MINT, payer: WORLD.address }, 1_000_000n - WITHDRAWN.x);
        chain.credit(OWNER.address, MINT, WITHDRAWN.x);
        chain.setTokenAccount(SOL_VAULT, { holder: POOL, mint: WRAPPED_SOL_MINT, payer: WORLD.address }, SOL);
        chain.credit(OWNER.address, WRAPPED_SOL_MINT, WITHDRAWN.lamports);
        chain.setProgramAccount(POSITION, undefined);
        chain.setLamports(OWNER.address, chain.lamports(OWNER.address) + RentRate.highest.position);
      }
    }

    function bundle(): Uint8Array[] {
      const withdraw = unsigned(OWNER.address, blockhash, [
        createTokenAccount(OWNER.address, MINT),
        createTokenAccount(OWNER.address, WRAPPED_SOL_MINT),
        dlmm(OWNER.address, [POSITION, VAULT, SOL_VAULT, OWNERS_TOKENS, OWNERS_WRAPPED]),
      ]);
      const unwrap = unsigned(OWNER.address, blockhash, [
        closeTokenAccount(OWNERS_WRAPPED, OWNER.address),
        transfer(OWNER.address, TIP, TIP_LAMPORTS),
      ]);
      return [withdraw, unwrap].map((bytes) => signed(bytes, OWNER));
    }

    function everything(): unknown {
      return structuredClone(
        [OWNER.address, SOMEBODY.address, WORLD.address, POSITION, VAULT, SOL_VAULT, OWNERS_TOKENS, OWNERS_WRAPPED, TIP].map((of) =>
          chain.account(of),
        ),
      );
    }

    it('A withdrawal to SOL lands with its effects: position closed, SOL unwrapped, tip paid', () => {
      const tips = chain.lamports(TIP);
      const before = chain.lamports(OWNER.address);
      const result = chain.land(bundle(), applyEffects);
      assert.equal(
        result.kind,
        'landed',
        JSON.stringify(result, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
      );
      assert.equal(result.signatures.length, 2);
      assert.equal(result.feeLamports, 2n * FEE_OF_ONE_SIGNATURE);
      assert.equal(chain.hasAccount(POSITION), false);
      assert.equal(chain.tokenBalance(OWNER.address, MINT), WITHDRAWN.x);
      assert.equal(chain.hasAccount(OWNERS_WRAPPED), false);
      assert.equal(chain.lamports(TIP), tips + TIP_LAMPORTS);
      // The rent of the token's account stays in it; that of the position and of wrapped SOL came back.
      assert.equal(
        chain.lamports(OWNER.address),
        before + WITHDRAWN.lamports + RentRate.highest.position - RentRate.highest.tokenAccount - TIP_LAMPORTS - result.feeLamports,
      );
    });

    it('After the commit, each landed transaction can be read with its effects', () => {
      const before = chain.lamports(OWNER.address);
      const transactions = bundle();
      const result = chain.land(transactions, applyEffects);
      assert.equal(result.kind, 'landed');
      const [first = '', second = ''] = result.signatures;
      assert.equal(chain.landedTransaction(first), undefined);
      opened.unit.commit();
      const withdrawal = chain.landedTransaction(first);
      assert.ok(withdrawal);
      assert.deepEqual(Buffer.from(withdrawal.bytes), Buffer.from(transactions[0] ?? []));
      assert.equal(withdrawal.slot, chain.slot);
      assert.equal(withdrawal.blockTime, NOON / 1_000);
      const { execution } = withdrawal;
      assert.equal(execution.feeLamports, FEE_OF_ONE_SIGNATURE);
      assert.ok(execution.computeUnits > 20_000n, `${execution.computeUnits} compute units`);
      assert.ok(execution.logs.includes(`Program ${PROGRAMS.dlmm} success`));
      const lamports = new Map(execution.lamports.map((change) => [change.address, change]));
      assert.equal(execution.lamports[0]?.address, OWNER.address);
      assert.deepEqual(lamports.get(OWNER.address), {
        address: OWNER.address,
        before,
        after: before - FEE_OF_ONE_SIGNATURE - 2n * RentRate.highest.tokenAccount + RentRate.highest.position,
      });
      assert.deepEqual(lamports.get(POSITION), { address: POSITION, before: RentRate.highest.position, after: 0n });
      assert.deepEqual(lamports.get(PROGRAMS.system)?.after, lamports.get(PROGRAMS.system)?.before);
      const tokens = new Map(execution.tokens.map((token) => [token.address, token]));
      assert.deepEqual(tokens.get(VAULT), {
        address: VAULT,
        mint: MINT,
        holder: POOL,
        decimals: 6,
        program: PROGRAMS.token,
        before: 1_000_000n,
        after: 1_000_000n - WITHDRAWN.x,
      });
      assert.deepEqual(tokens.get(OWNERS_WRAPPED), {
        address: OWNERS_WRAPPED,
        mint: WRAPPED_SOL_MINT,
        holder: OWNER.address,
        decimals: 9,
        program: PROGRAMS.token,
        before: undefined,
        after: WITHDRAWN.lamports,
      });
      // Creating a token account calls the System and the Token program.
      assert.ok(execution.inner.some(({ within, stackHeight }) => within === 0 && stackHeight === 2));
      assert.ok(
        execution.inner.every(({ programIdIndex }) =>
          [PROGRAMS.system, PROGRAMS.token].some((program) => program === execution.lamports[programIdIndex]?.address),
        ),
      );
      const unwrapped = chain.landedTransaction(second)?.execution.tokens.find((token) => token.address === OWNERS_WRAPPED);
      assert.equal(unwrapped?.before, WITHDRAWN.lamports);
      assert.equal(unwrapped.after, undefined);
    });

    it('A refused last effect undoes the whole bundle, effects and fees included', () => {
      const before = everything();
      const result = chain.land(bundle(), (transaction, index) => {
        applyEffects(transaction, index);
        if (index === 1) {
          throw new EffectError('The swap gives 1 and has to give 87,300,000');
        }
      });
      assert.deepEqual(result, {
        kind: 'failed',
        transaction: 1,
        reason: 'Transaction 2 failed: The swap gives 1 and has to give 87,300,000',
      });
      assert.deepEqual(everything(), before);
      assert.equal(chain.feesBurntLamports, 0n);
    });

    it('A VM error in a later transaction undoes the whole bundle', () => {
      const before = everything();
      const result = chain.land([...bundle(), pay(1_000n * SOL)], applyEffects);
      assert.equal(result.kind, 'failed');
      assert.equal(result.transaction, 2);
      assert.match(
        result.reason,
        /^Transaction 3 failed: the program's error 1, in instruction 1 \(System program\); log: Transfer: insufficient lamports/,
      );
      assert.deepEqual(everything(), before);
    });

    it('Any other error of the market undoes the whole bundle and is rethrown', () => {
      const before = everything();
      const fault = new TypeError('a fault in the market');
      assert.throws(
        () =>
          chain.land(bundle(), (transaction, index) => {
            applyEffects(transaction, index);
            throw fault;
          }),
        fault,
      );
      assert.deepEqual(everything(), before);
      assert.equal(chain.land(bundle(), applyEffects).kind, 'landed', 'the chain is still usable, and the bundle counts as not landed');
    });
  });

  it('SOL can be wrapped and unwrapped', () => {
    const before = chain.lamports(OWNER.address);
    const wrap = unsigned(OWNER.address, blockhash, [
      createTokenAccount(OWNER.address, WRAPPED_SOL_MINT),
      transfer(OWNER.address, OWNERS_WRAPPED, SOL),
      syncNative(OWNERS_WRAPPED),
    ]);
    assert.equal(land(signed(wrap, OWNER)).kind, 'landed');
    assert.equal(chain.tokenBalance(OWNER.address, WRAPPED_SOL_MINT), SOL);
    chain.credit(OWNER.address, WRAPPED_SOL_MINT, -(SOL / 2n));
    chain.setLamports(WORLD.address, chain.lamports(WORLD.address) + SOL / 2n);
    assert.equal(
      land(signed(unsigned(OWNER.address, blockhash, [closeTokenAccount(OWNERS_WRAPPED, OWNER.address)]), OWNER)).kind,
      'landed',
    );
    assert.equal(chain.lamports(OWNER.address), before - SOL / 2n - 2n * FEE_OF_ONE_SIGNATURE);
  });

  describe("The chain's own accounts", () => {
    it("The chain's own accounts refuse lamports and work as before afterwards", () => {
      for (const of of [PROGRAMS.token, PROGRAMS.dlmm, WRAPPED_SOL_MINT]) {
        assert.equal(reasonOf(land(pay(SOL, of))), `Transaction 1 failed: account ${of} may not be written: it is the chain's own`);
      }
      assert.match(reasonOf(land(pay(SOL, PROGRAMS.system))), /read-only/);
      assert.equal(
        land(
          signed(unsigned(OWNER.address, blockhash, [createTokenAccount(OWNER.address, WRAPPED_SOL_MINT), dlmm(OWNER.address, [])]), OWNER),
        ).kind,
        'landed',
      );
      assert.deepEqual(readTokenAccount(chain.account(OWNERS_WRAPPED) ?? assert.fail())?.owner, OWNER.address);
    });

    it('The clock sysvar has the current slot, epoch and time', () => {
      chain.advance(NOON + 10_000 * SLOT_MS);
      blockhash = chain.latestBlockhash().blockhash;
      assert.equal(land(pay(SOL)).kind, 'landed');
      const clock = Buffer.from(chain.account(address('SysvarC1ock11111111111111111111111111111111'))?.data ?? []);
      assert.equal(Number(clock.readBigUInt64LE(0)), chain.slot);
      assert.equal(Number(clock.readBigUInt64LE(16)), Math.floor(chain.slot / 432_000));
      assert.equal(Number(clock.readBigInt64LE(32)), NOON / 1_000 + 4_000);
    });
  });

  describe('Signatures', () => {
    it('An unsigned transaction is refused', () => {
      const result = land(unsigned(OWNER.address, blockhash, [transfer(OWNER.address, SOMEBODY.address, SOL)]));
      assert.deepEqual(result, {
        kind: 'failed',
        transaction: 0,
        reason: `Signature 1 of transaction 1 is missing: ${OWNER.address} has not signed`,
      });
    });

    it('A signature of another key is refused', () => {
      const bytes = unsigned(OWNER.address, blockhash, [transfer(OWNER.address, SOMEBODY.address, SOL)]);
      const others = signed(unsigned(SOMEBODY.address, blockhash, [transfer(SOMEBODY.address, OWNER.address, SOL)]), SOMEBODY);
      bytes.set(others.subarray(1, 65), 1);
      assert.match(reasonOf(land(bytes)), /^Signature 1 of transaction 1 is wrong: /);
    });

    it('A message that was changed after its signature is refused', () => {
      const bytes = pay(SOL);
      const last = bytes.length - 2; // v0 ends with the number of lookup tables; before it, the amount
      bytes[last] = (bytes[last] ?? 0) ^ 1;
      assert.match(reasonOf(land(bytes)), /^Signature 1 of transaction 1 is wrong: /);
    });

    it('A transaction without the signature of one of its two signers is refused', () => {
      const bytes = unsigned(OWNER.address, blockhash, [
        transfer(OWNER.address, SOMEBODY.address, SOL),
        transfer(WORLD.address, SOMEBODY.address, SOL),
      ]);
      assert.deepEqual(land(signed(bytes, OWNER)), {
        kind: 'failed',
        transaction: 0,
        reason: `Signature 2 of transaction 1 is missing: ${WORLD.address} has not signed`,
      });
      const result = land(signed(bytes, OWNER, WORLD));
      assert.equal(result.kind, 'landed');
      assert.equal(result.feeLamports, 2n * FEE_OF_ONE_SIGNATURE);
    });

    it('A refused transaction changes nothing', () => {
      const before = structuredClone(chain.account(OWNER.address));
      land(pay(SOL), unsigned(OWNER.address, blockhash, [transfer(OWNER.address, SOMEBODY.address, 2n * SOL)]));
      assert.deepEqual(chain.account(OWNER.address), before);
    });
  });

  describe('Expiry', () => {
    it('A transaction lands up to its last valid block height and not one block later', () => {
      const { lastValidBlockHeight } = chain.latestBlockhash();
      const last = NOON + (lastValidBlockHeight - chain.blockHeight) * SLOT_MS;
      chain.advance(last);
      assert.equal(chain.blockHeight, lastValidBlockHeight);
      assert.equal(chain.isBlockhashValid(blockhash), true);
      assert.equal(land(pay(SOL)).kind, 'landed');
      chain.advance(last + SLOT_MS);
      assert.equal(chain.isBlockhashValid(blockhash), false);
      assert.equal(
        reasonOf(land(pay(2n * SOL))),
        `Transaction 1: blockhash expired: block height ${lastValidBlockHeight + 1} is past ${lastValidBlockHeight}`,
      );
    });

    for (const slotMs of [100, 200, 2_000]) {
      it(`At ${slotMs} ms per slot a blockhash expires after 150 blocks, too`, () => {
        chain.slotMs = slotMs;
        const { lastValidBlockHeight } = chain.latestBlockhash();
        chain.advance(NOON + 150 * slotMs);
        assert.equal(chain.blockHeight, lastValidBlockHeight);
        assert.equal(land(pay(SOL)).kind, 'landed');
        chain.advance(NOON + 151 * slotMs);
        assert.match(reasonOf(land(pay(2n * SOL))), /blockhash expired/);
      });
    }

    it('A blockhash that the chain did not issue is refused', () => {
      blockhash = SOMEBODY.address;
      assert.equal(chain.isBlockhashValid(blockhash), false);
      assert.equal(reasonOf(land(pay(SOL))), `Transaction 1 has a blockhash that is not known: ${SOMEBODY.address}`);
    });

    it('The chain issues one blockhash per slot, valid for 150 blocks, and never goes back', () => {
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

  describe('Repeated bundles', () => {
    it('The same bundle gets the same signatures without a fee, even after its blockhash expired', () => {
      const bundle = [pay(SOL), pay(2n * SOL)];
      const first = chain.land(bundle, noEffects);
      assert.equal(first.kind, 'landed');
      const after = chain.lamports(OWNER.address);
      chain.advance(NOON + 1_000 * SLOT_MS);
      assert.deepEqual(
        chain.land(bundle, () => assert.ok(false, 'effects were applied again')),
        { kind: 'landed', signatures: first.signatures, feeLamports: 0n },
      );
      assert.equal(chain.lamports(OWNER.address), after);
    });

    it('A transaction that landed in another bundle is refused', () => {
      assert.equal(land(pay(SOL)).kind, 'landed');
      assert.equal(reasonOf(land(pay(2n * SOL), pay(SOL))), 'Transaction 2 has landed before, in another bundle');
      assert.equal(chain.lamports(SOMEBODY.address), SOL);
    });

    it('A bundle that has a transaction twice is refused', () => {
      assert.equal(reasonOf(land(pay(SOL), pay(SOL))), 'Transaction 2 is in the bundle twice');
    });
  });

  describe('Balances', () => {
    it('The same lamports cannot be spent twice', () => {
      assert.equal(land(pay(9n * SOL)).kind, 'landed');
      assert.match(reasonOf(land(pay(9n * SOL, TIP))), /insufficient lamports/);
      assert.match(reasonOf(land(pay(SOL / 2n), pay((SOL * 6n) / 10n))), /^Transaction 2 failed: /);
      assert.equal(chain.lamports(SOMEBODY.address), 9n * SOL);
    });

    it('A fee payer without lamports is refused', () => {
      const bytes = signed(unsigned(SOMEBODY.address, blockhash, [transfer(SOMEBODY.address, OWNER.address, 1n)]), SOMEBODY);
      assert.equal(reasonOf(land(bytes)), 'Transaction 1 failed: the fee payer does not exist');
    });

    it('A transaction that leaves an account below its rent is refused', () => {
      assert.equal(reasonOf(land(pay(1n))), `Transaction 1 failed: account ${SOMEBODY.address} would be left with less SOL than its rent`);
    });

    it('An empty bundle is refused', () => {
      assert.equal(reasonOf(land()), 'There is no transaction to land');
    });
  });

  describe('Airdrops', () => {
    it('Each airdrop moves lamports without a signature of the sender and gets its own signature', () => {
      const first = chain.airdrop(WORLD.address, SOMEBODY.address, SOL);
      const second = chain.airdrop(WORLD.address, SOMEBODY.address, SOL);
      assert.equal(first.kind, 'landed');
      assert.equal(second.kind, 'landed');
      assert.notEqual(first.signatures[0], second.signatures[0]);
      assert.equal(chain.lamports(SOMEBODY.address), 2n * SOL);
      opened.unit.commit();
      const landed = chain.landedTransaction(first.signatures[0] ?? '');
      assert.equal(landed?.execution.lamports.find(({ address }) => address === SOMEBODY.address)?.after, SOL);
    });

    it('An airdrop beyond the available lamports is refused', () => {
      assert.match(reasonOf(chain.airdrop(WORLD.address, SOMEBODY.address, 1_000n * SOL)), /insufficient lamports/);
    });

    it('Signatures are still checked after an airdrop', () => {
      assert.equal(chain.airdrop(WORLD.address, SOMEBODY.address, SOL).kind, 'landed');
      assert.match(reasonOf(land(unsigned(OWNER.address, blockhash, [transfer(OWNER.address, SOMEBODY.address, SOL)]))), /has not signed/);
    });
  });

  it('A bundle cannot land within another', () => {
    const inner = pay(2n * SOL);
    assert.throws(() => chain.land([pay(SOL)], () => chain.land([inner], noEffects)), StoreError);
    assert.equal(chain.lamports(SOMEBODY.address), 0n);
    assert.equal(land(inner).kind, 'landed');
  });
});

function reasonOf(result: BundleResult): string {
  assert.equal(result.kind, 'failed');
  return result.reason;
}
