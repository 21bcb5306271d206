import { PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { associatedTokenAddress } from '../../src/base/solana/pda';
import { PROGRAMS, USDC_MINT, WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { NO_FACTS, type ChainFacts, type MintRisk, type PoolFact, type TokenAccountFact } from '../../src/review/facts/facts';
import type { CaseInput } from '../../src/review/report/caseFormat';
import type { ZapInIntent, ZapOutIntent } from '../../src/review/types';
import type { Address } from '../../src/base/solana/address';
import {
  addressOf,
  buyToken,
  claim,
  createAta,
  MINT,
  OWN_TOKEN,
  OWNER,
  POOL,
  removal,
  route,
  ROUTE_PLAN,
  ZAP_IN,
  ZAP_OUT,
  type Draft,
} from '../support/review/bundles';
import { attack, inputOf, type Attack } from './attack';
import { IN, OUT } from './plant';

// Attacks with figures: the service sells a whole balance for dust and lists figures that make this look right; and RPC facts about pools,
// mints and accounts that would keep tokens from arriving.

const [CLOSE] = OUT.drafts(0);
const close: readonly Draft[] = CLOSE === undefined ? [] : [CLOSE];

/** A billion times what the position holds, sold for 0.1 SOL. */
const SOLD_RAW = 5_000_000_000_000_000n;
const DUMP: readonly Draft[] = [
  ...close,
  { group: 'swap', instructions: [route({ in_amount: SOLD_RAW, quoted_out_amount: 100_000_000n })] },
];
const HOLDINGS = [
  { mint: MINT, amountRaw: 5_000_000n },
  { mint: WRAPPED_SOL_MINT, amountRaw: 400_000_000n },
];
const WORTH = [
  { mint: MINT, amountRaw: 10_000_000n },
  { mint: WRAPPED_SOL_MINT, amountRaw: 800_000_000n },
];
/** The price at which this sale has no loss. */
const FALSE_PRICE = { inMint: MINT, inAmountRaw: SOLD_RAW, outMint: WRAPPED_SOL_MINT, outAmountRaw: 100_000_000n };
/** √(0.000,000,02) as Q64.64, rounded down: the same price. */
const FALSE_ROOT_Q64 = ((1n << 64n) * 141_421_356n) / 1_000_000_000_000n;
const ABSURD = 10n ** 308n;

const dumping = (figures: Partial<ZapOutIntent>, facts?: ChainFacts): CaseInput =>
  inputOf(
    { ...ZAP_OUT, references: [FALSE_PRICE], worth: WORTH, holdings: HOLDINGS, ...figures },
    DUMP,
    facts === undefined ? {} : { facts },
  );
const pool = (fact: PoolFact): ChainFacts => ({ ...NO_FACTS, pools: new Map([[POOL, fact]]) });
/** 80 lamports per raw unit: √80 as Q64.64. */
const TRUE_POOL: PoolFact = {
  kind: 'dammV2',
  tokenX: MINT,
  tokenY: WRAPPED_SOL_MINT,
  sqrtPriceQ64: ((1n << 64n) * 8_944_271_909n) / 1_000_000_000n,
};
const raw = (token: bigint, lamports: bigint): ZapOutIntent['holdings'] => [
  { mint: MINT, amountRaw: token },
  { mint: WRAPPED_SOL_MINT, amountRaw: lamports },
];
/** The position is worth a little more at the false price: amounts and worth agree. */
const AGREEING: Partial<ZapOutIntent> = { worth: raw(SOLD_RAW, 100_000_000n), holdings: raw(SOLD_RAW, 0n) };

const DUMPS: readonly Attack[] = [
  attack('SWP-7', 'figures: sells a whole balance for dust at a listed price that is a billion times too low', 'confirm SWP-7', () => ({
    'honest amounts and worth': dumping({}),
    'the worth at the false price': dumping({ worth: raw(SOLD_RAW * 100n, 800_000_000n) }),
    'amounts of zero, and the worth at the false price': dumping({
      worth: raw(SOLD_RAW * 100n, 800_000_000n),
      holdings: raw(0n, 800_000_000n),
    }),
    'tiny amounts': dumping({ worth: raw(SOLD_RAW * 100n, 800_000_000n), holdings: raw(1n, 800_000_000n) }),
    'amounts of zero': dumping({ holdings: raw(0n, 0n), worth: raw(0n, 0n) }),
    'the largest numbers as amounts': dumping({ holdings: raw(ABSURD, ABSURD), worth: raw(ABSURD, ABSURD) }),
    'no worth of the other token': dumping({ holdings: raw(SOLD_RAW, 0n), worth: [{ mint: MINT, amountRaw: SOLD_RAW }] }),
    'a worth of zero for the other token': dumping({ holdings: raw(SOLD_RAW, 0n), worth: raw(SOLD_RAW, 0n) }),
    'no amounts': dumping({ ...AGREEING, holdings: [] }),
    'no worth': dumping({ ...AGREEING, worth: undefined }),
    'fees claimed and nothing withdrawn': inputOf({ ...ZAP_OUT, holdings: HOLDINGS, worth: WORTH }, [
      { group: 'close', instructions: [claim()] },
      ...OUT.drafts(0).slice(1),
    ]),
    'almost nothing withdrawn': inputOf({ ...ZAP_OUT, holdings: HOLDINGS, worth: WORTH }, [
      { group: 'close', instructions: [removal(1)] },
      ...OUT.drafts(0).slice(1),
    ]),
  })),
  attack('SWP-9', 'figures: sells a whole balance for dust without a plausible listed price', 'confirm SWP-9', () => ({
    'no price': dumping({ ...AGREEING, references: [] }),
    'a price of zero': dumping({ ...AGREEING, references: [{ ...FALSE_PRICE, outAmountRaw: 0n }] }),
    'a quote for an input of zero': dumping({ ...AGREEING, references: [{ ...FALSE_PRICE, inAmountRaw: 0n }] }),
    'a list with a SOL price of 1e308': dumping({ ...AGREEING, listedPrices: [{ mint: WRAPPED_SOL_MINT, usd: 1e308 }] }),
    'another record with the true price': dumping({
      ...AGREEING,
      listedPrices: [
        { mint: MINT, usd: 1e-9 },
        { mint: MINT, usd: 1, isElsewhere: true },
      ],
    }),
    'a pool that does not exist on the chain': dumping(AGREEING, pool({ kind: 'none', program: undefined })),
    'a pool address that is a token account': dumping(AGREEING, pool({ kind: 'none', program: PROGRAMS.token })),
    'a pool of another kind': dumping({ ...AGREEING, poolType: 'dlmm' }, pool({ ...TRUE_POOL, sqrtPriceQ64: FALSE_ROOT_Q64 })),
  })),
  attack('SWP-9', 'figures: all listed figures agree, but the chain has another price', 'block SWP-9', () => ({
    'a pool with the true price of the token': dumping(AGREEING, pool(TRUE_POOL)),
  })),
  attack('SWP-9', 'figures: buys dust for all of the input, but the chain has another price', 'block SWP-9', () => ({
    'a pool with the true price of the token': inputOf(
      {
        ...ZAP_IN,
        references: [{ inMint: WRAPPED_SOL_MINT, inAmountRaw: 500_000_000n, outMint: MINT, outAmountRaw: 5_000n }],
      } satisfies ZapInIntent,
      [
        ...IN.drafts(0)
          .slice(0, 1)
          .map((draft): Draft => ({
            ...draft,
            instructions: [...draft.instructions.slice(0, -1), buyToken({ quoted_out_amount: 5_000n })],
          })),
        ...IN.drafts(0).slice(1),
      ],
      { facts: pool({ ...TRUE_POOL, sqrtPriceQ64: ((1n << 64n) * 11_043_152_607n) / 1_000_000_000n }) },
    ),
  })),
];

const OWN_USDC = associatedTokenAddress(OWNER, USDC_MINT);
const HELD_ELSEWHERE = addressOf('an account that the wallet holds');

/** The honest route with one more account. */
function given(account: Address, plan = ROUTE_PLAN): TransactionInstruction {
  const swap = route({ route_plan: plan });
  swap.keys.push({ pubkey: new PublicKey(account), isSigner: false, isWritable: true });
  return swap;
}

const withRoute = (swap: TransactionInstruction, facts?: ChainFacts): CaseInput =>
  inputOf(ZAP_OUT, [...close, { group: 'swap', instructions: [swap] }], facts === undefined ? {} : { facts });
const held: TokenAccountFact = {
  owner: OWNER,
  mint: addressOf('a token of the wallet'),
  state: 'initialized',
  delegate: null,
  closeAuthority: null,
};
const through = [...ROUTE_PLAN, { swap: { kind: 'MeteoraDlmm' }, percent: 100, input_index: 1, output_index: 2 }];

const ROUTES: readonly Attack[] = [
  attack('SWP-6', 'gives a route another account of the owner', 'confirm SWP-6', () => ({
    'for dollars, which are not part of the operation': withRoute(given(OWN_USDC)),
    'as reported by an RPC': withRoute(given(HELD_ELSEWHERE), { ...NO_FACTS, tokenAccounts: new Map([[HELD_ELSEWHERE, held]]) }),
    'created by the transaction although an RPC reports it as existing': inputOf(
      ZAP_OUT,
      [...close, { group: 'swap', instructions: [createAta(USDC_MINT), given(OWN_USDC)] }],
      { facts: { ...NO_FACTS, tokenAccounts: new Map([[OWN_USDC, { ...held, mint: USDC_MINT }]]) } },
    ),
    'one more than the route plan uses': withRoute(
      (() => {
        const swap = given(OWN_USDC, through);
        swap.keys.push({ pubkey: new PublicKey(HELD_ELSEWHERE), isSigner: false, isWritable: true });
        return swap;
      })(),
      { ...NO_FACTS, tokenAccounts: new Map([[HELD_ELSEWHERE, held]]) },
    ),
  })),
];

const risky = (kind: MintRisk['kind'], bps?: number): ChainFacts => ({
  ...NO_FACTS,
  mints: new Map([[MINT, [{ kind, ...(bps === undefined ? {} : { bps }) }]]]),
});
const limited = (...limits: NonNullable<TokenAccountFact['limits']>): ChainFacts => ({
  ...NO_FACTS,
  tokenAccounts: new Map([[OWN_TOKEN, { ...held, mint: MINT, limits }]]),
});
const leaving = (facts: ChainFacts): CaseInput => inputOf(ZAP_OUT, OUT.drafts(0), { facts });
const entering = (facts: ChainFacts): CaseInput => inputOf(ZAP_IN, IN.drafts(0), { facts });

const TOKEN_2022: readonly Attack[] = [
  attack('MINT-1', 'withdraws a token of which less arrives, or nothing', 'confirm MINT-1', () => ({
    'a transfer fee of 5.01%': leaving(risky('transferFee', 501)),
    'a transfer fee of 100%': leaving(risky('transferFee', 10_000)),
    'paused transfers': leaving(risky('paused')),
    'a token that cannot be transferred': leaving(risky('nonTransferable')),
    'an unknown extension': leaving(risky('unknown')),
    'an unknown extension, in a zap-in': entering(risky('unknown')),
    'scaled display amounts, in a zap-in': entering(risky('scaledAmount')),
    'paused transfers, in a zap-in': entering(risky('paused')),
  })),
  attack('OWN-1', 'uses an account of the owner that Token-2022 keeps from sending or receiving tokens', 'confirm OWN-1', () => ({
    'memo required': leaving(limited('memoRequired')),
    'CPI guard': leaving(limited('cpiGuard')),
    'both, in a zap-in': entering(limited('memoRequired', 'cpiGuard')),
  })),
];

export const FIGURES: readonly Attack[] = [...DUMPS, ...ROUTES, ...TOKEN_2022];
