import { TransactionInstruction } from '@solana/web3.js';
import type { Address } from '../../src/base/solana/address';
import type { Arguments } from '../../src/base/solana/instructionCodec';
import { JUPITER_INSTRUCTIONS, JUPITER_OTHER_INSTRUCTIONS, RFQ_INSTRUCTIONS } from '../../src/base/solana/jupiterInstructions';
import { OKX_INSTRUCTIONS, OKX_OTHER_INSTRUCTIONS } from '../../src/base/solana/okxInstructions';
import { associatedTokenAddress } from '../../src/base/solana/pda';
import { PROGRAMS, USDC_MINT, WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { REVIEW_PROGRAMS } from '../../src/review/decode/programs';
import { NO_FACTS, type PoolFact } from '../../src/review/facts/facts';
import type { ZapOutIntent } from '../../src/review/types';
import {
  addByStrategy,
  addressOf,
  budget,
  buyToken,
  dlmm,
  honestZapIn,
  instruction,
  keyOf,
  MINT,
  NO_SLICES,
  openPosition,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  POOL,
  route,
  ROUTE_PLAN,
  syncNative,
  THIEF,
  transferSol,
  UNPRICED_OUT,
  ZAP_IN,
  ZAP_OUT,
} from '../support/review/bundles';
import { attack, type Attack, type ExpectedFinding, inputOf } from './attack';
import { IN, OUT, planted } from './plant';
import type { PolicyRule } from './policyRules';

// Attacks with swaps: through Jupiter, OKX, market makers, and the pool itself (SWP).

const THEIR_TOKEN = associatedTokenAddress(THIEF, MINT);
const THEIR_SOL = associatedTokenAddress(THIEF, WRAPPED_SOL_MINT);
const OTHER_MINT = addressOf('another mint');
const MAKER = keyOf('maker');

/** What the position of the honest zap-out holds. */
const HOLDINGS = [
  { mint: MINT, amountRaw: 5_000_000n },
  { mint: WRAPPED_SOL_MINT, amountRaw: 400_000_000n },
];

type Accounts = Readonly<Record<string, Address>>;

/** Among the swaps of a zap-out, next to the honest one. */
const selling = (
  rule: PolicyRule,
  what: string,
  finding: ExpectedFinding,
  swap: TransactionInstruction,
  hidden?: ExpectedFinding,
): Attack =>
  planted(rule, what, finding, () => ({
    instructions: [swap],
    into: [OUT],
    groups: ['swap'],
    ...(hidden === undefined ? {} : { hidden }),
  }));

/** Instead of the honest swap. */
function instead(
  swap: TransactionInstruction,
  intent: ZapOutIntent = ZAP_OUT,
  signers: readonly (typeof MAKER)[] = [],
): ReturnType<typeof inputOf> {
  const [close, , rest] = OUT.drafts(0);
  return inputOf(intent, [
    ...(close === undefined ? [] : [close]),
    { group: 'swap', instructions: [swap], signers },
    ...(rest === undefined ? [] : [rest]),
  ]);
}

/** A zap-in that buys with these instructions after wrapping its input. */
const buying = (...swaps: readonly TransactionInstruction[]): ReturnType<typeof inputOf> =>
  inputOf(ZAP_IN, [
    { group: 'swap', instructions: [transferSol(OWN_SOL, 1_000_000_000n), syncNative(), ...swaps] },
    ...IN.drafts(0).slice(1),
  ]);

/** A zap-in that buys with this instruction, and deposits so much of the token. */
function depositing(amountX: bigint, swap: TransactionInstruction): ReturnType<typeof inputOf> {
  const [wrapAndSwap, add, rest] = honestZapIn();
  return inputOf({ ...ZAP_IN, isSolOnly: true }, [
    // The deposit may land alone, whatever the order in the list.
    { ...add, instructions: [...budget(), openPosition(), addByStrategy({ amountX })] },
    { ...wrapAndSwap, instructions: [...wrapAndSwap.instructions.slice(0, -1), swap] },
    rest,
  ]);
}

const withData = ({ keys, programId }: TransactionInstruction, data: Uint8Array): TransactionInstruction =>
  new TransactionInstruction({ keys, programId, data: Buffer.from(data) });

const PLAN_V2 = [{ swap: { kind: 'MeteoraDlmm' }, bps: 10_000, input_index: 0, output_index: 1 }];
const planOf = (name: string): Arguments => ({ route_plan: name.endsWith('_v2') ? PLAN_V2 : ROUTE_PLAN });

const OKX_ROUTES = [[{ dexes: [{ kind: 'MeteoraDlmm' }], weights: new Uint8Array([100]) }]];
function okx(args: Arguments = {}, accounts: Accounts = {}, name = 'swap_v3'): TransactionInstruction {
  const program = REVIEW_PROGRAMS.okxRouter;
  const own = {
    payer: OWNER,
    source_token_account: OWN_TOKEN,
    destination_token_account: OWN_SOL,
    source_mint: MINT,
    destination_mint: WRAPPED_SOL_MINT,
    commission_account: program,
    platform_fee_account: program,
  };
  const amounts = {
    amount_in: 5_000_000n,
    expect_amount_out: 400_000_000n,
    min_return: 388_000_000n,
    amounts: [5_000_000n],
    routes: OKX_ROUTES,
  };
  return instruction(
    program,
    OKX_INSTRUCTIONS,
    name,
    { ...own, ...accounts },
    { ...amounts, commission_info: 0, trim_rate: 0, charge_rate: 0, platform_fee_rate: 0, order_id: 7n, ...args },
    [addressOf('route account')],
  );
}

function fill(args: Arguments = {}, accounts: Accounts = {}): TransactionInstruction {
  const own = {
    taker: OWNER,
    maker: addressOf('maker'),
    taker_input_mint_token_account: OWN_TOKEN,
    taker_output_mint_token_account: OWN_SOL,
    input_mint: MINT,
    output_mint: WRAPPED_SOL_MINT,
    input_token_program: PROGRAMS.token,
    output_token_program: PROGRAMS.token,
    system_program: PROGRAMS.system,
  };
  return instruction(
    REVIEW_PROGRAMS.jupiterRfq,
    RFQ_INSTRUCTIONS,
    'fill',
    { ...own, ...accounts },
    { input_amount: 5_000_000n, output_amount: 388_000_000n, expire_at: 1_900_000_000n, ...args },
  );
}

const poolSwap = (least: bigint, accounts: Accounts = {}): TransactionInstruction =>
  dlmm('swap2', { amount_in: 5_000_000n, min_amount_out: least, ...NO_SLICES }, accounts);

const DESTINATION_ROLES = ['user_destination_token_account', 'destination_token_account'];
const SWAPPING = JUPITER_INSTRUCTIONS.flatMap((layout) =>
  DESTINATION_ROLES.filter((role) => layout.accounts.some(({ name }) => name === role)).map((role) => [layout.name, role] as const),
);

const PROGRAM_CALLS: readonly Attack[] = [
  ...JUPITER_OTHER_INSTRUCTIONS.filter(({ name }) => name !== 'create_token_account').map(({ name, discriminator }) =>
    selling('SWP-0', `calls Jupiter's instruction "${name}"`, 'block SWP-0', withData(route(), Buffer.from(discriminator, 'hex'))),
  ),
  selling('SWP-0', 'calls a newer instruction of Jupiter', 'block SWP-0', withData(route(), Buffer.alloc(40, 9))),
  ...OKX_OTHER_INSTRUCTIONS.map(({ name, discriminator }) =>
    attack('SWP-0', `calls OKX's instruction "${name}"`, 'block SWP-0', () => ({
      'zap-out': instead(withData(okx(), Buffer.concat([Buffer.from(discriminator, 'hex'), okx().data.subarray(8)]))),
    })),
  ),
  attack('SWP-0', 'calls a newer instruction of a market maker', 'block SWP-0', () => ({
    'zap-out': instead(withData(fill(), Buffer.alloc(32, 9)), ZAP_OUT, [MAKER]),
  })),
  attack('SWP-0', 'creates a token account for another token through Jupiter', 'block SWP-0', () => ({
    'zap-out': instead(
      instruction(
        PROGRAMS.jupiterV6,
        JUPITER_OTHER_INSTRUCTIONS,
        'create_token_account',
        { user: OWNER, mint: OTHER_MINT, token_program: PROGRAMS.token },
        { bump: 255 },
      ),
    ),
  })),
];

const RECIPIENTS: readonly Attack[] = [
  ...SWAPPING.map(([name, role]) =>
    selling(
      'SWP-1',
      `sends the output of ${name} to a stranger (${role})`,
      'block SWP-1',
      route(planOf(name), { [role]: THEIR_SOL }, name),
      'confirm SWP-1',
    ),
  ),
  selling(
    'SWP-1',
    "sends the output to the owner's wallet, which is no token account",
    'block SWP-1',
    route({}, { user_destination_token_account: OWNER }),
  ),
  selling(
    'SWP-1',
    "names the program's id instead of a required account",
    'block SWP-1',
    route({}, { user_destination_token_account: PROGRAMS.jupiterV6 }),
  ),
  ...['swap', 'swap_v3', 'swap_tob_v3', 'swap_tob_v3_enhanced'].map((name) =>
    selling(
      'SWP-1',
      `sends the output of OKX's ${name} to a stranger`,
      'block SWP-1',
      okx({}, { destination_token_account: THEIR_SOL }, name),
      'confirm SWP-1',
    ),
  ),
  attack('SWP-1', 'sends the output of a market maker to a stranger', 'block SWP-1', () => ({
    'zap-out': instead(fill({}, { taker_output_mint_token_account: THEIR_SOL }), ZAP_OUT, [MAKER]),
    'no account for another token than SOL': instead(
      fill({}, { taker_output_mint_token_account: REVIEW_PROGRAMS.jupiterRfq, output_mint: addressOf('another mint') }),
      ZAP_OUT,
      [MAKER],
    ),
  })),
  attack('SWP-1', 'pays a market maker directly from the wallet', 'block SWP-1', () => ({
    'zap-out': instead(
      fill(
        { input_amount: 10n ** 9n },
        {
          taker_input_mint_token_account: REVIEW_PROGRAMS.jupiterRfq,
          input_mint: WRAPPED_SOL_MINT,
          output_mint: MINT,
          taker_output_mint_token_account: OWN_TOKEN,
        },
      ),
      ZAP_OUT,
      [MAKER],
    ),
  })),
  planted('SWP-1', 'swaps for another wallet', 'block SWP-1', () => ({
    instructions: [route({}, { user_transfer_authority: THIEF })],
    signers: [keyOf('thief')],
    into: [OUT],
    groups: ['swap'],
  })),
  planted('SWP-1', 'sends the purchased tokens to a stranger', 'block SWP-1', () => ({
    instructions: [buyToken({ in_amount: 1_000_000n }, { user_destination_token_account: THEIR_TOKEN })],
    into: [IN],
    groups: ['swap'],
    hidden: 'confirm SWP-1',
  })),
  attack('SIG-2', 'uses a market maker that has not signed', 'block SIG-2', () => ({ 'zap-out': instead(fill()) })),
];

const reference = { inMint: MINT, inAmountRaw: 1_000_000n, outMint: WRAPPED_SOL_MINT, outAmountRaw: 80_000_000n };
const backwards = { inMint: WRAPPED_SOL_MINT, inAmountRaw: 80_000_000n, outMint: MINT, outAmountRaw: 1_000_000n };
const shown = (quoted: bigint, price = reference): ReturnType<typeof inputOf> =>
  instead(route({ quoted_out_amount: quoted, slippage_bps: 0 }), { ...ZAP_OUT, references: [price] });

/** At bin 428 with a bin step of 1%, a raw unit of the token costs 70.7 lamports: the user was shown 80. */
const CHEAP_POOL: PoolFact & { readonly kind: 'dlmm' } = {
  kind: 'dlmm',
  tokenX: MINT,
  tokenY: WRAPPED_SOL_MINT,
  activeBinId: 428,
  binStepBps: 100,
};

const PRICES: readonly Attack[] = [
  attack('SWP-2', 'swaps at almost any price', 'block SWP-2', () => ({
    'slippage above 50%': instead(route({ slippage_bps: 5_001 })),
    'slippage above 50% within the user’s slippage tolerance': instead(route({ slippage_bps: 5_001 }), { ...ZAP_OUT, slippageBps: 10_000 }),
    'through OKX': instead(okx({ min_return: 199_999_999n })),
    'in a zap-in': buying(buyToken({ slippage_bps: 9_000 })),
    'by price impact': instead(dlmm('swap_with_price_impact', { amount_in: 5n, active_id: undefined, max_price_impact_bps: 5_001 })),
  })),
  attack('SWP-2', 'swaps with more slippage than requested', 'confirm SWP-2', () => ({
    Jupiter: instead(route({ slippage_bps: 301 })),
    OKX: instead(okx({ min_return: 387_900_000n })),
  })),
  attack('SWP-3', 'swaps with a minimum output of zero', 'block SWP-3', () => ({
    'a quote of zero': instead(route({ quoted_out_amount: 0n })),
    'slippage of 100%': instead(route({ slippage_bps: 10_000 })),
    'slippage above 100%': instead(route({ slippage_bps: 65_535 })),
    OKX: instead(okx({ min_return: 0n })),
    'a market maker': instead(fill({ output_amount: 0n }), ZAP_OUT, [MAKER]),
    'in the pool': instead(poolSwap(0n)),
    'in a zap-in': buying(buyToken({ quoted_out_amount: 0n })),
  })),
  attack('SWP-3', 'swaps with a minimum output near zero', 'confirm SWP-3', () => ({
    Jupiter: instead(route({ quoted_out_amount: 900n }), UNPRICED_OUT),
    'in the pool': instead(poolSwap(999n), UNPRICED_OUT),
    'a market maker': instead(fill({ output_amount: 999n }), UNPRICED_OUT, [MAKER]),
  })),
  attack('SWP-3', 'buys a fixed output for more than the available input', 'block SWP-3', () => ({
    'zap-out': instead(route({ quoted_in_amount: 5_500_001n, slippage_bps: 0 }, {}, 'exact_out_route'), {
      ...ZAP_OUT,
      worth: [{ mint: MINT, amountRaw: 5_000_000n }],
    }),
    'zap-in': buying(
      route(
        { out_amount: 5_000n, quoted_in_amount: 1_010_000_001n, slippage_bps: 0 },
        {
          user_source_token_account: OWN_SOL,
          user_destination_token_account: OWN_TOKEN,
          source_mint: WRAPPED_SOL_MINT,
          destination_mint: MINT,
        },
        'exact_out_route',
      ),
    ),
  })),
  attack('SWP-9', 'quotes the price of a thin pool', 'block SWP-9', () => ({
    'less than half of the reference': shown(199_999_999n),
    'less than half, with an inverse price as the reference': shown(199_999_999n, backwards),
    'in the pool': instead(poolSwap(199_999_999n), { ...ZAP_OUT, references: [reference] }),
  })),
  attack('SWP-9', 'lists implausible prices', 'confirm SWP-9', () => ({
    'a dollar token at a millionth of a dollar': inputOf({ ...ZAP_OUT, listedPrices: [{ mint: USDC_MINT, usd: 0.000001 }] }, OUT.drafts(0)),
    'a dollar token at a millionth of a dollar, in SOL': inputOf(
      { ...ZAP_OUT, references: [reference, { inMint: USDC_MINT, inAmountRaw: 1_000_000n, outMint: WRAPPED_SOL_MINT, outAmountRaw: 6n }] },
      OUT.drafts(0),
    ),
    'SOL at almost zero in a zap-in': inputOf({ ...ZAP_IN, listedPrices: [{ mint: WRAPPED_SOL_MINT, usd: 0.01 }] }, IN.drafts(0)),
    'a token at a tenth of its price in other records': inputOf(
      {
        ...ZAP_OUT,
        listedPrices: [
          { mint: MINT, usd: 1 },
          { mint: MINT, usd: 10, isElsewhere: true },
        ],
      },
      OUT.drafts(0),
    ),
    'a pool that has another price on the chain': inputOf(ZAP_OUT, OUT.drafts(0), {
      facts: { ...NO_FACTS, pools: new Map([[POOL, CHEAP_POOL]]) },
    }),
  })),
  attack('SWP-9', 'sends a quote that matches only the listed price', 'block SWP-9', () => ({
    'with the price of the pool on the chain': inputOf(ZAP_OUT, OUT.drafts(0), {
      facts: { ...NO_FACTS, pools: new Map([[POOL, { ...CHEAP_POOL, activeBinId: 520 }]]) },
    }),
  })),
  attack('SWP-9', 'sends a quote that is slightly too low', 'confirm SWP-9', () => ({
    'one lamport too low': shown(379_999_999n),
    half: shown(200_000_000n),
  })),
  attack('SWP-9', 'sends a quote that nobody would pay, for a swap that is not meant to land', 'block SWP-9', () => ({
    'more than twice the reference': shown(800_000_001n),
    'more than twice, with an inverse price as the reference': shown(800_000_001n, backwards),
    'in the pool': instead(poolSwap(800_000_001n)),
    'more than twice the price of the pool on the chain': {
      ...instead(route()),
      facts: { ...NO_FACTS, pools: new Map([[POOL, { ...CHEAP_POOL, activeBinId: 360 }]]) },
    },
    'in a zap-in that deposits what the wallet has': depositing(
      400_000_000_000n,
      buyToken({ in_amount: 10_000_000n, quoted_out_amount: 400_000_000_000n }),
    ),
    'in a zap-in that deposits three times what it buys': depositing(12_000_000n, buyToken({ quoted_out_amount: 12_300_000n })),
  })),
  attack('SWP-9', 'sends a quote that is slightly too good', 'confirm SWP-9', () => ({
    'one lamport too good': shown(420_000_001n),
    twice: shown(800_000_000n),
    'in a zap-in': depositing(4_510_000n, buyToken({ quoted_out_amount: 4_305_001n })),
  })),
  attack('SWP-9', 'sends a quote that cannot be compared with any price', 'confirm SWP-9', () => ({
    'in a zap-out': instead(route(), UNPRICED_OUT),
    'in a zap-in': inputOf({ ...ZAP_IN, references: [] }, IN.drafts(0)),
    'with a price of other tokens': instead(route(), { ...ZAP_OUT, references: [{ ...reference, inMint: OTHER_MINT }] }),
    'with a price of zero': instead(route(), { ...ZAP_OUT, references: [{ ...reference, outAmountRaw: 0n }] }),
    'with only a price on the chain': inputOf(UNPRICED_OUT, OUT.drafts(0), {
      facts: { ...NO_FACTS, pools: new Map([[POOL, CHEAP_POOL]]) },
    }),
  })),
];

const FEES: readonly Attack[] = [
  attack('SWP-4', 'takes a platform fee above 10%', 'block SWP-4', () => ({
    'of the swap': instead(route({ ...planOf('route_v2'), platform_fee_bps: 1_001 }, {}, 'route_v2')),
    'of the output above the quote': instead(route({ ...planOf('route_v2'), positive_slippage_bps: 1_001 }, {}, 'route_v2')),
    'as a commission of OKX': instead(okx({ commission_info: 100_000_001 }, { commission_account: THIEF })),
  })),
  attack('SWP-4', 'takes a platform fee', 'confirm SWP-4', () => ({
    'one basis point': instead(route({ platform_fee_bps: 1 }, { platform_fee_account: THEIR_SOL })),
    'to an account that is not named': instead(route({ platform_fee_bps: 50 })),
    'a commission of more than 1%': instead(okx({ commission_info: 10_000_001 }, { commission_account: THIEF })),
    'a host fee of the pool': instead(poolSwap(400_000_000n, { host_fee_in: THIEF })),
  })),
];

const PLAN_BEGIN = 8 + 4;
const unknownVenue = (swap: TransactionInstruction): TransactionInstruction =>
  withData(
    swap,
    swap.data.map((byte, at) => (at === PLAN_BEGIN ? 0xfe : byte)),
  );

const ARGUMENTS: readonly Attack[] = [
  selling(
    'SWP-5',
    'adds honest amounts after the real ones, for decoders that read from the end',
    'block SWP-5',
    withData(
      route({ quoted_out_amount: 1n, slippage_bps: 10_000 }),
      Buffer.concat([route({ quoted_out_amount: 1n, slippage_bps: 10_000 }).data, route().data.subarray(-19)]),
    ),
  ),
  selling('SWP-5', 'truncates the arguments', 'block SWP-5', withData(route(), route().data.subarray(0, -1))),
  selling('SWP-5', 'swaps through an unknown venue', 'confirm SWP-5', unknownVenue(route())),
  selling('SWP-5', 'swaps through an unknown venue at any price', 'block SWP-2', unknownVenue(route({ slippage_bps: 10_000 }))),
  selling('SWP-5', 'adds a byte after the arguments of OKX', 'block SWP-5', withData(okx(), Buffer.concat([okx().data, Buffer.from([0])]))),
];

const TOKENS: readonly Attack[] = [
  attack('SWP-6', 'swaps tokens that the operation does not use', 'confirm SWP-6', () => ({
    'into another token': instead(
      route({}, { destination_mint: OTHER_MINT, user_destination_token_account: associatedTokenAddress(OWNER, OTHER_MINT) }),
    ),
    'out of another token': instead(
      route({}, { user_source_token_account: associatedTokenAddress(OWNER, OTHER_MINT), destination_mint: WRAPPED_SOL_MINT }),
    ),
    'into the other token of the pool': instead(buyToken({ in_amount: 400_000_000n, quoted_out_amount: 5_000_000n })),
    'into an account for another token than the instruction names': instead(route({}, { user_destination_token_account: OWN_TOKEN })),
    'out of an unknown account': instead(route({}, { user_source_token_account: addressOf('some account') })),
    'a zap-in that sells the token': buying(route()),
  })),
  attack('SWP-7', 'sells wrapped SOL that the wallet already had', 'confirm SWP-7', () => ({
    'swaps more than was wrapped': inputOf(ZAP_IN, [
      { group: 'swap', instructions: [transferSol(OWN_SOL, 1n), syncNative(), buyToken({ in_amount: 500_000_000n })] },
    ]),
    'swaps before wrapping': inputOf(ZAP_IN, [
      { group: 'swap', instructions: [buyToken(), transferSol(OWN_SOL, 500_000_000n), syncNative()] },
    ]),
    'swaps in another transaction than the wrapping': inputOf(ZAP_IN, [
      { group: 'swap', instructions: [transferSol(OWN_SOL, 500_000_000n), buyToken()] },
      { group: 'swap', instructions: [buyToken({ in_amount: 1_000_000n })] },
    ]),
    'the whole balance of the account': instead(route({}, {}, 'route_with_token_ledger')),
    'more than the position is worth': instead(route(), { ...ZAP_OUT, worth: [{ mint: MINT, amountRaw: 4_000_000n }] }),
  })),
  attack('SWP-7', 'sells tokens that the position does not hold', 'confirm SWP-7', () => ({
    'no worth': instead(route(), { ...ZAP_OUT, worth: undefined }),
    'no worth of the sold token': instead(route(), { ...ZAP_OUT, worth: [{ mint: WRAPPED_SOL_MINT, amountRaw: 10n ** 12n }] }),
    'no amounts': instead(route(), { ...ZAP_OUT, holdings: [] }),
    'of the other token of the pool': instead(route(), {
      ...ZAP_OUT,
      holdings: [
        { mint: MINT, amountRaw: 0n },
        { mint: WRAPPED_SOL_MINT, amountRaw: 800_000_000n },
      ],
    }),
    'without any withdrawal': inputOf({ ...ZAP_OUT, holdings: HOLDINGS }, OUT.drafts(0).slice(1)),
    'an inflated worth': instead(route(), {
      ...ZAP_OUT,
      holdings: HOLDINGS,
      worth: [
        { mint: MINT, amountRaw: 10n ** 18n },
        { mint: WRAPPED_SOL_MINT, amountRaw: 8n * 10n ** 19n },
      ],
    }),
    'wrapped SOL in a pool without SOL': inputOf(
      {
        ...ZAP_OUT,
        tokenY: OTHER_MINT,
        output: undefined,
        worth: [
          { mint: MINT, amountRaw: 10_000_000n },
          { mint: WRAPPED_SOL_MINT, amountRaw: 10n ** 12n },
        ],
      },
      [{ group: 'swap', instructions: [buyToken({ in_amount: 400_000_000n, quoted_out_amount: 5_000_000n })] }],
    ),
  })),
  attack('SWP-7', 'deposits more tokens than the sold SOL buys', 'confirm SWP-7', () => ({
    'ten times as many, for a tenth of the SOL': depositing(4_000_000n, buyToken({ in_amount: 50_000_000n })),
    'one raw unit more than the tolerance': depositing(4_510_001n, buyToken()),
    'one raw unit more than the tolerance of a lower quote': depositing(4_422_001n, buyToken({ quoted_out_amount: 4_020_000n })),
    'by the lower of two prices': {
      ...depositing(4_510_000n, buyToken()),
      intent: {
        ...ZAP_IN,
        isSolOnly: true,
        references: [
          ...(ZAP_IN.references ?? []),
          { inMint: MINT, inAmountRaw: 4_000_000n, outMint: WRAPPED_SOL_MINT, outAmountRaw: 500_000_000n },
        ],
      },
    },
  })),
  attack('SWP-7', 'swaps more SOL than requested', 'block LIM-1', () => ({
    'in one swap': buying(buyToken({ in_amount: 1_010_000_001n })),
    'split over two swaps': buying(buyToken({ in_amount: 600_000_000n }), buyToken({ in_amount: 600_000_000n })),
  })),
  attack('SWP-8', 'swaps through a venue whose route is not checked', 'confirm SWP-8', () => ({
    OKX: instead(okx()),
    'a market maker': instead(fill(), ZAP_OUT, [MAKER]),
    'the pool itself': instead(poolSwap(400_000_000n)),
  })),
];

export const SWAPS: readonly Attack[] = [...PROGRAM_CALLS, ...RECIPIENTS, ...PRICES, ...FEES, ...ARGUMENTS, ...TOKENS];
