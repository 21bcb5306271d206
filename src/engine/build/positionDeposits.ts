import type { BinRange } from '../../base/dlmm/bins';
import { buildAdd } from '../assembly/buildTransactions';
import { type DepositParameters, EngineError } from '../engine';
import type { WireAdd } from '../wire/transactions';
import { type Build, wait } from './build';
import { FEES_ALONE } from './claims';
import { buildCompounding } from './compounds';
import { draftDeposit, issueEntry } from './entries';
import { asBuilt } from './handOut';
import type { BuildService, PlannedWithdrawal } from './ports';
import { shapeOf } from './shape';

/**
 * Builds a deposit into an open position.
 * @throws EngineError if there is no such position, it is not the owner's, the bins are not its, or the deposit cannot be built
 */
export function* buildDeposit(service: BuildService, parameters: DepositParameters, revise = asBuilt): Build<WireAdd> {
  const { owner, positionId, input, slippageBps } = parameters;
  const position = yield* wait(service.withdrawal(positionId, FEES_ALONE));
  if (position.owner !== owner) {
    throw new EngineError('invalid', `owner does not own the position: it belongs to ${position.owner}`);
  }
  const { pool, plan, swaps } = position;
  const range = plan.type === 'bins' ? rangeWithin(plan, parameters) : { fromBinId: undefined, toBinId: undefined };
  const terms = { owner, slippageBps, strategy: parameters.strategy ?? shapeOfPosition(position), ...range };
  if (input.mode === 'compound') {
    const isWhole = plan.type === 'product' || (range.fromBinId === plan.fromBinId && range.toBinId === plan.toBinId);
    const part = isWhole ? position : yield* wait(service.withdrawal(positionId, { ...FEES_ALONE, ...range }));
    return yield* buildCompounding(service, part, { ...terms, input }, revise);
  }
  const draft = yield* draftDeposit(
    service,
    { ...terms, input, pool: pool.accounts.pool },
    { entered: { pool, swaps }, into: { position: position.position, nftMint: plan.type === 'product' ? plan.nftMint : undefined } },
  );
  return yield* issueEntry(service, draft, (of) => {
    const built = buildAdd(of);
    return { ...built, addTransactions: revise(built.addTransactions, of) };
  });
}

/** Pools without bins have no shape. */
function shapeOfPosition({ pool, bins }: PlannedWithdrawal): ReturnType<typeof shapeOf> {
  return pool.type === 'bins' ? shapeOf(bins(), pool) : 'Spot';
}

/** @throws EngineError if one of the bins is not the position's */
function rangeWithin({ fromBinId, toBinId }: BinRange, asked: Pick<DepositParameters, 'fromBinId' | 'toBinId'>): BinRange {
  const range = { fromBinId: asked.fromBinId ?? fromBinId, toBinId: asked.toBinId ?? toBinId };
  for (const [name, binId] of Object.entries(range)) {
    if (binId < fromBinId || binId > toBinId) {
      throw new EngineError('invalid', `${name} is ${binId}; the position has the bins ${fromBinId} to ${toBinId}`);
    }
  }
  return range;
}
