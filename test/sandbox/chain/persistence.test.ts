import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { associatedTokenAddress } from '../../../src/base/solana/pda';
import { JITO_TIP_ACCOUNTS, LAMPORTS_PER_SOL, PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { RentRate } from '../../../src/base/solana/rent';
import { SLOT_MS } from '../../../src/sandbox/chain/machine';
import type { Chain } from '../../../src/sandbox/chain/types';
import { Database } from '../../../src/sandbox/store/database';
import {
  lamportsInTable,
  NOON,
  noEffects,
  openChain,
  signed,
  testKey,
  transfer,
  unsigned,
  type TestChain,
} from '../../support/sandbox/chain/common';

const OWNER = testKey(1);
const SOMEBODY = testKey(2);
const MINT = testKey(3).address;
const POSITION = testKey(4).address;
const SOL = LAMPORTS_PER_SOL;

const CountRow = z.object({ count: z.number() });

describe('Chain: persistence', () => {
  let folder: string;
  let opened: TestChain;
  let chain: Chain;
  let bundle: Uint8Array[];
  let seed = 1;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'chain-'));
    opened = openChain(Database.open(folder));
    ({ chain } = opened);
    chain.genesis([{ address: OWNER.address, lamports: 10n * SOL }]);
    chain.createMint(MINT, 6, 1_000n, OWNER.address);
    chain.credit(OWNER.address, MINT, 123n);
    chain.credit(OWNER.address, WRAPPED_SOL_MINT, 456n);
    chain.setLamports(OWNER.address, chain.lamports(OWNER.address) - 456n - RentRate.highest.position);
    chain.setProgramAccount(POSITION, { owner: PROGRAMS.dlmm, lamports: RentRate.highest.position, data: Uint8Array.of(1, 2, 3) });
    const { blockhash } = chain.latestBlockhash();
    bundle = [pay(blockhash, SOL), pay(blockhash, 2n * SOL)];
    assert.equal(chain.land(bundle, noEffects).kind, 'landed');
  });

  afterEach(() => {
    opened.database.close();
    rmSync(folder, { recursive: true });
  });

  /** What the next process finds: whatever was not committed is gone. */
  function reopen(now = NOON, slotMs?: number): Chain {
    opened.database.close();
    seed += 1;
    opened = openChain(Database.open(folder), { now, seed, ...(slotMs === undefined ? {} : { slotMs }) });
    ({ chain } = opened);
    return chain;
  }

  function pay(blockhash: string, lamports: bigint): Uint8Array {
    return signed(unsigned(OWNER.address, blockhash, [transfer(OWNER.address, SOMEBODY.address, lamports)]), OWNER);
  }

  it('A reopened chain has everything that was committed', () => {
    const { slot, feesBurntLamports, genesisLamports, genesisHash } = chain;
    assert.equal(chain.transactionCount, 2);
    const accounts = [
      OWNER.address,
      SOMEBODY.address,
      POSITION,
      MINT,
      associatedTokenAddress(OWNER.address, MINT),
      associatedTokenAddress(OWNER.address, WRAPPED_SOL_MINT),
    ];
    const before = accounts.map((of) => chain.account(of));
    opened.unit.commit();
    reopen();
    assert.deepEqual(
      accounts.map((of) => chain.account(of)),
      before,
    );
    assert.equal(chain.tokenBalance(OWNER.address, WRAPPED_SOL_MINT), 456n);
    assert.deepEqual(
      [chain.slot, chain.feesBurntLamports, chain.genesisLamports, chain.genesisHash],
      [slot, feesBurntLamports, genesisLamports, genesisHash],
    );
    assert.equal(chain.transactionCount, 2);
    assert.equal(feesBurntLamports, 10_000n);
  });

  it('A reopened chain has nothing that was not committed', () => {
    opened.unit.commit();
    const before = chain.lamports(OWNER.address);
    const { blockhash } = chain.latestBlockhash();
    chain.advance(NOON + SLOT_MS);
    const fresh = chain.latestBlockhash().blockhash;
    const late = pay(blockhash, 3n * SOL);
    const landed = chain.land([late], noEffects);
    assert.equal(landed.kind, 'landed');
    reopen();
    assert.equal(chain.lamports(OWNER.address), before);
    assert.equal(chain.feesBurntLamports, 10_000n);
    assert.equal(chain.landedTransaction(landed.signatures[0] ?? ''), undefined);
    assert.equal(chain.isBlockhashValid(fresh), false);
    assert.equal(chain.land([late], noEffects).kind, 'landed', 'it has not landed before');
  });

  it("The database holds none of the VM's own accounts", () => {
    opened.unit.commit();
    const { count } = opened.database.get(CountRow, 'SELECT count(*) AS count FROM account') ?? { count: 0 };
    assert.equal(count, JITO_TIP_ACCOUNTS.length + 6); // owner, somebody, mint, two token accounts, position
  });

  it('A reopened chain still recognizes landed transactions', () => {
    const first = chain.land(bundle, noEffects);
    assert.equal(first.kind, 'landed');
    opened.unit.commit();
    assert.deepEqual(chain.land(bundle, noEffects), first, 'in the same process');
    reopen();
    assert.deepEqual(chain.land(bundle, noEffects), first);
    const [one = new Uint8Array()] = bundle;
    const alone = chain.land([one], noEffects);
    assert.equal(alone.kind, 'failed');
    assert.equal(alone.reason, 'Transaction 1 has landed before, in another bundle');
  });

  it('A reopened chain accepts earlier blockhashes while they are valid and issues new ones', () => {
    const lease = chain.latestBlockhash();
    opened.unit.commit();
    reopen();
    assert.deepEqual(chain.latestBlockhash(), lease, 'the slot is the same');
    assert.equal(chain.land([pay(lease.blockhash, SOL / 2n)], noEffects).kind, 'landed');
    reopen(NOON + 151 * SLOT_MS);
    const result = chain.land([pay(lease.blockhash, SOL / 2n)], noEffects);
    assert.equal(result.kind, 'failed');
    assert.match(result.reason, /blockhash expired/);
    assert.notEqual(chain.latestBlockhash().blockhash, lease.blockhash);
  });

  it('Blockhashes that expired long ago are forgotten', () => {
    const lease = chain.latestBlockhash();
    for (let block = 1; block <= 1_700; block += 1) {
      chain.advance(NOON + block * SLOT_MS);
      chain.latestBlockhash();
    }
    opened.unit.commit();
    assert.equal(opened.database.get(CountRow, 'SELECT count(*) AS count FROM blockhash')?.count, 1_651); // 150 that count, the newest, and 1,500 more
    const result = chain.land([pay(lease.blockhash, SOL / 2n)], noEffects);
    assert.equal(result.kind, 'failed');
    assert.match(result.reason, /not known/);
  });

  it('A reopened chain has advanced by the elapsed slots and never goes back', () => {
    const { slot } = chain;
    opened.unit.commit();
    assert.equal(reopen(NOON + 60_000).slot, slot + 150);
    assert.equal(reopen(NOON - 60_000).slot, slot, 'the slots that passed were not committed');
  });

  it('A chain keeps the rent that it was made with', () => {
    const other = RentRate.ofLamportsPerByte(5_080n);
    opened.unit.commit();
    opened.database.close();
    opened = openChain(Database.open(folder), { rent: other });
    assert.equal(opened.chain.rent.lamportsPerByte, 6_960n);

    const made = Database.inMemory();
    const young = openChain(made, { rent: other });
    young.unit.commit();
    assert.equal(openChain(made).chain.rent.lamportsPerByte, 5_080n);
  });

  it('A chain reopened with another slot length continues at its block height and never goes back', () => {
    opened.unit.commit();
    let { blockHeight } = chain;
    let now = NOON;
    for (const slotMs of [200, 1_000, 200, 400, 2_000, 100]) {
      assert.equal(reopen(now, slotMs).blockHeight, blockHeight, `opened with ${slotMs} ms`);
      now += 60_000;
      chain.advance(now);
      assert.equal(chain.blockHeight, blockHeight + 60_000 / slotMs, `after a minute of ${slotMs} ms`);
      opened.unit.commit();
      ({ blockHeight } = chain);
    }
    assert.equal(reopen(now).blockHeight, blockHeight, 'opened with the default');
  });

  it('A blockhash is good for 150 blocks, whatever slot length the chain is reopened with', () => {
    const { blockhash, lastValidBlockHeight } = chain.latestBlockhash();
    opened.unit.commit();
    reopen(NOON + 100 * SLOT_MS);
    opened.unit.commit();
    reopen(NOON + 100 * SLOT_MS + 50 * 200, 200);
    assert.equal(chain.blockHeight, lastValidBlockHeight);
    assert.equal(chain.isBlockhashValid(blockhash), true);
    chain.advance(NOON + 100 * SLOT_MS + 51 * 200);
    assert.equal(chain.isBlockhashValid(blockhash), false);
  });

  it('The chain remembers the newest ten thousand bundles, each of them whole', () => {
    const { database, unit } = opened;
    unit.commit();
    const { slot } = chain;
    database.transaction(() => {
      for (let number = 0; number < 30_100; number += 1) {
        // Three to a bundle, one bundle to a slot, the newest just before those that landed.
        const bundle = Math.floor(number / 3);
        database.run(
          `INSERT INTO landed_transaction (signature, message_hash, bundle, place, slot, block_time, bytes, meta) VALUES (?, ?, ?, ?, ?, 0, x'00', '{}')`,
          `s${number}`,
          `h${number}`,
          `b${bundle}`,
          number % 3,
          slot - 1 - bundle,
        );
      }
    });
    reopen(NOON + SLOT_MS);
    assert.equal(chain.land([pay(chain.latestBlockhash().blockhash, SOL)], noEffects).kind, 'landed');
    opened.unit.commit();
    const kept = (name: string): number =>
      opened.database.get(CountRow, 'SELECT count(*) AS count FROM landed_transaction WHERE bundle = ?', name)?.count ?? 0;
    const total = opened.database.get(CountRow, 'SELECT count(*) AS count FROM landed_transaction')?.count ?? 0;
    assert.ok(total >= 30_000 && total <= 30_003, `${total} are left`);
    assert.equal(kept('b0'), 3);
    assert.equal(kept('b9990'), 3);
    assert.equal(kept('b10030'), 0);
  });

  it('A reopened chain has the lamports of genesis, less the fees', () => {
    opened.unit.commit();
    reopen();
    assert.equal(lamportsInTable(opened.database) + chain.feesBurntLamports, chain.genesisLamports);
  });
});
