import * as z from 'zod';
import { PROGRAMS, RENT_LAMPORTS, WRAPPED_SOL_MINT } from '../../../../base/solana/programs';
import { readMint, tokenAmount } from '../../../chain/tokenAccount';
import type { Database } from '../../../store/database';
import { readMeta, StoredAddress, Whole } from '../../../store/meta';
import type { Findings } from './findings';

const ChainMeta = z.object({ genesisLamports: Whole, feesBurntLamports: Whole });
const SumRow = z.object({ sum: Whole.nullable() });
const TokenAccountRow = z.object({ address: z.string(), mint: StoredAddress, lamports: Whole, data: z.instanceof(Uint8Array) });
const MintRow = z.object({ address: StoredAddress, program: StoredAddress, lamports: Whole, data: z.instanceof(Uint8Array) });

const TOKEN_PROGRAMS = [PROGRAMS.token, PROGRAMS.token2022] as const;

/** Lamports move and are burnt as fees, nothing else; tokens move. */
export function auditMoney(database: Database, findings: Findings): void {
  auditLamports(database, findings);
  auditTokens(database, findings);
}

function auditLamports(database: Database, findings: Findings): void {
  const chain = readMeta(database, 'chain', ChainMeta);
  // All SOL that there is fits into 63 bits.
  const sum = database.get(SumRow, 'SELECT CAST(sum(CAST(lamports AS INTEGER)) AS TEXT) AS sum FROM account')?.sum ?? 0n;
  findings.check(chain !== undefined, () => 'The chain has no state');
  if (chain !== undefined) {
    findings.same('Lamports of all accounts and fees burnt', sum + chain.feesBurntLamports, chain.genesisLamports);
  }
}

function auditTokens(database: Database, findings: Findings): void {
  const held = new Map<string, bigint>();
  for (const { address, mint, lamports, data } of database.all(
    TokenAccountRow,
    'SELECT address, mint, lamports, data FROM account WHERE mint IS NOT NULL',
  )) {
    const amount = tokenAmount(data);
    held.set(mint, (held.get(mint) ?? 0n) + amount);
    if (mint === WRAPPED_SOL_MINT) {
      findings.check(
        lamports >= amount + RENT_LAMPORTS.tokenAccount,
        () => `The wrapped SOL account ${address} says ${amount}, but has ${lamports} lamports`,
      );
    }
  }
  held.delete(WRAPPED_SOL_MINT);
  for (const row of database.all(
    MintRow,
    'SELECT address, program, lamports, data FROM account WHERE mint IS NULL AND program IN (?, ?)',
    ...TOKEN_PROGRAMS,
  )) {
    const mint = readMint({ ...row, executable: false });
    findings.check(mint !== undefined, () => `The account ${row.address} of a token program is neither a mint nor a token account`);
    findings.same(`Tokens of mint ${row.address} in all accounts`, held.get(row.address) ?? 0n, mint?.supplyRaw ?? 0n);
    held.delete(row.address);
  }
  findings.check(held.size === 0, () => `Token accounts of mints that are not there: ${[...held.keys()].join(', ')}`);
}
