import { OperationError } from '../../../transactions/errors';

/** A failure after which the same operation can be offered again, rebuilt at the current price. Nothing of the first attempt can land any more. */
export class FreshQuoteOffer extends Error {
  override readonly name = 'FreshQuoteOffer';

  /** @param again runs the operation again with the same choices. It asks the user before anything is signed. */
  constructor(
    readonly failure: OperationError,
    readonly again: () => Promise<void>,
  ) {
    super(failure.message, { cause: failure });
  }
}

/**
 * Runs an operation whose choices are complete.
 * @param run receives true if it runs because the user accepted the offer
 * @throws FreshQuoteOffer if transactions were sent and provably not executed; any other error of `run` as it is
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
