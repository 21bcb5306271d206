import type { Engine, LandParameters, EngineOperationKind } from '../../engine/engine';
import { EngineDecorator } from '../../engine/engineDecorator';

/** An engine that executes only the first transactions of a landing, and drops the others for good. */
export class PartialLanding extends EngineDecorator {
  readonly #transactions: number;

  constructor(honest: Engine, transactions: number) {
    super(honest);
    this.#transactions = transactions;
  }

  override land(kind: EngineOperationKind, parameters: LandParameters): ReturnType<Engine['land']> {
    return super.land(kind, { ...parameters, onlyFirst: this.#transactions });
  }
}
