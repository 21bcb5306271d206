import { type Engine, EngineError, type Eventually, type ProtocolNames } from '../engine/engine';
import { EngineDecorator } from '../engine/engineDecorator';
import { ChainRpcError } from './rpc/errors';

/** The endpoints of the engine. */
export type EngineParts = Omit<Engine, 'protocols' | 'advance'>;

/** What answers each endpoint. */
export interface ChainEngineOptions {
  readonly protocols: ProtocolNames;
  /** Makes sure that the chain is the right one. @throws ChainRpcError if the RPC fails */
  readonly checkChain: () => Promise<void>;
  readonly parts: EngineParts;
}

/**
 * The engine over a real chain: composes the parts, and turns failures of the RPC into refusals that name it by its host. One part that fails
 * does not disturb the others.
 */
export class ChainEngine extends EngineDecorator {
  constructor({ protocols, checkChain, parts }: ChainEngineOptions) {
    super({ protocols, advance: checkChain, ...parts });
  }

  /** @throws EngineError also where the chain did not answer; nothing has happened then */
  protected override async around<Answer>(call: () => Eventually<Answer>): Promise<Answer> {
    try {
      return await call();
    } catch (error) {
      throw error instanceof ChainRpcError ? new EngineError('unavailable', error.message, { cause: error }) : error;
    }
  }
}
