import { Hono } from 'hono';
import * as z from 'zod';
import { address, type Address } from '../../base/solana/address';
import { success } from './answers';
import { type Engine, EngineError, type EngineOf } from '../engine';
import {
  addressParameter,
  dateParameter,
  optionalAddressParameter,
  optionalListParameter,
  optionalTextParameter,
  pageParameter,
  queryNumberParameter,
  readParameters,
  wordParameter,
  wordsIn,
} from './parameters';
import type { WireClosedPosition, WireOpenPosition } from '../wire/positionRecord';

const CHAIN = 'SOL';

const DEFAULT_PAGE_SIZE = 20;

/** The published contract has no maximum; clients ask for 50 and 100. */
const MAX_PAGE_SIZE = 1_000;

const OWNER = z.object({ owner: addressParameter('owner') });

const HISTORICAL = OWNER.extend({
  from_date: dateParameter('from_date', 'first').optional(),
  to_date: dateParameter('to_date', 'last').optional(),
  page: pageParameter('page'),
  limit: queryNumberParameter('limit', { min: 1, max: MAX_PAGE_SIZE, isInteger: true }).default(DEFAULT_PAGE_SIZE),
});

const OVERVIEW = OWNER.extend({ protocol: optionalTextParameter('protocol') });

const LOGS = z.object({
  position: optionalTextParameter('position'),
  owner: optionalAddressParameter('owner'),
  chain: z.string().default(CHAIN),
  // Not in the contract.
  reported: z.literal('true').optional().catch(undefined),
});

const POSITION = z.object({ position: addressParameter('position') });

const REVENUE = OWNER.extend({
  period: wordParameter('period', ['day', 'week', 'month']).default('day'),
  range: wordParameter('range', ['7D', '1M']).optional(),
  protocol: optionalListParameter('protocol'),
});

/** Routes under /lp-positions. Parameter names that clients confuse are accepted. */
export function positionRoutes(engine: EngineOf): Hono {
  const routes = new Hono();
  routes.get('/opening', async (context) => {
    const { owner } = readParameters(OWNER, context.req.query());
    return success(context, await engine(context).opening(owner));
  });
  routes.get('/historical', async (context) => {
    const { pageSize, startDate, endDate, ...query } = context.req.query();
    const { owner, from_date, to_date, page, limit } = readParameters(HISTORICAL, {
      limit: pageSize,
      from_date: startDate,
      to_date: endDate,
      ...query,
    });
    return success(context, { data: await engine(context).historical({ owner, from: from_date, to: to_date, page, pageSize: limit }) });
  });
  routes.get('/overview', async (context) => {
    const { owner, protocol } = readParameters(OVERVIEW, context.req.query());
    return success(context, { data: await engine(context).overview(owner, protocol ?? engine(context).protocols.bins) });
  });
  routes.get('/logs', async (context) => {
    const { position, owner, chain, reported } = readParameters(LOGS, givenOf(context.req.query()));
    if (position === undefined && owner === undefined) {
      throw new EngineError('invalid', 'position or owner parameter is required');
    }
    return success(
      context,
      chain === CHAIN ? await engine(context).logs({ position, owner, reported: reported !== undefined }) : { count: 0, data: [] },
    );
  });
  routes.get('/revenue/:owner', async (context) => {
    const { owner, period, range, protocol } = readParameters(REVENUE, { ...context.req.query(), ...context.req.param() });
    return success(context, await engine(context).revenue({ owner, period, range, protocols: protocol }));
  });
  // Not in the published contract; the public command-line tool uses it.
  routes.get('/position', async (context) => {
    const { position } = readParameters(POSITION, context.req.query());
    return success(context, { data: await positionRecord(engine(context), position) });
  });
  return routes;
}

const BALANCE = z.object({ owner: addressParameter('owner'), ca: z.string().default('') });

/** Routes under /token. */
export function tokenRoutes(engine: EngineOf): Hono {
  const routes = new Hono();
  routes.get('/balance', async (context) => {
    const { owner, ca } = readParameters(BALANCE, context.req.query());
    const mints = wordsIn(ca);
    return success(context, { data: await engine(context).tokenBalance(owner, mints.length === 0 ? undefined : mints) });
  });
  return routes;
}

const PAGE_SIZE = 1_000;

/** The record of a position, open or closed. @throws EngineError if there is none */
async function positionRecord(engine: Engine, position: Address): Promise<WireOpenPosition | WireClosedPosition> {
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

/** Query parameters that have a value. */
function givenOf(query: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}
