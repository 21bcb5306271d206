import { ComputeBudgetProgram } from '@solana/web3.js';
import { type Address, addressBytes } from '../../../../src/base/solana/address';
import { dammPosition, dammPositionNftAccount, dammVault, programAddress } from '../../../../src/base/solana/pda';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { addressOf, keyOf, MINT } from '../bundles';
import { damm } from '../meteoraDrafts';
import type { ProgramVm } from './programVm';

const MAKER = keyOf('pool maker');
const MAKER_ADDRESS = addressOf('pool maker');
const FIRST_NFT = keyOf('first position of the pool');
const FIRST_NFT_MINT = addressOf('first position of the pool');

/** The larger mint comes first in the seeds. */
const [LARGER = MINT, SMALLER = MINT] = [MINT, WRAPPED_SOL_MINT].sort((one, other) =>
  Buffer.compare(addressBytes(other), addressBytes(one)),
);

/** A DAMM v2 pool of the token and wrapped SOL. Seeds: "cpool", both mints, the larger first (DAMM v2 program). */
export const DAMM_POOL = programAddress(PROGRAMS.dammV2, [Buffer.from('cpool'), addressBytes(LARGER), addressBytes(SMALLER)]);

/** The accounts of instructions to {@link DAMM_POOL}. */
export const IN_DAMM_POOL: Readonly<Record<string, Address>> = {
  pool: DAMM_POOL,
  token_a_vault: dammVault(DAMM_POOL, MINT),
  token_b_vault: dammVault(DAMM_POOL, WRAPPED_SOL_MINT),
};

const MIN_SQRT_PRICE = 4295048016n;
const MAX_SQRT_PRICE = 79226673521066979257578248091n;

/** Makes the pool with a little liquidity, in a VM where the program runs. */
export function makeDammPool(vm: ProgramVm): void {
  const baseFee = Buffer.alloc(27);
  baseFee.writeBigUInt64LE(2_500_000n);
  vm.putMint(MINT);
  vm.fund(MAKER_ADDRESS);
  const [a, b] = [vm.putTokens(MAKER_ADDRESS, MINT, 10n ** 12n), vm.putTokens(MAKER_ADDRESS, WRAPPED_SOL_MINT, 10n ** 12n)];
  const create = damm(
    'initialize_customizable_pool',
    {
      params: {
        pool_fees: { base_fee: { data: new Uint8Array(baseFee) }, compounding_fee_bps: 0, padding: 0, dynamic_fee: undefined },
        sqrt_min_price: MIN_SQRT_PRICE,
        sqrt_max_price: MAX_SQRT_PRICE,
        has_alpha_vault: false,
        liquidity: (10n ** 9n) << 64n,
        sqrt_price: 1n << 64n,
        activation_type: 1,
        collect_fee_mode: 0,
        activation_point: undefined,
      },
    },
    {
      ...IN_DAMM_POOL,
      creator: MAKER_ADDRESS,
      payer: MAKER_ADDRESS,
      position_nft_mint: FIRST_NFT_MINT,
      position_nft_account: dammPositionNftAccount(FIRST_NFT_MINT),
      position: dammPosition(FIRST_NFT_MINT),
      payer_token_a: a,
      payer_token_b: b,
      token_2022_program: PROGRAMS.token2022,
    },
  );
  const { error, logs } = vm.send([ComputeBudgetProgram.setComputeUnitLimit({ units: 1_400_000 }), create], [MAKER, FIRST_NFT]);
  if (error !== undefined) {
    throw new Error(`${error}\n${logs.join('\n')}`);
  }
}
