import type { Engine, LandParameters } from '../../engine/engine';
import { EngineDecorator } from '../../engine/engineDecorator';

/** An engine that executes only the first transactions of a landing, and drops the others for good. */
export class PartialLanding extends EngineDecorator {
  readonly #transactions: number;

  constructor(honest: Engine, transactions: number) {
    super(honest);
    this.#transactions = transactions;
  }

  override landDecrease(parameters: LandParameters): ReturnType<Engine['landDecrease']> {
    return super.landDecrease({ ...parameters, onlyFirst: this.#transactions });
  }

  override landAdd(parameters: LandParameters): ReturnType<Engine['landAdd']> {
    return super.landAdd({ ...parameters, onlyFirst: this.#transactions });
  }
}
