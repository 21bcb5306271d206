import assert from 'node:assert/strict';
import * as z from 'zod';
import { address as addressFrom } from '../../../../../src/base/solana/address';
import { WRAPPED_SOL_MINT } from '../../../../../src/base/solana/programs';
import { RentRate } from '../../../../../src/base/solana/rent';
import { readMint, readTokenAccount } from '../../../../../src/base/solana/tokenAccount';
import { HISTORY_MS, playHistory } from '../../../../../src/sandbox/market/simulation/history';
import { LiquidityProviders } from '../../../../../src/sandbox/market/simulation/providers';
import { wholeTokens } from '../../../../../src/sandbox/market/units';
import type { MarketPool } from '../../../../../src/sandbox/market/types';
import type { Database } from '../../../../../src/sandbox/store/database';
import { NOON, OWNER, type World, worldIn } from '../worlds';

/** A world in which simulated people live. */
export interface Populated extends World {
  readonly people: LiquidityProviders;
}

/** Opens what the database has, with its people; a new world has played its past, and everything is committed. `watch` is called after each step of it. */
export function populatedIn(
  database: Database,
  seed: number,
  pastMs = HISTORY_MS,
  watch: (world: Populated) => void = () => undefined,
): Populated {
  const world = worldIn(database, seed, NOON - pastMs);
  const { chain, market, unit } = world;
  const people = new LiquidityProviders({ market, ledger: chain, database, unit });
  const populated = { ...world, people };
  market.populate(people);
  if (market.isNew) {
    market.populate({ act: () => watch(populated) });
    playHistory({ market, ledger: chain, providers: people, owner: OWNER });
    keep(world);
  }
  return populated;
}

/** Settles and commits. */
export function keep({ market, unit }: World): void {
  market.settleVaults();
  unit.commit();
}

/** What all positions of a pool have, US dollars. */
export function tvlOf({ market }: World, pool: MarketPool): number {
  const { x, y } = pool.liquidity;
  return wholeTokens(x, pool.tokenX) * market.usd(pool.tokenX) + wholeTokens(y, pool.tokenY) * market.usd(pool.tokenY);
}

const AccountRow = z.object({
  address: z.string().transform(addressFrom),
  program: z.string().transform(addressFrom),
  lamports: z.string().transform(BigInt),
  data: z.instanceof(Uint8Array),
});

/** Counts what is in the database's accounts: lamports as at genesis, each mint its supply, wrapped SOL its lamports. */
export function countMoney({ chain, database }: World): void {
  const accounts = database
    .all(AccountRow, 'SELECT address, program, lamports, data FROM account')
    .map((row) => ({ ...row, executable: false }));
  assert.equal(
    accounts.reduce((sum, { lamports }) => sum + lamports, 0n),
    chain.genesisLamports - chain.feesBurntLamports,
  );
  const held = new Map<string, bigint>();
  for (const account of accounts) {
    const tokens = readTokenAccount(account);
    if (tokens !== undefined) {
      held.set(tokens.mint, (held.get(tokens.mint) ?? 0n) + tokens.amountRaw);
      assert.ok(tokens.mint !== WRAPPED_SOL_MINT || account.lamports === tokens.amountRaw + RentRate.highest.tokenAccount);
    }
  }
  for (const account of accounts) {
    const mint = readMint(account);
    assert.equal(held.get(account.address) ?? 0n, mint?.supplyRaw ?? 0n, account.address);
  }
}

const TABLES = ['position', 'position_event', 'provider', 'account', 'bin_array', 'pool', 'token'];

/** Everything that a world's database says of these tables, in order: for comparison. */
export function dump({ database }: World): ReadonlyMap<string, readonly string[]> {
  return new Map(
    TABLES.map((table) => [
      table,
      database
        .all(z.record(z.string(), z.unknown()), `SELECT * FROM ${table} ORDER BY 1, 2`)
        .map((row) =>
          JSON.stringify(row, (_key, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value)),
        ),
    ]),
  );
}
