import { Hono } from 'hono';
import { stream } from 'hono/streaming';
import * as z from 'zod';
import { success } from './answers';
import { numberNamed, readParameters, textNamed } from './parameters';
import { readBody } from './readBody';

/** Handles on the sandbox itself: for tests and demonstrations, no part of the service. */
export interface Controls {
  /** What this process is: how another one finds out whether it lives. */
  status(): { readonly pid: number; readonly now: string };
  /** Moves the market's clock on. */
  advance(ms: number): void;
  /** Moves the price of a pool's token X. @throws EngineError where there is no such pool. */
  shock(pool: string, percent: number): void;
  /** Keeps the process alive until the function that is returned is called. */
  holdLease(): () => void;
}

const DAYS_90_MS = 90 * 86_400_000;

const ADVANCE = z.object({ ms: numberNamed('ms', { least: 0, most: DAYS_90_MS, whole: true }) });
const SHOCK = z.object({ pool: textNamed('pool'), percent: numberNamed('percent', { least: -99, most: 10_000 }) });

/** Everything under /sandbox. */
export function controlRoutes(controls: Controls): Hono {
  const routes = new Hono();
  routes.get('/status', (context) => success(context, { data: controls.status() }));
  routes.post('/advance', async (context) => {
    controls.advance(readParameters(ADVANCE, await readBody(context)).ms);
    return success(context, { data: controls.status() });
  });
  routes.post('/shock', async (context) => {
    const { pool, percent } = readParameters(SHOCK, await readBody(context));
    controls.shock(pool, percent);
    return success(context, { data: controls.status() });
  });
  // Lasts as long as the client does.
  routes.get('/lease', (context) =>
    stream(context, async (held) => {
      const release = controls.holdLease();
      const gone = new Promise<void>((resolve) => held.onAbort(resolve));
      await held.write('{"lease":"held"}\n');
      await gone;
      release();
    }),
  );
  return routes;
}
