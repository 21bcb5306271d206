import assert from 'node:assert/strict';
import type { OpenPosition } from '../../src/service/positions';
import type { Inspection } from '../../src/ui/services';
import { controlSandbox, refresh } from '../support/editor/inspect';

/** A position whose price is above its range, in a market that stands still. */
export async function movedOut(
  inspection: Inspection,
): Promise<{ readonly position: OpenPosition; readonly moveBack: () => Promise<void> }> {
  await controlSandbox(inspection, 'pause');
  await refresh(inspection);
  const { positions } = inspection.portfolio.snapshot;
  const position = positions.find(
    ({ poolType, token1, inRange, pool, value, ageHours }) =>
      poolType === 'dlmm' &&
      token1.symbol === 'SOL' &&
      inRange === true &&
      (value.usd ?? 0) > 50 &&
      (ageHours ?? 0) > 1 &&
      positions.filter((one) => one.pool === pool).length === 1,
  );
  assert.ok(position?.upperBinId !== undefined, 'a position to drive out of its range');
  const { pool, activeBinId, upperBinId } = position;
  await controlSandbox(inspection, 'active-bin', { pool, binId: upperBinId + 3 });
  await refresh(inspection);
  return {
    position,
    moveBack: async () => {
      await controlSandbox(inspection, 'active-bin', { pool, binId: activeBinId });
      await refresh(inspection);
      await controlSandbox(inspection, 'resume');
    },
  };
}
