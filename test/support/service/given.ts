import assert from 'node:assert/strict';
import { ServiceError, type ServiceErrorKind } from '../../../src/service/errors';
import { address } from '../../../src/base/solana/address';
import { base64FromBytes } from '../../../src/base/solana/wireTransaction';
import contractExamples from './contractExamples.json';

/** The examples of the published contract, by "METHOD path status". */
export const CONTRACT = contractExamples;

export const OWNER = address('7KHx2Uc5qsqz652eXbu8Qtabi5KLxWJLgxFzcaBzP32i');
export const OTHER_OWNER = address('DMQ7mJ8DTXYLoc1g1NpSv7jtDdaCzsLUdzvvY8MA4hbX');
export const POOL = address('2DeF1QHAQMpNXCGjcsm2pWw1V4KknGtwd2wEh2fTriKC');
export const POSITION = address('Ep22EwKegXis3bTC6P8JLgsHaT5J2beM2TncKe2Hmv24');
export const GP_MINT = address('31k88G5Mq7ptbRDf3AM13HAq6wRQHXHikR8hik7wPygk');
export const SOL_MINT = address('So11111111111111111111111111111111111111112');

/** 64 bytes in base58, as the cluster writes the signature of a transaction. */
export const SIGNATURE = '2BKHWNa2cmd26FUy2VkeAcgbJ7bMvqUokwz9DVKDTAt6vG7u1oacDWM6BnTmnyMFiG4UNNU5xr2jKDUH79vZ4RK';

/** Texts that are canonical base64; for the client they are opaque. */
export const CLOSE_TX = base64FromBytes(Uint8Array.from([1, 2, 3, 4]));
export const SWAP_TX = base64FromBytes(Uint8Array.from([5, 6, 7, 8, 9]));
export const ADD_TX = base64FromBytes(Uint8Array.from([10, 11, 12]));

/** An open position of the contract's example, with some fields changed. */
export function openRecord(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { ...CONTRACT['GET /lp-positions/opening 200'].data[0], ...changes };
}

/** A closed position of the contract's example, with some fields changed. */
export function closedRecord(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { ...CONTRACT['GET /lp-positions/historical 200'].data.data[0], ...changes };
}

/** A pool as discover lists it, with some fields changed. */
export function poolRecord(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { ...CONTRACT['GET /pools/discover 200'].data[0], pool: POOL, ...changes };
}

/** An answer of the service with this data. */
export function success(data: unknown, more: Readonly<Record<string, unknown>> = {}): { readonly body: unknown } {
  return { body: { status: 'success', data, ...more } };
}

/** Waits for a call to fail, and gives how. Fails where it does not, or with anything but a ServiceError. */
export async function failureOf(call: Promise<unknown>, kind?: ServiceErrorKind): Promise<ServiceError> {
  try {
    await call;
  } catch (error) {
    assert.ok(error instanceof ServiceError, `not a ServiceError: ${String(error)}`);
    if (kind !== undefined) {
      assert.equal(error.kind, kind, error.message);
    }
    return error;
  }
  assert.fail('the call succeeded');
}
