import type { WireIncomplete } from './incomplete';
import type { WirePositionLog } from './logRecord';
import type { WireClosedPosition, WireOpenPosition } from './positionRecord';

/** The answer to opening. */
export interface WireOpening {
  readonly count: number;
  readonly data: readonly WireOpenPosition[];
  readonly incomplete?: WireIncomplete;
}

/** The answer to historical. */
export interface WireHistorical {
  readonly data: readonly WireClosedPosition[];
  readonly pagination: {
    readonly currentPage: number;
    readonly totalPages: number;
    readonly totalCount: number;
    readonly pageSize: number;
  };
  readonly incomplete?: WireIncomplete;
}

/** The answer to logs, oldest first. */
export interface WirePositionLogs {
  readonly count: number;
  readonly data: readonly WirePositionLog[];
  readonly incomplete?: WireIncomplete;
}
