import assert from 'node:assert/strict';
import {
  AddressLookupTableAccount,
  PublicKey,
  TransactionMessage,
  VersionedTransaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import type { Address } from '../../../src/base/solana/address';
import { LAMPORTS_PER_SOL, PROGRAMS } from '../../../src/base/solana/programs';
import { RentRate } from '../../../src/base/solana/rent';
import { ADDRESS_LOOKUP_TABLE, encodeLookupTable, lookupTableAddress, readLookupTable } from '../../../src/sandbox/chain/lookupTables';
import { SLOT_MS } from '../../../src/sandbox/chain/machine';
import type { BundleResult, Chain, LoadedTransaction } from '../../../src/sandbox/chain/types';
import {
  dlmm,
  lamportsInTable,
  newChain,
  NOON,
  noEffects,
  signed,
  testKey,
  transfer,
  type TestChain,
} from '../../support/sandbox/chain/common';

const SOL = LAMPORTS_PER_SOL;
const OWNER = testKey(1);
const SOMEBODY = testKey(2).address;
const WORLD = testKey(3).address;
const POOL = testKey(4).address;
const VAULT = testKey(5).address;
const ENTRIES = [POOL, SOMEBODY, VAULT];
const FEE = 5_000n;

describe('Chain: lookup tables', () => {
  let opened: TestChain;
  let chain: Chain;
  let table: Address;

  beforeEach(() => {
    opened = newChain({ address: OWNER.address, lamports: 10n * SOL }, { address: WORLD, lamports: 10n * SOL });
    ({ chain } = opened);
    table = put(chain.slot - 1, ENTRIES);
  });

  afterEach(() => {
    opened.unit.commit();
    assert.equal(lamportsInTable(opened.database) + chain.feesBurntLamports, chain.genesisLamports, 'lamports were made or lost');
  });

  /** Puts a table on the chain that was filled in that slot. */
  function put(slot: number, entries: readonly Address[]): Address {
    const at = lookupTableAddress(WORLD, slot);
    const data = encodeLookupTable({ authority: WORLD, slot, entries });
    chain.setLamports(WORLD, chain.lamports(WORLD) - RentRate.highest.minimumBalance(data.length));
    chain.setProgramAccount(at, { owner: ADDRESS_LOOKUP_TABLE, lamports: RentRate.highest.minimumBalance(data.length), data });
    return at;
  }

  /** A signed transaction that takes from the table what it can, as web3.js writes it: it may think the table longer than it is. */
  function looking(instructions: TransactionInstruction[], at = table, entries: readonly Address[] = ENTRIES): Uint8Array {
    const known = new AddressLookupTableAccount({
      key: new PublicKey(at),
      state: {
        deactivationSlot: 2n ** 64n - 1n,
        lastExtendedSlot: 0,
        lastExtendedSlotStartIndex: 0,
        addresses: entries.map((entry) => new PublicKey(entry)),
      },
    });
    const message = new TransactionMessage({
      payerKey: new PublicKey(OWNER.address),
      recentBlockhash: chain.latestBlockhash().blockhash,
      instructions,
    });
    return signed(new VersionedTransaction(message.compileToV0Message([known])).serialize(), OWNER);
  }

  function land(...transactions: Uint8Array[]): BundleResult {
    return chain.land(transactions, noEffects);
  }

  it('Lookup tables have the layout of the program', () => {
    const account = chain.account(table);
    assert.ok(account !== undefined);
    const { state } = new AddressLookupTableAccount({
      key: new PublicKey(table),
      state: AddressLookupTableAccount.deserialize(account.data),
    });
    assert.deepEqual(
      state.addresses.map((entry) => entry.toBase58()),
      ENTRIES,
    );
    assert.equal(state.deactivationSlot, 2n ** 64n - 1n);
    assert.equal(state.lastExtendedSlot, chain.slot - 1);
    assert.equal(state.authority?.toBase58(), WORLD);
    const seed = Buffer.alloc(8);
    seed.writeBigUInt64LE(BigInt(chain.slot - 1));
    assert.equal(
      table,
      PublicKey.findProgramAddressSync([new PublicKey(WORLD).toBytes(), seed], new PublicKey(ADDRESS_LOOKUP_TABLE))[0].toBase58(),
    );
    assert.throws(() => encodeLookupTable({ authority: WORLD, slot: 1, entries: Array.from({ length: 257 }, () => POOL) }), RangeError);
    assert.equal(readLookupTable(account.data.subarray(0, 60), chain.slot), undefined);
  });

  it('Lookup tables supply writable and readonly accounts, visible to the VM and the effects', () => {
    let seen: LoadedTransaction | undefined;
    const result = chain.land(
      [looking([transfer(OWNER.address, SOMEBODY, SOL), dlmm(OWNER.address, [POOL])])],
      (transaction) => (seen = transaction),
    );
    assert.equal(
      result.kind,
      'landed',
      JSON.stringify(result, (_, value: unknown) => String(value)),
    );
    assert.equal(chain.lamports(SOMEBODY), SOL);
    assert.deepEqual(seen?.loaded, { writable: [SOMEBODY, POOL], readonly: [] });
    assert.ok(!seen.staticKeys.includes(SOMEBODY));
  });

  it('A landed transaction records the accounts loaded from lookup tables', () => {
    const result = land(looking([transfer(OWNER.address, SOMEBODY, SOL)]));
    assert.equal(result.kind, 'landed');
    opened.unit.commit();
    const known = chain.landedTransaction(result.signatures[0] ?? '');
    assert.deepEqual(known?.execution.loaded, { writable: [SOMEBODY], readonly: [] });
    assert.deepEqual(
      known.execution.lamports.map(({ address, before, after }) => [address, after - before]),
      [
        [OWNER.address, -SOL - FEE],
        [PROGRAMS.system, 0n],
        [SOMEBODY, SOL],
      ],
    );
  });

  it('A missing, invalid or short lookup table fails the transaction with the error name of the runtime', () => {
    const fails = (bytes: Uint8Array, error: string, reason: RegExp): void => {
      const simulated = chain.simulate(bytes, { checkSignatures: true, replaceBlockhash: false, accounts: [] }, noEffects);
      assert.ok(simulated.kind === 'failed');
      assert.equal(simulated.error, error);
      const result = land(bytes);
      assert.match(result.kind === 'failed' ? result.reason : 'it has landed', reason);
    };
    const pay = [transfer(OWNER.address, SOMEBODY, SOL)];
    fails(looking(pay, POOL), 'AddressLookupTableNotFound', /lookup table .* which does not exist/);
    fails(looking(pay, OWNER.address), 'InvalidAddressLookupTableOwner', /which is no lookup table/);
    fails(
      looking(pay, table, [...ENTRIES.filter((entry) => entry !== SOMEBODY), POOL, SOMEBODY]),
      'InvalidAddressLookupTableIndex',
      /names entry 3 of lookup table .*, which has 3/,
    );
  });

  it("Lookups use the table on the chain, regardless of what the transaction's author assumed", () => {
    assert.equal(land(looking([transfer(OWNER.address, SOMEBODY, SOL)], table, [SOMEBODY, POOL, VAULT])).kind, 'landed');
    assert.deepEqual([chain.lamports(SOMEBODY), chain.lamports(POOL)], [0n, SOL]);
  });

  it('A lookup table cannot add an account that the transaction already has', () => {
    const twice = put(chain.slot - 2, [POOL, OWNER.address, SOMEBODY]);
    const bytes = looking([transfer(OWNER.address, SOMEBODY, SOL)], twice, [VAULT, SOMEBODY, POOL]);
    const result = land(bytes);
    assert.match(result.kind === 'failed' ? result.reason : '', new RegExp(`loads account ${OWNER.address} twice`));
  });

  it('Entries of a lookup table can be used from the slot after their addition', () => {
    const fresh = put(chain.slot, [SOMEBODY, VAULT]);
    const bytes = looking([transfer(OWNER.address, SOMEBODY, SOL)], fresh, [SOMEBODY, VAULT]);
    assert.equal(land(bytes).kind, 'failed');
    chain.advance(NOON + SLOT_MS);
    assert.equal(land(bytes).kind, 'landed');
  });
});
