import { PROGRAMS } from '../../src/base/solana/programs';
import {
  buyToken,
  type Draft,
  honestSwap,
  honestSwapOfSol,
  honestUnwrap,
  route,
  SWAP,
  SWAP_SOL,
  tip,
  UNWRAP,
} from '../support/review/bundles';
import { fresh, type LaterBuild } from './laterBuilds';

// What a hostile service may build of a swap of the wallet's tokens once the user has been shown an honest one.

/** The honest sale with another swap. */
function selling(args: Parameters<typeof route>[0]): readonly Draft[] {
  return swapped(honestSwap(), route(args));
}

function swapped(drafts: readonly Draft[], by: ReturnType<typeof route>): readonly Draft[] {
  const isSwap = ({ programId }: ReturnType<typeof route>): boolean => programId.toBase58() === PROGRAMS.jupiterV6;
  return drafts.map((draft) => ({ ...draft, instructions: draft.instructions.map((one) => (isSwap(one) ? by : one)) }));
}

function sale(name: string, later: readonly Draft[], worse: LaterBuild['worse'] = []): LaterBuild {
  return { name: `swap: ${name}`, intent: SWAP, approved: honestSwap(), later: fresh(later), worse };
}

function purchase(name: string, later: readonly Draft[], worse: LaterBuild['worse'] = []): LaterBuild {
  return { name: `swap of SOL: ${name}`, intent: SWAP_SOL, approved: honestSwapOfSol(), later: fresh(later), worse };
}

/** Builds that an approval covers. */
export const COVERED_EXCHANGES: readonly LaterBuild[] = [
  sale('the same with another blockhash', honestSwap()),
  sale('a better quote', selling({ quoted_out_amount: 410_000_000n })),
  sale('less is sold, for no less', selling({ in_amount: 4_990_000n })),
  purchase('a better quote', swapped(honestSwapOfSol(), buyToken({ quoted_out_amount: 4_200_000n }))),
  { ...sale('the same with another blockhash', honestUnwrap()), name: 'unwrapping: again', intent: UNWRAP, approved: honestUnwrap() },
];

/** Builds that an approval must not cover. */
export const NOT_COVERED_EXCHANGES: readonly LaterBuild[] = [
  sale('it guarantees one lamport less', selling({ quoted_out_amount: 399_999_998n }), ['guaranteedBySwaps', 'received']),
  sale('it sells one unit more', selling({ in_amount: 5_000_001n }), ['blocked']),
  sale('a wider slippage tolerance', selling({ quoted_out_amount: 410_000_000n, slippage_bps: 301 }), ['swapSlippage', 'finding']),
  sale(
    'what is bought stays wrapped',
    honestSwap().map((draft) => ({ ...draft, instructions: draft.instructions.filter(({ data }) => data.length !== 1 || data[0] !== 9) })),
    ['closedAccount'],
  ),
  purchase('it guarantees one unit less', swapped(honestSwapOfSol(), buyToken({ quoted_out_amount: 4_099_998n })), [
    'guaranteedBySwaps',
    'received',
  ]),
  {
    ...sale(
      'a larger tip',
      honestUnwrap().map((draft) => ({ ...draft, instructions: [...draft.instructions, tip(5n)] })),
      ['outflow', 'tip'],
    ),
    name: 'unwrapping: a larger tip',
    intent: UNWRAP,
    approved: honestUnwrap(),
  },
];
