import type { TransactionInstruction } from '@solana/web3.js';
import { associatedTokenAddress } from '../../src/base/solana/pda';
import type { Address } from '../../src/base/solana/address';
import { USDC_MINT, WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { NO_FACTS } from '../../src/review/facts/facts';
import { NO_SPENDS } from '../../src/review/spends';
import type { ZapInIntent } from '../../src/review/types';
import {
  addByStrategy,
  addressOf,
  budget,
  buyToken,
  createAta,
  dlmm,
  FROM_BIN,
  inVersion,
  MINT,
  NO_SLICES,
  openPosition,
  OWN_SOL,
  OWN_TOKEN,
  POSITION_KEY,
  removal,
  route,
  syncNative,
  THIEF,
  tip,
  TO_BIN,
  tokenAmount,
  tokenInstruction,
  transferSol,
  unwrap,
  ZAP_IN,
  ZAP_OUT,
  type Draft,
} from '../support/review/bundles';
import { addDamm, createDamm, DAMM_IN, NFT_KEY, zap } from '../support/review/meteoraDrafts';
import { attack, inputOf, type Attack, type Surroundings } from './attack';
import { IN, OUT, planted, type Operation } from './plant';

// Attacks on zap-ins of tokens from the wallet (mode `normal`): 4,000,000 raw units of the token and 0.5 SOL are deposited without a swap.

const TOKENS = 4_000_000n;
const LAMPORTS = 500_000_000n;
/** The maximum with a tolerance of 1%. */
const MOST_TOKENS = 4_040_000n;
const MOST_LAMPORTS = 505_000_000n;
const OTHER_MINT = addressOf('another mint');
const OTHER_TOKEN = associatedTokenAddress(addressOf('owner'), OTHER_MINT);

/** The request for a pool with SOL. */
export const TOKENS_IN: ZapInIntent = { ...ZAP_IN, inputLamports: LAMPORTS, tokens: [{ mint: MINT, amountRaw: TOKENS }] };
/** The request for a pool without SOL: only the first token is deposited, and no SOL. */
const WITHOUT_SOL: ZapInIntent = { ...TOKENS_IN, tokenY: OTHER_MINT, inputLamports: 0n };
const INTO_DAMM: ZapInIntent = { ...DAMM_IN, inputLamports: LAMPORTS, tokens: [{ mint: MINT, amountRaw: TOKENS }] };

const wrap = (lamports = LAMPORTS): TransactionInstruction[] => [createAta(WRAPPED_SOL_MINT), transferSol(OWN_SOL, lamports), syncNative()];
const adding = (...instructions: readonly TransactionInstruction[]): Draft => ({ group: 'add', instructions, signers: [POSITION_KEY] });
const rest: Draft = { group: 'add', instructions: [unwrap()] };
const tokens = (amountX: bigint, amountY = LAMPORTS): TransactionInstruction => addByStrategy({ amountX, amountY });

/** A whole zap-in of tokens: wrap the SOL, open the position, deposit, unwrap the rest. */
export const INTO_POSITION: Operation = {
  name: 'zap-in of tokens',
  intent: TOKENS_IN,
  drafts: (version) => [
    inVersion(version, adding(...budget(), ...wrap(), openPosition(), addByStrategy(), tip())),
    inVersion(version, rest),
  ],
};

const into = (intent: ZapInIntent, ...drafts: readonly Draft[]): ReturnType<typeof inputOf> => inputOf(intent, drafts);
const withAll = (more: Surroundings): ReturnType<typeof inputOf> => inputOf(TOKENS_IN, INTO_POSITION.drafts(0), more);

/** A deposit of 4 USDC, converted with these decimals. */
function ofKnownToken(decimals: number, onChain?: ReadonlyMap<Address, number>): ReturnType<typeof inputOf> {
  const usdc = associatedTokenAddress(TOKENS_IN.owner, USDC_MINT);
  const deposit = addByStrategy({ amountX: TOKENS, amountY: 0n, accounts: { user_token_x: usdc, token_x_mint: USDC_MINT } });
  const intent = { ...TOKENS_IN, tokenX: USDC_MINT, inputLamports: 0n, tokens: [{ mint: USDC_MINT, amountRaw: TOKENS, decimals }] };
  return inputOf(intent, [adding(openPosition(), deposit)], onChain && { facts: { ...NO_FACTS, decimals: onChain } });
}

const LIMITS: readonly Attack[] = [
  attack('LIM-1', 'deposits more of a token than requested', 'block LIM-1', () => ({
    'a little above the tolerance': into(TOKENS_IN, adding(...wrap(), openPosition(), tokens(MOST_TOKENS + 1n))),
    'the whole balance': into(TOKENS_IN, adding(...wrap(), openPosition(), tokens(2n ** 64n - 1n))),
    'in legacy form': into(TOKENS_IN, { ...adding(...wrap(), openPosition(), tokens(MOST_TOKENS + 1n)), version: 'legacy' }),
    'split over two deposits of one transaction': into(
      TOKENS_IN,
      adding(...wrap(), openPosition(), tokens(2_020_001n, 1n), tokens(2_020_000n, 1n)),
    ),
    'split over two transactions': into(TOKENS_IN, adding(...wrap(), openPosition(), tokens(TOKENS, 1n)), {
      group: 'add',
      instructions: [tokens(40_001n, 1n)],
    }),
    'split over two kinds of deposit': into(TOKENS_IN, adding(...wrap(), openPosition(), tokens(TOKENS, 1n), byWeight(40_001n, 1n))),
    'of one side only': into(TOKENS_IN, adding(openPosition(), oneSided(MOST_TOKENS + 1n))),
    'as a maximum of DAMM v2': into(INTO_DAMM, {
      group: 'add',
      instructions: [...wrap(), createDamm(), addDamm(MOST_TOKENS + 1n, LAMPORTS)],
      signers: [NFT_KEY],
    }),
    'where the pool has no SOL': into(WITHOUT_SOL, adding(openPosition(), besideOther(MOST_TOKENS + 1n, 0n))),
  })),
  attack('LIM-1', 'deposits a token that was not chosen', 'block LIM-1', () => ({
    'the other token of the pool': into(WITHOUT_SOL, adding(openPosition(), besideOther(TOKENS, 1n))),
    'a token of the pool when no token was chosen': into({ ...TOKENS_IN, tokens: [] }, adding(...wrap(), openPosition(), tokens(1n))),
    'a token of the pool with a chosen amount of zero': into(
      { ...TOKENS_IN, tokens: [{ mint: MINT, amountRaw: 0n }] },
      adding(...wrap(), openPosition(), tokens(1n)),
    ),
    'a token that the pool does not have': into(
      TOKENS_IN,
      adding(...wrap(), openPosition(), addByStrategy({ accounts: { user_token_x: OTHER_TOKEN, token_x_mint: OTHER_MINT } })),
    ),
    'a wrong second token next to the right first one': into(
      TOKENS_IN,
      adding(openPosition(), addByStrategy({ accounts: { user_token_y: OTHER_TOKEN, token_y_mint: OTHER_MINT } })),
    ),
  })),
  attack('LIM-1', 'deposits more SOL than requested together with a token', 'block LIM-1', () => ({
    'into the position': into(TOKENS_IN, adding(...wrap(MOST_LAMPORTS), openPosition(), tokens(TOKENS, MOST_LAMPORTS + 1n))),
    'left wrapped': into(TOKENS_IN, adding(...wrap(MOST_LAMPORTS + 1n), openPosition(), tokens(TOKENS, 0n))),
    'existing wrapped SOL of the wallet when no SOL was requested': into(
      { ...TOKENS_IN, inputLamports: 0n },
      adding(openPosition(), tokens(TOKENS, 1n)),
    ),
    'where the pool has no SOL': into(WITHOUT_SOL, adding(...wrap(1n), openPosition(), besideOther(TOKENS, 0n))),
  })),
  attack('LIM-1', 'wraps more SOL than requested together with a token and unwraps it again', 'confirm LIM-1', () => ({
    'zap-in': into(TOKENS_IN, adding(...wrap(MOST_LAMPORTS + 1n), openPosition(), tokens(TOKENS), unwrap())),
  })),
  attack('LIM-1', 'relies on an amount that was shown with wrong decimals', 'block LIM-1', () => ({
    'too many decimals': inputOf({ ...TOKENS_IN, tokens: [{ mint: MINT, amountRaw: TOKENS, decimals: 9 }] }, INTO_POSITION.drafts(0), {
      facts: { ...NO_FACTS, decimals: new Map([[MINT, 6]]) },
    }),
    'too few decimals': inputOf({ ...TOKENS_IN, tokens: [{ mint: MINT, amountRaw: TOKENS, decimals: 0 }] }, INTO_POSITION.drafts(0), {
      facts: { ...NO_FACTS, decimals: new Map([[MINT, 6]]) },
    }),
    'of a well-known token': ofKnownToken(9),
    'of a well-known token, and the RPC says the same': ofKnownToken(9, new Map([[USDC_MINT, 9]])),
    'of a well-known token, and the RPC knows better': ofKnownToken(9, new Map([[USDC_MINT, 6]])),
    'of a well-known token, by the RPC alone': ofKnownToken(6, new Map([[USDC_MINT, 9]])),
    'in the figures of a zap-in with SOL': inputOf({ ...ZAP_IN, listedDecimals: [{ mint: MINT, decimals: 3 }] }, IN.drafts(0), {
      facts: { ...NO_FACTS, decimals: new Map([[MINT, 6]]) },
    }),
    'in the figures of a zap-out': inputOf({ ...ZAP_OUT, listedDecimals: [{ mint: WRAPPED_SOL_MINT, decimals: 6 }] }, OUT.drafts(0), {
      facts: { ...NO_FACTS, decimals: new Map([[WRAPPED_SOL_MINT, 6]]) },
    }),
  })),
  attack('BND-2', 'deposits tokens again while the first attempt may still land', 'block BND-2', () => ({
    'the earlier attempt is known only by its network fee': withAll({ prior: { ...NO_SPENDS, networkFeeLamports: 5_000n } }),
    'the earlier attempt is known to use SOL': withAll({ prior: { ...NO_SPENDS, consumedLamports: 1n } }),
  })),
];

const SWAPS: readonly Attack[] = [
  ...Object.entries({
    'sells the tokens': route({ in_amount: 1_000_000n }),
    'sells the SOL': buyToken({ in_amount: 1_000_000n }),
    'sells the tokens by a newer route': route({ in_amount: 1_000_000n }, {}, 'shared_accounts_route'),
    'sells the tokens in the pool': dlmm('swap2', { amount_in: 1_000_000n, min_amount_out: 900_000n, ...NO_SLICES }),
  }).map(([what, swap]) =>
    planted('SWP-6', `${what} although they are to be deposited without a swap`, 'block SWP-6', () => ({
      instructions: [swap],
      into: [INTO_POSITION],
      isNamed: true,
    })),
  ),
  attack('ZAP-1', 'swaps the tokens with Zap although they are to be deposited without a swap', 'block ZAP-1', () => ({
    'within the amounts': into(
      TOKENS_IN,
      adding(
        zap('initialize_ledger_account'),
        zap('set_ledger_balance', { amount: TOKENS, is_token_a: true }),
        zap('set_ledger_balance', { amount: 1n, is_token_a: false }),
        openPosition(),
        zapIn(),
      ),
    ),
  })),
  attack('BND-5', 'lists a transaction as a swap although no swap is requested', 'confirm BND-5', () => ({
    'without an effect': into(TOKENS_IN, { group: 'swap', instructions: [createAta(MINT)] }, ...INTO_POSITION.drafts(0)),
  })),
  attack('BND-5', 'lists a close transaction in a zap-in of tokens', 'block BND-5', () => ({
    'without an effect': into(TOKENS_IN, ...INTO_POSITION.drafts(0), { group: 'close', instructions: [createAta(MINT)] }),
  })),
];

const STEALING: readonly Attack[] = [
  planted('TOK-1', 'sends the tokens for the deposit to a stranger', 'block TOK-1', () => ({
    instructions: [tokenInstruction(tokenAmount(3, 1n), [OWN_TOKEN, associatedTokenAddress(THIEF, MINT), addressOf('owner')])],
    into: [INTO_POSITION],
  })),
  planted('TOK-2', 'approves a thief as delegate for the tokens of the deposit', 'block TOK-2', () => ({
    instructions: [tokenInstruction(tokenAmount(4, TOKENS), [OWN_TOKEN, THIEF, addressOf('owner')])],
    into: [INTO_POSITION],
  })),
  planted('TOK-5', 'burns the tokens for the deposit', 'block TOK-5', () => ({
    instructions: [tokenInstruction(tokenAmount(8, 1n), [OWN_TOKEN, MINT, addressOf('owner')])],
    into: [INTO_POSITION],
  })),
  planted('SYS-1', 'sends SOL to a stranger in a zap-in of tokens', 'block SYS-1', () => ({
    instructions: [transferSol(THIEF, 10n ** 10n)],
    into: [INTO_POSITION],
  })),
  planted('DLMM-8', 'withdraws in a zap-in of tokens', 'block DLMM-8', () => ({ instructions: [removal()], into: [INTO_POSITION] })),
  planted('DLMM-1', 'deposits tokens into another position', 'block DLMM-1', () => ({
    instructions: [addByStrategy({ amountX: 1n, amountY: 0n, accounts: { position: addressOf('another position') } })],
    into: [INTO_POSITION],
    isLast: true,
    isNamed: true,
  })),
  planted('DLMM-1', 'deposits tokens into another pool', 'block DLMM-1', () => ({
    instructions: [addByStrategy({ amountX: 1n, amountY: 0n, accounts: { lb_pair: addressOf('another pool') } })],
    into: [INTO_POSITION],
    isLast: true,
    isNamed: true,
  })),
  attack('DLMM-10', 'deposits tokens into an existing position', 'block DLMM-10', () => ({
    'without opening it': into(TOKENS_IN, { group: 'add', instructions: [...wrap(), tokens(TOKENS)] }),
  })),
  attack('DLMM-7', 'deposits tokens into other bins', 'confirm DLMM-7', () => ({
    'one bin too many': into(TOKENS_IN, adding(...wrap(), openPosition(), addByStrategy({ to: TO_BIN + 1 })), rest),
  })),
  attack('DLMM-2', "deposits tokens from an account that is not the owner's", 'block DLMM-2', () => ({
    "a stranger's account": into(
      TOKENS_IN,
      adding(...wrap(), openPosition(), addByStrategy({ accounts: { user_token_x: associatedTokenAddress(THIEF, MINT) } })),
    ),
  })),
];

function byWeight(amountX: bigint, amountY: bigint): TransactionInstruction {
  return dlmm('add_liquidity_by_weight2', {
    liquidity_parameter: {
      amount_x: amountX,
      amount_y: amountY,
      active_id: 0,
      max_active_bin_slippage: 3,
      bin_liquidity_dist: [{ bin_id: FROM_BIN, weight: 1 }],
    },
    ...NO_SLICES,
  });
}

function oneSided(amount: bigint): TransactionInstruction {
  return dlmm('add_liquidity_one_side_precise2', {
    liquidity_parameter: { bins: [{ bin_id: TO_BIN, amount: 1 }], decompress_multiplier: amount, max_amount: amount },
    ...NO_SLICES,
  });
}

function besideOther(amountX: bigint, amountY: bigint): TransactionInstruction {
  return addByStrategy({ amountX, amountY, accounts: { user_token_y: OTHER_TOKEN, token_y_mint: OTHER_MINT } });
}

function zapIn(): TransactionInstruction {
  const range = {
    active_id: 0,
    min_delta_id: FROM_BIN,
    max_delta_id: TO_BIN,
    max_active_bin_slippage: 3,
    favor_x_in_active_id: false,
    strategy: { kind: 'Spot' },
  };
  return zap('zap_in_dlmm_for_initialized_position', { ...range, ...NO_SLICES });
}

export const TOKENS_AT_HAND: readonly Attack[] = [...LIMITS, ...SWAPS, ...STEALING];
