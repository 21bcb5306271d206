import { routeSwap } from '../../../src/engine/assembly/jupiterRoute';
import { address, type Address } from '../../../src/base/solana/address';
import { LiveBinPool } from '../../../src/chain/build/binPool';
import { sideOf } from '../../../src/chain/build/livePool';
import type { ChainRpc } from '../../../src/chain/rpc/types';
import * as z from 'zod';

/** What a swap service does wrong. */
export interface SwapServiceFaults {
  readonly isDown?: boolean;
  /** The status of the answer to the request for instructions. */
  readonly instructionsStatus?: number;
  /** In the instruction, not in the quote. */
  readonly inAmount?: bigint;
  readonly slippageBps?: number;
  readonly platformFeeBps?: number;
  readonly programId?: string;
  /** Receives what the swap gives, instead of the owner's token account. */
  readonly destination?: string;
}

/** Place of the account that receives what a swap gives (`destination_token_account`), which may be another than the owner's. */
const DESTINATION_AT = 4;

const Quote = z.object({
  inputMint: z.string(),
  outputMint: z.string(),
  inAmount: z.string(),
  outAmount: z.string(),
  slippageBps: z.int(),
});
const Wish = z.object({ quoteResponse: Quote, userPublicKey: z.string() });

/** A service of Jupiter's shape that swaps in one DLMM pool. */
export function swapService(rpc: ChainRpc, pool: Address, faults: SwapServiceFaults): typeof fetch {
  const answer = async (url: URL, body: unknown): Promise<unknown> => {
    const live = await LiveBinPool.read(rpc, pool);
    if (url.pathname.endsWith('/quote')) {
      const [inputMint, outputMint, inAmount] = ['inputMint', 'outputMint', 'amount'].map((name) => url.searchParams.get(name) ?? '');
      const side = sideOf(live, address(inputMint ?? ''));
      const trade = side === undefined ? undefined : await live.trade(side, BigInt(inAmount ?? 0));
      const outAmount = String(trade?.out ?? 0n);
      const slippageBps = Number(url.searchParams.get('slippageBps'));
      return {
        inputMint,
        outputMint,
        inAmount,
        outAmount,
        otherAmountThreshold: outAmount,
        slippageBps,
        swapMode: 'ExactIn',
        routePlan: [],
      };
    }
    const { quoteResponse, userPublicKey } = Wish.parse(body);
    const side = sideOf(live, address(quoteResponse.inputMint));
    const trade = side === undefined ? undefined : await live.trade(side, BigInt(quoteResponse.inAmount));
    if (trade === undefined) {
      throw new Error('No route');
    }
    const plan = {
      hops: [trade.hop],
      inAmount: faults.inAmount ?? trade.inAmount,
      quotedOut: BigInt(quoteResponse.outAmount),
      slippageBps: faults.slippageBps ?? quoteResponse.slippageBps,
    };
    const [instruction] = routeSwap(address(userPublicKey), plan).instructions;
    const data = Buffer.from(instruction?.data ?? []);
    // The platform's fee is the last byte.
    data.writeUInt8(faults.platformFeeBps ?? 0, data.length - 1);
    return {
      setupInstructions: [],
      swapInstruction: {
        programId: faults.programId ?? instruction?.programId.toBase58(),
        accounts: instruction?.keys.map(({ pubkey, isSigner, isWritable }, place) => ({
          pubkey: place === DESTINATION_AT && faults.destination !== undefined ? faults.destination : pubkey.toBase58(),
          isSigner,
          isWritable,
        })),
        data: data.toString('base64'),
      },
      cleanupInstruction: null,
      addressLookupTableAddresses: [],
    };
  };
  return async (input, init) => {
    if (faults.isDown === true) {
      throw new TypeError('fetch failed');
    }
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    if (body !== undefined && faults.instructionsStatus !== undefined) {
      return new Response(JSON.stringify({ error: 'Too many requests' }), { status: faults.instructionsStatus });
    }
    return Response.json(await answer(new URL(input instanceof Request ? input.url : input), body));
  };
}
