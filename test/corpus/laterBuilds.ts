import { ComputeBudgetProgram, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { JITO_TIP_ACCOUNTS, PROGRAMS, WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import type { TermTopic } from '../../src/review/terms';
import type { Intent } from '../../src/review/types';
import {
  addByStrategy,
  addressOf,
  budget,
  buyToken,
  claim,
  createAta,
  dlmm,
  type Draft,
  honestZapIn,
  honestZapOut,
  key,
  keyOf,
  MINT,
  NO_SLICES,
  openPosition,
  OWN_SOL,
  OWNER_KEY,
  POSITION,
  removal,
  route,
  syncNative,
  THIEF,
  tip,
  TO_BIN,
  transferSol,
  unwrap,
  V1_CONFIG,
  ZAP_IN,
  ZAP_OUT,
} from '../support/review/bundles';

import { byLiquidity, SHOWN_PRICE } from '../support/review/deposits';
import { createDamm, NFT_KEY } from '../support/review/meteoraDrafts';

// What a hostile service may build once the user has been shown an honest operation. Each change is small enough for the review to allow it,
// or to ask, or it is blocked: in no case does the earlier approval cover it.

/** Another build of an operation that the user has approved. */
export interface LaterBuild {
  readonly name: string;
  readonly intent: Intent;
  readonly approved: readonly Draft[];
  readonly later: readonly Draft[];
  /** In which respects the later build is worse; empty if the approval covers it. `blocked`: the review refuses it by itself. */
  readonly worse: readonly (TermTopic | 'blocked')[];
}

const THIEF_KEY = keyOf('thief');
const NEW_BLOCKHASH = addressOf('a later blockhash');

export function fresh(drafts: readonly Draft[]): readonly Draft[] {
  return drafts.map((draft) => ({ ...draft, blockhash: NEW_BLOCKHASH }));
}

/** The drafts with other instructions in one of them. */
function changed(
  drafts: readonly Draft[],
  place: number,
  change: (instructions: readonly TransactionInstruction[]) => readonly TransactionInstruction[],
): readonly Draft[] {
  return drafts.map((draft, index) => (index === place ? { ...draft, instructions: change(draft.instructions) } : draft));
}

/** The last instruction of that program is replaced. */
function replaced(program: string, by: TransactionInstruction) {
  return (instructions: readonly TransactionInstruction[]): readonly TransactionInstruction[] => {
    const last = instructions.findLastIndex(({ programId }) => programId.toBase58() === program);
    return instructions.map((one, index) => (index === last ? by : one));
  };
}

const withTip = (lamports: bigint) => (instructions: readonly TransactionInstruction[]) => [...instructions.slice(0, -1), tip(lamports)];

/** The drafts with this priority fee in the first one: in v1 in the config, else as a price for each of its 400,000 compute units. */
export function withFee(drafts: readonly Draft[], lamports: bigint): readonly Draft[] {
  const microLamports = (lamports * 1_000_000n) / BigInt(V1_CONFIG.computeUnitLimit);
  const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports });
  return changed(drafts, 0, (all) => all.map((one) => (isPrice(one) ? price : one))).map((draft, place) =>
    place === 0 ? { ...draft, config: { ...V1_CONFIG, priorityFeeLamports: lamports } } : draft,
  );
}

function isPrice({ programId, data }: TransactionInstruction): boolean {
  return programId.toBase58() === PROGRAMS.computeBudget && data[0] === 3;
}

const OUT = honestZapOut();
const IN = honestZapIn();
const out = (name: string, later: readonly Draft[], worse: LaterBuild['worse']): LaterBuild => ({
  name: `zap-out: ${name}`,
  intent: ZAP_OUT,
  approved: OUT,
  later: fresh(later),
  worse,
});
const into = (name: string, later: readonly Draft[], worse: LaterBuild['worse']): LaterBuild => ({
  name: `zap-in: ${name}`,
  intent: ZAP_IN,
  approved: IN,
  later: fresh(later),
  worse,
});

const swapOut = (args: Parameters<typeof route>[0]) => changed(OUT, 1, replaced(PROGRAMS.jupiterV6, route(args)));
const swapIn = (args: Parameters<typeof buyToken>[0]) => changed(IN, 0, replaced(PROGRAMS.jupiterV6, buyToken(args)));
const withdrawal = (...instructions: readonly TransactionInstruction[]) =>
  changed(OUT, 0, () => [...budget(), createAta(MINT), createAta(WRAPPED_SOL_MINT), ...instructions, tip()]);
const deposit = (...instructions: readonly TransactionInstruction[]) =>
  changed(IN, 1, () => [
    ...budget(),
    openPosition(),
    dlmm('initialize_bin_array', { index: 0n }),
    dlmm('initialize_bin_array', { index: -1n }),
    ...instructions,
    tip(),
  ]);

/** The zap-out with these swaps in transactions of their own. */
const selling = (...swaps: readonly (readonly TransactionInstruction[])[]): readonly Draft[] => [
  ...OUT.slice(0, 1),
  ...swaps.map((instructions): Draft => ({ group: 'swap', version: 0, instructions: [...budget(), ...instructions] })),
  ...OUT.slice(2),
];
const part = (in_amount: bigint, quoted_out_amount: bigint, slippage_bps = 300): TransactionInstruction =>
  route({ in_amount, quoted_out_amount, slippage_bps });
const priceImpact = (active_id: number | undefined): TransactionInstruction =>
  dlmm('swap_with_price_impact2', { amount_in: 5_000_000n, active_id, max_price_impact_bps: 100, ...NO_SLICES });
/** A swap and the deposit of what it buys, in one transaction. */
const atOnce = (quoted_out_amount: bigint, amountX: bigint): readonly Draft[] => {
  const [swap, add, rest] = honestZapIn();
  return [
    { ...swap, instructions: swap.instructions.slice(0, -1) },
    { ...add, instructions: [...budget(), buyToken({ quoted_out_amount }), openPosition(), addByStrategy({ amountX }), tip()] },
    rest,
  ];
};

const NEW_POSITION_KEY = keyOf('another new position');
const NEW_POSITION = addressOf('another new position');

/** The position of a zap-in has a key of its own in each build. */
function withNewPosition(drafts: readonly Draft[]): readonly Draft[] {
  return drafts.map((draft) => ({
    ...draft,
    ...(draft.signers === undefined ? {} : { signers: [NEW_POSITION_KEY] }),
    instructions: draft.instructions.map(
      (one) =>
        new TransactionInstruction({
          programId: one.programId,
          data: one.data,
          keys: one.keys.map((account) => (account.pubkey.toBase58() === POSITION ? { ...account, pubkey: key(NEW_POSITION) } : account)),
        }),
    ),
  }));
}

/** Builds that an approval covers: equal or better in every respect. */
export const COVERED: readonly LaterBuild[] = [
  out('the same with another blockhash', OUT, []),
  out('a better quote', swapOut({ quoted_out_amount: 410_000_000n }), []),
  out('a smaller tip', changed(OUT, 0, withTip(900_000n)), []),
  out('a smaller priority fee', withFee(OUT, 16_000n), []),
  out(
    'another of the Jito tip accounts',
    changed(OUT, 0, (all) => [...all.slice(0, -1), tip(1_000_000n, JITO_TIP_ACCOUNTS[3] ?? THIEF)]),
    [],
  ),
  out(
    'an account exists by now',
    changed(OUT, 0, (all) => all.filter(({ programId }) => programId.toBase58() !== PROGRAMS.associatedToken)),
    [],
  ),
  into('the same with another blockhash', IN, []),
  { ...into('another new position', withNewPosition(IN), []), intent: { ...ZAP_IN, position: undefined } },
  into('a better quote', swapIn({ quoted_out_amount: 4_200_000n }), []),
  {
    ...into('a better quote of which more is deposited, in the transaction of the swap', atOnce(4_300_000n, 4_150_000n), []),
    approved: atOnce(4_100_000n, 3_990_000n),
  },
  {
    ...out('two swaps become one in their transaction', selling([part(5_000_000n, 400_000_000n)]), []),
    approved: selling([part(2_000_000n, 160_000_000n), part(3_000_000n, 240_000_000n)]),
  },
  out(
    'one swap is divided over two routes in its transaction',
    selling([part(2_000_000n, 158_000_000n), part(3_000_000n, 242_000_000n)]),
    [],
  ),
  {
    ...out(
      'a swap moves into the transaction of the withdrawal',
      changed(selling([createAta(WRAPPED_SOL_MINT)]), 0, (all) => [...all, part(5_000_000n, 400_000_000n)]),
      [],
    ),
    approved: selling([createAta(WRAPPED_SOL_MINT), part(5_000_000n, 400_000_000n)]),
  },
  {
    ...out('less is sold, for no less', selling([part(2_400_000n, 201_000_000n)], [part(2_500_000n, 200_000_000n)]), []),
    approved: selling([part(2_500_000n, 200_000_000n)], [part(2_500_000n, 200_000_000n)]),
  },
  into(
    'a bin array exists by now',
    changed(IN, 1, (all) => all.filter((_, place) => place !== budget().length + 1)),
    [],
  ),
  into('a narrower bound on the active bin', deposit(addByStrategy({ slippageBins: 2 })), []),
];

/** Builds that an approval must not cover. */
export const NOT_COVERED: readonly LaterBuild[] = [
  out('the swap guarantees one lamport less', swapOut({ quoted_out_amount: 399_999_998n }), ['guaranteedBySwaps', 'received']),
  out('a wider slippage tolerance with a higher quote', swapOut({ quoted_out_amount: 410_000_000n, slippage_bps: 301 }), [
    'swapSlippage',
    'finding',
  ]),
  out('more tokens are sold', swapOut({ in_amount: 5_000_001n, quoted_out_amount: 401_000_000n }), ['swapped', 'ownTokens']),
  out(
    'the guarantee of one swap is moved into two transactions, and most of it is sold for less',
    changed(selling([part(1_000_000n, 83_200_000n)]), 0, (all) => [...all, part(4_000_000n, 316_800_000n)]),
    ['guaranteedBySwaps', 'swapped', 'swapSlippage'],
  ),
  out(
    'most is sold for less, and a swap that nobody lands guarantees the rest',
    changed(selling([part(50_000n, 17_068_000n)]), 0, (all) => [...all, part(4_950_000n, 382_932_000n)]),
    ['blocked'],
  ),
  {
    ...out(
      'the guarantee is moved from one transaction to the next',
      selling([part(2_500_000n, 198_000_000n)], [part(2_500_000n, 202_000_000n)]),
      ['guaranteedBySwaps'],
    ),
    approved: selling([part(2_500_000n, 200_000_000n)], [part(2_500_000n, 200_000_000n)]),
  },
  {
    ...out(
      'the sale is moved from one transaction to the next',
      selling([part(2_450_000n, 200_000_000n)], [part(2_550_000n, 200_000_000n)]),
      ['swapped'],
    ),
    approved: selling([part(2_500_000n, 200_000_000n)], [part(2_500_000n, 200_000_000n)]),
  },
  {
    ...out(
      'the narrower of two slippage tolerances is widened, with a higher quote',
      selling([part(2_500_000n, 200_000_000n, 300), part(2_500_000n, 200_840_000n, 300)]),
      ['swapSlippage'],
    ),
    approved: selling([part(2_500_000n, 200_000_000n, 300), part(2_500_000n, 195_000_000n, 10)]),
  },
  {
    ...out(
      'the slippage tolerance of one of two transactions is widened, with a higher quote',
      selling([part(2_500_000n, 200_000_000n, 300)], [part(2_500_000n, 200_840_000n, 300)]),
      ['swapSlippage'],
    ),
    approved: selling([part(2_500_000n, 200_000_000n, 300)], [part(2_500_000n, 195_000_000n, 10)]),
  },
  {
    ...out(
      'a swap moves out of the transaction of the withdrawal',
      selling([createAta(WRAPPED_SOL_MINT), part(5_000_000n, 400_000_000n)]),
      ['swappedApart'],
    ),
    approved: changed(selling([createAta(WRAPPED_SOL_MINT)]), 0, (all) => [...all, part(5_000_000n, 400_000_000n)]),
  },
  {
    ...out('a price impact is counted from another active bin', selling([priceImpact(-300)]), ['step']),
    approved: selling([priceImpact(0)]),
  },
  {
    ...out('a price impact is counted from whichever bin is active', selling([priceImpact(undefined)]), ['finding', 'step']),
    approved: selling([priceImpact(0)]),
  },
  out('a larger tip', changed(OUT, 0, withTip(1_000_001n)), ['outflow', 'tip']),
  out('a larger priority fee', withFee(OUT, 20_002n), ['outflow', 'priorityFee']),
  out('a fee of the router', swapOut({ platform_fee_bps: 1 }), ['finding']),
  out(
    'the result goes to another wallet',
    changed(OUT, 1, replaced(PROGRAMS.jupiterV6, route({}, { user_destination_token_account: THIEF }))),
    ['blocked'],
  ),
  out('a smaller share is withdrawn', withdrawal(removal(5_000), claim(), dlmm('close_position2')), ['step']),
  out('fees are not claimed', withdrawal(removal(), dlmm('close_position2')), ['step']),
  out('the position is not closed, and its rent stays there', withdrawal(removal(), claim()), ['step', 'finding']),
  out('another position', withdrawal(removal(10_000, { position: THIEF }), claim(), dlmm('close_position2')), ['blocked']),
  out('another pool', withdrawal(removal(10_000, { lb_pair: THIEF }), claim(), dlmm('close_position2')), ['blocked']),
  out(
    'SOL to a stranger',
    changed(OUT, 0, (all) => [...all, transferSol(THIEF, 1_000n)]),
    ['outflow', 'solToOthers', 'recipient', 'finding'],
  ),
  out(
    'one more transaction',
    [...OUT, { group: 'swap', version: 0, instructions: [...budget(), syncNative()] }],
    ['outflow', 'networkFee', 'priorityFee', 'transactions'],
  ),
  out(
    'a program that was not called before',
    changed(OUT, 0, (all) => [...all, noteOf('hello')]),
    ['program', 'finding'],
  ),
  out('the wrapped SOL stays wrapped', OUT.slice(0, 2), ['closedAccount']),
  out(
    'an account for another token',
    changed(OUT, 0, (all) => [...all, createAta(addressOf('another mint'))]),
    ['createdAccount', 'outflow', 'refundableRent', 'finding'],
  ),
  out(
    'somebody else signs too',
    OUT.map((draft, place) => (place === 0 ? cosigned(draft) : draft)),
    ['cosigner', 'outflow', 'networkFee', 'finding'],
  ),
  out(
    'somebody else pays the fee',
    OUT.map((draft, place) => (place === 0 ? { ...cosigned(draft), feePayer: THIEF } : draft)),
    ['feePayer', 'outflow', 'networkFee', 'finding'],
  ),
  into('the swap guarantees one raw unit less', swapIn({ quoted_out_amount: 4_099_998n }), ['guaranteedBySwaps']),
  into(
    'a better quote of which more is deposited, and the deposit may land without the swap',
    changed(swapIn({ quoted_out_amount: 4_300_000n }), 1, replaced(PROGRAMS.dlmm, addByStrategy({ amountX: 4_190_000n }))),
    ['ownTokens'],
  ),
  into('more tokens of the user go into the position', deposit(addByStrategy({ amountX: 4_000_001n })), ['ownTokens']),
  into('less goes into the position', deposit(addByStrategy({ amountY: 499_999_999n })), ['deposited']),
  into('more SOL goes into the swap', swapIn({ in_amount: 500_000_001n }), ['spent', 'outflow', 'swapped']),
  into(
    'more SOL is wrapped',
    changed(IN, 0, (all) => [...all, transferSol(OWN_SOL, 1n), syncNative()]),
    ['wrapped'],
  ),
  into('another range', deposit(addByStrategy({ to: TO_BIN - 1 })), ['step', 'finding']),
  into('another shape', deposit(addByStrategy({ shape: 'CurveImBalanced' })), ['step', 'finding']),
  into('a wider bound on the active bin', deposit(addByStrategy({ slippageBins: 4 })), ['lowestActiveBin', 'highestActiveBin']),
  into('another active bin', deposit(otherActiveBin(1)), ['highestActiveBin']),
  intoProduct('the same liquidity may cost more SOL', byLiquidity({ mostY: 503_000_000n }), ['highestPrice', 'spent']),
  intoProduct('the same liquidity may cost more tokens', byLiquidity({ mostX: 503_000_000n }), ['lowestPrice', 'ownTokens']),
  intoProduct('less liquidity for the same', byLiquidity({ liquidity: 499_000_000n }), ['highestPrice', 'liquidity', 'lowestPrice']),
  into(
    'another bin array, with its rent',
    changed(IN, 1, (all) => [...all, dlmm('initialize_bin_array', { index: 1n })]),
    ['createdAccount', 'outflow', 'spentRent', 'finding'],
  ),
  into('the position belongs to somebody else', deposit(openPosition({}, { owner: THIEF }), addByStrategy()), ['blocked']),
  into(
    'the deposit goes into a position that it does not open',
    IN.map((draft, place) => (place === 1 ? { group: 'add', version: 0, instructions: [...budget(), addByStrategy(), tip()] } : draft)),
    ['blocked'],
  ),
];

/** The same, where what is worse depends on the bytes: in other versions they differ. */
export const NOT_COVERED_AS_BUILT: readonly LaterBuild[] = [
  out(
    'the last transaction a second time',
    [...OUT, { group: 'swap', version: 0, instructions: [...budget(), unwrap()] }],
    ['outflow', 'networkFee', 'priorityFee', 'transactions', 'finding'],
  ),
];

/** A later build of a deposit into DAMM v2. */
function intoProduct(name: string, later: TransactionInstruction, worse: LaterBuild['worse']): LaterBuild {
  const draft = (instruction: TransactionInstruction): Draft => ({
    group: 'add',
    version: 0,
    instructions: [...budget(), createDamm(), instruction],
    signers: [NFT_KEY],
  });
  return { name, intent: SHOWN_PRICE, approved: [draft(byLiquidity())], later: fresh([draft(later)]), worse };
}

function noteOf(text: string): TransactionInstruction {
  return new TransactionInstruction({ programId: key(PROGRAMS.memo), keys: [], data: Buffer.from(text) });
}

export function cosigned(draft: Draft): Draft {
  const nothing = SystemProgram.transfer({ fromPubkey: THIEF_KEY.publicKey, toPubkey: OWNER_KEY.publicKey, lamports: 1 });
  return { ...draft, signers: [...(draft.signers ?? []), THIEF_KEY], instructions: [...draft.instructions, nothing] };
}

function otherActiveBin(by: number): TransactionInstruction {
  const honest = addByStrategy();
  const data = Buffer.from(honest.data);
  // After the discriminator and two amounts of eight bytes each.
  data.writeInt32LE(data.readInt32LE(24) + by, 24);
  return new TransactionInstruction({ programId: honest.programId, keys: honest.keys, data });
}
