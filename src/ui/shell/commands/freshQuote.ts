import { OperationError } from '../../../transactions/errors';

/** A failure after which the same operation is offered as a new one, built again at the current price: nothing of the first can happen any more. */
export class FreshQuoteOffer extends Error {
  override readonly name = 'FreshQuoteOffer';

  /** @param again runs it once more with the same choices; the user is asked before anything is signed, as ever. */
  constructor(
    readonly failure: OperationError,
    readonly again: () => Promise<void>,
  ) {
    super(failure.message, { cause: failure });
  }
}

/**
 * Runs an operation for which the user has chosen everything.
 * @param run is told whether it runs because the offer was taken
 * @throws FreshQuoteOffer where something was sent and is proven not to have been carried out; whatever else `run` throws
 */
export async function offeringFreshQuote(run: (isAgain: boolean) => Promise<void>, isAgain = false): Promise<void> {
  try {
    await run(isAgain);
  } catch (error) {
    if (error instanceof OperationError && error.offersFreshQuote) {
      throw new FreshQuoteOffer(error, () => offeringFreshQuote(run, true));
    }
    throw error;
  }
}
