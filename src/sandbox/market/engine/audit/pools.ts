import * as z from 'zod';
import { BINS_PER_ARRAY } from '../../../../base/dlmm/bins';
import type { Address } from '../../../../base/solana/address';
import { tokenAmount } from '../../../chain/tokenAccount';
import { readJson, Whole } from '../../../store/meta';
import type { Database } from '../../../store/database';
import { vaultsOf } from '../../accounts';
import { decodeBinArray } from '../../pools/binArrays';
import type { Amounts, BinPool, Market, Pool, Position, ProductPool } from '../../types';
import type { Findings } from './findings';

const ProtocolFees = z
  .object({ protocolFeeX: Whole, protocolFeeY: Whole })
  .transform(({ protocolFeeX, protocolFeeY }): Amounts => ({ x: protocolFeeX, y: protocolFeeY }));
const StateRow = z.object({ state: z.string() });
const ArrayRow = z.object({ number: z.int(), bins: z.instanceof(Uint8Array) });
const VaultRow = z.object({ data: z.instanceof(Uint8Array) });

/** Rounding is always in the pool's favour. What it leaves behind is at most this part of a vault (one in so many), or this much. */
const MOST_DUST_PART = 10_000n;
const MOST_DUST = 1_000_000n;

/** What positions have in a pool is in it, and what is in it and owed is in its vaults. */
export function auditPool(database: Database, market: Market, pool: Pool, findings: Findings): void {
  const positions = market.positions.openIn(pool.address);
  const row = database.get(StateRow, 'SELECT state FROM pool WHERE address = ?', pool.address);
  const protocol = row === undefined ? { x: 0n, y: 0n } : readJson(ProtocolFees, row.state, `The state of pool ${pool.spec.key}`);
  const held = sum(positions.map((position) => market.books.amountsOf(pool, position)));
  const fees = sum(positions.map((position) => market.books.feesOf(pool, position)));
  const inVaults = vaultAmounts(database, pool);
  for (const side of ['x', 'y'] as const) {
    const name = `${pool.spec.key}, ${side}`;
    findings.same(`${name}: the vault's account`, inVaults[side], pool.vaults[side]);
    findings.check(
      held[side] <= pool.liquidity[side],
      () => `${name}: positions have ${held[side]}, and the pool only ${pool.liquidity[side]}`,
    );
    const dust = pool.vaults[side] - pool.liquidity[side] - fees[side] - protocol[side];
    findings.check(dust >= 0n, () => `${name}: the vault has ${-dust} less than it owes`);
    findings.check(
      dust <= MOST_DUST + pool.vaults[side] / MOST_DUST_PART,
      () => `${name}: ${dust} in the vault belong to nobody, more than rounding leaves`,
    );
  }
  if (pool.type === 'bins') {
    auditBins(database, pool, positions, findings);
  } else {
    auditLiquidity(pool, positions, findings);
  }
}

/** Each bin's shares are those of the holdings, and what lies in all bins is what the pool says. */
function auditBins(database: Database, pool: BinPool, positions: readonly Readonly<Position>[], findings: Findings): void {
  const shares = sharesOf(positions);
  const rows = database.all(ArrayRow, 'SELECT number, bins FROM bin_array WHERE pool = ? ORDER BY number', pool.address);
  findings.same(`${pool.spec.key}: bin arrays`, rows.map(({ number }) => number).join(), pool.binArrayIndexes.join());
  let [x, y] = [0n, 0n];
  for (const { number, bins } of rows) {
    decodeBinArray(bins).bins.forEach((bin, slot) => {
      const binId = number * BINS_PER_ARRAY + slot;
      findings.same(`${pool.spec.key}: shares of bin ${binId}`, bin.shares, shares.get(binId) ?? 0n);
      findings.check(
        bin.shares > 0n || (bin.x === 0n && bin.y === 0n),
        () => `${pool.spec.key}: ${bin.x} and ${bin.y} lie in bin ${binId}, in which nobody has shares`,
      );
      findings.check(
        (binId <= pool.activeBinId || bin.y === 0n) && (binId >= pool.activeBinId || bin.x === 0n),
        () => `${pool.spec.key}: bin ${binId} has the token of the other side of ${pool.activeBinId}`,
      );
      shares.delete(binId);
      x += bin.x;
      y += bin.y;
    });
  }
  findings.check(
    shares.size === 0,
    () => `${pool.spec.key}: positions have shares of bins that are not there: ${[...shares.keys()].join(', ')}`,
  );
  findings.same(`${pool.spec.key}: X in all bins`, x, pool.liquidity.x);
  findings.same(`${pool.spec.key}: Y in all bins`, y, pool.liquidity.y);
}

function auditLiquidity(pool: ProductPool, positions: readonly Readonly<Position>[], findings: Findings): void {
  const liquidity = positions.reduce((all, { holding }) => all + (holding?.type === 'product' ? holding.liquidity : 0n), 0n);
  findings.same(`${pool.spec.key}: liquidity of all positions`, liquidity, pool.totalLiquidity);
}

function sharesOf(positions: readonly Readonly<Position>[]): Map<number, bigint> {
  const shares = new Map<number, bigint>();
  for (const { holding } of positions) {
    if (holding?.type === 'bins') {
      holding.bins.forEach((held, place) => {
        if (held.shares > 0n) {
          const binId = holding.lowerBinId + place;
          shares.set(binId, (shares.get(binId) ?? 0n) + held.shares);
        }
      });
    }
  }
  return shares;
}

/** Vaults of bin pools are found by who holds them: deriving an address takes long. */
function vaultAmounts(database: Database, pool: Pool): Amounts {
  const amountIn = (rows: readonly z.output<typeof VaultRow>[]): bigint => rows.reduce((all, { data }) => all + tokenAmount(data), 0n);
  if (pool.type === 'bins') {
    const held = (mint: Address): bigint =>
      amountIn(database.all(VaultRow, 'SELECT data FROM account WHERE holder = ? AND mint = ?', pool.address, mint));
    return { x: held(pool.tokenX.mint), y: held(pool.tokenY.mint) };
  }
  const { x, y } = vaultsOf(pool);
  const at = (address: Address): bigint =>
    amountIn(database.all(VaultRow, 'SELECT data FROM account WHERE address = ? AND mint IS NOT NULL', address));
  return { x: at(x.at), y: at(y.at) };
}

function sum(amounts: readonly Amounts[]): Amounts {
  return amounts.reduce((all, { x, y }) => ({ x: all.x + x, y: all.y + y }), { x: 0n, y: 0n });
}
