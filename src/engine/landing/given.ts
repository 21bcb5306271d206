import { WireError } from '../../base/solana/wireReader';
import { bytesFromBase64, parseBase64Transaction } from '../../base/solana/wireTransaction';
import { EngineError } from '../engine';

/**
 * Reads transactions of a client.
 * @param read throws WireError if the bytes are no transaction
 * @throws EngineError if one is malformed
 */
export function readGiven<Read>(given: readonly string[], read: (bytes: Uint8Array) => Read): readonly Read[] {
  return given.map((text, index) => {
    const base64 = parseBase64Transaction(text);
    if (base64 === undefined) {
      throw new EngineError('invalid', `Transaction ${index + 1} is not base64`);
    }
    try {
      return read(bytesFromBase64(base64));
    } catch (error) {
      if (error instanceof WireError) {
        throw new EngineError('invalid', `Transaction ${index + 1} is malformed: ${error.message}`, { cause: error });
      }
      throw error;
    }
  });
}
