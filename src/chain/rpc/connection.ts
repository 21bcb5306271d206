import { Connection } from '@solana/web3.js';
import * as z from 'zod';

/** A request as `Connection` writes it. */
const Written = z.object({ id: z.union([z.string(), z.int()]), method: z.string(), params: z.array(z.unknown()).optional() });

/** A `Connection` whose requests are answered by a function. @param origin only names it */
export function connectionTo(origin: string, result: (method: string, parameters: readonly unknown[]) => Promise<unknown>): Connection {
  const answerTo = async (one: unknown): Promise<unknown> => {
    const { id, method, params } = Written.parse(one);
    return { jsonrpc: '2.0', id, result: await result(method, params ?? []) };
  };
  return new Connection(origin, {
    commitment: 'confirmed',
    httpAgent: false,
    disableRetryOnRateLimit: true,
    fetch: async (_origin, init) => {
      const written: unknown = JSON.parse(z.string().parse(init?.body));
      // A batch counts as many requests as it holds, so nothing is gained by sending it as one.
      const answered = Array.isArray(written) ? await Promise.all(written.map(answerTo)) : await answerTo(written);
      return new Response(JSON.stringify(answered));
    },
  });
}
