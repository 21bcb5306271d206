import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { AddressLookupTableAccount, Connection, PublicKey, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import * as z from 'zod';
import { associatedTokenAddress } from '../../src/base/solana/pda';
import { address } from '../../src/base/solana/address';
import { PROGRAMS } from '../../src/base/solana/programs';
import { ADDRESS_LOOKUP_TABLE } from '../../src/sandbox/chain/lookupTables';
import { Database } from '../../src/sandbox/store/database';
import { Whole } from '../../src/sandbox/store/meta';
import { landed, TestClient, type DecreaseBuild } from '../support/sandbox/client';
import { copyOfNewWorld } from '../support/sandbox/madeWorld';
import { startSandbox, temporaryFolder } from '../support/sandbox/process';
import { STILL, useSandbox } from '../support/sandbox/useSandbox';

const AccountRow = z.object({ address: z.string(), lamports: Whole });

describe('The lookup table of swaps', function () {
  const client = useSandbox('all', STILL);

  it("The lookup table is on the chain in the program's layout and holds only accounts of programs and pools", async () => {
    const { table, entries } = await tableOf(client());
    const account = await connectionTo(client()).getAccountInfo(new PublicKey(table));
    assert.equal(account?.owner.toBase58(), ADDRESS_LOOKUP_TABLE);
    const { state } = new AddressLookupTableAccount({
      key: new PublicKey(table),
      state: AddressLookupTableAccount.deserialize(account.data),
    });
    assert.equal(state.deactivationSlot, 2n ** 64n - 1n);
    assert.ok(entries.includes(PROGRAMS.dlmm));
    assert.equal(new Set(entries).size, entries.length);
    const own = [
      client().sandbox.owner,
      ...(await client().opening()).flatMap(({ position, token0, token1 }) => [
        position,
        ...[token0, token1].flatMap((mint) => [mint, associatedTokenAddress(address(client().sandbox.owner), address(mint))]),
      ]),
    ];
    assert.deepEqual(
      own.filter((of) => entries.includes(of)),
      [],
      "nothing of the owner's, and no mint",
    );
    assert.deepEqual(await client().audit(), []);
  });

  it('Only swap transactions load pool accounts from the lookup table', async () => {
    const { pool } = await client().pool('BONQ/SOL', 25);
    const active = await client().activeBin(pool);
    const entry = await client().add(pool, { inputSOL: 0.3, fromBinId: active - 10, toBinId: active + 10 });
    landed(await client().landAdd(entry));
    const exit = await client().decrease(entry.meta.positionPubKey, 10_000);
    const { table, entries } = await tableOf(client());
    const swaps = [...entry.swapTxsWithJito, ...entry.swapTxs, ...exit.swapTxsWithJito, ...exit.swapTxs]
      .map(messageOf)
      .filter(({ version }) => version === 0);
    assert.equal(swaps.length, 4);
    for (const { addressTableLookups, staticAccountKeys } of swaps) {
      assert.deepEqual(
        addressTableLookups.map(({ accountKey }) => accountKey.toBase58()),
        [table],
      );
      const [lookup] = addressTableLookups;
      const taken = [...(lookup?.writableIndexes ?? []), ...(lookup?.readonlyIndexes ?? [])].map((index) => entries[index]);
      assert.ok(taken.includes(pool) && taken.includes(PROGRAMS.dlmm));
      assert.ok(!staticAccountKeys.some((key) => taken.includes(key.toBase58())));
    }
    for (const message of [...entry.addLiquidityTxsWithJito, ...exit.closeTxsWithJito].map(messageOf)) {
      assert.deepEqual(message.addressTableLookups, []);
    }
  });

  it('Landed transactions report the addresses loaded from the table, as the real RPC does', async () => {
    const [position] = await client().binPositions();
    const built = await client().decrease(position?.id ?? '', 5_000, { output: 'allToken0' });
    const swap = built.swapTxsWithJito.find((text) => messageOf(text).addressTableLookups.length > 0) ?? assert.fail('There is no swap');
    const signature = await landedSignature(client(), built, swap);
    const { entries } = await tableOf(client());
    const connection = connectionTo(client());
    const known = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    assert.ok(known?.meta?.loadedAddresses !== undefined);
    const { message } = known.transaction;
    const [lookup] = messageOf(swap).addressTableLookups;
    const { writable, readonly } = known.meta.loadedAddresses;
    assert.deepEqual(
      writable.map((key) => key.toBase58()),
      lookup?.writableIndexes.map((index) => entries[index]),
    );
    assert.deepEqual(
      readonly.map((key) => key.toBase58()),
      lookup?.readonlyIndexes.map((index) => entries[index]),
    );
    assert.deepEqual(message.addressTableLookups, messageOf(swap).addressTableLookups);
    const keys = message.getAccountKeys({ accountKeysFromLookups: known.meta.loadedAddresses });
    assert.equal(known.meta.preBalances.length, keys.length);
    assert.equal(known.meta.postBalances.length, keys.length);
    // The vaults come from the table, and their tokens move.
    const vaults = (known.meta.postTokenBalances ?? []).filter(({ accountIndex }) => accountIndex >= message.staticAccountKeys.length);
    assert.equal(vaults.length, 2);

    const parsed = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 });
    const fromTable = parsed?.transaction.message.accountKeys.filter(({ source }) => source === 'lookupTable') ?? [];
    assert.deepEqual(
      fromTable.map(({ pubkey, writable: written, signer }) => [pubkey.toBase58(), written, signer]),
      [...writable.map((key) => [key.toBase58(), true, false]), ...readonly.map((key) => [key.toBase58(), false, false])],
    );
  });

  it('An older world gets its lookup table at the start', async () => {
    const data = await copyOfNewWorld();
    const older = withoutTable(data);
    const sandbox = await startSandbox({ ...STILL, data: older });
    try {
      const old = new TestClient(sandbox);
      const position = (await old.binPositions()).find(({ current }) => current.amount0 !== '0') ?? assert.fail('There is no position');
      const built = await old.decrease(position.id, 10_000);
      assert.ok(built.swapTxsWithJito.some((text) => messageOf(text).addressTableLookups.length > 0));
      landed(await old.landDecrease(built));
      assert.deepEqual(await old.audit(), []);
      assert.deepEqual(await tableOf(old), await tableOf(client()), 'the same one as in a new world');
    } finally {
      await sandbox.stop();
      rmSync(data, { recursive: true, force: true });
      rmSync(older, { recursive: true, force: true });
    }
  });
});

function messageOf(text: string): VersionedTransaction['message'] {
  return VersionedTransaction.deserialize(Buffer.from(text, 'base64')).message;
}

function connectionTo({ sandbox }: TestClient): Connection {
  return new Connection(`${new URL('/rpc', sandbox.url).href}?api-key=${sandbox.apiKey}`, 'confirmed');
}

/** The table that a swap names, and what is in it. */
async function tableOf(client: TestClient): Promise<{ readonly table: string; readonly entries: readonly string[] }> {
  const { pool } = await client.pool('JUPP/SOL', 20);
  const active = await client.activeBin(pool);
  const {
    swapTxsWithJito: [swap = ''],
  } = await client.add(pool, { inputSOL: 0.1, fromBinId: active - 1, toBinId: active + 1 });
  const [lookup] = messageOf(swap).addressTableLookups;
  assert.ok(lookup !== undefined);
  const { value } = await connectionTo(client).getAddressLookupTable(lookup.accountKey);
  assert.ok(value !== null);
  return { table: lookup.accountKey.toBase58(), entries: value.state.addresses.map((entry) => entry.toBase58()) };
}

/** Lands a withdrawal, and gives the signature of one of its transactions. */
async function landedSignature(client: TestClient, built: DecreaseBuild, of: string): Promise<string> {
  landed(await client.landDecrease(built));
  const [signed = ''] = client.sign([of]);
  return bs58.encode(Buffer.from(signed, 'base64').subarray(1, 65));
}

/** A copy of a world's folder as it was before there was a table: its rent is still with who paid it, who has most of all. */
function withoutTable(data: string): string {
  const copy = temporaryFolder();
  cpSync(data, copy, { recursive: true });
  const database = Database.open(copy);
  try {
    const table =
      database.get(AccountRow, 'SELECT address, lamports FROM account WHERE program = ?', ADDRESS_LOOKUP_TABLE) ??
      assert.fail('There is no table');
    const richest =
      database.get(
        AccountRow,
        'SELECT address, lamports FROM account WHERE mint IS NULL ORDER BY CAST(lamports AS INTEGER) DESC LIMIT 1',
      ) ?? assert.fail('There is none');
    database.transaction(() => {
      database.run('DELETE FROM account WHERE address = ?', table.address);
      database.run('UPDATE account SET lamports = ? WHERE address = ?', (richest.lamports + table.lamports).toString(), richest.address);
    });
  } finally {
    database.close();
  }
  return copy;
}
