import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Keypair, PublicKey, TransactionInstruction } from '@solana/web3.js';
import type { ZapInIntent } from '../../../../src/review/types';
import { address } from '../../../../src/base/solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { bigNumber } from '../../base/solana/packages';
import { key, keyOf, MINT, OWNER, ZAP_IN, type Draft } from '../bundles';
import { DLMM_POOL, makeDlmmPool } from './dlmmPool';
import { ProgramVm } from './programVm';
import { connectionTo } from './sdkConnection';

// Deposits as Meteora's own SDK builds them, for a pool in a VM that runs Meteora's own program.

const load = createRequire(join(process.cwd(), 'package.json'));

/** What is used of the SDK. */
interface Sdk {
  readonly create: (connection: unknown, pool: PublicKey, options: unknown) => Promise<SdkPool>;
  readonly StrategyType: Readonly<Record<NonNullable<ZapInIntent['strategy']>, number>>;
}
interface SdkPool {
  initializeMultiplePositionAndAddLiquidityByStrategy2(
    keys: (count: number) => Promise<Keypair[]>,
    x: unknown,
    y: unknown,
    strategy: unknown,
    owner: PublicKey,
    payer: PublicKey,
    slippagePercentage: number,
  ): Promise<{
    readonly instructionsByPositions: readonly {
      readonly positionKeypair: Keypair;
      readonly transactionInstructions: readonly (readonly TransactionInstruction[])[];
    }[];
  }>;
}

/** A VM with the pool, in which the user has SOL and both tokens. */
export function sdkWorld(): ProgramVm {
  const vm = new ProgramVm();
  makeDlmmPool(vm, [-4, -3, -2, -1, 0, 1, 2, 3]);
  vm.fund(OWNER);
  vm.putTokens(OWNER, MINT, 10n ** 12n);
  vm.putTokens(OWNER, WRAPPED_SOL_MINT, 10n ** 12n);
  return vm;
}

/** A deposit by the SDK: its positions, its transactions, and what was asked for. */
export interface SdkBundle {
  readonly positions: readonly Keypair[];
  readonly drafts: readonly Draft[];
  readonly intent: ZapInIntent;
}

/** Builds a deposit into the bins from one to the other, both included. */
export async function sdkBundle(
  vm: ProgramVm,
  minBinId: number,
  maxBinId: number,
  strategy: NonNullable<ZapInIntent['strategy']> = 'Spot',
): Promise<SdkBundle> {
  const sdk = load('@meteora-ag/dlmm') as Sdk;
  // Without the lookup table of its mainnet, which only an RPC can read.
  const pool = await sdk.create(connectionTo(vm), key(DLMM_POOL), {
    cluster: 'localhost',
    programId: key(PROGRAMS.dlmm),
    skipSolWrappingOperation: true,
  });
  const keys = async (count: number): Promise<Keypair[]> => Array.from({ length: count }, (_, at) => keyOf(`SDK position ${at}`));
  const amount = bigNumber(100_000_000n);
  const { instructionsByPositions } = await pool.initializeMultiplePositionAndAddLiquidityByStrategy2(
    keys,
    amount,
    amount,
    { minBinId, maxBinId, strategyType: sdk.StrategyType[strategy] },
    key(OWNER),
    key(OWNER),
    1,
  );
  const drafts = instructionsByPositions.flatMap(({ positionKeypair, transactionInstructions }) =>
    transactionInstructions.map((instructions): Draft => ({ group: 'add', instructions, signers: [positionKeypair] })),
  );
  const positions = instructionsByPositions.map(({ positionKeypair }) => positionKeypair);
  return {
    positions,
    drafts,
    intent: {
      ...ZAP_IN,
      strategy,
      pool: DLMM_POOL,
      position: address(positions[0]?.publicKey.toBase58() ?? ''),
      fromBinId: minBinId,
      toBinId: maxBinId,
    },
  };
}
