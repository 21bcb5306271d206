import type { HttpBindings } from '@hono/node-server';
import type { Attack } from './engine';

/** What routes can reach of the server, and of the faults that struck. */
export interface ServerBindings {
  Bindings: HttpBindings;
  Variables: { attack: Attack | undefined; /** Of a landing; `undefined`: all of it is carried out. */ onlyFirst: number | undefined };
}
