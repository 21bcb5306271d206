import { Buffer } from 'node:buffer';
import { ComputeBudgetProgram, PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { type Address, addressBytes } from '../../../../src/base/solana/address';
import { dlmmBinArray, dlmmOracle, dlmmReserve, programAddress } from '../../../../src/base/solana/pda';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { addByStrategy, type AddChoices, addressOf, dlmm, keyOf, MINT } from '../bundles';
import type { ProgramVm } from './programVm';

/** Discriminator of `PresetParameter2` (DLMM IDL). */
const PRESET_DISCRIMINATOR = [171, 236, 148, 115, 162, 113, 222, 174];
const PRESET_BYTES = 8 + 32 + 19 * 8;
const BIN_STEP = 25;

/** Who makes the pool: none of the other wallets. */
const MAKER = keyOf('pool maker');
const MAKER_ADDRESS = addressOf('pool maker');

/** The mint that sorts first decides the pool's address. */
const SORTED = [addressBytes(MINT), addressBytes(WRAPPED_SOL_MINT)].sort((one, other) => Buffer.compare(one, other));

const PRESET = addressOf('preset');
const OTHER_PRESET = addressOf('other preset');
/** DLMM pools of the token and wrapped SOL, active at bin 0. Seeds: preset, both mints in order (DLMM program). */
export const DLMM_POOL = poolOf(PRESET);
export const OTHER_DLMM_POOL = poolOf(OTHER_PRESET);

/** The arguments of instructions with the accounts of {@link DLMM_POOL}, and of the other one. */
export const IN_POOL = accountsOf(DLMM_POOL);
export const IN_OTHER_POOL = accountsOf(OTHER_DLMM_POOL);

function poolOf(preset: Address): Address {
  return programAddress(PROGRAMS.dlmm, [addressBytes(preset), ...SORTED]);
}

function accountsOf(pool: Address): Readonly<Record<string, Address>> {
  return { lb_pair: pool, reserve_x: dlmmReserve(pool, MINT), reserve_y: dlmmReserve(pool, WRAPPED_SOL_MINT) };
}

/** Makes the pool with its bin arrays, in a VM where the program runs. */
export function makeDlmmPool(vm: ProgramVm, binArrays: readonly number[] = [-1, 0]): void {
  makePool(vm, PRESET, DLMM_POOL, binArrays);
}

/** Makes the other pool, next to the first one. */
export function makeOtherDlmmPool(vm: ProgramVm): void {
  makePool(vm, OTHER_PRESET, OTHER_DLMM_POOL, [-1, 0]);
}

function makePool(vm: ProgramVm, presetAddress: Address, pool: Address, binArrays: readonly number[]): void {
  const preset = Buffer.alloc(PRESET_BYTES);
  Buffer.from(PRESET_DISCRIMINATOR).copy(preset);
  preset.writeUInt16LE(BIN_STEP, 8);
  preset.writeUInt16LE(10_000, 10);
  preset.writeUInt16LE(30, 12);
  preset.writeUInt16LE(600, 14);
  preset.writeUInt32LE(40_000, 16);
  preset.writeUInt32LE(350_000, 20);
  preset.writeUInt16LE(5_000, 24);
  preset.writeUInt16LE(500, 26);
  vm.put(presetAddress, PROGRAMS.dlmm, preset);
  vm.putMint(MINT);
  vm.fund(MAKER_ADDRESS);
  landed(vm, [
    dlmm(
      'initialize_lb_pair2',
      { params: { active_id: 0, padding: new Uint8Array(96) } },
      {
        ...accountsOf(pool),
        bin_array_bitmap_extension: PROGRAMS.dlmm,
        token_mint_x: MINT,
        token_mint_y: WRAPPED_SOL_MINT,
        oracle: dlmmOracle(pool),
        preset_parameter: presetAddress,
        funder: MAKER_ADDRESS,
        token_badge_x: PROGRAMS.dlmm,
        token_badge_y: PROGRAMS.dlmm,
        token_program_x: PROGRAMS.token,
        token_program_y: PROGRAMS.token,
      },
    ),
  ]);
  for (const index of binArrays) {
    landed(vm, [
      dlmm(
        'initialize_bin_array',
        { index: BigInt(index) },
        { ...accountsOf(pool), bin_array: dlmmBinArray(pool, index), funder: MAKER_ADDRESS },
      ),
    ]);
  }
}

/** A deposit into {@link DLMM_POOL}, with its bin arrays. */
export function depositInPool(choices: AddChoices): TransactionInstruction {
  const built = addByStrategy({ ...choices, accounts: IN_POOL });
  const arrays = [-1, 0].map((index) => ({ pubkey: new PublicKey(dlmmBinArray(DLMM_POOL, index)), isSigner: false, isWritable: true }));
  built.keys.splice(-1, 1, ...arrays);
  return built;
}

function landed(vm: ProgramVm, instructions: readonly TransactionInstruction[]): void {
  const { error, logs } = vm.send([ComputeBudgetProgram.setComputeUnitLimit({ units: 1_400_000 }), ...instructions], [MAKER]);
  if (error !== undefined) {
    throw new Error(`${error}\n${logs.join('\n')}`);
  }
}
