import * as fc from 'fast-check';
import type { TransactionInstruction } from '@solana/web3.js';
import { address, type Address } from '../../../src/base/solana/address';
import { dammVault, eventAuthority } from '../../../src/base/solana/pda';
import { DAMM_INSTRUCTIONS } from '../../../src/base/solana/generated/dammInstructions';
import { instructionNamed, type Arguments, type InstructionLayout } from '../../../src/base/solana/instructionCodec';
import { DAMM_POOL_AUTHORITY, PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { ZAP_INSTRUCTIONS } from '../../../src/base/solana/zapInstructions';
import { REVIEW_PROGRAMS } from '../../../src/review/decode/programs';
import type { AddLiquidityIntent, ClaimIntent, Review, ZapInIntent, ZapOutIntent } from '../../../src/review/types';
import { anchorForm, argumentsOf } from '../base/solana/layoutArbitraries';
import { dammCoder, dammSdk } from '../base/solana/packages';
import {
  ADD,
  addressOf,
  budget,
  CLAIM,
  COMPOUND,
  createAta,
  instruction,
  key,
  keyOf,
  MINT,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  POOL,
  route,
  syncNative,
  tip,
  transferSol,
  unwrap,
  ZAP_IN,
  ZAP_OUT,
  buyToken,
  type Draft,
} from './bundles';

// Instructions to DAMM v2, whose data Anchor's coder writes from the IDL of Meteora's SDK, and to Meteora Zap.

export const NFT_KEY = keyOf('position NFT');
export const NFT_MINT = addressOf('position NFT');
export const DAMM_POSITION = address(dammSdk().derivePositionAddress(key(NFT_MINT)).toBase58());
export const NFT_ACCOUNT = address(dammSdk().derivePositionNftAccount(key(NFT_MINT)).toBase58());

export const DAMM_OUT: ZapOutIntent = { ...ZAP_OUT, poolType: 'dammV2', position: DAMM_POSITION };
export const DAMM_CLAIM: ClaimIntent = {
  ...CLAIM,
  poolType: 'dammV2',
  position: DAMM_POSITION,
  positions: CLAIM.positions.map((place) => ({ ...place, position: DAMM_POSITION })),
};
export const DAMM_IN: ZapInIntent = {
  ...ZAP_IN,
  poolType: 'dammV2',
  position: DAMM_POSITION,
  strategy: undefined,
  fromBinId: undefined,
  toBinId: undefined,
};

const WITHOUT_BINS = {
  poolType: 'dammV2',
  position: DAMM_POSITION,
  strategy: undefined,
  fromBinId: undefined,
  toBinId: undefined,
} as const;
export const DAMM_ADD: AddLiquidityIntent = { ...ADD, ...WITHOUT_BINS };
export const DAMM_COMPOUND: AddLiquidityIntent = { ...COMPOUND, ...WITHOUT_BINS };

const DAMM_ACCOUNTS: Readonly<Record<string, Address>> = {
  pool_authority: DAMM_POOL_AUTHORITY,
  pool: POOL,
  position: DAMM_POSITION,
  position_nft_mint: NFT_MINT,
  position_nft_account: NFT_ACCOUNT,
  token_a_account: OWN_TOKEN,
  token_b_account: OWN_SOL,
  input_token_account: OWN_TOKEN,
  output_token_account: OWN_SOL,
  user_token_account: OWN_TOKEN,
  reward_mint: MINT,
  token_a_mint: MINT,
  token_b_mint: WRAPPED_SOL_MINT,
  token_a_vault: dammVault(POOL, MINT),
  token_b_vault: dammVault(POOL, WRAPPED_SOL_MINT),
  token_a_program: PROGRAMS.token,
  token_b_program: PROGRAMS.token,
  referral_token_account: PROGRAMS.dammV2,
  signer: OWNER,
  owner: OWNER,
  payer: OWNER,
  rent_receiver: OWNER,
  system_program: PROGRAMS.system,
  event_authority: eventAuthority(PROGRAMS.dammV2),
  program: PROGRAMS.dammV2,
};

const coder = dammCoder();

/** An instruction to DAMM v2 in the form of Meteora's SDK. */
export function damm(name: string, args: Arguments = {}, accounts: Readonly<Record<string, Address>> = {}): TransactionInstruction {
  const layout = instructionNamed(DAMM_INSTRUCTIONS, name);
  const tokenProgram = name === 'create_position' || name === 'close_position' ? PROGRAMS.token2022 : PROGRAMS.token;
  const built = instruction(PROGRAMS.dammV2, [{ ...layout, args: [] }], name, {
    ...DAMM_ACCOUNTS,
    token_program: tokenProgram,
    ...accounts,
  });
  built.data = coder.encode(name, Object.fromEntries(layout.args.map(([arg, type]) => [arg, anchorForm(type, args[arg])])));
  return built;
}

/** An instruction to Meteora Zap; `more` are the accounts of what it carries. */
export function zap(
  name: string,
  args: Arguments = {},
  accounts: Readonly<Record<string, Address>> = {},
  carried?: TransactionInstruction,
): TransactionInstruction {
  const layout = instructionNamed(ZAP_INSTRUCTIONS, name);
  const built = instruction(
    REVIEW_PROGRAMS.meteoraZap,
    ZAP_INSTRUCTIONS,
    name,
    {
      ...DAMM_ACCOUNTS,
      ledger: addressOf('ledger'),
      lb_pair: POOL,
      ...(layout.name.startsWith('zap_in_dlmm') ? { position: addressOf('position') } : {}),
      bin_array_bitmap_extension: PROGRAMS.dlmm,
      user_token_x: OWN_TOKEN,
      user_token_y: OWN_SOL,
      token_x_mint: MINT,
      token_y_mint: WRAPPED_SOL_MINT,
      rent_payer: OWNER,
      token_account: OWN_TOKEN,
      user_token_in_account: OWN_TOKEN,
      ...accounts,
    },
    args,
  );
  built.keys.push(...(carried?.keys ?? []));
  return built;
}

/** A zap-out that carries an instruction, with the amount that goes in at an offset of it. */
export function zapOut(
  carried: TransactionInstruction,
  offset: number,
  accounts: Readonly<Record<string, Address>> = {},
  most = 5_000_000n,
): TransactionInstruction {
  const params = {
    percentage: 100,
    offset_amount_in: offset,
    pre_user_token_balance: 0n,
    max_swap_amount: most,
    payload_data: new Uint8Array(carried.data),
  };
  return zap('zap_out', { params }, { amm_program: address(carried.programId.toBase58()), ...accounts }, carried);
}

/** Arguments that fit an instruction, the same in every run. */
export function someArguments(layout: InstructionLayout): Arguments {
  return fc.sample(argumentsOf(layout), { seed: 11, numRuns: 1 })[0] ?? {};
}

export const thresholds = (a: bigint, b: bigint): Arguments => ({ token_a_amount_threshold: a, token_b_amount_threshold: b });
export const createDamm = (accounts: Readonly<Record<string, Address>> = {}): TransactionInstruction =>
  damm('create_position', {}, accounts);
export const addDamm = (a = 4_200_000n, b = 495_000_000n, accounts: Readonly<Record<string, Address>> = {}): TransactionInstruction =>
  damm('add_liquidity', { params: { liquidity_delta: 3n ** 60n, ...thresholds(a, b) } }, accounts);
export const removeDamm = (accounts: Readonly<Record<string, Address>> = {}): TransactionInstruction =>
  damm('remove_liquidity', { params: { liquidity_delta: 3n ** 59n, ...thresholds(4_000_000n, 390_000_000n) } }, accounts);
export const emptyDamm = (accounts: Readonly<Record<string, Address>> = {}): TransactionInstruction =>
  damm('remove_all_liquidity', thresholds(4_000_000n, 390_000_000n), accounts);

/** A whole zap-out of DAMM v2: withdraw, claim and close, swap to SOL, unwrap. */
export function dammZapOut(): [Draft, Draft, Draft] {
  return [
    {
      group: 'close',
      instructions: [
        ...budget(),
        createAta(MINT),
        createAta(WRAPPED_SOL_MINT),
        emptyDamm(),
        damm('claim_position_fee'),
        damm('close_position'),
        tip(),
      ],
    },
    { group: 'swap', instructions: [...budget(), createAta(WRAPPED_SOL_MINT), route()] },
    { group: 'swap', instructions: [...budget(), unwrap()] },
  ];
}

/** A whole zap-in to DAMM v2: wrap and swap, make the position and fill it, unwrap what is left. */
export function dammZapIn(): [Draft, Draft, Draft] {
  return [
    {
      group: 'swap',
      instructions: [
        ...budget(),
        createAta(WRAPPED_SOL_MINT),
        createAta(MINT),
        transferSol(OWN_SOL, 1_000_000_000n),
        syncNative(),
        buyToken(),
      ],
    },
    { group: 'add', signers: [NFT_KEY], instructions: [...budget(), createDamm(), addDamm(), tip()] },
    { group: 'add', instructions: [...budget(), unwrap()] },
  ];
}

/** The accounts that findings of that verdict point at. */
export function blockedAddresses(review: Review): (Address | undefined)[] {
  return review.findings.filter(({ verdict }) => verdict === 'block').map(({ address: of }) => of);
}
