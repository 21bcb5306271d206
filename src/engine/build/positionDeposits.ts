import type { BinRange } from '../../base/dlmm/bins';
import type { AddParameters, DepositParameters } from '../engine';
import { EngineError } from '../engine';
import type { WireAdd } from '../wire/transactions';
import { type Build, wait } from './build';
import { FEES_ALONE } from './claims';
import { draftDeposit, issueEntry } from './entries';
import type { BuildService, PlannedWithdrawal } from './ports';
import { shapeOf } from './shape';

/**
 * Builds a deposit into an open position.
 * @throws EngineError if there is no such position, it is not the owner's, the bins are not its, or the deposit cannot be built
 */
export function* buildDeposit(service: BuildService, parameters: DepositParameters): Build<WireAdd> {
  const { owner, positionId } = parameters;
  const position = yield* wait(service.withdrawal(positionId, FEES_ALONE));
  if (position.owner !== owner) {
    throw new EngineError('invalid', `owner does not own the position: it belongs to ${position.owner}`);
  }
  const { pool, plan } = position;
  const nftMint = plan.type === 'product' ? plan.nftMint : undefined;
  const draft = yield* draftDeposit(service, additionTo(position, parameters), {
    entered: { pool, swaps: position.swaps },
    into: { position: position.position, nftMint },
  });
  return yield* issueEntry(service, draft);
}

/** The deposit as one into the pool, with what follows from the position. */
function additionTo(position: PlannedWithdrawal, parameters: DepositParameters): AddParameters {
  const { pool } = position;
  const { owner, slippageBps, input, strategy } = parameters;
  return {
    pool: pool.accounts.pool,
    owner,
    slippageBps,
    input,
    strategy: strategy ?? (pool.type === 'bins' ? shapeOf(position.bins(), pool) : 'Spot'),
    fromBinId: undefined,
    toBinId: undefined,
    ...(position.plan.type === 'bins' ? binsOfPosition(position.plan, parameters) : {}),
  };
}

/** @throws EngineError if one of the bins is not the position's */
function binsOfPosition({ fromBinId, toBinId }: BinRange, asked: Pick<DepositParameters, 'fromBinId' | 'toBinId'>): BinRange {
  const range = { fromBinId: asked.fromBinId ?? fromBinId, toBinId: asked.toBinId ?? toBinId };
  for (const [name, binId] of Object.entries(range)) {
    if (binId < fromBinId || binId > toBinId) {
      throw new EngineError('invalid', `${name} is ${binId}; the position has the bins ${fromBinId} to ${toBinId}`);
    }
  }
  return range;
}
