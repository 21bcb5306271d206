import { ComputeBudgetProgram, TransactionInstruction } from '@solana/web3.js';
import { PROGRAMS } from '../../src/base/solana/programs';
import type { CaseInput } from '../../src/review/report/caseFormat';
import { addressOf, claim, inVersion, key, V1_CONFIG, ZAP_OUT, type Draft, type Version } from '../support/review/bundles';
import { attack, inputOf, type Attack } from './attack';
import { IN, OUT, type Operation } from './plant';

// Attacks with the fees and limits of version 1, which are in its config, and with Compute Budget instructions, which the network ignores there.

const CLAIM: Draft = { group: 'close', version: 1, instructions: [claim()] };

/** An honest zap-out whose first transaction has another config, and an honest zap-in whose last one has. */
function configured(config: NonNullable<Draft['config']>): Readonly<Record<string, CaseInput>> {
  const change = ({ intent, drafts }: Operation, place: number): CaseInput =>
    inputOf(
      intent,
      drafts(1).map((draft, at) => (at === place ? { ...draft, config } : draft)),
    );
  return { 'zap-out': change(OUT, 0), 'zap-in': change(IN, 2) };
}

const { computeUnitLimit, loadedAccountsDataSizeLimit } = V1_CONFIG;
const price = (microLamports: bigint): TransactionInstruction => ComputeBudgetProgram.setComputeUnitPrice({ microLamports });
const limit = (units: number): TransactionInstruction => ComputeBudgetProgram.setComputeUnitLimit({ units });
const budgetCall = (...data: readonly number[]): TransactionInstruction =>
  new TransactionInstruction({ programId: key(PROGRAMS.computeBudget), keys: [], data: Buffer.from(data) });

/** Honest transactions of different versions, with this fee in each; in the older ones as a price. */
function feesIn(versions: readonly Version[], lamports: bigint): CaseInput {
  return inputOf(
    ZAP_OUT,
    versions.map((version, at): Draft => ({
      ...inVersion(version, {
        group: 'close',
        instructions: [claim(), limit(1_000_000), price(lamports)],
        blockhash: addressOf(`hash ${at}`),
      }),
      config: { ...V1_CONFIG, priorityFeeLamports: lamports },
    })),
  );
}

/** Only this form in v1. */
const inClaim = (...instructions: readonly TransactionInstruction[]): Readonly<Record<string, CaseInput>> => ({
  'before the others': inputOf(ZAP_OUT, [{ ...CLAIM, instructions: [...instructions, claim()] }]),
  'after the others': inputOf(ZAP_OUT, [{ ...CLAIM, instructions: [claim(), ...instructions] }]),
  'in an operation': inputOf(
    ZAP_OUT,
    OUT.drafts(1).map((draft, at) => (at === 1 ? { ...draft, instructions: [...draft.instructions, ...instructions] } : draft)),
  ),
});

export const VERSION_1_FEES: readonly Attack[] = [
  attack('FEE-2', 'version 1: sets a priority fee above the cap', 'block FEE-2', () =>
    configured({ ...V1_CONFIG, priorityFeeLamports: 50_000_000n }),
  ),
  attack('FEE-2', 'version 1: sets a fee that a JavaScript number cannot hold', 'block FEE-2', () =>
    configured({ ...V1_CONFIG, priorityFeeLamports: 2n ** 53n + 1n }),
  ),
  attack('FEE-2', 'version 1: sets a fee whose lower bytes are zero', 'block FEE-2', () =>
    configured({ ...V1_CONFIG, priorityFeeLamports: 2n ** 56n }),
  ),
  attack('FEE-2', 'version 1: sets the highest fee that the field can hold', 'block FEE-2', () =>
    configured({ ...V1_CONFIG, priorityFeeLamports: 2n ** 64n - 1n }),
  ),
  attack('FEE-2', 'version 1: sets few compute units, so that the fee looks small if it were for each unit', 'block FEE-2', () =>
    configured({ ...V1_CONFIG, computeUnitLimit: 1, priorityFeeLamports: 1_000_000_000n }),
  ),
  attack('FEE-1', 'version 1: sets a high priority fee', 'confirm FEE-1', () =>
    configured({ ...V1_CONFIG, priorityFeeLamports: 10_000_000n }),
  ),
  attack('FEE-2', 'version 1: splits priority fees over transactions', 'block FEE-2', () => ({
    'five of version 1': feesIn([1, 1, 1, 1, 1], 10_000_000n),
    'of different versions': feesIn(['legacy', 1, 0, 1, 1], 10_000_000n),
  })),
  attack('FEE-1', 'version 1: splits high priority fees over transactions', 'confirm FEE-1', () => ({
    'of different versions': feesIn(['legacy', 1, 0, 1, 1], 2_000_000n),
  })),
  attack('FEE-3', 'version 1: sets no compute unit limit, so that only the fee is charged', 'block FEE-3', () => ({
    ...configured({ loadedAccountsDataSizeLimit, priorityFeeLamports: 1n }),
    'in an instruction only': inputOf(ZAP_OUT, [
      { ...CLAIM, instructions: [limit(400_000), claim()], config: { loadedAccountsDataSizeLimit } },
    ]),
  })),
  attack('FEE-3', 'version 1: sets a compute unit limit of zero', 'block FEE-3', () => configured({ ...V1_CONFIG, computeUnitLimit: 0 })),
  attack('FEE-3', 'version 1: sets no limit for the data of accounts', 'block FEE-3', () => configured({ computeUnitLimit })),
  attack('FEE-3', 'version 1: sets a limit of zero for the data of accounts', 'block FEE-3', () =>
    configured({ ...V1_CONFIG, loadedAccountsDataSizeLimit: 0 }),
  ),
  attack('FEE-3', 'version 1: sets nothing', 'block FEE-3', () => configured({})),
  attack('FEE-1', 'version 1: names an absurd fee in an instruction without effect', 'confirm FEE-1', () => inClaim(price(2n ** 64n - 1n))),
  attack('FEE-1', 'version 1: names a fee above the limit in instructions without effect', 'confirm FEE-1', () =>
    inClaim(limit(1_400_000), price(7_200_000n)),
  ),
  attack('FEE-1', 'version 1: sets impossible limits in instructions without effect', 'confirm FEE-1', () =>
    inClaim(limit(0), limit(2 ** 32 - 1)),
  ),
  attack('FEE-1', 'version 1: sets a limit of zero for the data of accounts in an instruction without effect', 'confirm FEE-1', () =>
    inClaim(budgetCall(4, 0, 0, 0, 0)),
  ),
  attack('FEE-1', 'version 1: asks for an impossible heap in an instruction without effect', 'confirm FEE-1', () =>
    inClaim(budgetCall(1, 1, 0, 0, 0)),
  ),
  ...[[0, 1, 0, 0, 0, 255, 255, 255, 255], [2, 1, 0, 0], [3, 1, 0, 0, 0], [5, 0, 0, 0, 0], []].map((data) =>
    attack(
      'FEE-1',
      `version 1: sends an invalid compute budget instruction: ${data.length === 0 ? 'no data' : data.join(' ')}`,
      'confirm FEE-1',
      () => inClaim(budgetCall(...data)),
    ),
  ),
  attack('FEE-1', 'version 1: sets usual values in instructions without effect (no attack)', 'info LIM-3', () =>
    inClaim(limit(400_000), price(50_000n)),
  ),
];
