import type { HttpBindings } from '@hono/node-server';
import type { Engine } from '../../server/engine';

/** What middleware and routes share about a request. */
export interface SandboxBindings {
  Bindings: HttpBindings;
  Variables: {
    /** Puts the faults that strike this request around the engine; `undefined` if none does. */
    decorate: ((honest: Engine) => Engine) | undefined;
  };
}
