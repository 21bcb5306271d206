import { Buffer } from 'node:buffer';
import * as z from 'zod';
import { addressBytes, type Address } from '../../../../base/solana/address';
import { PROGRAMS, RENT_LAMPORTS } from '../../../../base/solana/programs';
import { readMint, tokenAmount } from '../../../chain/tokenAccount';
import { StoredAddress, Whole } from '../../../store/meta';
import type { Database } from '../../../store/database';
import { binArrayAccount, positionAccount, type ProgramAccount } from '../../accounts';
import type { Market, Pool, Position } from '../../types';
import type { Findings } from './findings';

const AccountRow = z.object({
  address: StoredAddress,
  lamports: Whole,
  data: z.instanceof(Uint8Array),
  holder: StoredAddress.nullable(),
  mint: StoredAddress.nullable(),
});
type AccountRow = z.output<typeof AccountRow>;
const OF_PROGRAM = 'SELECT address, lamports, data, holder, mint FROM account WHERE program = ?';

/** Where pool and NFT mint stand in a position's account of DAMM v2: behind the discriminator. */
const PRODUCT_POSITION = { poolAndMint: [8, 72] } as const;

interface OpenPosition {
  readonly pool: Pool;
  readonly position: Readonly<Position>;
}

/** Open positions and bin arrays have their accounts on the chain, with their rent at least; closed positions have none. */
export function auditPositionAccounts(database: Database, market: Market, findings: Findings): void {
  const open = market.pools.flatMap((pool) => market.positions.openIn(pool.address).map((position): OpenPosition => ({ pool, position })));
  auditBinAccounts(
    database,
    market,
    open.filter(({ pool }) => pool.type === 'bins'),
    findings,
  );
  auditProductAccounts(
    database,
    open.filter(({ pool }) => pool.type === 'product'),
    findings,
  );
}

/** A bin array is known by its contents: deriving its address takes long. */
function auditBinAccounts(database: Database, market: Market, open: readonly OpenPosition[], findings: Findings): void {
  const positions = new Map(open.map(({ position }) => [position.address, position]));
  const arrays = new Map<string, string>();
  for (const pool of market.pools) {
    if (pool.type === 'bins') {
      pool.binArrayIndexes.forEach((index) =>
        arrays.set(contents(binArrayAccount(pool.address, index)), `bin array ${index} of ${pool.spec.key}`),
      );
    }
  }
  for (const row of database.all(AccountRow, OF_PROGRAM, PROGRAMS.dlmm)) {
    const position = positions.get(row.address);
    if (position === undefined) {
      findings.check(
        row.lamports >= RENT_LAMPORTS.binArray && arrays.delete(contents(row)),
        () => `The account ${row.address} belongs to no open position and no bin array`,
      );
    } else {
      const { pool, owner, lowerBinId, upperBinId } = position;
      const isRight = lowerBinId !== null && upperBinId !== null && isSame(row, positionAccount(pool, owner, lowerBinId, upperBinId));
      findings.check(isRight, () => `The account of position ${row.address} is not as it should be`);
      positions.delete(row.address);
    }
  }
  missing([...positions.keys()], findings);
  arrays.forEach((array) => findings.check(false, () => `There is no account of ${array}`));
}

/** A position has an account of its own, the mint of its NFT, and the owner's account with that NFT. */
function auditProductAccounts(database: Database, open: readonly OpenPosition[], findings: Findings): void {
  const positions = new Map(open.map((of) => [of.position.address, of]));
  for (const row of database.all(AccountRow, OF_PROGRAM, PROGRAMS.dammV2)) {
    const of = positions.get(row.address);
    const { nftMint = null } = of?.position ?? {};
    if (of === undefined || nftMint === null) {
      findings.check(false, () => `The account ${row.address} belongs to no open position`);
    } else {
      const poolAndMint = Buffer.from(row.data).subarray(...PRODUCT_POSITION.poolAndMint);
      const isRight =
        poolAndMint.equals(Buffer.concat([addressBytes(of.pool.address), addressBytes(nftMint)])) &&
        row.lamports >= RENT_LAMPORTS.productPosition;
      findings.check(isRight, () => `The account of position ${row.address} is not as it should be`);
    }
    positions.delete(row.address);
  }
  missing([...positions.keys()], findings);
  auditNfts(database, open, findings);
}

function auditNfts(database: Database, open: readonly OpenPosition[], findings: Findings): void {
  const nfts = database.all(AccountRow, OF_PROGRAM, PROGRAMS.token2022);
  const mints = new Map(nfts.filter(({ mint }) => mint === null).map((row) => [row.address, row]));
  const accounts = new Map(nfts.flatMap((row) => (row.mint === null ? [] : [[row.mint, row] as const])));
  for (const { position } of open) {
    const mint = position.nftMint === null ? undefined : mints.get(position.nftMint);
    const account = position.nftMint === null ? undefined : accounts.get(position.nftMint);
    findings.check(
      isNft(mint) && isHeld(account, position.owner),
      () => `The NFT of position ${position.address} is not there, or not its owner's`,
    );
  }
  findings.same('Accounts of NFTs', nfts.length, 2 * open.length);
}

function isNft(row: AccountRow | undefined): boolean {
  const mint = row && readMint({ ...row, program: PROGRAMS.token2022, executable: false });
  return mint?.supplyRaw === 1n && mint.decimals === 0 && row !== undefined && row.lamports >= RENT_LAMPORTS.productNftMint;
}

function isHeld(row: AccountRow | undefined, owner: Address): boolean {
  return row?.holder === owner && tokenAmount(row.data) === 1n && row.lamports >= RENT_LAMPORTS.productNftAccount;
}

function missing(positions: readonly Address[], findings: Findings): void {
  positions.forEach((position) => findings.check(false, () => `There is no account of position ${position}`));
}

/** The same data, and no fewer lamports: anybody may send some to any account. */
function isSame(row: AccountRow, { lamports, data }: ProgramAccount): boolean {
  return row.lamports >= lamports && contents(row) === contents({ data });
}

function contents({ data }: Pick<ProgramAccount, 'data'>): string {
  return Buffer.from(data).toString('base64');
}
