import { address, type Address } from '../../solana/address';
import { EngineError, type Engine } from '../engine';
import type { WireClosedPosition, WireOpenPosition } from '../wire/positions';

const PAGE_SIZE = 1_000;

/** The record under which a position is listed, open or closed. @throws EngineError where there is none. */
export async function positionRecord(engine: Engine, position: Address): Promise<WireOpenPosition | WireClosedPosition> {
  const [log] = (await engine.logs({ position, owner: undefined })).data;
  const record = log === undefined ? undefined : await listed(engine, address(log.owner), position);
  if (record === undefined) {
    throw new EngineError('notFound', `Position ${position} not found`);
  }
  return record;
}

async function listed(engine: Engine, owner: Address, position: Address): Promise<WireOpenPosition | WireClosedPosition | undefined> {
  const open = (await engine.opening(owner)).data.find((candidate) => candidate.position === position);
  if (open !== undefined) {
    return open;
  }
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await engine.historical({ owner, from: undefined, to: undefined, page, pageSize: PAGE_SIZE });
    const closed = data.find((candidate) => candidate.position === position);
    if (closed !== undefined || page >= pagination.totalPages) {
      return closed;
    }
  }
}
