import { buildEntry } from './entries';
import { quoteExit } from './exitQuotes';
import { buildExit } from './exits';
import { buildContext } from './operations';
import type { BuilderOptions, OperationBuilder } from './types';

/** Creates the builder of entries and exits over a chain. */
export function createOperationBuilder(options: BuilderOptions): OperationBuilder {
  const context = buildContext(options);
  return {
    buildAdd: (parameters) => buildEntry(context, parameters),
    buildDecrease: (parameters) => buildExit(context, parameters),
    decreaseQuote: (positionId, bps) => quoteExit(context, positionId, bps),
  };
}
