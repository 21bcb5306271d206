import { AddressLookupTableAccount, Keypair, PublicKey } from '@solana/web3.js';
import { address, type Address } from '../../src/base/solana/address';
import { associatedTokenAddress, dammPosition } from '../../src/base/solana/pda';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import type { Intent, TransactionGroup, ZapInIntent, ZapOutIntent } from '../../src/review/types';
import { buildAdd, buildDecrease } from '../../src/engine/assembly/buildTransactions';
import { INTO_POSITION } from '../corpus/tokensIn';
import {
  addPlan,
  decreasePlan,
  NFT_MINT,
  OTHER_MINT,
  OWNER,
  productAddPlan,
  productDecreasePlan,
  TOKEN_SOL,
} from '../support/sandbox/build/plans';
import * as bundles from '../support/review/bundles';

// Honest operations that the review allows: the starting points of mutations.

/** An operation of an honest service. */
export interface Base {
  readonly name: string;
  readonly intent: Intent;
  readonly transactions: readonly { readonly group: TransactionGroup; readonly bytes: Uint8Array }[];
  /** The contents of the lookup tables. */
  readonly tables: ReadonlyMap<Address, readonly Address[]>;
  /** Accounts that instructions may name as the position. */
  readonly positions: readonly Address[];
}

const BLOCKHASH = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi';
const PRODUCT_SEED = new Uint8Array(32).fill(40);

/** Keys of an attacker: the position's, and one more. */
export const SERVICE_KEYS: readonly Keypair[] = [bundles.POSITION_KEY, bundles.keyOf('thief'), Keypair.fromSeed(PRODUCT_SEED)];

const THIEF = bundles.THIEF;

/** Replacements that mutations use for accounts and programs. */
export const STRANGERS: readonly string[] = [
  THIEF,
  associatedTokenAddress(THIEF, bundles.MINT),
  associatedTokenAddress(THIEF, WRAPPED_SOL_MINT),
  associatedTokenAddress(bundles.OWNER, THIEF),
  bundles.OWNER,
  OWNER.address,
  bundles.OWN_SOL,
  bundles.addressOf('another position'),
  ...Object.values(PROGRAMS),
  'Stake11111111111111111111111111111111111111',
  'Sysvar1nstructions1111111111111111111111111',
];

/** A v0 operation that takes the pool accounts from a lookup table. */
function withTable(name: string, intent: Intent, drafts: readonly bundles.Draft[]): Base {
  const table = bundles.addressOf('table');
  const addresses = [
    PROGRAMS.token,
    PROGRAMS.token2022,
    PROGRAMS.memo,
    PROGRAMS.system,
    bundles.POOL,
    bundles.MINT,
    WRAPPED_SOL_MINT,
    bundles.addressOf('route account'),
    bundles.addressOf('oracle'),
  ];
  const account = new AddressLookupTableAccount({
    key: new PublicKey(table),
    state: {
      deactivationSlot: 2n ** 64n - 1n,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
      addresses: addresses.map((one) => new PublicKey(one)),
    },
  });
  return base(
    name,
    intent,
    drafts.map((draft) => ({ ...draft, tables: [account] })),
    new Map([[table, addresses]]),
  );
}

function base(name: string, intent: Intent, drafts: readonly bundles.Draft[], tables: Base['tables'] = new Map()): Base {
  return {
    name,
    intent,
    transactions: drafts.map((draft) => ({ group: draft.group, bytes: bundles.bytesOf(draft) })),
    tables,
    positions: [bundles.POSITION],
  };
}

function built(
  name: string,
  intent: Intent,
  groups: readonly (readonly [TransactionGroup, readonly Uint8Array[]])[],
  positions: readonly Address[],
): Base {
  return {
    name,
    intent,
    transactions: groups.flatMap(([group, list]) => list.map((bytes) => ({ group, bytes }))),
    tables: new Map(),
    positions,
  };
}

/** What the user was shown: the prices at which the plans swap, and a position that holds exactly what they sell. */
const SHOWN_OUT: Pick<ZapOutIntent, 'references' | 'worth' | 'holdings'> = {
  references: [{ inMint: OTHER_MINT, inAmountRaw: 5_000_000n, outMint: WRAPPED_SOL_MINT, outAmountRaw: 90_000_000n }],
  worth: [
    { mint: OTHER_MINT, amountRaw: 5_000_000n },
    { mint: WRAPPED_SOL_MINT, amountRaw: 90_000_000n },
  ],
  holdings: [
    { mint: OTHER_MINT, amountRaw: 5_000_000n },
    { mint: WRAPPED_SOL_MINT, amountRaw: 0n },
  ],
};
const SHOWN_IN: Pick<ZapInIntent, 'references'> = {
  references: [{ inMint: WRAPPED_SOL_MINT, inAmountRaw: 500_000_000n, outMint: OTHER_MINT, outAmountRaw: 27_500_000_000n }],
};

/** Builds new copies of the operations: with both kinds of pools, in all formats, wide and narrow. */
export function honestBases(): readonly Base[] {
  const common = { owner: OWNER.address, pool: TOKEN_SOL.pool, slippageBps: 300, tokenX: OTHER_MINT, tokenY: WRAPPED_SOL_MINT };
  const leaving: ZapOutIntent = { ...common, kind: 'zapOut', position: undefined, shareBps: 10_000, output: 'allBaseToken', ...SHOWN_OUT };
  const entering: ZapInIntent = {
    ...common,
    kind: 'zapIn',
    position: undefined,
    inputLamports: 1_000_000_000n,
    strategy: 'Spot',
    fromBinId: -420,
    toBinId: -341,
    activeBinId: -381,
    binStepBps: 100,
    ...SHOWN_IN,
  };
  const wide = { fromBinId: -420, toBinId: -341 };
  const decrease = decreasePlan(BLOCKHASH);
  const left = buildDecrease(decrease);
  const entered = buildAdd(addPlan(BLOCKHASH, wide));
  const newerLeft = buildDecrease({ ...decrease, format: 'v1' });
  const newerEntered = buildAdd({ ...addPlan(BLOCKHASH, wide), format: 'v1' });
  const tokensPlan = addPlan(BLOCKHASH, { ...wide, swaps: [], wrapLamports: 500_000_000n });
  const tokensEntered = buildAdd(tokensPlan);
  const productLeft = buildDecrease(productDecreasePlan(BLOCKHASH));
  const productEntered = buildAdd(productAddPlan(BLOCKHASH));
  const productPosition = address(productEntered.position);
  return [
    ...bundles.VERSIONS.flatMap((version) => [
      base(`zap-out (${version})`, bundles.ZAP_OUT, bundles.honestZapOut(version)),
      base(`zap-in (${version})`, bundles.ZAP_IN, bundles.honestZapIn(version)),
      base(`zap-in of tokens (${version})`, INTO_POSITION.intent, INTO_POSITION.drafts(version)),
      base(`swap (${version})`, bundles.SWAP, bundles.honestSwap(version)),
      base(`swap of SOL (${version})`, bundles.SWAP_SOL, bundles.honestSwapOfSol(version)),
      base(`unwrapping (${version})`, bundles.UNWRAP, bundles.honestUnwrap(version)),
    ]),
    base(
      'zap-in of all versions',
      bundles.ZAP_IN,
      bundles.VERSIONS.flatMap((version, at) => bundles.honestZapIn(version).slice(at, at + 1)),
    ),
    withTable('zap-out with a table', bundles.ZAP_OUT, bundles.honestZapOut(0)),
    withTable('swap with a table', bundles.SWAP, bundles.honestSwap(0)),
    withTable('zap-in with a table', bundles.ZAP_IN, bundles.honestZapIn(0)),
    built(
      'wide zap-out',
      { ...leaving, position: decrease.position },
      [
        ['close', left.closeTransactions],
        ['swap', left.swapTransactions],
      ],
      [decrease.position],
    ),
    built(
      'wide zap-in',
      { ...entering, position: address(entered.position), ...wide },
      [
        ['swap', entered.swapTransactions],
        ['add', entered.addTransactions],
      ],
      [address(entered.position)],
    ),
    built(
      'wide zap-out (1)',
      { ...leaving, position: decrease.position },
      [
        ['close', newerLeft.closeTransactions],
        ['swap', newerLeft.swapTransactions],
      ],
      [decrease.position],
    ),
    built(
      'wide zap-in (1)',
      { ...entering, position: address(newerEntered.position), ...wide },
      [
        ['swap', newerEntered.swapTransactions],
        ['add', newerEntered.addTransactions],
      ],
      [address(newerEntered.position)],
    ),
    built(
      'zap-out of DAMM v2',
      { ...leaving, poolType: 'dammV2', position: dammPosition(NFT_MINT) },
      [
        ['close', productLeft.closeTransactions],
        ['swap', productLeft.swapTransactions],
      ],
      [dammPosition(NFT_MINT)],
    ),
    built(
      'wide zap-in of tokens',
      {
        ...entering,
        position: address(tokensEntered.position),
        ...wide,
        inputLamports: tokensPlan.wrapLamports,
        tokens: [{ mint: OTHER_MINT, amountRaw: tokensPlan.amountX }],
      },
      [['add', tokensEntered.addTransactions]],
      [address(tokensEntered.position)],
    ),
    built(
      'zap-in to DAMM v2',
      { ...entering, poolType: 'dammV2', position: productPosition, strategy: undefined, fromBinId: undefined, toBinId: undefined },
      [
        ['swap', productEntered.swapTransactions],
        ['add', productEntered.addTransactions],
      ],
      [productPosition, dammPosition(productPosition)],
    ),
  ];
}
