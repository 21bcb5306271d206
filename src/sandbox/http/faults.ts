import { setTimeout as delay } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, MiddlewareHandler, Next } from 'hono';
import { failure } from '../../engine/http/answers';
import type { Engine } from '../../engine/engine';
import { ADMIN_PATH, isUnder } from '../../engine/http/listen';
import type { Attack } from '../hostile/attacks';
import { PartialLanding } from '../hostile/partialLanding';
import { HostileEngine } from '../hostile/hostileEngine';
import { type ListLie, LyingEngine } from '../hostile/lyingLists';
import type { EngineOperations } from '../market/engine/marketEngine';
import type { Fault, FaultBoard } from './faultRules';

/** Variables of a request, shared by middleware and routes. */
export interface SandboxBindings {
  Bindings: HttpBindings;
  Variables: {
    /** Decorates the engine with the faults that strike this request; `undefined` if there are none. */
    decorate: ((honest: Engine) => Engine) | undefined;
  };
}

/**
 * Applies the faults of the board to requests, except to those of the admin API. Requests that a fault delays when `stopped` is aborted are
 * refused.
 */
export function withFaults(
  board: FaultBoard,
  operations: () => EngineOperations,
  stopped: AbortSignal,
): MiddlewareHandler<SandboxBindings> {
  return async (context, next) => {
    const struck = isUnder(context.req.path, ADMIN_PATH) ? [] : board.strike(context.req.method, context.req.path);
    const engineFaults = struck.filter(isEngineFault);
    if (engineFaults.length > 0) {
      context.set('decorate', (honest) => engineFaults.reduceRight((inner, fault) => decorated(inner, fault, operations()), honest));
    }
    // The first is the outermost: a delay before a failure delays it.
    await struck.reduceRight<Next>((inner, fault) => () => applyFault(fault, { context, stopped }, inner), next)();
  };
}

/** Returns true for faults of the engine; the others change the answer. */
function isEngineFault(fault: Fault): fault is Extract<Fault, EngineFault> {
  return ENGINE_FAULTS.some((kind) => kind === fault.kind);
}

const ENGINE_FAULTS: readonly EngineFault['kind'][] = [
  'hostile',
  'partial',
  'wrongPrice',
  'missingWorth',
  'wrongToken',
  'missingPosition',
  'glitch',
];

/** Applies a fault: calls `next` unless the fault prevents it, and replaces the answer. */
async function applyFault(
  fault: Fault,
  { context, stopped }: { readonly context: Context<SandboxBindings>; readonly stopped: AbortSignal },
  next: Next,
): Promise<void> {
  switch (fault.kind) {
    case 'latency':
      await delay(fault.ms, undefined, { signal: stopped }).catch(() => undefined);
      if (stopped.aborted) {
        context.res = failure(context, 503, REFUSALS[503]);
      } else {
        await next();
      }
      return;
    case 'status':
      context.res = refusal(context, fault);
      return;
    case 'truncate':
      await next();
      await rewrite(context, (text) => text.slice(0, Math.floor(text.length / 2)));
      return;
    case 'wrongTypes':
      await next();
      await rewrite(context, (text) => (text === '' ? text : JSON.stringify(wrongTypes(JSON.parse(text)))));
      return;
    case 'drop':
      await next();
      replace(context, RESPONSE_ALREADY_SENT);
      context.env.incoming.socket.destroy();
      return;
    case 'landed':
      await next();
      replace(context, refusal(context, fault));
      return;
    case 'partial':
      await next();
      replace(context, failure(context, 500, REFUSALS[500]));
      return;
    case 'wrongPrice':
    case 'missingWorth':
    case 'wrongToken':
    case 'missingPosition':
    case 'glitch':
    case 'hostile':
      await next();
  }
}

function refusal(context: Context, fault: Extract<Fault, { kind: 'status' | 'landed' }>): Response {
  const { status, retryAfterSeconds } = fault;
  const message = (fault.kind === 'landed' ? fault.message : undefined) ?? REFUSALS[status];
  const response = failure(context, status, message);
  if (retryAfterSeconds !== undefined) {
    response.headers.set('retry-after', String(retryAfterSeconds));
  }
  if (status === 307) {
    response.headers.set('location', '/');
  }
  return response;
}

const REFUSALS: Readonly<Record<Extract<Fault, { kind: 'status' | 'landed' }>['status'], string>> = {
  307: 'Temporary redirect',
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  409: 'Conflict',
  422: 'Unprocessable request',
  429: 'Too many requests',
  500: 'Internal server error',
  501: 'Not implemented',
  502: 'Bad gateway',
  503: 'Service unavailable',
  504: 'Gateway timeout',
};

/** Changes the text of the answer. Its length changes, so of the headers only the content type stays. */
async function rewrite(context: Context, change: (text: string) => string): Promise<void> {
  const { status, headers } = context.res;
  replace(
    context,
    new Response(change(await context.res.text()), {
      status,
      headers: { 'content-type': headers.get('content-type') ?? 'application/json' },
    }),
  );
}

/** Clears the old answer first: otherwise Hono copies its headers to the new one. */
function replace(context: Context, response: Response): void {
  context.res = undefined;
  context.res = response;
}

const NUMBER = /^-?\d+(\.\d+)?$/;

/** Turns numbers into text and numeric text into numbers, at any depth. */
function wrongTypes(value: unknown): unknown {
  if (typeof value === 'number') {
    return String(value);
  }
  if (typeof value === 'string') {
    return NUMBER.test(value) ? Number(value) : value;
  }
  if (Array.isArray(value)) {
    return value.map(wrongTypes);
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, wrongTypes(item)]))
    : value;
}

type EngineFault =
  | { readonly kind: 'hostile'; readonly attack: Attack }
  | { readonly kind: 'partial'; readonly transactions: number }
  | ListLie;

function decorated(honest: Engine, fault: EngineFault, operations: EngineOperations): Engine {
  switch (fault.kind) {
    case 'hostile':
      return new HostileEngine(honest, operations, fault.attack);
    case 'partial':
      return new PartialLanding(honest, fault.transactions);
    case 'wrongPrice':
    case 'missingWorth':
    case 'wrongToken':
    case 'missingPosition':
    case 'glitch':
      return new LyingEngine(honest, fault);
  }
}
