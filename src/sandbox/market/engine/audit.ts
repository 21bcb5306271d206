import { Buffer } from 'node:buffer';
import * as z from 'zod';
import { BINS_PER_ARRAY } from '../../../base/dlmm/bins';
import { type Address, addressBytes } from '../../../base/solana/address';
import { PROGRAMS } from '../../../base/solana/programs';
import type { RentRate } from '../../../base/solana/rent';
import { readMint, tokenAmount } from '../../../base/solana/tokenAccount';
import { chainRent } from '../../chain/chainState';
import { AccountLedger, openAccounts } from '../../chain/ledger';
import type { Database } from '../../store/database';
import { readJson, StoredAddress, Whole } from '../../store/meta';
import { UnitOfWork } from '../../store/unitOfWork';
import { binArrayAccount, positionAccount, type ProgramAccount, vaultsOf } from '../accounts';
import { SimulatedMarket } from '../market';
import { decodeBinArray } from '../pools/binArrays';
import type { Amounts, BinPool, Market, MarketPool, Position, ProductPool } from '../types';
import { auditEvents, auditLandings, auditMoney, Findings } from './auditRows';

const ProtocolFees = z
  .object({ protocolFeeX: Whole, protocolFeeY: Whole })
  .transform(({ protocolFeeX, protocolFeeY }): Amounts => ({ x: protocolFeeX, y: protocolFeeY }));
const StateRow = z.object({ state: z.string() });
const ArrayRow = z.object({ number: z.int(), bins: z.instanceof(Uint8Array) });
const VaultRow = z.object({ data: z.instanceof(Uint8Array) });

/** Rounding favors the pool. The dust that it leaves is at most this raw amount, plus one in this many of the vault. */
const MAX_DUST_PART = 10_000n;
const MAX_DUST = 1_000_000n;

/** Checks that positions have no more than the pool, and that the vaults cover liquidity and fees. */
function auditPool(database: Database, market: Market, pool: MarketPool, findings: Findings): void {
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
      dust <= MAX_DUST + pool.vaults[side] / MAX_DUST_PART,
      () => `${name}: ${dust} in the vault belong to no position, more than rounding leaves`,
    );
  }
  if (pool.type === 'bins') {
    auditBins(database, pool, positions, findings);
  } else {
    auditLiquidity(pool, positions, findings);
  }
}

/** Checks that the shares of each bin are those of the positions, and that the bins add up to the pool's liquidity. */
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
        () => `${pool.spec.key}: ${bin.x} and ${bin.y} lie in bin ${binId}, in which no position has shares`,
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

/** Vaults of bin pools are found by their holder, because deriving an address is slow. */
function vaultAmounts(database: Database, pool: MarketPool): Amounts {
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

const AccountRow = z.object({
  address: StoredAddress,
  lamports: Whole,
  data: z.instanceof(Uint8Array),
  holder: StoredAddress.nullable(),
  mint: StoredAddress.nullable(),
});
type AccountRow = z.output<typeof AccountRow>;
const OF_PROGRAM = 'SELECT address, lamports, data, holder, mint FROM account WHERE program = ?';

/** Bytes of pool and NFT mint in a position account of DAMM v2, after the discriminator. */
const PRODUCT_POSITION = { poolAndMint: [8, 72] } as const;

interface OpenPosition {
  readonly pool: MarketPool;
  readonly position: Readonly<Position>;
}

/** Checks that open positions and bin arrays have their accounts with sufficient rent, and closed positions have none. */
function auditPositionAccounts(database: Database, market: Market, rent: RentRate, findings: Findings): void {
  const open = market.pools.flatMap((pool) => market.positions.openIn(pool.address).map((position): OpenPosition => ({ pool, position })));
  auditBinAccounts(
    database,
    market,
    open.filter(({ pool }) => pool.type === 'bins'),
    rent,
    findings,
  );
  auditProductAccounts(
    database,
    open.filter(({ pool }) => pool.type === 'product'),
    rent,
    findings,
  );
}

/** Bin arrays are found by their contents, because deriving an address is slow. */
function auditBinAccounts(database: Database, market: Market, open: readonly OpenPosition[], rent: RentRate, findings: Findings): void {
  const positions = new Map(open.map(({ position }) => [position.address, position]));
  const arrays = new Map<string, string>();
  for (const pool of market.pools) {
    if (pool.type === 'bins') {
      pool.binArrayIndexes.forEach((index) =>
        arrays.set(contents(binArrayAccount(pool.address, index, rent)), `bin array ${index} of ${pool.spec.key}`),
      );
    }
  }
  for (const row of database.all(AccountRow, OF_PROGRAM, PROGRAMS.dlmm)) {
    const position = positions.get(row.address);
    if (position === undefined) {
      findings.check(
        row.lamports >= rent.binArray && arrays.delete(contents(row)),
        () => `The account ${row.address} belongs to no open position and no bin array`,
      );
    } else {
      const { pool, owner, lowerBinId, upperBinId } = position;
      const isRight = lowerBinId !== null && upperBinId !== null && isSame(row, positionAccount(pool, owner, lowerBinId, upperBinId, rent));
      findings.check(isRight, () => `The account of position ${row.address} is not as it should be`);
      positions.delete(row.address);
    }
  }
  missing([...positions.keys()], findings);
  arrays.forEach((array) => findings.check(false, () => `There is no account of ${array}`));
}

/** Checks a position's account, the mint of its NFT, and the owner's account with the NFT. */
function auditProductAccounts(database: Database, open: readonly OpenPosition[], rent: RentRate, findings: Findings): void {
  const positions = new Map(open.map((of) => [of.position.address, of]));
  for (const row of database.all(AccountRow, OF_PROGRAM, PROGRAMS.dammV2)) {
    const of = positions.get(row.address);
    const { nftMint = null } = of?.position ?? {};
    if (of === undefined || nftMint === null) {
      findings.check(false, () => `The account ${row.address} belongs to no open position`);
    } else {
      const poolAndMint = Buffer.from(row.data).subarray(...PRODUCT_POSITION.poolAndMint);
      const isRight =
        poolAndMint.equals(Buffer.concat([addressBytes(of.pool.address), addressBytes(nftMint)])) && row.lamports >= rent.productPosition;
      findings.check(isRight, () => `The account of position ${row.address} is not as it should be`);
    }
    positions.delete(row.address);
  }
  missing([...positions.keys()], findings);
  auditNfts(database, open, rent, findings);
}

function auditNfts(database: Database, open: readonly OpenPosition[], rent: RentRate, findings: Findings): void {
  const nfts = database.all(AccountRow, OF_PROGRAM, PROGRAMS.token2022);
  const mints = new Map(nfts.filter(({ mint }) => mint === null).map((row) => [row.address, row]));
  const accounts = new Map(nfts.flatMap((row) => (row.mint === null ? [] : [[row.mint, row] as const])));
  for (const { position } of open) {
    const mint = position.nftMint === null ? undefined : mints.get(position.nftMint);
    const account = position.nftMint === null ? undefined : accounts.get(position.nftMint);
    findings.check(
      isNft(mint, rent) && isHeld(account, position.owner, rent),
      () => `The NFT of position ${position.address} is not there, or not its owner's`,
    );
  }
  findings.same('Accounts of NFTs', nfts.length, 2 * open.length);
}

function isNft(row: AccountRow | undefined, rent: RentRate): boolean {
  const mint = row && readMint({ program: PROGRAMS.token2022, data: row.data });
  return mint?.supplyRaw === 1n && mint.decimals === 0 && row !== undefined && row.lamports >= rent.productNftMint;
}

function isHeld(row: AccountRow | undefined, owner: Address, rent: RentRate): boolean {
  return row?.holder === owner && tokenAmount(row.data) === 1n && row.lamports >= rent.productNftAccount;
}

function missing(positions: readonly Address[], findings: Findings): void {
  positions.forEach((position) => findings.check(false, () => `There is no account of position ${position}`));
}

/** Whether the data is the same and the lamports suffice; anyone may send lamports to an account. */
function isSame(row: AccountRow, { lamports, data }: ProgramAccount): boolean {
  return row.lamports >= lamports && contents(row) === contents({ data });
}

function contents({ data }: Pick<ProgramAccount, 'data'>): string {
  return Buffer.from(data).toString('base64');
}

/**
 * Checks the invariants of a world as of the last commit. Returns a sentence for developers for each violation. Reads only the
 * database, which it opens a second time like a start would; changes nothing.
 * @throws StoreError if the database cannot be read
 */
export function audit(database: Database): readonly string[] {
  const findings = new Findings();
  const ledger = new AccountLedger(openAccounts(database), chainRent(database));
  const market = SimulatedMarket.open({ database, unit: new UnitOfWork(database), ledger, seed: 0, startedAt: 0, playedFrom: 0 });
  if (market.isNew) {
    return ['There is no market'];
  }
  auditMoney(database, ledger.rent, findings);
  market.pools.forEach((pool) => auditPool(database, market, pool, findings));
  auditPositionAccounts(database, market, ledger.rent, findings);
  auditEvents(database, market, findings);
  auditLandings(database, findings);
  return findings.all;
}
