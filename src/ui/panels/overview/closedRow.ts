import type { ClosedRow } from '../../../protocol/overview';
import type { ClosedPosition } from '../../../service/positions';

/** A closed position as a row of the history. @param key unique among the rows */
export function closedRowOf(position: ClosedPosition, key: string): ClosedRow {
  const { followed } = position;
  return {
    key,
    address: position.address,
    pool: position.pool,
    pairName: position.pairName,
    poolType: position.poolType,
    strategy: position.strategy,
    openedAtMs: position.createdAt?.getTime(),
    closedAtMs: position.closedAt?.getTime(),
    ageHours: position.ageHours,
    input: position.input,
    output: position.output,
    fee: position.fee,
    ...(position.isFeeEstimate === true ? { isFeeEstimate: true } : {}),
    ...(position.doubt === undefined ? {} : { doubt: position.doubt }),
    feePercent: position.feePercent,
    reward: position.collectedReward,
    pnl: position.pnl,
    pnlPercent: position.pnlPercent,
    dailyReturn: position.dailyReturn,
    audited: position.audited,
    lowerBinId: position.lowerBinId,
    upperBinId: position.upperBinId,
    followed: followed === undefined ? undefined : { owner: followed.owner, label: followed.label },
  };
}
