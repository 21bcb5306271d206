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
} from '../unit/review/bundles';
import { attack, inputOf, type Attack } from './attack';
import { IN, OUT } from './plant';

// Attacks with figures: a whole balance is sold for dust, and the lists say figures by which that looks right; and what an RPC says of pools,
// mints and accounts by which tokens would not arrive.

const [CLOSE] = OUT.drafts(0);
const close: readonly Draft[] = CLOSE === undefined ? [] : [CLOSE];

/** A billion times what the position holds, for a tenth of a SOL. */
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
/** The price at which that is no loss. */
const FALSE_PRICE = { inMint: MINT, inAmountRaw: SOLD_RAW, outMint: WRAPPED_SOL_MINT, outAmountRaw: 100_000_000n };
const ABSURD = 10n ** 308n;

const dumping = (figures: Partial<ZapOutIntent>, facts?: ChainFacts): CaseInput =>
  inputOf(
    { ...ZAP_OUT, references: [FALSE_PRICE], worth: WORTH, holdings: HOLDINGS, ...figures },
    DUMP,
    facts === undefined ? {} : { facts },
  );
const pool = (fact: PoolFact): ChainFacts => ({ ...NO_FACTS, pools: new Map([[POOL, fact]]) });
/** 80 lamports a raw unit: √80 as Q64.64. */
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
/** All of it is worth a little more by the false price: what is held and what it is worth agree. */
const AGREEING: Partial<ZapOutIntent> = { worth: raw(SOLD_RAW, 100_000_000n), holdings: raw(SOLD_RAW, 0n) };

const DUMPS: readonly Attack[] = [
  attack('SWP-7', 'figures: a whole balance for dust, at a price that is a billion times too low', 'confirm SWP-7', {
    'amounts and worth as they are': dumping({}),
    'a worth by the false price': dumping({ worth: raw(SOLD_RAW * 100n, 800_000_000n) }),
    'none of it held, and a worth by the false price': dumping({
      worth: raw(SOLD_RAW * 100n, 800_000_000n),
      holdings: raw(0n, 800_000_000n),
    }),
    'next to none of it held': dumping({ worth: raw(SOLD_RAW * 100n, 800_000_000n), holdings: raw(1n, 800_000_000n) }),
    'amounts of nothing': dumping({ holdings: raw(0n, 0n), worth: raw(0n, 0n) }),
    'amounts as large as a number can be': dumping({ holdings: raw(ABSURD, ABSURD), worth: raw(ABSURD, ABSURD) }),
    'the worth of the other token left out': dumping({ holdings: raw(SOLD_RAW, 0n), worth: [{ mint: MINT, amountRaw: SOLD_RAW }] }),
    'the other token worth nothing': dumping({ holdings: raw(SOLD_RAW, 0n), worth: raw(SOLD_RAW, 0n) }),
    'no amounts': dumping({ ...AGREEING, holdings: [] }),
    'no worth': dumping({ ...AGREEING, worth: undefined }),
    'fees claimed and nothing taken out': inputOf({ ...ZAP_OUT, holdings: HOLDINGS, worth: WORTH }, [
      { group: 'close', instructions: [claim()] },
      ...OUT.drafts(0).slice(1),
    ]),
    'next to nothing taken out': inputOf({ ...ZAP_OUT, holdings: HOLDINGS, worth: WORTH }, [
      { group: 'close', instructions: [removal(1)] },
      ...OUT.drafts(0).slice(1),
    ]),
  }),
  attack('SWP-9', 'figures: a whole balance for dust, without a price that can be right', 'confirm SWP-9', {
    'no price': dumping({ ...AGREEING, references: [] }),
    'a price of nothing': dumping({ ...AGREEING, references: [{ ...FALSE_PRICE, outAmountRaw: 0n }] }),
    'for nothing of it': dumping({ ...AGREEING, references: [{ ...FALSE_PRICE, inAmountRaw: 0n }] }),
    'a list that prices SOL at 1e308': dumping({ ...AGREEING, listedPrices: [{ mint: WRAPPED_SOL_MINT, usd: 1e308 }] }),
    'another record with the true price': dumping({
      ...AGREEING,
      listedPrices: [
        { mint: MINT, usd: 1e-9 },
        { mint: MINT, usd: 1, isElsewhere: true },
      ],
    }),
    'a pool that is not on the chain': dumping(AGREEING, pool({ kind: 'none', program: undefined })),
    'a pool that is a token account': dumping(AGREEING, pool({ kind: 'none', program: PROGRAMS.token })),
    'a pool that is of another kind': dumping({ ...AGREEING, poolType: 'dlmm' }, pool({ ...TRUE_POOL, sqrtPriceQ64: 1n })),
  }),
  attack('SWP-9', 'figures: all of them agree, and the chain says another price', 'block SWP-9', {
    'a pool in which the token is worth what it is': dumping(AGREEING, pool(TRUE_POOL)),
  }),
  attack('SWP-9', 'figures: dust for all of the input, and the chain says another price', 'block SWP-9', {
    'a pool in which the token is worth what it is': inputOf(
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
  }),
];

const OWN_USDC = associatedTokenAddress(OWNER, USDC_MINT);
const HELD_ELSEWHERE = addressOf('an account that the wallet holds');

/** The honest route, which is given one more account. */
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
  attack('SWP-6', 'a route that is given another account of the owner', 'confirm SWP-6', {
    'of dollars, which the operation does not name': withRoute(given(OWN_USDC)),
    'as an RPC tells': withRoute(given(HELD_ELSEWHERE), { ...NO_FACTS, tokenAccounts: new Map([[HELD_ELSEWHERE, held]]) }),
    'which the transaction makes, although an RPC says that it is there': inputOf(
      ZAP_OUT,
      [...close, { group: 'swap', instructions: [createAta(USDC_MINT), given(OWN_USDC)] }],
      { facts: { ...NO_FACTS, tokenAccounts: new Map([[OWN_USDC, { ...held, mint: USDC_MINT }]]) } },
    ),
    'one more than its plan goes through': withRoute(
      (() => {
        const swap = given(OWN_USDC, through);
        swap.keys.push({ pubkey: new PublicKey(HELD_ELSEWHERE), isSigner: false, isWritable: true });
        return swap;
      })(),
      { ...NO_FACTS, tokenAccounts: new Map([[HELD_ELSEWHERE, held]]) },
    ),
  }),
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
  attack('MINT-1', 'a token of which less arrives than is taken out, or nothing', 'confirm MINT-1', {
    'a transfer fee of 5.01%': leaving(risky('transferFee', 501)),
    'a transfer fee of all of it': leaving(risky('transferFee', 10_000)),
    'transfers that are stopped': leaving(risky('paused')),
    'no transfers': leaving(risky('nonTransferable')),
    'an extension that nobody knows': leaving(risky('unknown')),
    'an extension that nobody knows, in a zap-in': entering(risky('unknown')),
    'amounts that wallets show scaled, in a zap-in': entering(risky('scaledAmount')),
    'transfers that are stopped, in a zap-in': entering(risky('paused')),
  }),
  attack('OWN-1', 'an account of the owner that Token-2022 keeps from taking or giving tokens', 'confirm OWN-1', {
    'memo required': leaving(limited('memoRequired')),
    'CPI guard': leaving(limited('cpiGuard')),
    'both, in a zap-in': entering(limited('memoRequired', 'cpiGuard')),
  }),
];

export const FIGURES: readonly Attack[] = [...DUMPS, ...ROUTES, ...TOKEN_2022];
