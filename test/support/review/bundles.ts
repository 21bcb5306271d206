import { createHash } from 'node:crypto';
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
  type AddressLookupTableAccount,
} from '@solana/web3.js';
import { address, type Address } from '../../../src/base/solana/address';
import {
  base64FromBytes,
  messageOf,
  parseTransaction,
  type Base64Transaction,
  type TransactionVersion,
} from '../../../src/base/solana/wireTransaction';
import type { TransactionConfig } from '../../../src/base/solana/wireConfig';
import { writeV1Transaction, type V1Instruction } from '../../../src/base/solana/writeV1Transaction';
import { associatedTokenAddress, dlmmBinArray, dlmmReserve, eventAuthority } from '../../../src/base/solana/pda';
import { DLMM_INSTRUCTIONS } from '../../../src/base/solana/generated/dlmmInstructions';
import { encodeInstruction, instructionNamed, type Arguments, type InstructionLayout } from '../../../src/base/solana/instructionCodec';
import { JUPITER_INSTRUCTIONS } from '../../../src/base/solana/jupiterInstructions';
import { PROGRAMS, USDC_MINT, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { reviewOperation } from '../../../src/review/review';
import type { PolicySettings } from '../../../src/review/policy';
import type {
  AddLiquidityIntent,
  ClaimIntent,
  Intent,
  Review,
  SwapIntent,
  TransactionGroup,
  UnwrapIntent,
  ZapInIntent,
  ZapOutIntent,
  ReviewInput,
} from '../../../src/review/types';
import { signWithSeed } from '../../../src/wallet/keys';

// Transactions as an honest service builds them, with @solana/web3.js (v1: with the product's writer) and the instruction tables; tests then
// spoil them.

export type Version = TransactionVersion;

/** All formats that the network executes. */
export const VERSIONS: readonly Version[] = ['legacy', 0, 1];

/** "legacy", "v0", "v1". */
export function versionName(version: Version): string {
  return version === 'legacy' ? version : `v${version}`;
}

/** By name: @solana/web3.js derives a key in a millisecond, and tests name the same ones thousands of times. */
const keys = new Map<string, Keypair>();

/** A key that is the same in every run. */
export function keyOf(name: string): Keypair {
  const known = keys.get(name);
  if (known !== undefined) return known;
  const made = Keypair.fromSeed(createHash('sha256').update(name).digest());
  keys.set(name, made);
  return made;
}

export function addressOf(name: string): Address {
  return address(keyOf(name).publicKey.toBase58());
}

export const OWNER_KEY = keyOf('owner');
export const POSITION_KEY = keyOf('position');
export const OWNER = addressOf('owner');
export const POSITION = addressOf('position');
export const POOL = addressOf('pool');
export const MINT = addressOf('mint');
export const THIEF = addressOf('thief');
const TIP_ACCOUNT = address('96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5');
export const BLOCKHASH = addressOf('blockhash');
export const OWN_TOKEN = associatedTokenAddress(OWNER, MINT);
export const OWN_SOL = associatedTokenAddress(OWNER, WRAPPED_SOL_MINT);
export const FROM_BIN = -20;
export const TO_BIN = 19;

/** What the user was shown before zapping out: what the token costs in SOL, and what the share is worth in either. */
export const SHOWN: Required<Pick<ZapOutIntent, 'references' | 'worth'>> = {
  references: [{ inMint: MINT, inAmountRaw: 1_000_000n, outMint: WRAPPED_SOL_MINT, outAmountRaw: 80_000_000n }],
  worth: [
    { mint: MINT, amountRaw: 10_000_000n },
    { mint: WRAPPED_SOL_MINT, amountRaw: 800_000_000n },
  ],
};

/** The same where the pool's other token is USDC. */
export const SHOWN_WITH_USDC: typeof SHOWN = {
  references: [
    { inMint: WRAPPED_SOL_MINT, inAmountRaw: 1_000_000_000n, outMint: USDC_MINT, outAmountRaw: 164_000_000n },
    { inMint: MINT, inAmountRaw: 5n, outMint: WRAPPED_SOL_MINT, outAmountRaw: 9_000_000n },
  ],
  worth: [
    { mint: MINT, amountRaw: 1_000n },
    { mint: USDC_MINT, amountRaw: 295_200_000n },
  ],
};

/** The same for a zap-in, at the price of {@link buyToken}. */
const SHOWN_IN: Required<Pick<ZapInIntent, 'references'>> = {
  references: [{ inMint: WRAPPED_SOL_MINT, inAmountRaw: 500_000_000n, outMint: MINT, outAmountRaw: 4_100_000n }],
};

export const ZAP_OUT: ZapOutIntent = {
  kind: 'zapOut',
  owner: OWNER,
  pool: POOL,
  position: POSITION,
  slippageBps: 300,
  tokenX: MINT,
  tokenY: WRAPPED_SOL_MINT,
  shareBps: 10_000,
  output: 'allBaseToken',
  ...SHOWN,
};

export const ZAP_IN: ZapInIntent = {
  kind: 'zapIn',
  owner: OWNER,
  pool: POOL,
  position: POSITION,
  slippageBps: 300,
  tokenX: MINT,
  tokenY: WRAPPED_SOL_MINT,
  inputLamports: 1_000_000_000n,
  strategy: 'Spot',
  fromBinId: FROM_BIN,
  toBinId: TO_BIN,
  ...SHOWN_IN,
};

/** Claims the fees of {@link POSITION}. */
export const CLAIM: ClaimIntent = {
  kind: 'claim',
  owner: OWNER,
  pool: POOL,
  position: POSITION,
  slippageBps: 0,
  tokenX: MINT,
  tokenY: WRAPPED_SOL_MINT,
  positions: [
    {
      pool: POOL,
      position: POSITION,
      tokenX: MINT,
      tokenY: WRAPPED_SOL_MINT,
      fees: [
        { mint: MINT, amountRaw: 1_000_000n },
        { mint: WRAPPED_SOL_MINT, amountRaw: 80_000_000n },
      ],
    },
  ],
  ...{ references: SHOWN.references },
};

/** Adds a token and SOL from the wallet to {@link POSITION}. */
export const ADD: AddLiquidityIntent = {
  ...ZAP_IN,
  kind: 'addLiquidity',
  position: POSITION,
  inputLamports: 500_000_000n,
  tokens: [{ mint: MINT, amountRaw: 4_000_000n }],
};

/** Swaps SOL and adds it to {@link POSITION}. */
export const ADD_SOL: AddLiquidityIntent = { ...ZAP_IN, kind: 'addLiquidity', position: POSITION, isSolOnly: true };

/** Claims the fees of {@link POSITION} and adds them to it. */
export const COMPOUND: AddLiquidityIntent = {
  ...ZAP_IN,
  kind: 'addLiquidity',
  position: POSITION,
  inputLamports: 0n,
  fees: [
    { mint: MINT, amountRaw: 4_000_000n },
    { mint: WRAPPED_SOL_MINT, amountRaw: 500_000_000n },
  ],
};

/** Sells the wallet's tokens for SOL, at the price of {@link route}. */
export const SWAP: SwapIntent = {
  kind: 'swap',
  owner: OWNER,
  inputMint: MINT,
  outputMint: WRAPPED_SOL_MINT,
  amountRaw: 5_000_000n,
  slippageBps: 300,
  references: SHOWN.references,
};

/** Buys tokens for SOL of the wallet, at the price of {@link buyToken}. */
export const SWAP_SOL: SwapIntent = {
  ...SWAP,
  inputMint: WRAPPED_SOL_MINT,
  outputMint: MINT,
  amountRaw: 500_000_000n,
  references: SHOWN_IN.references,
};

export const UNWRAP: UnwrapIntent = { kind: 'unwrap', owner: OWNER, slippageBps: 0 };

/** A transaction of a bundle before it is put into bytes. */
export interface Draft {
  readonly group: TransactionGroup;
  readonly instructions: readonly TransactionInstruction[];
  /** Besides the owner, who never signs here. */
  readonly signers?: readonly Keypair[];
  readonly version?: Version;
  readonly feePayer?: Address;
  readonly tables?: readonly AddressLookupTableAccount[];
  readonly blockhash?: string;
  /** Fees and limits of v1; by default {@link V1_CONFIG}. */
  readonly config?: Partial<TransactionConfig>;
}

/** What an honest service sets in v1, in place of {@link budget}. */
export const V1_CONFIG = {
  priorityFeeLamports: 20_000n,
  computeUnitLimit: 400_000,
  loadedAccountsDataSizeLimit: 64 * 1_024 * 1_024,
} as const satisfies Partial<TransactionConfig>;

/** The same draft in a format. A service that builds v1 sets a config instead of {@link budget}. */
export function inVersion(version: Version, draft: Draft): Draft {
  if (version !== 1) {
    return { ...draft, version };
  }
  const instructions = draft.instructions.filter(({ programId }) => programId.toBase58() !== PROGRAMS.computeBudget);
  return { ...draft, version: 1, instructions };
}

export function key(of: Address): PublicKey {
  return new PublicKey(of);
}

/** Writes a draft as wire bytes, with the signatures of its signers. */
export function bytesOf(draft: Draft): Uint8Array {
  if (draft.version === 1) {
    return v1BytesOf(draft);
  }
  const payerKey = key(draft.feePayer ?? OWNER);
  const recentBlockhash = draft.blockhash ?? BLOCKHASH;
  const content = new TransactionMessage({ payerKey, recentBlockhash, instructions: [...draft.instructions] });
  const message = draft.version === 'legacy' ? content.compileToLegacyMessage() : content.compileToV0Message([...(draft.tables ?? [])]);
  const transaction = new VersionedTransaction(message);
  transaction.sign([...(draft.signers ?? [])]);
  return transaction.serialize();
}

function v1BytesOf({ feePayer = OWNER, blockhash = BLOCKHASH, instructions, config = V1_CONFIG, signers = [] }: Draft): Uint8Array {
  const programs = new Set(instructions.map(({ programId }) => programId.toBase58()));
  const written = instructions.map((instruction) => v1Instruction(instruction, programs));
  const bytes = writeV1Transaction({ feePayer, recentBlockhash: blockhash, instructions: written, config });
  const wire = parseTransaction(bytes);
  const message = messageOf(bytes, wire).slice();
  for (const { publicKey, secretKey } of signers) {
    const slot = wire.staticKeys.slice(0, wire.requiredSignatures).indexOf(address(publicKey.toBase58()));
    if (slot < 0) {
      throw new RangeError(`Cannot sign with non signer key ${publicKey.toBase58()}`);
    }
    bytes.set(signWithSeed(secretKey.subarray(0, 32), message), wire.signaturesOffset + 64 * slot);
  }
  return bytes;
}

/** As with @solana/kit, a called program is never writable, also where it stands for an account that is left out. */
function v1Instruction({ programId, keys, data }: TransactionInstruction, programs: ReadonlySet<string>): V1Instruction {
  return {
    program: address(programId.toBase58()),
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
      address: address(pubkey.toBase58()),
      signer: isSigner,
      writable: isWritable && !programs.has(pubkey.toBase58()),
    })),
    data: new Uint8Array(data),
  };
}

export function base64Of(draft: Draft): Base64Transaction {
  return base64FromBytes(bytesOf(draft));
}

/** When the reviews of the tests are made. */
export const NOW_MS = 1_800_000_000_000;

/** Reviews drafts against an intent; `more` is what an RPC said, or what is signed already. */
export function reviewDrafts(
  intent: Intent,
  drafts: readonly Draft[],
  policy?: Partial<PolicySettings>,
  more: Pick<ReviewInput, 'facts' | 'prior'> = {},
): Review {
  return reviewOperation({
    intent,
    transactions: drafts.map((draft) => ({ group: draft.group, base64: base64Of(draft) })),
    lastValidBlockHeight: 1_000,
    nowMs: NOW_MS,
    ...(policy === undefined ? {} : { policy }),
    ...more,
  });
}

/** The rules that stand in the way of an `allow`. */
export function objections(review: Review): string[] {
  return [...new Set(review.findings.filter(({ verdict }) => verdict !== 'info').map(({ rule, verdict }) => `${verdict} ${rule}`))];
}

/** The same but for the price of swaps (SWP-9), in tests of other rules. */
export function objectionsBesidesPrice(review: Review): string[] {
  return objections(review).filter((objection) => !objection.endsWith(' SWP-9'));
}

/** What is asked for where the user was shown no price. */
export const UNPRICED_OUT: ZapOutIntent = { ...ZAP_OUT, references: [] };
export const UNPRICED_IN: ZapInIntent = { ...ZAP_IN, references: [] };

/** Puts an instruction together from its layout; accounts that are not named get an address of their own. */
export function instruction(
  program: Address,
  layouts: readonly InstructionLayout[],
  name: string,
  accounts: Readonly<Record<string, Address>>,
  args: Arguments = {},
  more: readonly Address[] = [],
): TransactionInstruction {
  const layout = instructionNamed(layouts, name);
  return new TransactionInstruction({
    programId: key(program),
    data: Buffer.from(encodeInstruction(layout, args)),
    keys: [
      ...layout.accounts.map((role) => ({
        pubkey: key(accounts[role.name] ?? addressOf(role.name)),
        isSigner: role.signer === true,
        isWritable: role.writable === true,
      })),
      ...more.map((account) => ({ pubkey: key(account), isSigner: false, isWritable: true })),
    ],
  });
}

/** The accounts of the pool and of the owner, under the names that the DLMM IDL gives them. */
const DLMM_ACCOUNTS: Readonly<Record<string, Address>> = {
  lb_pair: POOL,
  position: POSITION,
  bin_array_bitmap_extension: PROGRAMS.dlmm,
  user_token_x: OWN_TOKEN,
  user_token_y: OWN_SOL,
  user_token: OWN_TOKEN,
  user_token_in: OWN_TOKEN,
  user_token_out: OWN_SOL,
  user_token_account: OWN_TOKEN,
  reserve_x: dlmmReserve(POOL, MINT),
  reserve_y: dlmmReserve(POOL, WRAPPED_SOL_MINT),
  reserve: dlmmReserve(POOL, MINT),
  token_x_mint: MINT,
  token_y_mint: WRAPPED_SOL_MINT,
  token_mint: MINT,
  reward_mint: MINT,
  host_fee_in: PROGRAMS.dlmm,
  sender: OWNER,
  owner: OWNER,
  payer: OWNER,
  funder: OWNER,
  user: OWNER,
  rent_payer: OWNER,
  base: OWNER,
  rent_receiver: OWNER,
  token_program: PROGRAMS.token,
  token_x_program: PROGRAMS.token,
  token_y_program: PROGRAMS.token,
  token_program_x: PROGRAMS.token,
  token_program_y: PROGRAMS.token,
  memo_program: PROGRAMS.memo,
  system_program: PROGRAMS.system,
  event_authority: eventAuthority(PROGRAMS.dlmm),
  program: PROGRAMS.dlmm,
};

export const NO_SLICES: Arguments = { remaining_accounts_info: { slices: [] } };

export function dlmm(name: string, args: Arguments = {}, accounts: Readonly<Record<string, Address>> = {}): TransactionInstruction {
  return instruction(PROGRAMS.dlmm, DLMM_INSTRUCTIONS, name, { ...DLMM_ACCOUNTS, ...accounts }, args, [dlmmBinArray(POOL, 0)]);
}

export const ROUTE_PLAN = [{ swap: { kind: 'MeteoraDlmm' }, percent: 100, input_index: 0, output_index: 1 }];

/** A Jupiter route from the owner's token into the owner's SOL, or as the accounts and arguments say. */
export function route(args: Arguments = {}, accounts: Readonly<Record<string, Address>> = {}, name = 'route'): TransactionInstruction {
  return instruction(
    PROGRAMS.jupiterV6,
    JUPITER_INSTRUCTIONS,
    name,
    {
      token_program: PROGRAMS.token,
      user_transfer_authority: OWNER,
      user_source_token_account: OWN_TOKEN,
      source_token_account: OWN_TOKEN,
      user_destination_token_account: OWN_SOL,
      destination_token_account: name.startsWith('shared') ? OWN_SOL : PROGRAMS.jupiterV6,
      source_mint: MINT,
      destination_mint: WRAPPED_SOL_MINT,
      platform_fee_account: PROGRAMS.jupiterV6,
      program: PROGRAMS.jupiterV6,
      ...accounts,
    },
    {
      id: 1,
      route_plan: ROUTE_PLAN,
      in_amount: 5_000_000n,
      quoted_out_amount: 400_000_000n,
      out_amount: 400_000_000n,
      quoted_in_amount: 5_000_000n,
      slippage_bps: 300,
      platform_fee_bps: 0,
      positive_slippage_bps: 0,
      ...args,
    },
    [addressOf('route account')],
  );
}

export const budget = (): TransactionInstruction[] => [
  ComputeBudgetProgram.setComputeUnitLimit({ units: 400_000 }),
  ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 50_000 }),
];

export function createAta(mint: Address, wallet: Address = OWNER, account = associatedTokenAddress(wallet, mint)): TransactionInstruction {
  return new TransactionInstruction({
    programId: key(PROGRAMS.associatedToken),
    data: Buffer.from([1]),
    keys: [
      { pubkey: key(OWNER), isSigner: true, isWritable: true },
      { pubkey: key(account), isSigner: false, isWritable: true },
      ...[wallet, mint, PROGRAMS.system, PROGRAMS.token].map((of) => ({ pubkey: key(of), isSigner: false, isWritable: false })),
    ],
  });
}

export function transferSol(to: Address, lamports: bigint, from: Address = OWNER): TransactionInstruction {
  return SystemProgram.transfer({ fromPubkey: key(from), toPubkey: key(to), lamports });
}

/** A token instruction from its bytes; the owner signs where named. */
export function tokenInstruction(
  data: readonly number[],
  accounts: readonly Address[],
  program: Address = PROGRAMS.token,
): TransactionInstruction {
  return new TransactionInstruction({
    programId: key(program),
    data: Buffer.from(data),
    keys: accounts.map((account) => ({ pubkey: key(account), isSigner: account === OWNER, isWritable: true })),
  });
}

export const syncNative = (): TransactionInstruction => tokenInstruction([17], [OWN_SOL]);
export const unwrap = (to: Address = OWNER): TransactionInstruction => tokenInstruction([9], [OWN_SOL, to, OWNER]);
export const tip = (lamports = 1_000_000n, to: Address = TIP_ACCOUNT): TransactionInstruction => transferSol(to, lamports);

export const tokenAmount = (opcode: number, amount: bigint): number[] => {
  const bytes = Buffer.alloc(9);
  bytes[0] = opcode;
  bytes.writeBigUInt64LE(amount, 1);
  return [...bytes];
};

export const removal = (bps = 10_000, accounts: Readonly<Record<string, Address>> = {}): TransactionInstruction =>
  dlmm('remove_liquidity_by_range2', { from_bin_id: FROM_BIN, to_bin_id: TO_BIN, bps_to_remove: bps, ...NO_SLICES }, accounts);

export const claim = (accounts: Readonly<Record<string, Address>> = {}): TransactionInstruction =>
  dlmm('claim_fee2', { min_bin_id: FROM_BIN, max_bin_id: TO_BIN, ...NO_SLICES }, accounts);

/** A whole zap-out: withdraw and close, swap to SOL, unwrap. */
/** The one transaction of an honest claim. */
export function honestClaim(...claims: readonly TransactionInstruction[]): Draft {
  const instructions = [
    ...budget(),
    createAta(MINT),
    createAta(WRAPPED_SOL_MINT),
    ...(claims.length === 0 ? [claim()] : claims),
    unwrap(),
    tip(10_000n),
  ];
  return { group: 'claim', version: 'legacy', instructions };
}

export function honestZapOut(version: Version = 0): [Draft, Draft, Draft] {
  const drafts: readonly [Draft, Draft, Draft] = [
    {
      group: 'close',
      instructions: [...budget(), createAta(MINT), createAta(WRAPPED_SOL_MINT), removal(), claim(), dlmm('close_position2'), tip()],
    },
    { group: 'swap', instructions: [...budget(), createAta(WRAPPED_SOL_MINT), route()] },
    { group: 'swap', instructions: [...budget(), unwrap()] },
  ];
  return allIn(version, drafts);
}

function allIn(version: Version, [one, two, three]: readonly [Draft, Draft, Draft]): [Draft, Draft, Draft] {
  return [inVersion(version, one), inVersion(version, two), inVersion(version, three)];
}

export const openPosition = (args: Arguments = {}, accounts: Readonly<Record<string, Address>> = {}): TransactionInstruction =>
  dlmm('initialize_position2', { lower_bin_id: FROM_BIN, width: TO_BIN - FROM_BIN + 1, ...args }, accounts);

export interface AddChoices {
  readonly amountX?: bigint;
  readonly amountY?: bigint;
  readonly from?: number;
  readonly to?: number;
  readonly shape?: string;
  readonly slippageBins?: number;
  readonly accounts?: Readonly<Record<string, Address>>;
}

export function addByStrategy(choices: AddChoices = {}): TransactionInstruction {
  const {
    amountX = 4_000_000n,
    amountY = 500_000_000n,
    from = FROM_BIN,
    to = TO_BIN,
    shape = 'SpotImBalanced',
    slippageBins = 3,
    accounts = {},
  } = choices;
  return dlmm(
    'add_liquidity_by_strategy2',
    {
      liquidity_parameter: {
        amount_x: amountX,
        amount_y: amountY,
        active_id: 0,
        max_active_bin_slippage: slippageBins,
        strategy_parameters: { min_bin_id: from, max_bin_id: to, strategy_type: { kind: shape }, parameteres: new Uint8Array(64) },
      },
      ...NO_SLICES,
    },
    accounts,
  );
}

/** SOL into the token: the swap of a zap-in, at the price that the user was shown. */
export const buyToken = (
  { in_amount = 500_000_000n, ...args }: Arguments & { readonly in_amount?: bigint } = {},
  accounts: Readonly<Record<string, Address>> = {},
): TransactionInstruction =>
  route(
    { in_amount, quoted_out_amount: (in_amount * 41n) / 5_000n, ...args },
    {
      user_source_token_account: OWN_SOL,
      source_token_account: OWN_SOL,
      user_destination_token_account: OWN_TOKEN,
      source_mint: WRAPPED_SOL_MINT,
      destination_mint: MINT,
      ...accounts,
    },
  );

/** An honest sale of tokens for SOL, which is unwrapped: in v1 in one transaction. */
export function honestSwap(version: Version = 0): readonly Draft[] {
  return swapIn(version, [createAta(WRAPPED_SOL_MINT), route()], [unwrap(), tip(10_000n)]);
}

/** An honest purchase of tokens for SOL, by a wallet without an account for wrapped SOL. */
export function honestSwapOfSol(version: Version = 0): readonly Draft[] {
  const wrap = [createAta(WRAPPED_SOL_MINT), transferSol(OWN_SOL, 500_000_000n), syncNative()];
  return swapIn(version, [...wrap, createAta(MINT), buyToken()], [unwrap(), tip(10_000n)]);
}

/** The one transaction of an honest unwrapping. */
export function honestUnwrap(version: Version = 0): readonly Draft[] {
  return swapIn(version, [], [unwrap(), tip(10_000n)]);
}

function swapIn(version: Version, trade: readonly TransactionInstruction[], end: readonly TransactionInstruction[]): readonly Draft[] {
  const transactions = version === 1 || trade.length === 0 ? [[...trade, ...end]] : [trade, end];
  return transactions.map((steps) => inVersion(version, { group: 'swap', instructions: [...budget(), ...steps] }));
}

/** The one transaction of an honest deposit from the wallet into an existing position. @param deposits after the wrapping */
export function honestAdd(...deposits: readonly TransactionInstruction[]): Draft {
  const wrap = [createAta(WRAPPED_SOL_MINT), transferSol(OWN_SOL, 500_000_000n), syncNative()];
  return {
    group: 'add',
    version: 0,
    instructions: [...budget(), ...wrap, ...(deposits.length === 0 ? [addByStrategy()] : deposits), unwrap(), tip(10_000n)],
  };
}

/** The transactions of an honest zap-in into an existing position. */
export function honestAddOfSol(version: Version = 0): readonly Draft[] {
  const [swap, , rest] = honestZapIn(version);
  return [swap, inVersion(version, { group: 'add', instructions: [...budget(), addByStrategy(), tip()] }), rest];
}

/** The one transaction of an honest compounding. @param steps claims and deposits */
export function honestCompound(...steps: readonly TransactionInstruction[]): Draft {
  const accounts = [createAta(MINT), createAta(WRAPPED_SOL_MINT)];
  return {
    group: 'add',
    version: 0,
    instructions: [...budget(), ...accounts, ...(steps.length === 0 ? [claim(), addByStrategy()] : steps), unwrap(), tip(10_000n)],
  };
}

/** A whole zap-in: wrap and swap, open the position and fill it, unwrap what is left. */
export function honestZapIn(version: Version = 0): [Draft, Draft, Draft] {
  const drafts: readonly [Draft, Draft, Draft] = [
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
    {
      group: 'add',
      signers: [POSITION_KEY],
      instructions: [
        ...budget(),
        openPosition(),
        dlmm('initialize_bin_array', { index: 0n }),
        dlmm('initialize_bin_array', { index: -1n }),
        addByStrategy(),
        tip(),
      ],
    },
    { group: 'add', instructions: [...budget(), unwrap()] },
  ];
  return allIn(version, drafts);
}
