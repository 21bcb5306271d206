import type { BinRange } from '../../base/dlmm/bins';
import type { RentRate } from '../../base/solana/rent';
import { takenAmounts } from '../assembly/takenAmounts';
import { buildCompound, type CompoundPart, compoundParts } from '../assembly/compounds';
import type { BinDepositPlan, DepositOf, ProductAddPlan } from '../assembly/types';
import { WRAPPED_SOL } from '../assembly/walletInstructions';
import { type DepositParameters, EngineError } from '../engine';
import type { WireAdd } from '../wire/transactions';
import { type Build, wait, waitForBoth } from './build';
import { tokensOf } from './costs';
import { type DepositTerms, plannedDeposit } from './deposits';
import { addAnswer } from './entries';
import { handOut, type ReviseTransactions, withEngineErrors } from './handOut';
import type { BuildAmounts, BuildService, PositionBin, PlannedWithdrawal } from './ports';

const NOTHING: BuildAmounts = { x: 0n, y: 0n };

/**
 * Builds a deposit of the fees of a position into it.
 * @param position as {@link FEES_ALONE} has it, with the bins whose fees are deposited into them
 * @throws EngineError if there are no fees, or the pool takes none of them at its price
 */
export function* buildCompounding(
  service: BuildService,
  position: PlannedWithdrawal,
  terms: DepositTerms & Pick<DepositParameters, 'owner'>,
  revise: ReviseTransactions,
): Build<WireAdd> {
  const { owner, strategy } = terms;
  // Without liquidity, the proceeds are the fees as they arrive.
  const { pool, fees, proceeds: arriving } = position;
  if (fees.x + fees.y === 0n) {
    throw new EngineError('invalid', 'There is nothing to claim: the position has no fees');
  }
  const rate = yield* wait(service.rent());
  const { plan: deposit } = yield* plannedDeposit(pool, terms, arriving, { rate, isNew: false });
  const { accounts } = pool;
  const [wallet, { terms: buildTerms, lastValidBlockHeight }] = yield* waitForBoth(
    service.wallet(owner, tokensOf([accounts], [])),
    service.terms(owner, [accounts.pool], 1),
  );
  const nftMint = position.plan.type === 'product' ? position.plan.nftMint : undefined;
  const base = {
    ...buildTerms,
    pool: accounts,
    into: { position: position.position, nftMint },
    keepsWrappedSol: service.keepsWrappedSol && (wallet.balance(WRAPPED_SOL) ?? 0n) > 0n,
  };
  const parts: readonly CompoundPart[] =
    deposit.type === 'product'
      ? [{ type: 'product', deposit }]
      : withEngineErrors(() => compoundParts(deposit, (range) => feesWithin(position.bins(), range, deposit), base));
  const deposited = parts.map((part) => takenBy(part, deposit)).reduce(sum, NOTHING);
  const arrived = parts.map((part) => (part.type === 'bins' ? part.arriving : arriving)).reduce(sum, NOTHING);
  if (deposited.x + deposited.y === 0n) {
    throw new EngineError('invalid', 'The fees leave nothing to put in: they are too small for the bins that have earned them');
  }
  const handedOut = yield* handOut(service, {
    kind: 'add',
    plan: { ...base, parts },
    pools: [accounts],
    swaps: [],
    lastValidBlockHeight,
    wallet,
    spentLamports: rentOf(parts, rate),
    promised: { strategy, price: null },
    lists: ['swap', 'add'],
    build: (of) => ({ position: of.into.position, transactions: { swap: [], add: revise(buildCompound(of), of) } }),
  });
  const answer = addAnswer(handedOut, { provider: service.provider, lastValidBlockHeight, lamports: NOTHING });
  const text = ({ x, y }: BuildAmounts): readonly [string, string] => [String(x), String(y)];
  const [[feeX, feeY], [depositX, depositY]] = [text(fees), text(deposited)];
  const [leftX, leftY] = text({ x: arrived.x - deposited.x, y: arrived.y - deposited.y });
  const compounded = { position: position.position, feeX, feeY, rewards: [], depositX, depositY, leftX, leftY };
  return { ...answer, meta: { ...answer.meta, positions: [compounded] } };
}

/** The fees of bins as they arrive, and the bins from the first to the last that has some; `undefined`: there are none. */
function feesWithin(
  bins: readonly PositionBin[],
  range: BinRange,
  { received }: BinDepositPlan,
): { readonly arriving: BuildAmounts; readonly claimed: BinRange } | undefined {
  const earning = bins.filter(({ binId, fees }) => range.fromBinId <= binId && binId <= range.toBinId && fees.x + fees.y > 0n);
  const [first, last] = [earning[0], earning.at(-1)];
  if (first === undefined || last === undefined) {
    return undefined;
  }
  const { x, y } = earning.map(({ fees }) => fees).reduce(sum, NOTHING);
  return { arriving: { x: received?.('x', x) ?? x, y: received?.('y', y) ?? y }, claimed: { fromBinId: first.binId, toBinId: last.binId } };
}

/** What leaves the wallet for the deposit of a part at the present price. */
function takenBy(part: CompoundPart, pool: BinDepositPlan | DepositOf<ProductAddPlan>): BuildAmounts {
  if (part.type === 'product') {
    return { x: part.deposit.amountX, y: part.deposit.amountY };
  }
  return part.deposit === undefined || pool.type === 'product' ? NOTHING : takenAmounts(part.deposit, pool);
}

function rentOf(parts: readonly CompoundPart[], rate: RentRate): bigint {
  const missing = parts.flatMap((part) => (part.type === 'bins' ? [part.missing] : []));
  const binArrays = new Set(missing.flatMap((of) => of.binArrays)).size;
  return BigInt(binArrays) * rate.binArray + (missing.some((of) => of.bitmapExtension) ? rate.bitmapExtension : 0n);
}

function sum(one: BuildAmounts, other: BuildAmounts): BuildAmounts {
  return { x: one.x + other.x, y: one.y + other.y };
}
