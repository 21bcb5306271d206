import { ServiceError } from '../api/errors';
import { wordsOf, type OperationErrorDetails } from './errors';
import type { Work } from './work';

/** Why the service says that nothing landed. */
export type LandingFailure =
  /** The price moved further than was allowed. */
  | 'slippage'
  /** It came too late: the blockhash by which it could land is gone. */
  | 'expired'
  | 'other';

// There is no code for either in the interface: services pass on what the programs and the network say ("ExceededSlippageTolerance",
// "Blockhash not found", "block height exceeded").
const SLIPPAGE = /slippage|price (?:has )?(?:moved|changed)|exceeds desired/i;
const EXPIRED = /blockhash (?:has )?(?:expired|not found)|blockhash(?:not| is not )(?:found|known)|blockhash.{0,20}expired|block height (?:exceeded|has been exceeded)|transaction (?:has )?expired/i;

/** What the service's clear no to a landing means; `undefined`: it is none, and it may have landed. */
export function landingFailure(cause: unknown): LandingFailure | undefined {
  if (!(cause instanceof ServiceError) || cause.mayHaveLanded) {
    return undefined;
  }
  const said = `${cause.message} ${cause.serviceMessage ?? ''}`;
  return SLIPPAGE.test(said) ? 'slippage' : EXPIRED.test(said) ? 'expired' : 'other';
}

// A new zap-in is measured together with one whose signatures are still good (policy BND-2): one that is tried again waits for that by
// itself, one that is begun anew has to be waited with. A zap-out can be repeated at once.
const WAITS = 'Try again with a fresh quote: Binsight waits until nobody can land the first transactions any more, two minutes at most (with an RPC of your own, setting binsight.rpcUrl, mostly less), and has them built anew, at the price of that moment.';
const WAIT = 'Start again in two minutes: until then, whoever has the first transactions might still land them, and the review counts both. An RPC of your own (setting binsight.rpcUrl) knows earlier that nobody can.';

/** Says it to the user: for slippage with the numbers that there are. */
export function landingError(failure: LandingFailure, cause: unknown, { noun, subject: { operation } }: Pick<Work, 'noun' | 'subject'>, slippageBps: number): OperationErrorDetails {
  const isZapIn = operation === 'zapIn';
  switch (failure) {
    case 'slippage':
      return {
        kind: 'notLanded',
        what: `The price moved further than the slippage of ${slippageBps / 100}% that you allowed, and the service did not land the ${noun}. ${wordsOf(cause)}`,
        advice: `${isZapIn ? WAITS : 'Try again with a fresh quote: the transactions are built anew, at the price of that moment.'} If the price keeps moving away, allow more slippage.`,
        offersFreshQuote: true,
        cause,
      };
    case 'expired':
      return {
        kind: 'notLanded',
        what: `The ${noun} came too late: its transactions had expired before the service landed them. ${wordsOf(cause)}`,
        advice: isZapIn ? WAITS : 'Try again with a fresh quote.',
        offersFreshQuote: true,
        cause,
      };
    case 'other':
      return {
        kind: 'notLanded',
        what: `The service did not land the ${noun}. ${wordsOf(cause)}`,
        advice: isZapIn ? WAIT : 'Start again: the transactions are built anew, at the price of that moment. If the price keeps moving away, allow more slippage.',
        cause,
      };
  }
}
